import QuiverRPC

/// The open exchanges of one connection, by the number of their stream, which is 0 on HTTP/1.1.
///
/// It is the only owner of exchanges: one that leaves it is over, for whatever reason it leaves,
/// and so are all of them when the connection closes. Used on the connection's reactor.
final class OpenExchanges {
  // Ending an exchange calls nothing back that changes these: no access overlaps.
  @exclusivity(unchecked)
  private var slots: [HTTPExchange?] = []
  @exclusivity(unchecked)
  private var free: [Int] = []
  @exclusivity(unchecked)
  private var index = StreamIndex()
  /// The exchange that was looked for last: libnghttp2 calls several times for one stream.
  @exclusivity(unchecked)
  private var last: HTTPExchange?
  private var isClosed = false

  deinit { endAll() }

  var isEmpty: Bool { index.count == 0 }

  var all: [HTTPExchange] { slots.compactMap(\.self) }

  /// The open exchange of a stream; nil: there is none.
  subscript(stream: Int32) -> HTTPExchange? {
    if let last, last.streamID == stream { return last }
    guard let slot = index.slot(of: Self.id(stream)) else { return nil }
    last = slots[slot]
    return last
  }

  /// Takes a new exchange. It is over at once where the connection is closed.
  func add(_ exchange: HTTPExchange) {
    end(exchange.streamID)
    guard !isClosed else { return exchange.finish() }
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(exchange) } else { slots[slot] = exchange }
    index.insert(Self.id(exchange.streamID), slot)
    last = exchange
  }

  /// Ends the exchange of a stream, if there is one.
  func end(_ stream: Int32) {
    guard let slot = index.slot(of: Self.id(stream)), let exchange = slots[slot] else { return }
    index.remove(Self.id(stream))
    slots[slot] = nil
    free.append(slot)
    last = nil
    exchange.finish()
  }

  /// The number of a stream in the index, which has no 0.
  private static func id(_ stream: Int32) -> UInt32 { UInt32(bitPattern: stream) &+ 1 }

  func endAll() {
    let ended = all
    (slots, free, index, last) = ([], [], StreamIndex(), nil)
    for exchange in ended { exchange.finish() }
  }

  /// Ends all, and whatever is added later.
  func close() {
    isClosed = true
    endAll()
  }
}

@available(*, unavailable)
extension OpenExchanges: Sendable {}
