import QuiverRPC
import QuiverWire

/// The response of an exchange.
extension HTTPExchange {
  /// Whether the response has begun.
  var hasBegun: Bool { responseHead != nil }

  /// Runs `body`, and tells the session of the response afterwards, at once.
  func batch(_ body: () -> Void) {
    isBatching = true
    body()
    isBatching = false
    changed()
  }

  private func changed() {
    if !isBatching { session?.changed(self) }
  }

  /// Begins the response.
  func begin(_ head: HTTPResponseHead) {
    guard !isOver, responseHead == nil else { return }
    responseHead = head
    changed()
  }

  /// Sends a part of the body.
  func write(_ bytes: [UInt8]) {
    guard !isOver else { return }
    append(bytes)
    changed()
  }

  /// Sends a message in an envelope as a part of the body.
  func write(_ message: UnsafeRawBufferPointer, flags: UInt8) {
    guard !isOver else { return }
    if output.isEmpty { stalledSince = reactor.nowNanoseconds }
    let head = output.reserve(EnvelopeReader.headBytes)
    head.storeBytes(of: flags, as: UInt8.self)
    head.storeBytes(of: UInt32(clamping: message.count).bigEndian, toByteOffset: 1, as: UInt32.self)
    output.commit(EnvelopeReader.headBytes)
    output.append(message)
    held.add(EnvelopeReader.headBytes + message.count)
    changed()
  }

  /// Completes the response with a last part and what follows the body.
  func end(_ bytes: [UInt8] = [], trailers: HTTPFields = HTTPFields()) {
    guard !isOver, self.trailers == nil else { return }
    append(bytes)
    self.trailers = trailers
    changed()
  }

  /// Sends a complete response.
  func respond(_ head: HTTPResponseHead, _ body: [UInt8] = []) {
    guard !isOver, responseHead == nil else { return }
    var head = head
    if head.status != 204, head.status != 304 {
      head.fields.append("content-length", String(body.count))
    }
    append(self.head.method == "HEAD" ? [] : body)
    trailers = HTTPFields()
    responseHead = head
    changed()
  }

  /// Sends a response that has only a head.
  func respondWithoutBody(_ head: HTTPResponseHead) {
    guard !isOver, responseHead == nil else { return }
    trailers = HTTPFields()
    responseHead = head
    changed()
  }

  /// Ends the exchange without a complete response.
  func abort() {
    guard !isOver else { return }
    session?.abort(self)
    finish()
  }

  private func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if output.isEmpty { stalledSince = reactor.nowNanoseconds }
    output.append(bytes)
    held.add(bytes.count)
  }
}
