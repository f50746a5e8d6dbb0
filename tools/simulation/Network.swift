import QuiverLoopback
import QuiverRPC
import QuiverWire
import Synchronization
import TestSupport

/// The client's connections to one server, one after the other.
// Sendable because it is touched on its reactor alone.
final class Network: CallRoute, ClientEndObserver, @unchecked Sendable {
  private let reactor: LoopbackReactor
  private let router: Router
  private let clientLimits: Limits
  private let serverLimits: Limits
  private let habits: WireHabits
  private var random: SeededGenerator
  private(set) var wires: [Wire] = []
  private(set) var ends: [(client: ClientEnd, server: ServerEnd)] = []
  private let coder = ReactorCoder()
  /// The compressors of the ends; nil for none.
  private let packers: (client: Packer?, server: Packer?)
  /// The security of connections; nil for none.
  private let security: Security?
  private var isUsable = false
  /// Called for each connection before anything is sent on it.
  var onConnect: ((Wire) -> Void)?

  init(
    on reactor: LoopbackReactor, _ router: Router, clientLimits: Limits, serverLimits: Limits,
    _ habits: WireHabits, packers: (client: Packer?, server: Packer?),
    security: Security?, seed: UInt64
  ) {
    self.reactor = reactor
    self.router = router
    self.clientLimits = clientLimits
    self.serverLimits = serverLimits
    self.habits = habits
    self.packers = packers
    self.security = security
    random = SeededGenerator(seed: seed)
  }

  /// The connection that accepts calls, or a new one. Nil after fifty connections.
  private func end() -> ClientEnd? {
    if isUsable, let last = ends.last { return last.client }
    guard ends.count < 50 else { return nil }
    let client = ClientEnd(
      limits: clientLimits, software: "simulation", token: [1], compressor: packers.client,
      reactor: reactor, coder: coder)
    let server = ServerEnd(
      id: UInt64(ends.count), address: "simulation", router: router,
      limits: SharedLimits(serverLimits),
      identity: ServerIdentity(software: "simulation", instanceID: [7]),
      authenticator: AcceptAll(), compressor: packers.server, reactor: reactor, coder: coder)
    let carried = secured(client, server)
    let wire = Wire(
      client: carried.client, server: carried.server, habits, seed: random.next(), on: reactor)
    client.driver = wire.client
    server.driver = wire.server
    wires.append(wire)
    ends.append((client, server))
    isUsable = true
    client.observe(by: self)
    onConnect?(wire)
    reactor.run { wire.open() }
    return client
  }

  /// The ends, each inside a secure end if there is security.
  private func secured(
    _ client: ClientEnd, _ server: ServerEnd
  ) -> (client: any ConnectionEnd, server: any ConnectionEnd) {
    guard let security else { return (client, server) }
    guard let near = try? security.client.makeChannel(to: "localhost"),
      let far = security.server.makeChannel()
    else { preconditionFailure("libssl makes channels") }
    return (
      SecureEnd(
        client, near, shared: SecureReactor(reactor, limits: clientLimits),
        startsHandshake: true),
      SecureEnd(
        server, far, shared: SecureReactor(reactor, limits: serverLimits),
        startsHandshake: false)
    )
  }

  // MARK: CallRoute

  func send(_ call: ClientCall) {
    if case .withdrawn = call.place { return }
    guard let end = end() else {
      call.place = .withdrawn
      return call.failed(
        RPCError(.unavailable, "fifty connections have ended", origin: .connection))
    }
    call.place = .at(end)
    call.placed(on: end)
    end.submit(call)
  }

  func send(_ call: ClientCall, atNanoseconds due: UInt64) {
    reactor.schedule(atNanoseconds: due) { self.send(call) }
  }

  func giveUp(_ call: ClientCall, _ error: RPCError) {
    switch call.place {
    case .at(let end): end.giveUp(call, error)
    case .withdrawn: break
    case .unsent, .held:
      call.place = .withdrawn
      var error = error
      error.isNotProcessed = true
      call.failed(error)
    }
  }

  /// Called once if a server that had sent HELLO ended the connection without a reason.
  func resending(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Resending {
    guard history.attempt == 0, error.code == .unavailable, error.origin == .connection,
      error.isNotProcessed, call.isWhole, case .at(let end) = call.place
    else { return .no }
    let ending = end.ending
    guard ending.hasOpened, !ending.isForCause else { return .no }
    history.attempt = 1
    return .now
  }

  func succeeded() {}

  // MARK: ClientEndObserver

  func opened(_ end: ClientEnd) {}

  func hasRoom(_ end: ClientEnd) {}

  func unusable(_ end: ClientEnd, _ ending: ClientEnding) {
    if ends.last?.client === end { isUsable = false }
  }

  func drain() {
    for (_, server) in ends where server.phase < .closing {
      server.drain(now: reactor.nowNanoseconds)
    }
  }
}
