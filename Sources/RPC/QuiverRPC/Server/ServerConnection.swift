import QuiverWire

/// The server's end of one connection as a value: bytes and time in, events and framed output out.
///
/// Drive it so: give it a chunk by calling ``next(_:at:now:)`` until it answers `needsBytes`,
/// carrying out each event; then `endTurn`, and write ``ConnectionCore/output``.
package struct ServerConnection: ~Copyable {
  package var core: ConnectionCore
  let router: Router
  /// The call to start, after a `call` event.
  package var call = ServerCall()
  /// Of the last call whose metadata was short; nil: there was none.
  var knownMetadata: KnownMetadata?
  /// A gateway connects for its callers: the addresses that it states count.
  var isGateways = false
  /// Of the call whose handler is being started: its stream (0: none), whether it is answered, and
  /// the object to notify of its cancellation. Stored behind the pointer because each call uses
  /// them.
  var startingStream: UInt32 = 0
  var isAnswered = false
  var startingOwner: (any Cancellable)?
  /// The message that came, after a `message` event; valid until the next event.
  package var message = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The client's HELLO, from its arrival until the caller is authenticated or refused; an object,
  /// so that an idle connection does not own it.
  var receivedHello: ReceivedHello?
  /// How this side identifies itself in its HELLO.
  let identity: ServerIdentity
  /// Why the connection drains, for its GOAWAY.
  var drainReason: StaticString = "the server is draining"

  var hasCaller = false
  /// Whether the connection is that of a caller, or of a gateway for callers without a token.
  var hasFullLimits = false
  /// Whether the caller's token lets calls through that change something.
  var mayMutate = true
  /// The only methods that are answered where the call names its caller; nil: all.
  var methods: MethodSet?
  /// Cancelled handlers that the end has not been notified of.
  var cancelled: [UInt32] = []
  /// The charge of ``message``, to be given to ``took(stream:charge:byteCount:)``.
  package internal(set) var messageCharge: UInt64 = 0
  /// A message that came in parts, kept until its event has been handled.
  var completed: Reassembly?
  /// The first frame of a streaming call, kept until its handler has been started.
  var pendingFirst: (stream: UInt32, header: FrameHeader, bytes: [UInt8])?
  /// Keeps the bytes of ``pendingFirst`` until the next event.
  var firstFrame: Reassembly?
  /// Streaming calls whose handlers have started in this turn.
  var pendingHeaders: [UInt32] = []
  /// The stream whose request side ended with the message just handed over; 0: none.
  var pendingEnd: UInt32 = 0
  var closingReported = false
  var resets: AbuseBudget
  var pings: AbuseBudget
  var lastPing: UInt64 = 0
  /// Whether failures are kept for interceptors, and the failures of calls whose end has not been
  /// reported.
  var keepsFailures = false
  var failures: [UInt32: RPCError] = [:]
  /// The trace contexts of calls in the stream table, where they are counted and have one.
  var traces: [UInt32: [UInt8]] = [:]
  /// What the client's GOAWAY named last.
  var clientLast = UInt32.max

  /// - Parameters:
  ///   - jitter: any number; shifts the connection's age and idleness by up to a tenth.
  package init(
    router: Router, limits shared: SharedLimits, identity: ServerIdentity,
    compressor: (any Compressor)? = nil, share: MemoryShare? = nil, metrics: CallMetrics? = nil,
    jitter: UInt64 = 0, now: UInt64
  ) {
    let limits = shared.value
    self.router = router
    self.identity = identity
    core = ConnectionCore(
      role: .server, limits: shared, own: Settings(.anonymous), peer: Settings(Limits()),
      compressor: compressor, share: share, metrics: metrics, now: now)
    core.lifetime = Lifetime(limits, jitter: jitter)
    keepsFailures = router.hasInterceptors
    resets = AbuseBudget(
      allowance: limits.resetBudget, windowMilliseconds: limits.resetWindowMilliseconds)
    pings = AbuseBudget(
      allowance: limits.pingBudget, windowMilliseconds: limits.pingWindowMilliseconds)
  }

  /// The next thing that the bytes of `chunk`, from `offset` on, ask for.
  package mutating func next(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) -> ServerEvent {
    if !cancelled.isEmpty { return .cancelled(stream: cancelled.removeFirst()) }
    if pendingEnd != 0 {
      defer { pendingEnd = 0 }
      return .requestEnded(stream: pendingEnd)
    }
    do throws(ConnectionFault) {
      while true {
        switch core.phase {
        case .open:
          if let event = try nextOpen(chunk, at: &offset, now: now) { return event }
          if !cancelled.isEmpty { return .cancelled(stream: cancelled.removeFirst()) }
          if !core.wantsInput { return .needsBytes }
        case .preface:
          do throws(ConnectionCore.PrefaceFault) {
            guard try core.readPreface(chunk, at: &offset) else { return .needsBytes }
          } catch {
            return refuse(error)
          }
          core.phase = .hello
        case .hello:
          guard try readHello(chunk, at: &offset) else { return .needsBytes }
          core.phase = .authenticating
          return .authenticate
        case .authenticating: return .needsBytes
        case .closing:
          core.discard(chunk.count - offset)
          offset = chunk.count
          guard closingReported else {
            closingReported = true
            return .closing
          }
          return .needsBytes
        case .closed:
          offset = chunk.count
          return .needsBytes
        }
      }
    } catch {
      fail(error)
      closingReported = true
      return .closing
    }
  }

  /// Whether ``next(_:at:now:)`` would answer `needsBytes` to an empty chunk, and change nothing.
  @inline(__always)
  var hasNoEvent: Bool {
    core.phase == .open && core.deframer.isEmpty && cancelled.isEmpty && pendingEnd == 0
      && pendingFirst == nil
  }

  /// The next call whose handler is to be cancelled; nil if there is none.
  package mutating func nextCancelled() -> UInt32? {
    cancelled.isEmpty ? nil : cancelled.removeFirst()
  }

  @inline(__always)
  private mutating func nextOpen(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    if pendingFirst != nil { return try receiveFirst(now: now) }
    guard let header = core.deframer.header(chunk, at: &offset) else { return .needsBytes }
    try core.validate(header)
    guard let payload = core.deframer.payload(of: header, chunk, at: &offset) else {
      return .needsBytes
    }
    core.framesSeen &+= 1
    if header.typeBits == FrameType.request.rawValue {
      return try receiveRequest(header, payload, now: now)
    }
    return try receiveOther(header, payload, now: now)
  }
}

@available(*, unavailable)
extension ServerConnection: Sendable {}
