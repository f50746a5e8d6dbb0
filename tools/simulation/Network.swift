import QuiverLoopback
import QuiverRPC
import QuiverWire
import Synchronization

/// The client's connections to one server, made one after the other as they end.
// Sendable because it is touched on its reactor alone.
final class Network: CallRoute, @unchecked Sendable {
  private let reactor: LoopbackReactor
  private let router: Router
  private let clientLimits: Limits
  private let serverLimits: Limits
  private let habits: WireHabits
  private var random: SeededGenerator
  private(set) var wires: [Wire] = []
  private(set) var ends: [(client: ClientEnd, server: ServerEnd)] = []
  private let coder = ReactorCoder()
  private var isUsable = false
  /// Told of each connection before anything is said on it.
  var onConnect: ((Wire) -> Void)?

  init(
    on reactor: LoopbackReactor, _ router: Router, clientLimits: Limits, serverLimits: Limits,
    _ habits: WireHabits, seed: UInt64
  ) {
    self.reactor = reactor
    self.router = router
    self.clientLimits = clientLimits
    self.serverLimits = serverLimits
    self.habits = habits
    random = SeededGenerator(seed: seed)
  }

  /// The connection that takes calls now; a new one where the last takes none.
  func end() throws(RPCError) -> ClientEnd {
    if isUsable, let last = ends.last { return last.client }
    guard ends.count < 50 else {
      throw RPCError(.unavailable, "fifty connections have ended", origin: .connection)
    }
    let client = ClientEnd(
      limits: clientLimits, software: "simulation", token: [1], reactor: reactor, coder: coder)
    let server = ServerEnd(
      id: UInt64(ends.count), address: "simulation", router: router, limits: serverLimits,
      identity: ServerIdentity(software: "simulation", instanceID: [7]),
      authenticator: Welcome(), reactor: reactor, coder: coder)
    let wire = Wire(client: client, server: server, habits, seed: random.next(), on: reactor)
    wires.append(wire)
    ends.append((client, server))
    isUsable = true
    client.whenUnusable { [self] in if ends.last?.client === client { isUsable = false } }
    onConnect?(wire)
    reactor.run { wire.open() }
    return client
  }

  func drain() {
    for (_, server) in ends where server.phase < .closing {
      server.drain(now: reactor.nowNanoseconds)
    }
  }
}
