/// Identifies the data of a local file: one principal in one database of a server.
public struct StoreIdentity: Sendable, Hashable {
  /// Random; each database of a server has its own.
  public var storeEpoch: UInt64
  public var principalID: Int64

  public init(storeEpoch: UInt64, principalID: Int64) {
    self.storeEpoch = storeEpoch
    self.principalID = principalID
  }

  /// The file's name, for example `quiver-00c5…-42.db`.
  var fileName: String {
    let digits = String(storeEpoch, radix: 16)
    let padding = String(repeating: "0", count: max(0, 16 - digits.count))
    return "quiver-\(padding)\(digits)-\(principalID).db"
  }
}
