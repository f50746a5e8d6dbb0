/// The head of a request, and what the gateway has read from it, for all requests of a connection
/// whose heads are equal. Used on the connection's reactor.
final class KnownHead {
  let head: HTTPRequestHead
  /// As they came; empty: the head is of one request.
  let bytes: [UInt8]
  /// The properties of its call; nil: they have not been read, or cannot be.
  var call: CallHead?
  /// The client of its latest call; nil: none yet.
  var target: CallTarget?

  init(_ head: HTTPRequestHead, bytes: [UInt8] = []) {
    self.head = head
    self.bytes = bytes
  }
}

@available(*, unavailable)
extension KnownHead: Sendable {}
