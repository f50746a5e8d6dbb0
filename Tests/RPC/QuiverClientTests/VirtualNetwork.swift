import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import QuiverClient

/// Servers and a client on one virtual clock: repeatable except for jitter.
final class VirtualNetwork: Transport {
  let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
  private let loopback: LoopbackTransport
  private let state = Mutex(State())

  private struct State {
    var servers: [String: VirtualServer] = [:]
    var connects: [Connect] = []
    var silentConnections: [SilentConnection] = []
    var timerCount = 0
  }

  /// An attempt to connect.
  struct Connect: Equatable {
    let name: String
    let nanoseconds: UInt64
  }

  /// - Parameters:
  /// - names: the servers at the start.
  /// - clientLimits: the limits of the client's connections.
  init(
    _ names: String..., limits: Limits = Limits(), clientLimits: Limits = Limits(),
    delayMilliseconds: UInt64 = 0, interceptors: [any ServerInterceptor] = []
  ) {
    var link = LoopbackLink.plain
    let delay = delayMilliseconds * 1_000_000
    link.delayNanoseconds = delay...delay
    loopback = LoopbackTransport(on: reactor, limits: clientLimits, link: link)
    for name in names { build(name, limits: limits, interceptors: interceptors) }
  }

  @discardableResult
  func build(
    _ name: String, limits: Limits = Limits(), interceptors: [any ServerInterceptor] = []
  ) -> VirtualServer {
    let server = VirtualServer(name, reactor, limits, interceptors)
    state.withLock { $0.servers[name] = server }
    return server
  }

  func server(_ name: String) throws -> VirtualServer {
    try #require(state.withLock { $0.servers[name] })
  }

  /// Stops listening; connections stay.
  func close(_ name: String) { state.withLock { $0.servers[name] = nil } }

  /// Lets connections to a server be made again.
  func open(_ name: String, _ server: VirtualServer) {
    state.withLock { $0.servers[name] = server }
  }

  func cutAll() { loopback.cutAll() }
  func silenceAll() { loopback.silenceAll() }
  var serverEnds: [ServerEnd] { loopback.serverEnds }

  /// The attempts to connect, in order.
  var connects: [Connect] { state.withLock { $0.connects } }
  /// The number of timers that were set for the client.
  var timerCount: Int { state.withLock { $0.timerCount } }
  var connectedNames: [String] { connects.map(\.name) }

  // MARK: Transport

  func connect(to name: String, _ options: ConnectOptions) -> ClientEnd {
    let now = reactor.nowNanoseconds
    let server = state.withLock { state in
      state.connects.append(Connect(name: name, nanoseconds: now))
      return state.servers[name]
    }
    if let server { return loopback.connect(to: server.loopback, options) }
    if name == "silent" { return silent(options) }
    let end = ClientEnd(
      limits: Limits(), software: "test", token: options.token, reactor: reactor,
      coder: ReactorCoder())
    reactor.run { end.closed("nobody is at \(name)") }
    return end
  }

  private func silent(_ options: ConnectOptions) -> ClientEnd {
    let end = ClientEnd(
      limits: Limits(), software: "test", token: options.token, reactor: reactor,
      coder: ReactorCoder())
    let driver = SilentConnection(end, reactor)
    end.driver = driver
    state.withLock { $0.silentConnections.append(driver) }
    reactor.run { driver.hasOutput() }
    return end
  }

  var nowNanoseconds: UInt64 { reactor.nowNanoseconds }

  func schedule(atNanoseconds due: UInt64, _ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.timerCount += 1 }
    reactor.schedule(atNanoseconds: due, job)
  }

  // MARK: Running

  func client(
    _ names: String..., change: (inout RPCClient.Configuration) -> Void = { _ in }
  ) -> RPCClient {
    var configuration = RPCClient.Configuration(token: "qv_\(TokenAuthenticator.good)")
    change(&configuration)
    return RPCClient(configuration, transport: self, endpoints: names)
  }

  /// Starts a task on the virtual clock.
  func start<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Running<Value> {
    let running = Running<Value>()
    let task = Task(executorPreference: reactor) {
      do {
        running.end(.success(try await body()))
      } catch {
        running.end(.failure(error))
      }
    }
    running.onCancel { task.cancel() }
    reactor.runReady()
    return running
  }

  /// Advances the clock until the task ends, at most an hour.
  func finish<Value: Sendable>(_ running: Running<Value>) throws -> Value {
    let hasEnded = reactor.advance(upToNanoseconds: 3_600_000_000_000) { running.result != nil }
    try #require(hasEnded, "nothing is left that could end the task")
    return try #require(running.result).get()
  }

  /// Runs a task until it ends.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    try finish(start(body))
  }

  /// The error with which a task fails; records an issue if it succeeds.
  func failure<Value: Sendable>(_ running: Running<Value>) throws -> RPCError {
    do {
      _ = try finish(running)
    } catch let error as RPCError {
      return error
    }
    Issue.record("the call was answered")
    return RPCError(.unknown, "the call was answered")
  }

  func advance(milliseconds: UInt64) {
    reactor.advance(byNanoseconds: milliseconds * 1_000_000)
  }

  var milliseconds: UInt64 { reactor.nowNanoseconds / 1_000_000 }
}

/// Accepts bytes and never sends any.
// Sendable because it lives on its reactor.
final class SilentConnection: ConnectionDriver, @unchecked Sendable {
  private let end: ClientEnd
  private let reactor: LoopbackReactor

  init(_ end: ClientEnd, _ reactor: LoopbackReactor) {
    self.end = end
    self.reactor = reactor
  }

  func hasOutput() {
    guard end.phase < .closed else { return }
    if end.phase == .closing { return end.closed("nothing was said") }
    if !end.output.isEmpty { end.wrote(end.output.count, now: reactor.nowNanoseconds) }
    let due = end.nextTimer
    guard due != 0 else { return }
    reactor.schedule(atNanoseconds: due) { [self] in
      let now = reactor.nowNanoseconds
      if end.nextTimer != 0, end.nextTimer <= now { end.timerFired(now: now) }
      hasOutput()
    }
  }
}

/// A task on the virtual clock.
final class Running<Value: Sendable>: Sendable {
  private let state = Mutex<Result<Value, any Error>?>(nil)
  private let canceller = Mutex<(@Sendable () -> Void)?>(nil)

  var result: Result<Value, any Error>? { state.withLock { $0 } }

  func end(_ result: Result<Value, any Error>) { state.withLock { $0 = result } }
  func onCancel(_ action: @escaping @Sendable () -> Void) { canceller.withLock { $0 = action } }
  func cancel() { canceller.withLock { $0 }?() }
}
