package import QuiverProtobuf
import QuiverWire

/// One call as the client's connection sees it: what to send, and what receives its outcome.
///
/// Belongs to its connection's reactor from the moment it is started; subclasses receive the
/// outcome once, there.
// Sendable because it is handed over: made by one task, then touched on the reactor alone.
package class ClientCall: @unchecked Sendable {
  package let method: MethodInfo
  /// The encoded request.
  let message: [UInt8]
  /// The request compressed; nil: it goes as it is.
  var compressedMessage: [UInt8]?
  var hasTriedCompression = false
  /// What is sent of the request.
  var body: [UInt8] { compressedMessage ?? message }
  /// Monotonic nanoseconds; 0: none.
  @exclusivity(unchecked)  // the reactor is the one owner of this and of what follows
  package private(set) var deadlineNanoseconds: UInt64
  @exclusivity(unchecked)
  private(set) var head: RequestHead
  /// 0 while the call waits to be written.
  @exclusivity(unchecked)
  package internal(set) var stream: UInt32 = 0
  package internal(set) var isOver = false
  /// Of a call that has failed: some of it was given to the transport.
  package internal(set) var hasLeft = false
  /// Where in all that its connection writes the call's REQUEST begins.
  @exclusivity(unchecked)
  var outputStart: UInt64 = 0
  /// Initial and trailing metadata of the reply, as far as they have come.
  @exclusivity(unchecked)
  package internal(set) var initialMetadata = Metadata()
  @exclusivity(unchecked)
  package internal(set) var trailingMetadata = Metadata()
  /// Messages of a request stream that wait for the call to be opened.
  var unopenedMessages = OutboundQueue()
  /// The request side of a request stream has ended.
  var hasEndedRequest = false
  /// A single reply that came as DATA and waits for its STATUS.
  var held: Reassembly?

  /// Where the call is; belongs to its ``CallRoute``, which keeps it under a lock of its own.
  @exclusivity(unchecked)  // one statement reads it or sets it, behind that lock
  package var place = Place.unsent
  /// The call waits for a connection where others fail while none can be made.
  package let waitsForReady: Bool

  /// Where a call is, as its route knows it.
  package enum Place {
    case unsent
    /// The route keeps it until there is a connection with room for it.
    case held
    case at(ClientEnd)
    /// It was given up before it was sent, or where it waited.
    case withdrawn
  }

  /// What goes into the head of a call beside its method and its time, and how it is sent.
  package struct HeadOptions: Sendable {
    package var idempotencyKey: IdempotencyKey?
    package var metadata = Metadata()
    /// W3C's trace context; sent only where it has 25 bytes.
    package var traceparent: [UInt8] = []
    /// Of a watch: the last sequence that was seen, and the store's epoch that it is of; 0: none.
    package var afterSequence: Int64 = 0
    package var storeEpoch: UInt64 = 0
    /// Of a watch: credit is returned as soon as the application has taken all that has come.
    package var returnsCreditAtOnce = false
    package var waitsForReady = false
    /// Of a call without a trace context whose metadata was kept before, for all calls with it.
    package var extras: RequestHead.Extras?

    package init() {}
  }

  package init(
    method: MethodInfo, message: [UInt8], deadlineNanoseconds: UInt64,
    idempotencyKey: IdempotencyKey?, attempt: UInt32, metadata: Metadata, namesMethod: Bool = false
  ) {
    self.method = method
    self.message = message
    self.deadlineNanoseconds = deadlineNanoseconds
    waitsForReady = false
    var head = RequestHead()
    head.methodID = namesMethod ? 0 : method.id
    head.idempotencyKey = idempotencyKey
    head.attempt = attempt
    if namesMethod || !metadata.isEmpty {
      head.extras = RequestHead.Extras(
        methodName: namesMethod ? method.name : "", metadata: metadata)
    }
    self.head = head
  }

  package init(
    method: MethodInfo, message: [UInt8], deadlineNanoseconds: UInt64, options: HeadOptions
  ) {
    self.method = method
    self.message = message
    self.deadlineNanoseconds = deadlineNanoseconds
    waitsForReady = options.waitsForReady
    var head = RequestHead()
    head.methodID = method.id
    head.idempotencyKey = options.idempotencyKey
    head.afterSequence = options.afterSequence
    head.storeEpoch = options.storeEpoch
    head.returnsCreditAtOnce = options.returnsCreditAtOnce
    let hasTrace = options.traceparent.count == Limits.traceparentBytes
    if let extras = options.extras {
      head.extras = extras
    } else if hasTrace || !options.metadata.isEmpty {
      head.extras = RequestHead.Extras(
        traceparent: hasTrace ? options.traceparent : [], metadata: options.metadata)
    }
    self.head = head
  }

  /// The same call once more, for another connection: its deadline and its key stay as they are,
  /// and so do the messages of a request stream that waited for it to be opened.
  package init(again other: ClientCall, attempt: UInt32) {
    method = other.method
    message = other.message
    deadlineNanoseconds = other.deadlineNanoseconds
    waitsForReady = other.waitsForReady
    unopenedMessages = other.unopenedMessages
    hasEndedRequest = other.hasEndedRequest
    var head = other.head
    head.attempt = attempt
    self.head = head
  }

  /// Makes a call that is over ready to be started once more, as a new one.
  package func reuse(deadlineNanoseconds: UInt64, idempotencyKey: IdempotencyKey?) {
    precondition(stream == 0 || isOver, "a call is used again once it is over")
    self.deadlineNanoseconds = deadlineNanoseconds
    head.idempotencyKey = idempotencyKey
    stream = 0
    isOver = false
    hasLeft = false
    hasEndedRequest = false
    if !initialMetadata.isEmpty { initialMetadata = Metadata() }
    if !trailingMetadata.isEmpty { trailingMetadata = Metadata() }
    held = nil
    // Another connection may not take what this one's did.
    if hasTriedCompression {
      compressedMessage = nil
      hasTriedCompression = false
    }
    // Of a request stream that was never opened.
    if !unopenedMessages.isEmpty { unopenedMessages = OutboundQueue() }
  }

  /// Whether a call that its connection did not process can be sent again as it is: nothing of a
  /// request stream has been written.
  package var isWhole: Bool { !method.kind.clientStreams || stream == 0 }

  /// 0: the first attempt.
  package var attempt: UInt32 { head.attempt }
  /// Whether the call has an idempotency key.
  package var hasKey: Bool { head.idempotencyKey != nil }

  /// The call goes to `end`; from any thread, before it is started there.
  package func placed(on end: ClientEnd) {}

  /// The reply has come; `bytes` are valid during the call. Throws what ends the call instead.
  package func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {}

  /// The call has ended without a reply, or its reply stream without OK.
  package func failed(_ error: RPCError) {}

  /// The handler has started: initial metadata has come.
  package func began() {}

  /// A message of a reply stream has come; `bytes` are valid during the call.
  package func received(_ bytes: UnsafeRawBufferPointer, charge: UInt64) {}

  /// Trailing metadata has come with STATUS OK, before the call receives its outcome.
  package func receivedTrailing() {}

  /// The reply stream has ended OK.
  package func finished() {}

  /// The stream's queue has room for more of the request.
  package func hasRoom() {}

  /// Writes the head as it is now to the front of `scratch`, which grows where it has to, and
  /// answers its size: the timeout is what is left, rounded up.
  func encodeHead(to scratch: inout [UInt8], now: UInt64) -> Int {
    if deadlineNanoseconds != 0 {
      let left = deadlineNanoseconds > now ? deadlineNanoseconds - now : 1
      head.timeoutMilliseconds = UInt32(clamping: (left - 1) / 1_000_000 + 1)
    }
    let bound = head.encodedByteCountBound
    if scratch.count < bound { scratch = [UInt8](repeating: 0, count: bound) }
    return scratch.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { head.encode(to: $0) } ?? 0
    }
  }
}
