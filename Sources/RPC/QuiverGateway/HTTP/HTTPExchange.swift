import QuiverRPC
import QuiverWire

/// One request and its response, between the connection that carries them and the task that
/// answers.
///
/// Everything is called on the connection's reactor, on which the task runs too.
// Sendable because it is touched on one reactor alone.
final class HTTPExchange: @unchecked Sendable {
  let head: HTTPRequestHead
  /// Of the peer.
  let address: String
  let reactor: any Reactor
  let limits: GatewayLimits
  private let held: HeldBytes
  weak var session: (any HTTPSession)?
  /// The number of the stream that carries it; 0 on HTTP/1.1.
  let streamID: Int32

  // The request.
  private var input = ByteQueue()
  private(set) var hasWholeRequest = false
  private var reader: UnsafeContinuation<Void, Never>?
  /// The body is read whole before anything happens: it must come at a minimum rate.
  var isCollecting = false
  let startedAt: UInt64
  private var receivedBytes = 0
  /// Bytes of the body that the task has read and keeps.
  private var kept = 0

  // The response.
  private(set) var responseHead: HTTPResponseHead?
  private var output = ByteQueue()
  /// What follows the body; set when it is complete.
  private(set) var trailers: HTTPFields?
  private var writer: UnsafeContinuation<Void, Never>?
  /// Since when output waits without any of it having been taken; 0: none waits.
  private(set) var stalledSince: UInt64 = 0

  private(set) var isAborted = false
  private var task: Task<Void, Never>?

  init(
    _ head: HTTPRequestHead, address: String, reactor: any Reactor, session: any HTTPSession,
    streamID: Int32, limits: GatewayLimits, held: HeldBytes
  ) {
    self.head = head
    self.address = address
    self.reactor = reactor
    self.session = session
    self.streamID = streamID
    self.limits = limits
    self.held = held
    startedAt = reactor.nowNanoseconds
  }

  deinit { held.remove(input.count + output.count + kept) }

  /// Starts the task that answers, on the reactor.
  func start(_ answer: @escaping @Sendable (HTTPExchange) async -> Void) {
    let executor: any TaskExecutor = reactor
    task = Task(executorPreference: executor) { [self] in
      await answer(self)
      finishIfOpen()
    }
  }

  /// A task that ends without a complete response ends the exchange.
  private func finishIfOpen() {
    guard trailers == nil, !isAborted else { return }
    abort()
  }

  // MARK: The connection's side

  /// Bytes of the body have arrived.
  func received(_ bytes: UnsafeRawBufferPointer) {
    guard !isAborted else { return }
    receivedBytes += bytes.count
    held.add(bytes.count)
    input.append(bytes)
    resumeReader()
  }

  /// The body is complete.
  func receivedEnd() {
    hasWholeRequest = true
    resumeReader()
  }

  /// The peer has given the exchange up, or its connection is gone.
  func cancelled() {
    guard !isAborted else { return }
    isAborted = true
    held.remove(input.count + output.count)
    input.release()
    output.release()
    task?.cancel()
    resumeReader()
    resumeWriter()
  }

  /// Forgets what of the body has not been read; answers how much that was.
  func dropInput() -> Int {
    let count = input.count
    held.remove(count)
    input.release()
    return count
  }

  /// What waits to be sent.
  var waitingOutput: UnsafeRawBufferPointer { output.bytes }

  /// The connection has taken `byteCount` bytes of the output.
  func tookOutput(_ byteCount: Int) {
    output.consume(byteCount)
    held.remove(byteCount)
    stalledSince = output.isEmpty ? 0 : reactor.nowNanoseconds
    if output.isEmpty { output.release() }
    if output.count < limits.responseBufferBytes { resumeWriter() }
  }

  /// Whether the request comes too slowly, or nobody takes the response, at a time in monotonic
  /// nanoseconds.
  func isTooSlow(now: UInt64) -> Bool {
    let grace = UInt64(limits.stalledMilliseconds) * 1_000_000
    if stalledSince != 0, now &- stalledSince > grace { return true }
    guard isCollecting, !hasWholeRequest, now &- startedAt > grace else { return false }
    let seconds = Int(clamping: (now &- startedAt &- grace) / 1_000_000_000)
    return receivedBytes < seconds.multipliedReportingOverflow(by: limits.minBodyBytesPerSecond).0
  }

