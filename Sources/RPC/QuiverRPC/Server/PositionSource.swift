/// Where the store of a server is, of a server that shares its store with others.
///
/// Replies state the position, and calls state the one that their caller has seen: such a call
/// starts when the store that answers it has come so far. Any thread may use it.
package protocol PositionSource: Sendable {
  /// Whether replies of methods that change nothing state the position too.
  var isStatedByReads: Bool { get }

  /// The position for the reply of a call that ends now: what the call has changed or read is not
  /// behind it.
  var stated: StorePosition { get }

  /// Whether a call that states this position may start. It must not block.
  ///
  /// - Parameter timeLeftMilliseconds: until the deadline of the call; nil: it has none.
  func admission(
    of position: StorePosition, _ connection: ConnectionInfo, timeLeftMilliseconds: UInt32?
  ) -> PositionAdmission
}

/// Whether a call that states a position may start.
package enum PositionAdmission: Sendable {
  case admitted
  /// It is not known that the store has come so far. The closure is called on the reactor; it calls
  /// its completion once, on any thread: with nil when the call may start, or with its end.
  case waits(@Sendable (_ completion: @escaping @Sendable (RPCError?) -> Void) -> Void)
}
