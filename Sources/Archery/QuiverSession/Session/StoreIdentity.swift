/// The database of a server and the principal whose data a local file holds.
public struct StoreIdentity: Sendable, Hashable {
  /// The random number of the server's database.
  public var storeEpoch: UInt64
  /// The id of the principal.
  public var principalID: Int64

  /// An identity of these two numbers.
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
