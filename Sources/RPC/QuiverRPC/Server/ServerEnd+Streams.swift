public import QuiverProtobuf

extension ServerEnd {
  /// Takes the current call into the machine's table before its handler starts, so that it may send
  /// at once.
  @usableFromInline
  func openStream() -> ServerStream {
    reactor.preconditionOnReactor()
    let stream = ServerStream(end: self, stream: currentStream)
    connection.pointee.openCurrentCall(owner: stream)
    connection.pointee.isAnswered = true
    return stream
  }

  /// The handler of a streaming call has taken a message.
  func took(_ stream: UInt32, charge: UInt64, byteCount: Int) {
    reactor.preconditionOnReactor()
    connection.pointee.took(stream: stream, charge: charge, byteCount: byteCount)
    // CREDIT goes out with the turn; outside of one it needs its own, if any is due.
    if connection.pointee.core.hasPendingCredit { flushSoon() }
  }

  /// Sends a message of a streaming reply.
  @inlinable
  func send<Response: Message>(_ stream: UInt32, _ response: borrowing Response) -> SendResult {
    let count = coder.encode(response, reserving: { roomForReply($0) })
    return commitMessage(stream, count)
  }

  @usableFromInline
  func commitMessage(_ stream: UInt32, _ byteCount: Int) -> SendResult {
    reactor.preconditionOnReactor()
    let sent = connection.pointee.commitMessage(stream: stream, byteCount)
    sentOutsideTurn(sent)
    return sent
  }

  /// Sends a message of a streaming reply that is encoded already.
  package func send(_ stream: UInt32, encoded bytes: [UInt8]) -> SendResult {
    put(bytes)
    return commitMessage(stream, bytes.count)
  }

  /// Whether a message should be queued on the stream now; if not, its owner is notified when.
  func hasRoom(_ stream: UInt32) -> Bool {
    reactor.preconditionOnReactor()
    return connection.pointee.hasRoom(stream: stream)
  }

  /// From now on the stream has room when the client's application has taken all that was sent.
  func sendOneStateAhead(_ stream: UInt32) {
    reactor.preconditionOnReactor()
    connection.pointee.sendOneStateAhead(stream: stream)
  }

  /// Sends initial metadata, if nothing of the reply has been sent.
  func sendHeaders(_ stream: UInt32, _ metadata: Metadata) {
    reactor.preconditionOnReactor()
    connection.pointee.sendHeaders(stream: stream, metadata)
    flushSoon()
  }

  /// Ends a streaming reply OK.
  @usableFromInline
  func finishStream(_ stream: UInt32, _ trailing: Metadata) {
    reactor.preconditionOnReactor()
    connection.pointee.finishStream(stream: stream, trailing: trailing)
    if !observed.isEmpty { notifyEnded(stream) }
    flushSoon()
  }

  /// Ends a streaming call whose message did not decode.
  func refuseMessage(_ stream: UInt32, _ error: RPCError) {
    connection.pointee.refuseMessage(stream: stream, error, now: reactor.nowNanoseconds)
    flushSoon()
  }

  /// A message that was framed in place only needs to be written; one that was queued needs its
  /// turn to be framed.
  private func sentOutsideTurn(_ sent: SendResult) {
    guard !isInTurn else { return }
    if sent == .full {
      // The sender waits for room from now on. Framing at once would make room before it waits.
      reactor.run { [self] in flushSoon() }
    } else if sent == .room, !connection.pointee.core.hasReadyStreams {
      driver?.hasOutput()
    } else {
      flushSoon()
    }
  }
}
