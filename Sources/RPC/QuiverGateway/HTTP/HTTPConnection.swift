import QuiverDispatch
import QuiverRPC
import QuiverWire

/// A connection that speaks HTTP/2, if it begins with its preface, or else HTTP/1.1.
///
/// Lives on its reactor.
final class HTTPConnection: DrivenEnd {
  /// Released when the connection is closed.
  var driver: (any ConnectionDriver)?
  private(set) var address: String
  private let reactor: any Reactor
  private let limits: GatewayLimits
  private let observer: GatewayObserver
  private let share: (String) -> HeldBytes
  /// What the address of the peer holds.
  private var held: HeldBytes
  private let answerRequest: @Sendable (HTTPExchange) -> Void
  let open = OpenExchanges()
  private var session: (any HTTPSession)?
  private var queue = ByteQueue()
  /// The first bytes, until they tell the version.
  private var start: FirstLine
  /// The peer does not speak HTTP: it gets an answer, and the connection closes.
  private var isRefused = false
  private var isClosed = false
  private var hasRequested = false
  /// Input is being taken: the driver asks for output afterwards.
  private var isReceiving = false
  private let openedAt: UInt64
  /// Since when no request is open.
  private var idleSince: UInt64
  private var blockedSince: UInt64 = 0
  private var drainBy: UInt64 = 0
  private var lingerBy: UInt64 = 0
  /// When slow requests are looked for next.
  private var nextCheck: UInt64

  private static let highWater = 131_072
  /// How often slow requests are looked for.
  private static let checkNanoseconds: UInt64 = 1_000_000_000

  /// - Parameters:
  ///   - share: what an address holds.
  ///   - answer: begins to answer one request; called on the reactor.
  init(
    address: String, reactor: any Reactor, limits: GatewayLimits, observer: GatewayObserver,
    share: @escaping (String) -> HeldBytes, answer: @escaping @Sendable (HTTPExchange) -> Void
  ) {
    self.address = address
    self.reactor = reactor
    self.limits = limits
    self.observer = observer
    self.share = share
    start = FirstLine(mostBytes: limits.maxHeadBytes)
    held = share(address)
    answerRequest = answer
    openedAt = reactor.nowNanoseconds
    idleSince = openedAt
    nextCheck = openedAt &+ Self.checkNanoseconds
  }

  deinit { open.close() }

  func located(at address: String) {
    self.address = address
    held = share(address)
  }

  // MARK: Input

