/// The open exchanges of one connection, by the number of their stream, which is 0 on HTTP/1.1.
///
/// It is the only owner of exchanges: one that leaves it is over, for whatever reason it leaves,
/// and so are all of them when the connection closes. Used on the connection's reactor.
final class OpenExchanges {
  // Ending an exchange calls nothing back that changes these: no access overlaps.
  @exclusivity(unchecked)
  private var exchanges: [Int32: HTTPExchange] = [:]
  /// The exchange that was looked for last: libnghttp2 calls several times for one stream.
  @exclusivity(unchecked)
  private var last: HTTPExchange?
  private var isClosed = false

  deinit { endAll() }

  var isEmpty: Bool { exchanges.isEmpty }

  var all: [HTTPExchange] { Array(exchanges.values) }

  /// The open exchange of a stream; nil: there is none.
  subscript(stream: Int32) -> HTTPExchange? {
    if let last, last.streamID == stream { return last }
    let exchange = exchanges[stream]
    if exchange != nil { last = exchange }
    return exchange
  }

  /// Takes a new exchange. It is over at once where the connection is closed.
  func add(_ exchange: HTTPExchange) {
    end(exchange.streamID)
    guard !isClosed else { return exchange.finish() }
    exchanges[exchange.streamID] = exchange
    last = exchange
  }

  /// Ends the exchange of a stream, if there is one.
  func end(_ stream: Int32) {
    guard let exchange = exchanges.removeValue(forKey: stream) else { return }
    last = nil
    exchange.finish()
  }

  func endAll() {
    let ended = exchanges
    exchanges = [:]
    last = nil
    for exchange in ended.values { exchange.finish() }
  }

  /// Ends all, and whatever is added later.
  func close() {
    isClosed = true
    endAll()
  }
}

@available(*, unavailable)
extension OpenExchanges: Sendable {}
