import QuiverWire

/// A call that names, in metadata, the user whose call it is: of a service that an administrator
/// lets act for the user, or of a principal that the user lets read something.
package enum ActingUser {
  /// The metadata's key; its value is the user's id in decimal digits.
  static let key = "quiver-user"

  /// The user's id as the call states it. Throws INVALID_ARGUMENT.
  static func id(in values: [[UInt8]]) throws(RPCError) -> Int64 {
    // proved: nil, and no trap, where digits are too many.
    let read = { (text: String) -> Int64? in Int64(text) }
    guard values.count == 1, let text = String(validating: values[0], as: UTF8.self),
      let id = read(text), id > 0, "\(id)" == text
    else {
      throw RPCError(
        .invalidArgument, "\(key): must be the id of one user, in decimal digits",
        isNotProcessed: true)
    }
    return id
  }

  /// The error for a caller that may not act for the user that it names.
  package static let denied = RPCError(
    .permissionDenied, "\(key): this caller may not act for that user", isNotProcessed: true)
}

/// A caller that is found on another thread while its call waits.
package struct DeferredCaller: Sendable {
  /// What is passed to the completion: the caller or why there is none, and whether it still holds.
  /// `isCurrent` is called on the reactor; if it returns false the caller is looked for again.
  package typealias Completion =
    @Sendable (Result<Caller, RPCError>, _ isCurrent: @escaping @Sendable () -> Bool) -> Void

  package let start: @Sendable (@escaping Completion) -> Void

  /// - Parameter start: called on the reactor; it must not block, and calls the completion once,
  ///   on any thread.
  package init(_ start: @escaping @Sendable (@escaping Completion) -> Void) {
    self.start = start
  }

  /// Calls for which no caller has to be looked for, because they fail.
  package init(_ error: RPCError) {
    self.init { completion in completion(.failure(error)) { true } }
  }
}

extension Authenticator {
  /// Without an implementation no caller may act for another.
  package func acting(
    _ caller: Caller, forUser user: Int64, calling method: MethodInfo
  ) -> DeferredCaller {
    DeferredCaller(ActingUser.denied)
  }
}