  func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    guard !isClosed, !isRefused, session?.isFinished != true else { return }
    isReceiving = true
    defer { isReceiving = false }
    if let session {
      session.receive(chunk, now: now)
    } else {
      sniff(chunk, now: now)
    }
    noteActivity(now: now)
  }

  /// Chooses the version by the first bytes, and answers a peer that does not speak HTTP.
  private func sniff(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    switch start.receive(chunk) {
    case .incomplete: return
    case .http1: session = HTTP1Session(host: self, open: open, limits: limits)
    case .http2: session = HTTP2Session(host: self, open: open, limits: limits, now: now)
    case .other(let other):
      isRefused = true
      _ = start.take()
      queue.append((other ?? .http1).answer(Self.spokenHere))
      return hasOutput()
    }
    start.take().withUnsafeBytes { session?.receive($0, now: now) }
    if drainBy != 0 { session?.drain() }
  }

  private static let spokenHere =
    "this port speaks HTTP (gRPC, gRPC-Web, Connect); a Quiver server has a port of its own"

  private func noteActivity(now: UInt64) {
    if !open.isEmpty { idleSince = now }
  }

  // MARK: Output

  var output: UnsafeRawBufferPointer {
    if queue.count < Self.highWater { session?.fill(&queue, highWater: Self.highWater) }
    return queue.bytes
  }

  func wrote(_ byteCount: Int, now: UInt64) {
    queue.consume(byteCount)
    blockedSince = 0
  }

  func writeBlocked(now: UInt64) {
    if blockedSince == 0 { blockedSince = now }
  }

  func exchangeOutput(_ spare: inout ByteQueue) {
    if queue.isEmpty { swap(&queue, &spare) }
  }

  // MARK: Life

  var wantsInput: Bool {
    lingerBy != 0 || isRefused || session?.isFinished == true || session?.wantsInput != false
  }

  var phase: ConnectionCore.Phase {
    if isClosed { return .closed }
    return isRefused || session?.isFinished == true ? .closing : .open
  }

  var nextTimer: UInt64 {
    if isClosed { return 0 }
    if lingerBy != 0 { return lingerBy }
    let awaited = session?.nextTimer ?? 0
    return awaited == 0 ? ownTimer : min(ownTimer, awaited)
  }

  private var ownTimer: UInt64 {
    guard open.isEmpty, blockedSince == 0, drainBy == 0 else { return nextCheck }
    return hasRequested
      ? idleSince &+ Self.nanoseconds(limits.idleMilliseconds)
      : openedAt &+ Self.nanoseconds(limits.firstRequestMilliseconds)
  }

  private static func nanoseconds(_ milliseconds: Int) -> UInt64 {
    UInt64(clamping: milliseconds) &* 1_000_000
  }

  func timerFired(now: UInt64) {
    if lingerBy != 0 {
      if now >= lingerBy { isClosed = true }
      return
    }
    nextCheck = now &+ Self.checkNanoseconds
    session?.timerFired(now: now)
    let exchanges = open.all
    if !exchanges.isEmpty { idleSince = now }
    for exchange in exchanges where exchange.isTooSlow(now: now) {
      exchange.reached(exchange.stalledSince == 0 ? .slowRequest : .stalledOutput)
      exchange.abort()
    }
    let patience =
      session?.hasFailed == true ? limits.lingerMilliseconds : limits.stalledMilliseconds
    if isOver(blockedSince, patience, now) {
      reached(.stalledOutput)
      return end()
    }
    if drainBy != 0, now >= drainBy || exchanges.isEmpty {
      if !exchanges.isEmpty { reached(.drain) }
      return finish()
    }
    guard exchanges.isEmpty else { return }
    let (since, limit) =
      hasRequested
      ? (idleSince, limits.idleMilliseconds) : (openedAt, limits.firstRequestMilliseconds)
    guard isOver(since, limit, now) else { return }
    reached(hasRequested ? .idle : .firstRequest)
    finish()
  }

  private func isOver(_ since: UInt64, _ milliseconds: Int, _ now: UInt64) -> Bool {
    since != 0 && now &- since >= Self.nanoseconds(milliseconds)
  }

  /// Ends the session in its own words, or the connection where it has none yet.
  private func finish() {
    guard let session else { return end() }
    session.finish()
  }

  private func end() {
    isClosed = true
    session?.closed()
    open.close()
  }

  func didHalfClose(now: UInt64) {
    lingerBy = now &+ Self.nanoseconds(limits.lingerMilliseconds)
  }

  func closed(_ reason: String) {
    end()
    driver = nil
  }

  func drain(now: UInt64) {
    guard drainBy == 0 else { return }
    drainBy = now &+ Self.nanoseconds(limits.drainMilliseconds)
    session?.drain()
    if session == nil { isClosed = true }
    driver?.hasOutput()
  }
}

@available(*, unavailable)
extension HTTPConnection: Sendable {}

extension HTTPConnection: HTTPSessionHost {
  func makeExchange(
    _ head: KnownHead, own: HTTPFields, session: any HTTPSession, streamID: Int32
  ) -> HTTPExchange {
    hasRequested = true
    let exchange = HTTPExchange(
      head, own: own, address: address, reactor: reactor, session: session, streamID: streamID,
      limits: limits, held: held, observer: observer)
    open.add(exchange)
    return exchange
  }

  func reached(_ limit: GatewayLimit) { observer.reached(limit, address: address) }

  func answer(_ exchange: HTTPExchange) { answerRequest(exchange) }

  func hasOutput() {
    if !isReceiving { driver?.hasOutput() }
  }

  func wantsInputAgain() { hasOutput() }
}
