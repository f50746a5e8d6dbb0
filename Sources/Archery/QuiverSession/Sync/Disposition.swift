import QuiverRPC
import QuiverWire

/// The consequence of a failed call for its row.
enum Disposition {
  /// A later attempt may succeed, at the earliest after the push-back.
  case transient(pushBack: Duration?)
  /// The token is not accepted, or may not be sent in plain text; nothing can be sent with it.
  case signedOut
  /// The server's final answer.
  case definite

  init(_ error: RPCError) {
    let pushBack = error.retryAfterMilliseconds.flatMap {
      $0 >= 0 ? Duration.milliseconds($0) : nil
    }
    switch error.code {
    case .unavailable, .deadlineExceeded, .cancelled:
      self = error.retryAfterMilliseconds == -1 ? .definite : .transient(pushBack: pushBack)
    case .resourceExhausted where pushBack != nil || error.origin != .server:
      self = .transient(pushBack: pushBack)
    case .unauthenticated:
      self = .signedOut
    case .failedPrecondition where error.origin == .connection:
      self = .signedOut
    default:
      self = .definite
    }
  }
}

extension SessionError {
  init(_ error: RPCError) { self.init(.call(error.code), error.message) }

  /// Whether a later attempt may succeed.
  var isTransient: Bool {
    switch code {
    case .call(.unavailable), .call(.deadlineExceeded), .call(.cancelled),
      .call(.resourceExhausted):
      true
    default: false
    }
  }
}
