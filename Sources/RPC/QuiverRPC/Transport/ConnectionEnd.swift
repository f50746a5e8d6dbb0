package import QuiverWire

/// One end of a connection as its driver sees it, server's or client's: bytes in, bytes out, time.
///
/// Everything is called on the end's reactor.
package protocol ConnectionEnd: AnyObject {
  /// Takes what has come in; `chunk` is not kept. Afterwards there may be output.
  func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64)
  /// What waits to be written, up to the output's high water; valid until the next call.
  var output: UnsafeRawBufferPointer { get }
  /// The driver wrote `byteCount` of the output; more may be framed now.
  func wrote(_ byteCount: Int, now: UInt64)
  /// The driver found no room for the output.
  func writeBlocked(now: UInt64)
  /// The number of bytes that the transport stores of the output that this end reported as written.
  func transportHolds(_ byteCount: Int)
  /// The time of ``nextTimer`` has come.
  func timerFired(now: UInt64)
  /// Monotonic nanoseconds; 0: no timer is wanted.
  var nextTimer: UInt64 { get }
  /// False while input has to wait.
  var wantsInput: Bool { get }
  var phase: ConnectionCore.Phase { get }
  /// The driver has flushed a closing end and half-closed: input is discarded from here on.
  func didHalfClose(now: UInt64)
  /// The peer is gone, or the driver gives up.
  func closed(_ reason: String)
  /// Exchanges the output's memory with the driver's, before input. Does nothing while output
  /// waits.
  func exchangeOutput(_ spare: inout ByteQueue)
  /// Takes the output's memory, since idle ends own none: the driver keeps the larger of both.
  /// Does nothing while output waits.
  func reclaimOutput(into spare: inout ByteQueue)
}

extension ConnectionEnd {
  package func transportHolds(_ byteCount: Int) {}

  package func reclaimOutput(into spare: inout ByteQueue) {
    var taken = ByteQueue()
    exchangeOutput(&taken)
    if taken.allocatedByteCount > spare.allocatedByteCount { swap(&taken, &spare) }
  }
}

/// Reads and writes the bytes of an end, and keeps its timer.
package protocol ConnectionDriver: AnyObject {
  /// The end has output that no turn of input will flush. Called on the reactor.
  func hasOutput()
  /// The caller of a server's end is known. False: the principal has as many connections as it may.
  /// Called on the reactor.
  func admits(principal: Int64) -> Bool
  /// The caller of a server's end has sent no token. False: the connection may not stay. Called on
  /// the reactor.
  func admitsAnonymous() -> Bool
}

extension ConnectionDriver {
  package func admits(principal: Int64) -> Bool { true }
  package func admitsAnonymous() -> Bool { true }
}
