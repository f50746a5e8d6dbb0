package import QuiverWire

/// What both ends of a connection have in common: frames in and out, both allowances, the open
/// streams, life and end. A value without socket, clock or lock; times are monotonic nanoseconds
/// that the caller passes in.
package struct ConnectionCore: ~Copyable {
  package enum Role: Sendable { case client, server }

  package enum Phase: UInt8, Comparable, Sendable {
    /// Waiting for the peer's eight bytes.
    case preface
    /// Waiting for the peer's HELLO.
    case hello
    /// The server has the client's HELLO and waits for the result of authentication.
    case authenticating
    case open
    /// The end is queued: output is flushed and input discarded.
    case closing
    /// Nothing more is read or written.
    case closed

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  package let role: Role
  private let sharedLimits: SharedLimits
  package internal(set) var phase: Phase = .preface
  var egress = Egress()
  package internal(set) var streams = StreamTable()
  /// What this side allows the peer, and what the peer allows this side.
  package internal(set) var own: Settings
  package internal(set) var peer: Settings {
    didSet { noteReplyBytes() }
  }
  /// What this side can pack and unpack; nil: nothing.
  let compressor: (any Compressor)?
  /// Whether this side's HELLO lists ``compressor``.
  var inflates = false
  /// Messages of this size and more may be compressed.
  var compressionThreshold = Int.max {
    didSet { noteReplyBytes() }
  }
  var compressionHeuristic = CompressionHeuristic()
  /// A reply up to this size goes out as one frame, as it is, where the windows allow it.
  var plainReplyBytes = 0
  /// A larger message never goes out as one frame.
  private(set) var wholeReplyBytes = 0
  /// A message that is written to memory of its own, since it will go out in parts.
  var ownRoom: [UInt8] = []

  var deframer = Deframer()
  var prefaceBytesSeen = 0
  /// Own preface and HELLO are queued.
  var isHelloQueued = false

  /// The flow control of the connection as a whole.
  var window: FlowWindow

  // Streams that need attention.
  var ready = ReadyQueue()
  var streamsWithPendingCredit: [UInt32] = []
  /// Streams whose senders waited, may queue more and have not been notified.
  var streamsWithRoom: [UInt32] = []
  /// Bytes of messages that wait in streams' `outbound`.
  var queuedMessageBytes = 0
  var reassemblyBytes = 0
  /// Messages that were handed over and not taken.
  var untakenBytes = 0
  /// The share that counts what this connection holds; nil: nobody counts.
  package internal(set) var share: MemoryShare?
  /// Counts what happens on the connections of a server's reactor; nil: nobody counts.
  let metrics: CallMetrics?
  /// What was last reported to ``share`` of this connection.
  var reportedBytes = 0
  /// What of ``reportedBytes`` waits to be sent; the rest was received.
  var reportedOutputBytes = 0
  var pressure = ByteBudget.Pressure.none
  /// A server's: when the connection is read again after calls were refused.
  var refusals = RefusalPause()

  // Life.
  var startedAt: UInt64
  var keepalive: Keepalive
  /// A server's; a client's has no end of its own.
  var lifetime = Lifetime()
  /// Output that a transport has taken and keeps, since it encrypts it.
  var transportByteCount = 0
  /// When a call was last open or came.
  var lastInUse: UInt64
  var wasBusy = false
  var lastNotedStreamID: UInt32 = 0
  var frameStartedAt: UInt64 = 0
  var framesSeen: UInt64 = 0
  var frameStartedNumber: UInt64 = 0
  /// The time of the present turn, or of the last one.
  var turnTime: UInt64
  /// Since when messages wait for credit of the connection; 0: none does.
  var blockedSince: UInt64 = 0
  /// At or before the earliest deadline of a stream; 0: none.
  var earliestDeadline: UInt64 = 0
  var closeBy: UInt64 = 0
  /// Input that came after the half-close.
  var discarded: UInt64 = 0

  // End.
  /// Highest stream id seen (server) or used (client).
  package internal(set) var highestStreamID: UInt32 = 0
  var drain = DrainState.none
  package internal(set) var fault: ConnectionFault?

  init(
    role: Role, limits: SharedLimits, own: Settings, peer: Settings,
    compressor: (any Compressor)? = nil,
    share: MemoryShare? = nil, metrics: CallMetrics? = nil, now: UInt64
  ) {
    self.role = role
    sharedLimits = limits
    self.own = own
    self.peer = peer
    self.compressor = compressor
    self.share = share
    self.metrics = metrics
    window = FlowWindow(
      receiveAllowance: own.connectionCredit, sendAllowance: peer.connectionCredit)
    startedAt = now
    keepalive = Keepalive(now: now)
    lastInUse = now
    turnTime = now
    noteReplyBytes()
  }

  package var limits: Limits {
    @inline(__always) get { sharedLimits.value }
  }

  mutating func noteReplyBytes() {
    wholeReplyBytes = min(
      peer.maxFrameBytes, Int(clamping: peer.streamCredit) - Limits.frameCharge)
    plainReplyBytes = min(wholeReplyBytes, peer.maxMessageBytes, compressionThreshold &- 1)
  }

  /// What is framed and waits to be written.
  package var output: ByteQueue {
    _read { yield egress.output }
    _modify { yield &egress.output }
  }

  package var isClosing: Bool { phase >= .closing }

  /// Whether the transport should read: false while too many answers wait to be written, and for
  /// some time after too many calls were refused. A connection that is being closed discards what
  /// comes: unread bytes would let its end destroy the GOAWAY.
  package var wantsInput: Bool {
    phase == .closing
      || phase < .closing && egress.queuedAnswers < limits.maxQueuedAnswers
        && phase != .authenticating
        && refusals.until == 0
  }

  /// Counts that input waits because too many answers wait to be written, if that is so.
  func countFullAnswers() {
    guard phase == .open, egress.queuedAnswers >= limits.maxQueuedAnswers else { return }
    metrics?.reached(.maxQueuedAnswers)
  }

  /// The next stream whose sender waited and may queue more; nil if there is none.
  package mutating func nextWithRoom() -> UInt32? { streamsWithRoom.popLast() }
  var hasStreamsWithRoom: Bool { !streamsWithRoom.isEmpty }
  /// Whether a stream waits for its turn to write.
  var hasReadyStreams: Bool { !ready.isEmpty }
  /// Whether a CREDIT of a stream is due.
  var hasPendingCredit: Bool { !streamsWithPendingCredit.isEmpty }

  /// The fault of a connection that has reached a limit, which is counted.
  func fault(
    at limit: ReachedLimit, _ code: ConnectionErrorCode, _ reason: StaticString
  ) -> ConnectionFault {
    metrics?.reached(limit)
    return ConnectionFault(code, reason)
  }

  /// The status RESOURCE_EXHAUSTED of a call that has reached a limit, which is counted.
  func exhausted(
    _ limit: ReachedLimit, _ message: String, isNotProcessed: Bool = true,
    retryAfterMilliseconds: Int32? = nil
  ) -> RPCError {
    metrics?.reached(limit)
    return RPCError(
      .resourceExhausted, message, isNotProcessed: isNotProcessed,
      retryAfterMilliseconds: retryAfterMilliseconds)
  }

  /// Bytes that are framed or queued.
  package var outputByteCount: Int {
    egress.output.count + queuedMessageBytes + transportByteCount
  }
}

@available(*, unavailable)
extension ConnectionCore: Sendable {}

/// Streams that wait for their turn to write, first come first served.
struct ReadyQueue {
  private var ids: [UInt32] = []
  private var head = 0

  var isEmpty: Bool { head == ids.count }
  var first: UInt32? { head < ids.count ? ids[head] : nil }

  mutating func append(_ id: UInt32) { ids.append(id) }

  mutating func removeFirst() {
    precondition(head < ids.count, "a queue with a first element")
    head += 1
    if head == ids.count {
      ids.removeAll(keepingCapacity: ids.count <= 64)
      head = 0
    } else if head >= 64, head * 2 >= ids.count {
      ids.removeSubrange(0..<head)
      head = 0
    }
  }
}
