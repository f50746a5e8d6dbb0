package import QuiverWire

/// An end whose bytes are encrypted: stands between a driver and the plain end.
///
/// The plain end sees no byte before the handshake is over. What it has to send is encrypted when
/// the driver asks for output, so that messages which come about together share their records.
/// Lives on the end's reactor.
package final class SecureEnd: ConnectionEnd {
  package let plain: any ConnectionEnd
  private let channel: any SecureChannel
  private let shared: SecureReactor
  /// Encrypted bytes that wait to be written.
  private var wire = ByteQueue()
  private let isClient: Bool
  private var needsStart: Bool
  /// The plain end has said its last and a close_notify follows it.
  private var hasClosed = false
  /// How many bytes of `wire` were reported to the plain end.
  private var reportedByteCount = 0
  /// The driver found no room; until it writes again the plain end counts the time.
  private var isBlocked = false
  /// The peer has sent a close_notify, and the plain end has ended; what it has answered is sent.
  private var isFlushing = false
  private var isEnded = false
  /// Whether the handshake has ended well.
  package private(set) var hasOpened = false
  /// Whether the peer has sent a whole message of its handshake, which this end has answered.
  package private(set) var hasAnswered = false
  /// The step of the handshake that is under way: until it ends, the channel is the step's.
  private var step: HandshakeStep?
  /// The state of the end after a failure or a close_notify; nil: neither has happened.
  private var ending: Ending?
  /// Notified of the handshake and of failures.
  package weak var observer: (any SecureEndObserver)?

  /// The last part of an end's life.
  private final class Ending {
    /// Why the channel failed; nil: the peer has closed.
    let failure: SecureChannelError?
    /// Until when a channel that failed waits for its alert to be read, or one whose peer has
    /// closed for its last bytes to be sent.
    let closeBy: UInt64
    /// What has come in since the channel failed.
    var discarded = 0

    init(_ failure: SecureChannelError?, closeBy: UInt64) {
      self.failure = failure
      self.closeBy = closeBy
    }
  }

  /// - Parameter startsHandshake: whether this is a client's end, which speaks first.
  package init(
    _ plain: any ConnectionEnd, _ channel: any SecureChannel, shared: SecureReactor,
    startsHandshake: Bool
  ) {
    self.plain = plain
    self.channel = channel
    self.shared = shared
    isClient = startsHandshake
    needsStart = startsHandshake
  }

  /// Plain bytes that are encrypted at a time: the rest stays with the plain end, which limits and
  /// counts it, until these are written.
  package static let encryptedAtOnce = 256 * 1_024
  /// What is encrypted at most for a peer that has closed its side; nothing limits or counts it any
  /// more.
  package static let flushedAtClose = 1_024 * 1_024

  /// Why the channel failed; nil: it has not.
  package var failure: SecureChannelError? { ending?.failure }

  /// Whether a step of the handshake is under way.
  package var isInStep: Bool { step != nil }

  /// Whether the peer has not proved yet that it speaks TLS.
  package var isInHandshake: Bool {
    failure == nil && (isInStep || channel.state == .handshaking)
  }

  // MARK: Input

  package func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    precondition(!isInStep, "input waits until the step of the handshake has ended")
    guard failure == nil, !isFlushing else { return discard(chunk.count) }
    let wasInHandshake = isInHandshake
    do throws(SecureChannelError) {
      try channel.receive(chunk, plain: &shared.plain, wire: &wire)
    } catch {
      shared.plain.removeAll()
      return fail(error)
    }
    received(wasInHandshake: wasInHandshake, now: now)
  }

  /// Begins a step of the handshake with received bytes. Any thread may run it; then
  /// ``endStep(_:now:)`` must be called on the reactor, and the end takes no input until that.
  package func beginStep(_ chunk: UnsafeRawBufferPointer) -> HandshakeStep {
    precondition(isInHandshake && !isInStep, "one step of a handshake at a time")
    let step = HandshakeStep(channel, chunk)
    self.step = step
    return step
  }

  /// Takes the result of a step that has run.
  package func endStep(_ step: HandshakeStep, now: UInt64) {
    self.step = nil
    guard failure == nil, !isEnded, !isFlushing else { return }
    wire.append(step.wire.bytes)
    if let error = step.error { return fail(error) }
    if !step.wire.isEmpty { hasAnswered = true }
    shared.plain.append(step.plain.bytes)
    received(wasInHandshake: true, now: now)
  }

  /// Hands on what the channel has received.
  private func received(wasInHandshake: Bool, now: UInt64) {
    if wasInHandshake {
      guard !isInHandshake else { return }
      hasOpened = true
      observer?.opened(self, channel.peerIdentity)
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
    while failure == nil, !plain.output.isEmpty, wire.count < Self.flushedAtClose {
      sendNext()
    }
    guard failure == nil else { return }
    hasClosed = true
    channel.close(wire: &wire)
    isFlushing = true
    ending = Ending(nil, closeBy: shared.closeTime)
    plain.closed(Self.notified)
  }

  /// Counts what a failed channel still gets: a peer that does not stop is not waited for.
  private func discard(_ byteCount: Int) {
    guard let ending else { return }
    ending.discarded += byteCount
    if ending.discarded > shared.mostDiscarded { isEnded = true }
  }

  /// Hands decrypted bytes to the plain end. They are its own within the call, since the end may
  /// have its output encrypted meanwhile.
  private func deliver(now: UInt64) {
    guard !shared.plain.isEmpty else { return }
    var taken = ByteQueue()
    swap(&taken, &shared.plain)
    plain.receive(taken.bytes, now: now)
    taken.removeAll()
    swap(&taken, &shared.plain)
    shared.trim()
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
    sendNext()
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

  /// Encrypts the next part of what the plain end has framed.
  private func sendNext() {
    let bytes = UnsafeRawBufferPointer(rebasing: plain.output.prefix(Self.encryptedAtOnce))
    guard !bytes.isEmpty else { return }
    do throws(SecureChannelError) {
      try channel.send(bytes, wire: &wire)
      plain.wrote(bytes.count, now: shared.nowNanoseconds)
    } catch {
      fail(error)
    }
  }

  package func wrote(_ byteCount: Int, now: UInt64) {
    wire.consume(byteCount)
    if reportedByteCount != 0 { reportHeld() }
    guard isBlocked, failure == nil, !isFlushing else { return }
    isBlocked = false
    // The driver has made progress: the plain end restarts its count.
    plain.wrote(0, now: now)
  }

  package func writeBlocked(now: UInt64) {
    isBlocked = true
    reportHeld()
    if !isFlushing { plain.writeBlocked(now: now) }
  }

  /// Tells the plain end how much waits to be written for it, so that it counts and limits it.
  private func reportHeld() {
    reportedByteCount = wire.count
    plain.transportHolds(wire.count)
  }

  package func exchangeOutput(_ spare: inout ByteQueue) {
    plain.exchangeOutput(&shared.spareOutput)
    guard wire.isEmpty else { return }
    swap(&wire, &spare)
  }

  package func reclaimOutput(into spare: inout ByteQueue) {
    plain.reclaimOutput(into: &shared.spareOutput)
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
    // Output of the plain end can no longer be sent.
    return plain.phase >= .closing ? .closed : .preface
  }

  package var wantsInput: Bool {
    !isFlushing && !isInStep && (failure != nil || isInHandshake || plain.wantsInput)
  }

  package var nextTimer: UInt64 { ending?.closeBy ?? plain.nextTimer }

  package func timerFired(now: UInt64) {
    if let ending {
      if now >= ending.closeBy { isEnded = true }
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
    step?.cancel()
    guard !isEnded, failure == nil, !isFlushing else {
      isEnded = true
      return
    }
    isEnded = true
    guard reason == Self.peerClosed, plain.phase < .closing, !isInStep,
      let error = channel.endOfInput()
    else { return plain.closed(reason) }
    ending = Ending(error, closeBy: shared.closeTime)
    observer?.failed(self, error)
    plain.closed(error.description)
  }

  /// The fault that a driver reports when the peer has closed the connection.
  package static let peerClosed = "the peer closed the connection"
  /// The reason that a plain end receives after a close_notify.
  private static let notified = "the peer closed the TLS connection"

  private func fail(_ error: SecureChannelError) {
    guard failure == nil, !isEnded, !isFlushing else { return }
    step?.cancel()
    ending = Ending(error, closeBy: shared.closeTime)
    observer?.failed(self, error)
    // What has come is not of TLS, or the peer has no protocol of Quiver's within it.
    if isClient, error.code == .plainText || error.code == .noApplicationProtocol {
      (plain as? ClientEnd)?.connection.pointee.speaksOtherProtocol = true
    }
    plain.closed(error.description)
  }
}

@available(*, unavailable)
extension SecureEnd: Sendable {}
