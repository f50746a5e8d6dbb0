import GatewayCalls
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization

/// The settings of connections.
struct Dial: Sendable {
  let transport: DispatchTransport
  /// Each connection and each client begins with the next one.
  let endpoints: Rotation<Endpoint>
  var token: String?
  let allowsPlaintextToken: Bool
  let security: TransportSecurity?
  /// For how long calls are repeated that end UNAVAILABLE; nil: they are not.
  var retrySeconds: Double?
  /// The gateway through which roles call; nil: they call the server.
  var gateway: GatewayAddress?

  /// The addresses, as `--server` has them.
  var server: String { endpoints.addresses.map(\.description).joined(separator: ",") }

  private var options: ConnectOptions {
    ConnectOptions(
      token: Array((token ?? "").utf8), software: "quiver-load",
      allowsPlaintextToken: allowsPlaintextToken, security: security)
  }

  /// What carries the calls of a role: a client of the server, or a caller of the gateway.
  func caller(connections: Int = 1) -> any LoadCaller {
    guard let gateway else { return client(connections: connections) }
    return GatewayCaller(transport, gateway, token.map { .token($0) } ?? .anonymous)
  }

  /// Opens a connection without calls.
  func connect() -> ClientEnd { transport.connect(to: endpoints.next(), options) }

  /// A client with one connection, or as many as its calls need.
  ///
  /// It does not retry calls, so that failures are visible, unless ``retrySeconds`` is set: then it
  /// repeats them with their keys, and goes to another address where the first one fails.
  func client(connections: Int = 1) -> RPCClient {
    let all = endpoints.all()
    var configuration = RPCClient.Configuration(
      servers: all.map(\.description), token: token)
    configuration.allowsPlaintextToken = allowsPlaintextToken
    configuration.security = security
    configuration.software = "quiver-load"
    configuration.limits.maxConnections = min(max(1, connections), 256)
    configuration.limits.maxAttempts = 1
    if let retrySeconds { configuration.repeatCalls(seconds: retrySeconds) }
    configuration.limits.idleTimeout = nil
    configuration.waitsForReady = true
    return RPCClient(configuration, transport: transport, endpoints: all)
  }
}

extension RPCClient.Configuration {
  /// Lets the client repeat calls that end UNAVAILABLE, with their keys and at other addresses,
  /// until their deadlines, which are so many seconds away at least.
  mutating func repeatCalls(seconds: Double) {
    limits.maxAttempts = 100
    limits.retryTokens = 1_000_000
    limits.retry.longest = .seconds(1)
    limits.reconnect.longest = .seconds(1)
    waitsForReady = true
    defaultTimeout = .seconds(max(seconds, 30))
  }
}

/// Connections that only reply to pings. A lost connection counts as failed and is replaced.
final class IdleWork: RoleWork {
  let tallies: [Tally]
  private let tally: Tally
  private let dial: Dial

  /// The delay before a lost connection is replaced, in seconds.
  private static let pause = 1.0

  init(_ dial: Dial, tally: Tally) {
    self.dial = dial
    self.tally = tally
    tallies = [tally]
  }

  func live(_ life: ActorLife) async {
    while !life.shallStop, !Task.isCancelled {
      let visit = IdleVisit(tally)
      let end = dial.connect()
      end.observe(by: visit)
      while !life.shallStop, !Task.isCancelled, !visit.isLost { await life.wait(seconds: 1) }
      let wasLost = visit.isLost
      visit.leave()
      end.shutDown()
      if wasLost { await life.wait(seconds: Self.pause) }
    }
  }
}

/// One idle connection.
final class IdleVisit: ClientEndObserver {
  private let tally: Tally
  private let began = Clock.nanoseconds()
  private let state = Mutex(State())

  private struct State {
    var isLost = false
    var isLeft = false
  }

  init(_ tally: Tally) {
    self.tally = tally
    tally.began()
  }

  var isLost: Bool { state.withLock { $0.isLost } }

  /// The run releases it.
  func leave() {
    let isCounted = state.withLock { state in
      defer { state.isLeft = true }
      return state.isLost
    }
    if !isCounted { tally.left() }
  }

  func opened(_ end: ClientEnd) {
    tally.ended(intended: began, sent: began, now: Clock.nanoseconds(), nil, isOpen: false)
  }

  func hasRoom(_ end: ClientEnd) {}

  func unusable(_ end: ClientEnd, _ ending: ClientEnding) {
    let counts = state.withLock { state in
      guard !state.isLost, !state.isLeft else { return false }
      state.isLost = true
      return true
    }
    guard counts else { return }
    let failure = (ending.reason.code, "\(ending.reason.code.name): \(ending.reason.message)")
    guard !ending.hasOpened else { return tally.broke(failure) }
    tally.ended(intended: began, sent: began, now: Clock.nanoseconds(), failure)
  }
}

/// Connections for one call each, at a rate.
final class StormWork: RoleWork {
  let tallies: [Tally]
  private let role: Scenario.Role
  private let context: RunContext
  private let call: PreparedCall
  private let dial: Dial
  private let passes: OpenPasses

  init(_ role: Scenario.Role, _ context: RunContext, _ call: PreparedCall, _ dial: Dial) {
    self.role = role
    self.context = context
    self.call = call
    self.dial = dial
    passes = OpenPasses(role)
    tallies = [call.tally]
  }

  func live(_ life: ActorLife) async {}

  func feed(intended: UInt64) {
    let number = passes.next()
    guard passes.begin() else { return call.tally.notSent() }
    Task { [self] in
      var scope = context.scope(role, actor: 0, pass: number)
      scope.iteration = number
      let client = dial.client()
      _ = await call.make(over: client, intended: intended, &scope)
      await client.close()
      passes.end()
    }
  }
}
