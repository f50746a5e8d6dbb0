import QuiverWire

/// HTTP/1.1 on one connection: one request at a time, the next when the response is complete.
final class HTTP1Session: HTTPSession {
  private unowned let host: any HTTPSessionHost
  private let open: OpenExchanges
  private let limits: GatewayLimits
  private var input = ByteQueue()
  private var state = State.head
  private var chunks = ChunkedReader()
  private var request: HTTP1Head?
  /// The bytes of the head that have been searched for its end.
  private var searched = 0
  private var needsContinue = false
  private var hasSentHead = false
  /// The response's body is in chunks.
  private var isChunked = false
  /// Output other than a response: an error, `100 Continue`.
  private var pending: [UInt8] = []
  private var isDraining = false
  private(set) var isFinished = false

  private enum State {
    case head
    case body(left: Int)
    case chunkedBody
    /// The request is complete; its response is not.
    case response
  }

  /// The number that stands for the stream of the one open request.
  private static let stream: Int32 = 0

  init(host: any HTTPSessionHost, open: OpenExchanges, limits: GatewayLimits) {
    self.host = host
    self.open = open
    self.limits = limits
  }

  private var exchange: HTTPExchange? { open[Self.stream] }

  /// While a response is under way only the beginning of the next request is read, so that the end
  /// of the connection is noticed and cancels the call.
  var wantsInput: Bool {
    if case .response = state { return input.count < limits.maxHeadBytes }
    return unread < limits.streamWindowBytes
  }

  /// Bytes of the body that its task has not read.
  private var unread = 0

  // MARK: Input

  func receive(_ bytes: UnsafeRawBufferPointer, now: UInt64) {
    guard !isFinished else { return }
    input.append(bytes)
    process()
  }

  private func process() {
    while !isFinished {
      switch state {
      case .head:
        guard readHead() else { return }
      case .body(let left):
        let count = min(left, input.count)
        deliver(UnsafeRawBufferPointer(rebasing: input.bytes[..<count]))
        input.consume(count)
        guard count == left else {
          state = .body(left: left - count)
          return
        }
        endRequest()
      case .chunkedBody:
        switch chunks.read(&input, deliver) {
        case .needsMore: return
        case .complete: endRequest()
        case .invalid: return refuse(400, "the body is not in chunks")
        }
      case .response: return
      }
    }
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer) {
    guard let exchange, !exchange.isOver, !bytes.isEmpty else { return }
    unread += bytes.count
    exchange.received(bytes)
  }

  private func endRequest() {
    state = .response
    exchange?.receivedEnd()
    completeIfDone()
  }

  /// Reads the next head; false: it has not come yet, or is refused.
  private func readHead() -> Bool {
    // Empty lines before a request are allowed, as some clients end a body with one.
    while input.count >= 2, input.bytes[0] == 13, input.bytes[1] == 10, searched == 0 {
      input.consume(2)
    }
    guard let end = endOfHead() else {
      if input.count > limits.maxHeadBytes {
        host.reached(.headBytes)
        refuse(431, "the head has more than \(limits.maxHeadBytes) bytes")
      }
      return false
    }
    guard end <= limits.maxHeadBytes else {
      host.reached(.headBytes)
      refuse(431, "the head has more than \(limits.maxHeadBytes) bytes")
      return false
    }
    let bytes = Array(input.bytes[..<end])
    input.consume(end + 4)
    searched = 0
    do throws(HTTP1Head.Refusal) {
      begin(try HTTP1Head(bytes[...], limits: limits))
      return true
    } catch {
      if error.status == 431 { host.reached(.fields) }
      refuse(error.status, error.reason)
      return false
    }
  }

  /// Where the empty line begins that ends the head.
  private func endOfHead() -> Int? {
    let bytes = input.bytes
    var index = max(0, searched - 3)
    while index + 4 <= bytes.count {
      if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13,
        bytes[index + 3] == 10
      {
        return index
      }
      index += 1
    }
    searched = bytes.count
    return nil
  }

