public import QuiverRPC

/// Who calls: what an ``IdentityProvider`` has found. Limits and shares of the server hold for each
/// principal by its name.
public struct Principal: Sendable, Hashable {
  /// The name, unique among the callers of the server.
  public let name: String
  /// Whether calls of mutating methods are answered; otherwise they end PERMISSION_DENIED.
  public let mayMutate: Bool

  /// Creates a principal.
  public init(_ name: String, mayMutate: Bool = true) {
    self.name = name
    self.mayMutate = mayMutate
  }

  /// The number that the server counts the principal by. The hash has a random key of the process,
  /// so that nobody can choose names with equal numbers.
  var number: Int64 {
    var hasher = Hasher()
    hasher.combine(name)
    return Int64(hasher.finalize() & Int.max) | 1
  }
}

extension CallContext {
  /// Who calls; nil where the method is anonymous and the caller is not known.
  public var principal: Principal? {
    caller.map { Principal($0.displayName, mayMutate: $0.mayMutate) }
  }

  /// The address of the caller, without its port.
  public var peerAddress: String { connection.address }
}
