import QuiverRPC
import QuiverWire

/// What the failure of a row's call means for the row.
enum Disposition {
  /// The server may do better later; at the earliest after its push-back.
  case transient(pushBack: Duration?)
  /// The token is not good, or may not be sent in plain text; nothing can be sent with it.
  case signedOut
  /// The server's last word.
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

  /// Whether another attempt may do better.
  var isTransient: Bool {
    switch code {
    case .call(.unavailable), .call(.deadlineExceeded), .call(.cancelled),
      .call(.resourceExhausted):
      true
    default: false
    }
  }
}
