package import QuiverWire

/// Memory that the secure ends of one reactor share: each uses it within one of its calls.
package final class SecureBuffers {
  /// What a channel has decrypted and its end has not read yet.
  var plain = ByteQueue()
  /// Lent to whichever end has plain output.
  var spareOutput = ByteQueue()

  /// More is given back between calls.
  private static let largestSpare = 1024 * 1024

  package init() {}

  /// Gives back what one large message has made them hold.
  func trim() {
    if plain.allocatedByteCount > Self.largestSpare { plain.release() }
    if spareOutput.allocatedByteCount > Self.largestSpare { spareOutput.release() }
  }
}

@available(*, unavailable)
extension SecureBuffers: Sendable {}

/// An end whose bytes are encrypted: stands between a driver and the plain end.
///
/// The plain end sees no byte before the handshake is over. What it has to send is encrypted when
/// the driver asks for output, so that messages which come about together share their records.
/// Lives on the end's reactor.
package final class SecureEnd: ConnectionEnd {
  package let plain: any ConnectionEnd
  private let channel: any SecureChannel
  private let buffers: SecureBuffers
  private let reactor: any Reactor
  private let lingerNanoseconds: UInt64
  private let mostDiscarded: Int
  /// Encrypted bytes that wait to be written.
  private var wire = ByteQueue()
  private let isClient: Bool
  private var needsStart: Bool
  /// The plain end has said its last and a close_notify follows it.
  private var hasClosed = false
  /// The driver found no room; until it writes again the plain end counts the time.
  private var isBlocked = false
  /// The peer has sent a close_notify, and the plain end has ended; what it has answered is sent.
  private var isFlushing = false
  /// Until when a channel that failed waits for its alert to be read, or one whose peer has closed
  /// for its last bytes to be sent; 0: neither has happened.
  private var closeBy: UInt64 = 0
  /// What has come in since the channel failed.
  private var discarded = 0
  private var isEnded = false
  /// Whether the handshake has ended well.
  package private(set) var hasOpened = false
  /// Why the channel failed; nil: it has not.
  package private(set) var failure: SecureChannelError?

  /// Called once when the handshake is over, before the plain end sees a byte.
  package var onOpen: ((PeerIdentity?) -> Void)?
  /// Called once when the channel fails.
  package var onFailure: ((SecureChannelError) -> Void)?

  /// - Parameter startsHandshake: whether this is a client's end, which speaks first.
  package init(
    _ plain: any ConnectionEnd, _ channel: any SecureChannel, buffers: SecureBuffers,
    reactor: any Reactor, startsHandshake: Bool, limits: Limits
  ) {
    self.plain = plain
    self.channel = channel
    self.buffers = buffers
    self.reactor = reactor
    isClient = startsHandshake
    needsStart = startsHandshake
    mostDiscarded = Int(clamping: limits.initialConnectionCredit)
    lingerNanoseconds = UInt64(max(limits.lingerMilliseconds, 0)) &* 1_000_000
  }

  /// Whether the peer has not proved yet that it speaks TLS.
  package var isInHandshake: Bool { channel.state == .handshaking && failure == nil }

  // MARK: Input

  package func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    guard failure == nil, !isFlushing else { return discard(chunk.count) }
    let wasInHandshake = isInHandshake
    do throws(SecureChannelError) {
      try channel.receive(chunk, plain: &buffers.plain, wire: &wire)
    } catch {
      buffers.plain.removeAll()
      return fail(error)
    }
    if wasInHandshake {
      guard !isInHandshake else { return }
      hasOpened = true
      onOpen?(channel.peerIdentity)
      onOpen = nil
    }
    deliver(now: now)
    if channel.state == .peerClosed, !hasClosed, plain.phase < .closing { peerHasClosed() }
  }

  /// Ends the plain end as the end of a plain connection's input does. What a server's end has
  /// answered by now is still sent, and a close_notify behind it; what a client's end has not sent
  /// was not processed.
  private func peerHasClosed() {
    guard !isClient else {
      isEnded = true
      return plain.closed(Self.notified)
    }
    var waiting = plain.output
    while failure == nil, !waiting.isEmpty {
      send(waiting)
      waiting = plain.output
    }
    guard failure == nil else { return }
    hasClosed = true
    channel.close(wire: &wire)
    isFlushing = true
    closeBy = reactor.nowNanoseconds &+ lingerNanoseconds
    plain.closed(Self.notified)
  }

  /// Counts what a failed channel still gets: a peer that does not stop is not waited for.
  private func discard(_ byteCount: Int) {
    discarded += byteCount
    if discarded > mostDiscarded { isEnded = true }
  }

  /// Hands decrypted bytes to the plain end. They are its own within the call, since the end may
  /// have its output encrypted meanwhile.
  private func deliver(now: UInt64) {
    guard !buffers.plain.isEmpty else { return }
    var taken = ByteQueue()
    swap(&taken, &buffers.plain)
    plain.receive(taken.bytes, now: now)
    taken.removeAll()
    swap(&taken, &buffers.plain)
    buffers.trim()
  }

  // MARK: Output

  package var output: UnsafeRawBufferPointer {
    if wire.isEmpty, failure == nil, !isEnded, !isFlushing { encrypt() }
    return wire.bytes
  }

  /// Encrypts what the plain end has framed, which counts as written from here on.
  private func encrypt() {
    if needsStart { return start() }
    guard !isInHandshake else { return }
    let waiting = plain.output
    if !waiting.isEmpty { send(waiting) }
    guard failure == nil, plain.phase >= .closing, plain.output.isEmpty, !hasClosed else { return }
    hasClosed = true
    channel.close(wire: &wire)
  }

  private func start() {
    needsStart = false
    do throws(SecureChannelError) {
      try channel.start(wire: &wire)
    } catch {
      fail(error)
    }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) {
    do throws(SecureChannelError) {
      try channel.send(bytes, wire: &wire)
      plain.wrote(bytes.count, now: reactor.nowNanoseconds)
    } catch {
      fail(error)
    }
  }

  package func wrote(_ byteCount: Int, now: UInt64) {
    wire.consume(byteCount)
    guard isBlocked, failure == nil, !isFlushing else { return }
    isBlocked = false
    // The driver has made progress: the plain end restarts its count.
    plain.wrote(0, now: now)
  }

  package func writeBlocked(now: UInt64) {
    isBlocked = true
    if !isFlushing { plain.writeBlocked(now: now) }
  }

  package func exchangeOutput(_ spare: inout ByteQueue) {
    plain.exchangeOutput(&buffers.spareOutput)
    guard wire.isEmpty else { return }
    swap(&wire, &spare)
  }

  package func reclaimOutput(into spare: inout ByteQueue) {
    plain.reclaimOutput(into: &buffers.spareOutput)
    guard wire.isEmpty else { return }
    if wire.allocatedByteCount > spare.allocatedByteCount { swap(&wire, &spare) }
    wire.release()
  }

  // MARK: Life

  package var phase: ConnectionCore.Phase {
    if isEnded { return .closed }
    if failure != nil { return .closing }
    if isFlushing { return wire.isEmpty ? .closed : .closing }
    guard isInHandshake else { return plain.phase }
    // Whatever the plain end would say can be sent to nobody.
    return plain.phase >= .closing ? .closed : .preface
  }

  package var wantsInput: Bool {
    !isFlushing && (failure != nil || isInHandshake || plain.wantsInput)
  }

  package var nextTimer: UInt64 { failure != nil || isFlushing ? closeBy : plain.nextTimer }

  package func timerFired(now: UInt64) {
    guard failure == nil, !isFlushing else {
      if now >= closeBy { isEnded = true }
      return
    }
    plain.timerFired(now: now)
    if isInHandshake, plain.phase >= .closing {
      fail(SecureChannelError(.timeout, "the TLS handshake did not end in time"))
      isEnded = true
    }
  }

  package func didHalfClose(now: UInt64) {
    if failure == nil, !isFlushing { plain.didHalfClose(now: now) }
  }

  package func closed(_ reason: String) {
    guard !isEnded, failure == nil, !isFlushing else {
      isEnded = true
      return
    }
    isEnded = true
    guard reason == Self.peerClosed, plain.phase < .closing, let error = channel.endOfInput() else {
      return plain.closed(reason)
    }
    failure = error
    onFailure?(error)
    plain.closed(error.description)
  }

  /// What a driver says when the peer has closed the connection.
  package static let peerClosed = "the peer closed the connection"
  /// The reason that a plain end receives after a close_notify.
  private static let notified = "the peer closed the TLS connection"

  private func fail(_ error: SecureChannelError) {
    guard failure == nil, !isEnded, !isFlushing else { return }
    failure = error
    closeBy = reactor.nowNanoseconds &+ lingerNanoseconds
    onOpen = nil
    onFailure?(error)
    onFailure = nil
    plain.closed(error.description)
  }
}

@available(*, unavailable)
extension SecureEnd: Sendable {}