  private func begin(_ request: HTTP1Head) {
    self.request = request
    hasSentHead = false
    isChunked = false
    needsContinue = request.expectsContinue
    unread = 0
    switch request.body {
    case .none: state = .response
    case .length(let count): state = .body(left: count)
    case .chunked:
      chunks = ChunkedReader()
      state = .chunkedBody
    }
    let exchange = host.makeExchange(
      KnownHead(request.head), own: request.head.fields, session: self, streamID: Self.stream)
    if case .none = request.body { exchange.receivedEnd() }
    if needsContinue, request.body != .none {
      pending += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }
    host.answer(exchange)
  }

  /// Answers what is no request, and closes the connection.
  private func refuse(_ status: Int, _ reason: String) {
    isFinished = true
    input.release()
    let isAnswering = hasSentHead && exchange != nil
    open.end(Self.stream)
    guard !isAnswering else { return }
    let head = HTTPResponseHead(
      status,
      [
        "content-type": "text/plain; charset=utf-8",
        "content-length": String(reason.utf8.count + 1), "connection": "close",
      ])
    pending += Self.text(head) + Array((reason + "\n").utf8)
    host.hasOutput()
  }

  // MARK: Output

  func fill(_ queue: inout ByteQueue, highWater: Int) {
    if !pending.isEmpty {
      queue.append(pending)
      pending = []
    }
    guard let exchange, !exchange.isOver, let head = exchange.responseHead else { return }
    if !hasSentHead { sendHead(head, exchange, &queue) }
    while queue.count < highWater, !exchange.waitingOutput.isEmpty {
      let count = min(exchange.waitingOutput.count, highWater)
      let part = UnsafeRawBufferPointer(rebasing: exchange.waitingOutput[..<count])
      if isChunked { queue.append(Array((String(count, radix: 16) + "\r\n").utf8)) }
      queue.append(part)
      if isChunked { queue.append([13, 10]) }
      exchange.tookOutput(count)
    }
    guard exchange.waitingOutput.isEmpty, exchange.trailers != nil else { return }
    if isChunked, !hasEnded { queue.append(Array("0\r\n\r\n".utf8)) }
    hasEnded = true
    completeIfDone()
  }

  /// The response is complete.
  private var hasEnded = false

  private func sendHead(
    _ head: HTTPResponseHead, _ exchange: HTTPExchange, _ queue: inout ByteQueue
  ) {
    hasSentHead = true
    hasEnded = false
    var head = head
    let hasLength = head.fields["content-length"] != nil
    let hasBody = head.status != 204 && head.status != 304
    isChunked = hasBody && !hasLength && request?.isVersion11 == true
    if isChunked { head.fields.append("transfer-encoding", "chunked") }
    if !keepsConnection { head.fields.append("connection", "close") }
    queue.append(Self.text(head))
  }

  private var keepsConnection: Bool {
    guard !isDraining, let request, request.keepsAlive else { return false }
    // After a response that precedes the end of the request, the rest of the request is not read.
    if case .response = state { return true }
    return false
  }

  /// Starts the next request when both sides of this one are complete.
  private func completeIfDone() {
    guard hasEnded, let exchange, exchange.trailers != nil, exchange.waitingOutput.isEmpty else {
      return
    }
    let keeps = keepsConnection
    open.end(Self.stream)
    hasEnded = false
    guard keeps else {
      isFinished = true
      return
    }
    state = .head
    unread = 0
    process()
    host.wantsInputAgain()
  }

  private static func text(_ head: HTTPResponseHead) -> [UInt8] {
    var text = "HTTP/1.1 \(head.status) \(head.reason)\r\n"
    for field in head.fields.entries { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  // MARK: Life

  func drain() {
    isDraining = true
    if exchange == nil { isFinished = true }
  }

  func finish() {
    isFinished = true
    open.end(Self.stream)
  }

  func closed() {
    finish()
    input.release()
  }

  func changed(_ exchange: HTTPExchange) { host.hasOutput() }

  func consumed(_ byteCount: Int, of exchange: HTTPExchange) {
    unread -= byteCount
    host.wantsInputAgain()
  }

  func abort(_ exchange: HTTPExchange) {
    isFinished = true
    // A response that has begun cannot be withdrawn: the connection ends within it.
    host.hasOutput()
  }
}
