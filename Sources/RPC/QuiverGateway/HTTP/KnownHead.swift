/// The head of a request, and what the gateway has read from it, for all requests of a connection
/// whose heads are equal. Used on the connection's reactor.
final class KnownHead {
  let head: HTTPRequestHead
  /// As they came; empty: the head is of one request.
  let bytes: [UInt8]
  /// What it says of its call; nil: that has not been read, or cannot be.
  var call: CallHead?
  /// Where its calls went last; nil: nowhere yet.
  var target: CallTarget?

  init(_ head: HTTPRequestHead, bytes: [UInt8] = []) {
    self.head = head
    self.bytes = bytes
  }
}

@available(*, unavailable)
extension KnownHead: Sendable {}
