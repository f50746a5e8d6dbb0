/// Sends calls over connections: a channel.
package protocol CallRoute: AnyObject, Sendable {
  /// Sends a call, now or once a connection has room for it; in any case the call receives its
  /// outcome once.
  func send(_ call: ClientCall)

  /// Sends a call when its time has come, in monotonic nanoseconds.
  func send(_ call: ClientCall, atNanoseconds due: UInt64)

  /// Cancels a call, wherever it is: it ends with `error` here, and CANCEL is sent if a server has
  /// it.
  func giveUp(_ call: ClientCall, _ error: RPCError)

  /// Whether a call whose attempt has failed is sent again; notes in `history` what it decided by.
  ///
  /// Called where the attempt received its outcome.
  func resending(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Resending

  /// A call was answered OK.
  func succeeded()

  /// A call that ends OK has got trailing metadata.
  func received(trailing: Metadata)
}

extension CallRoute {
  package func received(trailing: Metadata) {}
}

/// What happens to a call whose attempt has failed.
package enum Resending: Sendable {
  /// The failure stands.
  case no
  /// It is sent again at once.
  case now
  /// It is sent again at this time, in monotonic nanoseconds.
  case at(UInt64)
}

/// What became of a call's attempts so far.
package struct CallHistory: Sendable {
  /// Of the next attempt, as its head states it; 0: the first.
  package var attempt: UInt32 = 0
  /// Attempts that the retry policy has granted.
  package var retryCount = 0
  /// Steps of the back-off since the start, or since the server's last push-back.
  package var backoffSteps = 0
  /// Attempts whose connection could not be made.
  package var failedConnects = 0
  /// The one attempt is spent that a call has for free whose connection ended without taking it.
  package var wasResentUnseen = false
  /// An attempt may have had its effect: the call as a whole can no more be called not processed.
  package var mayHaveRun = false

  package init() {}

  /// `error` as the end of the whole call.
  func ending(with error: RPCError) -> RPCError {
    guard mayHaveRun, error.isNotProcessed else { return error }
    var error = error
    error.isNotProcessed = false
    return error
  }
}
