import QuiverStore

extension StoreConfiguration {
  /// A store without quotas: one principal stores everything that is measured.
  static func unlimited(_ directory: String) -> StoreConfiguration {
    var configuration = StoreConfiguration(directory: directory)
    configuration.quotas = .none
    return configuration
  }
}
