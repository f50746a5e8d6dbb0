package import QuiverProtobuf

/// Observes a call on its reactor, for programs that make many calls without a task for each.
package protocol CallObserver: AnyObject {
  /// The one reply has come, or the reply stream has ended OK.
  func ended()
  /// The call has ended with a status.
  func failed(_ error: RPCError)
  /// A message of a reply stream has come; give its charge back with `took`.
  func received(_ bytes: UnsafeRawBufferPointer, charge: UInt64)
}

/// A call that notifies its observer, which owns it and may send it again once it is over.
// Sendable as its superclass is.
package final class ObservedCall: ClientCall, @unchecked Sendable {
  /// Set before the call is submitted, each time; kept until it is over, since a reference that
  /// does not keep costs more than all else that is done for a call's end.
  package var observer: (any CallObserver)?

  package override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    release()?.ended()
  }

  package override func finished() { release()?.ended() }

  package override func failed(_ error: RPCError) { release()?.failed(error) }

  package override func received(_ bytes: UnsafeRawBufferPointer, charge: UInt64) {
    observer?.received(bytes, charge: charge)
  }

  private func release() -> (any CallObserver)? {
    defer { observer = nil }
    return observer
  }
}
