import QuiverRPC
import QuiverWire

/// What answers an exchange without a task.
protocol ExchangeWork: AnyObject {
  /// The exchange is over.
  func cancel()
}

/// What takes the body of a request whole.
protocol BodyCollector: AnyObject {
  /// The body, or why there is none. Called once, on the exchange's reactor, and not where the
  /// exchange is aborted before. The bytes are valid during the call.
  func collected(_ body: Result<UnsafeRawBufferPointer, RPCError>)
}

/// One request and its response, between the connection that carries them and the tasks that
/// answer.
///
/// It begins and ends in ``OpenExchanges``. Its end cancels its tasks and its call, and ends what
/// they wait for. Everything is called on the connection's reactor, on which the tasks run too.
// Sendable because it is touched on one reactor alone.
final class HTTPExchange: @unchecked Sendable {
  let known: KnownHead
  /// The fields that differ between requests with the same head; on HTTP/1.1 all of them.
  let ownFields: HTTPFields
  /// Of the peer.
  let address: String
  let reactor: any Reactor
  let limits: GatewayLimits
  let held: HeldBytes
  private let observer: GatewayObserver
  /// The call that the request makes; nil: it makes none.
  private var call: CallHead?
  /// How the call ended; nil: the caller has left before.
  private var outcome: StatusCode?
  /// Nil once the exchange is over. Not weak: a weak reference makes each use of a session slower.
  @exclusivity(unchecked)
  private(set) var session: (any HTTPSession)?
  /// The number of the stream that carries it; 0 on HTTP/1.1.
  let streamID: Int32

  // The request. The methods of the queues call nothing back: no access to them overlaps.
  @exclusivity(unchecked)
  private var input = ByteQueue()
  private(set) var hasWholeRequest = false
  /// Decodes the body; nil: it is taken as it comes.
  @exclusivity(unchecked)
  private var text: Base64Text?
  /// Why the rest of the body cannot be read; nil: it can.
  private(set) var inputFault: RPCError?
  /// Where a task waits for more of the body; nil: none has waited yet.
  private var more: ReactorGate?
  /// The body is read whole before anything happens: it must come at a minimum rate.
  var isCollecting = false
  let startedAt: UInt64
  private var receivedBytes = 0
  /// Received bytes whose consumption has not been reported to the session.
  private var uncreditedBytes = 0
  /// Bytes of the body that the task has read and keeps.
  private var kept = 0

  // The response.
  @exclusivity(unchecked)
  var responseHead: HTTPResponseHead?
  @exclusivity(unchecked)
  var output = ByteQueue()
  /// What follows the body; set when it is complete.
  @exclusivity(unchecked)
  var trailers: HTTPFields?
  /// Where a task waits for room in the output; nil: none has waited yet.
  private var room: ReactorGate?
  /// Since when output waits without any of it having been taken; 0: none waits.
  var stalledSince: UInt64 = 0

  /// The response has been given to libnghttp2.
  var isSubmitted = false
  /// Changes of the response are collected, and reported to the session together.
  var isBatching = false

  /// The response is complete, or nobody waits for it.
  private(set) var isOver = false
  /// The answer that runs without a task; cancelled with the exchange.
  @exclusivity(unchecked)
  private var work: (any ExchangeWork)?
  private var hasFinishedWork = false
  /// Receives the body once it is whole.
  @exclusivity(unchecked)
  private var collector: (any BodyCollector)?
  private var collectedLimit = 0
  private var collectsEnvelope = false
  /// The collected bytes for which the peer may have sent others.
  private var consumedBytes = 0
  @exclusivity(unchecked)
  private var tasks: [Task<Void, Never>] = []

  init(
    _ known: KnownHead, own: HTTPFields, address: String, reactor: any Reactor,
    session: any HTTPSession, streamID: Int32, limits: GatewayLimits, held: HeldBytes,
    observer: GatewayObserver
  ) {
    self.known = known
    ownFields = own
    self.address = address
    self.reactor = reactor
    self.session = session
    self.streamID = streamID
    self.limits = limits
    self.held = held
    self.observer = observer
    startedAt = reactor.nowNanoseconds
    observer.beginRequest()
    held.beginRequest()
  }

  deinit {
    held.remove(input.count + output.count + kept)
    observer.endRequest()
    held.endRequest()
    if let call { observe(call, outcome ?? .cancelled) }
  }

  /// The head of the request, without ``ownFields`` on HTTP/2.
  var head: HTTPRequestHead { known.head }

  /// Starts a task that answers, on the reactor.
  func start(_ answer: @escaping @Sendable (HTTPExchange) async -> Void) {
    run { [self] in
      await answer(self)
      finishIfOpen()
    }
  }

  /// A task that ends without a complete response ends the exchange.
  private func finishIfOpen() {
    guard trailers == nil, !isOver, work == nil, collector == nil else { return }
    abort()
  }

