import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Runs the program of one seed on a virtual clock.
// Sendable because it is touched on its reactor alone.
final class Run: @unchecked Sendable {
  let program: Program
  let reactor = LoopbackReactor(.manual(startNanoseconds: start))
  let service: Service
  let network: Network
  let packers: (client: Packer?, server: Packer?)
  /// The outcomes of each call, by its number; more than one is a fault.
  private(set) var outcomes: [UInt32: [Outcome]] = [:]
  private var tasks: [UInt32: Task<Void, Never>] = [:]
  private(set) var endedAt: UInt64 = 0
  /// The state of the connections at the end.
  private(set) var summary = ""

  static let start: UInt64 = 5_000_000_000

  /// The outcome of a call, and its replies.
  struct Outcome: Sendable {
    var error: RPCError?
    var replies: [Answer]
    var at: UInt64
  }

  /// - Parameter authority: the authority of the server's certificate; nil for no encryption.
  convenience init(seed: UInt64, authority: SimulatedAuthority? = nil) {
    self.init(Program(seed: seed, isSecure: authority != nil), security: authority?.security())
  }

  init(_ program: Program, security: Security? = nil) {
    self.program = program
    service = Service(on: reactor)
    packers = (
      program.clientPacks ? Packer() : nil, program.serverPacks ? Packer() : nil
    )
    network = Network(
      on: reactor, service.router(), clientLimits: program.clientLimits,
      serverLimits: program.serverLimits, program.habits, packers: packers,
      security: security, seed: program.wireSeed)
  }

  /// Runs until nothing is left to happen; returns the violations.
  func findings() -> [String] {
    plan()
    let isDone = reactor.advance(
      upToNanoseconds: 300_000_000_000, until: { outcomes.count == program.calls.count })
    endedAt = reactor.nowNanoseconds
    // Closing takes a second, and the discovery of a black hole the keepalive time.
    reactor.advance(byNanoseconds: 100_000_000_000)
    var found = Verdict(self).findings()
    if !isDone {
      let hanging = program.calls.map(\.number).filter { outcomes[$0] == nil }
      found.insert("calls \(hanging) never end", at: 0)
    }
    summary = network.ends.map { client, server in
      "client \(client.connection.pointee.core.summary)\n"
        + "server \(server.connection.pointee.core.summary)"
    }.joined(separator: "\n")
    letGo()
    return found
  }

  /// The largest memory of one end, framed or queued.
  var largestHeld: Int {
    network.wires.map { max($0.client.largestHeld, $0.server.largestHeld) }.max() ?? 0
  }

  /// The events in one line, for comparing two runs.
  var trace: String {
    outcomes.keys.sorted().map { number in
      let ends = (outcomes[number] ?? []).map { outcome in
        "\(outcome.error?.code.name ?? "OK") \(outcome.replies.count) \(outcome.at)"
      }
      return "\(number): \(ends.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  private func plan() {
    for call in program.calls {
      reactor.schedule(atNanoseconds: Self.start &+ call.startNanoseconds) { self.begin(call) }
    }
    for mishap in program.mishaps {
      reactor.schedule(atNanoseconds: Self.start &+ mishap.at) { [self] in
        network.wires.last?.suffer(
          mishap.kind, atServer: mishap.atServer, forNanoseconds: mishap.span)
      }
    }
    for drain in program.drains {
      reactor.schedule(atNanoseconds: Self.start &+ drain) { [self] in network.drain() }
    }
    for ping in program.pings {
      reactor.schedule(atNanoseconds: Self.start &+ ping) { [self] in
        network.ends.last?.client.connection.pointee.core.sendPingNow()
        network.wires.last?.client.hasOutput()
      }
    }
  }

  private func begin(_ call: PlannedCall) {
    tasks[call.number] = Task(executorPreference: reactor) { [self] in
      var replies: [Answer] = []
      var failure: RPCError?
      do throws(RPCError) {
        try await carryOut(call, &replies)
      } catch {
        failure = error
      }
      outcomes[call.number, default: []].append(
        Outcome(error: failure, replies: replies, at: reactor.nowNanoseconds))
    }
    guard let later = call.cancelNanoseconds else { return }
    reactor.schedule(atNanoseconds: reactor.nowNanoseconds &+ later) { [self] in
      tasks[call.number]?.cancel()
    }
  }

  private func carryOut(_ call: PlannedCall, _ replies: inout [Answer]) async throws(RPCError) {
    let deadline = call.timeoutNanoseconds.map { reactor.nowNanoseconds &+ $0 } ?? 0
    switch call.kind {
    case .atOnce, .later, .task:
      let method =
        call.kind == .atOnce ? Service.atOnce : call.kind == .later ? Service.later : Service.task
      let unary = UnaryCall<Answer>(
        method.info, message: call.ask.serializedBytes(), deadlineNanoseconds: deadline,
        options: ClientCall.HeadOptions(), route: network)
      switch await unary.outcome() {
      case .success(let reply): replies.append(reply.message)
      case .failure(let error): throw error
      }
    case .source:
      let stream = ClientStream(route: network)
      stream.start(
        Service.source.info, message: call.ask.serializedBytes(), deadlineNanoseconds: deadline,
        head: ClientCall.HeadOptions())
      try await read(stream, call, &replies)
    case .sink, .talk:
      let method = call.kind == .sink ? Service.sink.info : Service.talk.info
      let stream = ClientStream(route: network)
      stream.start(
        method, message: [], deadlineNanoseconds: deadline, head: ClientCall.HeadOptions())
      let sender = Task(executorPreference: reactor) { await self.send(stream, call) }
      defer { sender.cancel() }
      try await read(stream, call, &replies)
    }
  }

  private func send(_ stream: ClientStream, _ call: PlannedCall) async {
    for _ in 0..<call.messageCount {
      do {
        try await stream.send(call.ask.serializedBytes())
      } catch {
        return
      }
      await wait(call.sendPauseMicroseconds)
    }
    stream.finishRequest()
  }

  private func read(
    _ stream: ClientStream, _ call: PlannedCall, _ replies: inout [Answer]
  ) async throws(RPCError) {
    while let bytes = try await stream.next() {
      guard let answer = try? Answer(serializedBytes: bytes) else {
        throw RPCError(.internal, "a reply does not decode", origin: .client)
      }
      replies.append(answer)
      await wait(call.readPauseMicroseconds)
    }
  }

  private func wait(_ microseconds: UInt32) async {
    guard microseconds > 0 else { return }
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let due = reactor.nowNanoseconds &+ UInt64(microseconds) * 1_000
      reactor.schedule(atNanoseconds: due) { continuation.resume() }
    }
  }

  /// Ends everything that is open.
  private func letGo() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
    for wire in network.wires {
      wire.client.end("the run is over", losing: true)
      wire.server.end("the run is over", losing: true)
    }
    reactor.runReady()
    for wire in network.wires {
      wire.client.peer = nil
      wire.server.peer = nil
    }
    // Timers in the far future would keep all objects alive.
    reactor.end {}
  }
}
