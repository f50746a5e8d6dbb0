package import QuiverRPC

extension ServiceCatalogue {
  /// Every service of `Protos` with its methods and messages.
  package static let archery = ServiceCatalogue([
    Health.self, Reflection.self, Diagnostics.self, Equipment.self, Admin.self, Account.self,
    Rounds.self, Comparison.self, Tournament.self, Events.self,
    Elimination.self, Logbook.self,
  ])
}