  /// Starts a task on the reactor, which the end of the exchange cancels.
  @discardableResult
  func run(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let executor: any TaskExecutor = reactor
    let observer = observer
    observer.beginTask()
    let task = Task(executorPreference: executor) {
      await body()
      observer.endTask()
    }
    if isOver { task.cancel() } else { tasks.append(task) }
    return task
  }

  // MARK: The connection's side

  /// Bytes of the body have arrived.
  func received(_ bytes: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    receivedBytes += bytes.count
    uncreditedBytes += bytes.count
    if text == nil {
      held.add(bytes.count)
      input.append(bytes)
    } else {
      decode(bytes)
    }
    if collector != nil { collectMore() } else { more?.open() }
  }

  /// The body is base64. Called before any of it has come.
  func decodesBase64() { text = Base64Text() }

  private func decode(_ bytes: UnsafeRawBufferPointer) {
    let before = input.count
    var decodedCount = bytes.count + (text?.characterCount ?? 0)
    if inputFault == nil, text?.decode(bytes, into: &input) != true {
      inputFault = Self.isNotBase64
    }
    if inputFault == nil { decodedCount -= text?.characterCount ?? 0 }
    let added = input.count - before
    held.add(added)
    // The peer may send as much more as decoding has saved; not for a group that is not whole.
    credit(decodedCount - added)
  }

  /// Tells the session that the peer may send `byteCount` more bytes, at most those that it has
  /// sent.
  private func credit(_ byteCount: Int) {
    let count = min(byteCount, uncreditedBytes)
    guard count > 0 else { return }
    uncreditedBytes -= count
    session?.consumed(count, of: self)
  }

  private static let isNotBase64 = RPCError(
    .invalidArgument, "the body is not base64 in whole groups of four characters",
    isNotProcessed: true)

  /// The body is complete.
  func receivedEnd() {
    hasWholeRequest = true
    if let text, !text.isWhole, inputFault == nil { inputFault = Self.isNotBase64 }
    if collector != nil { collectMore() } else { more?.open() }
  }

  /// The response is complete, the peer has cancelled the exchange, or its connection has ended.
  /// What the exchange holds is released, and everything that runs for it ends.
  func finish() {
    guard !isOver else { return }
    isOver = true
    held.remove(input.count + output.count)
    input.release()
    output.release()
    for task in tasks { task.cancel() }
    tasks = []
    collector = nil
    session = nil
    let work = work
    self.work = nil
    work?.cancel()
    more?.close()
    room?.close()
  }

  /// Forgets what of the body has not been read; answers how many bytes were received and are not
  /// consumed yet for the session.
  func dropInput() -> Int {
    held.remove(input.count)
    input.release()
    defer { uncreditedBytes = 0 }
    return uncreditedBytes
  }

  /// What waits to be sent.
  var waitingOutput: UnsafeRawBufferPointer { output.bytes }

  /// The connection has taken `byteCount` bytes of the output.
  func tookOutput(_ byteCount: Int) {
    output.consume(byteCount)
    held.remove(byteCount)
    stalledSince = output.isEmpty ? 0 : reactor.nowNanoseconds
    if output.isEmpty { output.release() }
    if output.count < limits.responseBufferBytes { room?.open() }
  }

  /// Whether the request arrives too slowly, or the response is not read, at a time in monotonic
  /// nanoseconds.
  func isTooSlow(now: UInt64) -> Bool {
    let grace = UInt64(limits.stalledMilliseconds) * 1_000_000
    if stalledSince != 0, now &- stalledSince > grace { return true }
    guard isCollecting, !hasWholeRequest else { return false }
    let first = UInt64(limits.firstRequestMilliseconds) * 1_000_000
    if receivedBytes == 0, now &- startedAt > min(first, grace) { return true }
    guard now &- startedAt > grace else { return false }
    let seconds = Int(clamping: (now &- startedAt &- grace) / 1_000_000_000)
    return receivedBytes < seconds.multipliedReportingOverflow(by: limits.minBodyBytesPerSecond).0
  }

  // MARK: What answers it

  /// `work` answers the exchange from now on, without a task.
  func began(_ work: any ExchangeWork) {
    if isOver { return work.cancel() }
    // It may have ended where it was begun.
    if !hasFinishedWork { self.work = work }
  }

  func finishedWork() {
    hasFinishedWork = true
    work = nil
  }

  // MARK: What is counted

  /// The request makes a call, which is counted when the exchange is over.
  func calls(_ call: CallHead) { self.call = call }

  /// The call ended with a code.
  func ended(_ code: StatusCode) { outcome = code }

  /// The request was to be a call of a protocol, and ends with a code.
  func fails(_ dialect: Dialect, _ code: StatusCode) {
    _ = observer.count(
      dialect.counted, code, nanoseconds: reactor.exactNanoseconds &- startedAt)
  }