  private func resumeReader() {
    let reader = reader
    self.reader = nil
    reader?.resume()
  }

  private func resumeWriter() {
    let writer = writer
    self.writer = nil
    writer?.resume()
  }

  // MARK: The task's side

  /// The next bytes of the body; nil at its end.
  func read() async throws(HTTPAborted) -> [UInt8]? {
    while true {
      reactor.preconditionOnReactor()
      guard !isAborted else { throw HTTPAborted() }
      if !input.isEmpty {
        let bytes = Array(input.bytes)
        input.removeAll()
        if hasWholeRequest { input.release() }
        held.remove(bytes.count)
        session?.consumed(bytes.count, of: self)
        return bytes
      }
      if hasWholeRequest { return nil }
      await withUnsafeContinuation { reader = $0 }
    }
  }

  /// The whole body; nil where it has more than `limit` bytes.
  ///
  /// Throws RESOURCE_EXHAUSTED where too much is held.
  func readWhole(limit: Int) async throws -> [UInt8]? {
    isCollecting = true
    defer { isCollecting = false }
    var body: [UInt8] = []
    while let bytes = try await read() {
      body += bytes
      try keep(bytes.count)
      if body.count > limit { return nil }
    }
    return body
  }

  /// Counts bytes of the body that the task keeps, until ``drop(_:)`` or the end of the exchange.
  ///
  /// Throws RESOURCE_EXHAUSTED where the address of the caller, or all callers, hold as much as
  /// they may.
  func keep(_ byteCount: Int) throws(RPCError) {
    kept += byteCount
    held.add(byteCount)
    guard let excess = held.excess else { return }
    throw RPCError(
      .resourceExhausted, excess, isNotProcessed: true, retryAfterMilliseconds: 1_000)
  }

  /// The task keeps these bytes no longer.
  func drop(_ byteCount: Int) {
    kept -= byteCount
    held.remove(byteCount)
  }

  /// Whether the response has begun.
  var hasBegun: Bool { responseHead != nil }

  /// Begins the response.
  func begin(_ head: HTTPResponseHead) {
    guard !isAborted, responseHead == nil else { return }
    responseHead = head
    session?.changed(self)
  }

  /// Sends a part of the body.
  func write(_ bytes: [UInt8]) {
    guard !isAborted else { return }
    append(bytes)
    session?.changed(self)
  }

  /// Waits while too much waits to be sent. Nothing that was sent is kept meanwhile but in the
  /// exchange.
  func waitForRoom() async throws(HTTPAborted) {
    while true {
      reactor.preconditionOnReactor()
      guard !isAborted else { throw HTTPAborted() }
      if output.count < limits.responseBufferBytes { return }
      await withUnsafeContinuation { writer = $0 }
    }
  }

  /// Completes the response with a last part and what follows the body.
  func end(_ bytes: [UInt8] = [], trailers: HTTPFields = HTTPFields()) {
    guard !isAborted, self.trailers == nil else { return }
    append(bytes)
    self.trailers = trailers
    session?.changed(self)
  }

  /// Sends a complete response.
  func respond(_ head: HTTPResponseHead, _ body: [UInt8] = []) {
    guard !isAborted, responseHead == nil else { return }
    var head = head
    if head.status != 204, head.status != 304 {
      head.fields.append("content-length", String(body.count))
    }
    append(self.head.method == "HEAD" ? [] : body)
    trailers = HTTPFields()
    responseHead = head
    session?.changed(self)
  }

  /// Sends a response that has only a head.
  func respondWithoutBody(_ head: HTTPResponseHead) {
    guard !isAborted, responseHead == nil else { return }
    trailers = HTTPFields()
    responseHead = head
    session?.changed(self)
  }

  /// Ends the exchange without a complete response.
  func abort() {
    guard !isAborted else { return }
    session?.abort(self)
    cancelled()
  }

  private func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if output.isEmpty { stalledSince = reactor.nowNanoseconds }
    output.append(bytes)
    held.add(bytes.count)
  }
}