  /// The caller has reached a limit.
  func reached(_ limit: GatewayLimit) { observer.reached(limit, address: address) }

  private func observe(_ call: CallHead, _ code: StatusCode) {
    let nanoseconds = reactor.exactNanoseconds &- startedAt
    let counted = call.dialect.counted
    let (isReported, isSampled) = observer.count(counted, code, nanoseconds: nanoseconds)
    guard isReported else { return }
    observer.report(
      EndedGatewayCall(
        callProtocol: counted, code: code, nanoseconds: nanoseconds, method: call.method,
        address: address, traceparent: ownFields["traceparent"]?.string ?? "", isSampled: isSampled)
    )
  }

  // MARK: The task's side

  /// The next bytes of the body; nil at its end, and where ``inputFault`` states why no more bytes
  /// arrive.
  func read() async throws(HTTPAborted) -> [UInt8]? {
    while true {
      reactor.preconditionOnReactor()
      guard !isOver, !Task.isCancelled else { throw HTTPAborted() }
      if inputFault != nil { return nil }
      if !input.isEmpty {
        let bytes = Array(input.bytes)
        input.removeAll()
        if hasWholeRequest { input.release() }
        held.remove(bytes.count)
        credit(bytes.count)
        return bytes
      }
      if hasWholeRequest { return nil }
      let gate = more ?? ReactorGate(reactor)
      more = gate
      await gate.wait()
    }
  }

  /// Reads the body whole for a collector. The bytes count as held until the exchange ends.
  ///
  /// Fails with RESOURCE_EXHAUSTED where the body is larger than `limit`, or too much is held.
  ///
  /// - Parameter isEnveloped: the body is one message in an envelope, which is larger by five
  ///   bytes.
  func collect(limit: Int, isEnveloped: Bool, for collector: any BodyCollector) {
    guard !isOver else { return }
    isCollecting = true
    self.collector = collector
    collectedLimit = limit
    collectsEnvelope = isEnveloped
    collectMore()
  }

  private func collectMore() {
    do throws(RPCError) {
      try checkCollected()
    } catch {
      takeCollector()?.collected(.failure(error))
      return
    }
    let count = input.count
    // The window of the stream is of no use at the end, that of the connection is.
    credit(count - consumedBytes)
    consumedBytes = count
    guard hasWholeRequest, let collector = takeCollector() else { return }
    kept += count
    var body = ByteQueue()
    swap(&body, &input)
    collector.collected(.success(body.bytes))
  }

  private func takeCollector() -> (any BodyCollector)? {
    defer { collector = nil }
    isCollecting = false
    return collector
  }

  private func checkCollected() throws(RPCError) {
    if let inputFault { throw inputFault }
    var size = input.count
    if collectsEnvelope {
      let bytes = input.bytes
      size = max(0, size - EnvelopeReader.headBytes)
      if bytes.count >= EnvelopeReader.headBytes { size = max(size, EnvelopeReader.size(bytes)) }
    }
    guard size <= collectedLimit else {
      reached(.messageBytes)
      throw RPCError(
        .resourceExhausted,
        collectsEnvelope
          ? "the message has \(size) bytes; the limit is \(collectedLimit)"
          : "the body has more than \(collectedLimit) bytes",
        isNotProcessed: true)
    }
    if let excess { throw excess }
  }

  /// How many requests of the caller's address are open, with this one.
  var openRequestsOfAddress: Int { held.openRequestCount }

  /// RESOURCE_EXHAUSTED where the address of the caller, or all callers, hold as much as they may.
  private var excess: RPCError? {
    guard let excess = held.excess else { return nil }
    reached(excess.limit)
    return RPCError(
      .resourceExhausted, excess.sentence, isNotProcessed: true, retryAfterMilliseconds: 1_000)
  }

  /// Waits while too many bytes wait to be sent. Only the exchange stores these bytes.
  func waitForRoom() async throws(HTTPAborted) {
    while true {
      reactor.preconditionOnReactor()
      guard !isOver, !Task.isCancelled else { throw HTTPAborted() }
      if output.count < limits.responseBufferBytes { return }
      let gate = room ?? ReactorGate(reactor)
      room = gate
      await gate.wait()
    }
  }

  /// Counts bytes of the body that the task keeps, until ``drop(_:)`` or the end of the exchange.
  ///
  /// Throws RESOURCE_EXHAUSTED where the address of the caller, or all callers, hold as much as
  /// they may.
  func keep(_ byteCount: Int) throws(RPCError) {
    kept += byteCount
    held.add(byteCount)
    if let excess { throw excess }
  }

  /// The task keeps these bytes no longer.
  func drop(_ byteCount: Int) {
    kept -= byteCount
    held.remove(byteCount)
  }
}
