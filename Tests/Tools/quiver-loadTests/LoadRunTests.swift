import Glibc
import QuiverAPI
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import quiver_load

@Suite("A run", .timeLimit(.minutes(5)))
struct LoadRunTests {
  private struct Everybody: Authenticator {
    func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
      .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "test"))
    }
  }

  private typealias Held = (responder: Responder<EchoMessage>, message: EchoMessage)

  @Test("Calls that are open when a run ends are given up, and counted as unanswered failures")
  func openCalls() async throws {
    let held = Mutex<[Held]>([])
    let route = Route.responding(Diagnostics.echo) { message, _, responder in
      held.withLock { $0.append((responder, message)) }
    }
    let (server, endpoint) = try serve(route)
    let summary = try run(to: endpoint) { settings in
      settings.concurrency = 16
      settings.connections = 2
      // Long enough for both connections on a busy machine: what was not sent is never open.
      settings.seconds = 2
      settings.patienceSeconds = 0
    }.summary
    #expect(summary.unanswered == 16 && summary.ended == 16 && summary.errorShare == 1)
    #expect(summary.latency.count == 0 && summary.latencyMicroseconds(at: 0.5) == .infinity)
    #expect(try Objectives("p99<1s,errors<1%").verdicts(summary).allSatisfy { !$0.holds })
    let open = held.withLock { $0 }
    #expect(open.count == 16)
    for (responder, message) in open { responder.succeed(message) }
    // Every connection has closed, which is after the last reply.
    await server.drain()
  }

  @Test("What is answered after the last call was sent counts with the time that it took")
  func lateAnswers() async throws {
    let held = Mutex<[Held]?>([])
    let route = Route.responding(Diagnostics.echo) { message, _, responder in
      let isHeld = held.withLock { held in
        held?.append((responder, message))
        return held != nil
      }
      if !isHeld { responder.succeed(message) }
    }
    let (server, endpoint) = try serve(route)
    let result = try run(to: endpoint) { settings in
      settings.rate = 100
      settings.seconds = 2
    } each: { second in
      // The last that is told before the run waits for its answers.
      guard second.number == 2 else { return }
      let open = held.withLock { held in
        defer { held = nil }
        return held ?? []
      }
      for (responder, message) in open { responder.succeed(message) }
    }
    let summary = result.summary
    #expect(summary.failed == 0 && (1...201).contains(summary.succeeded))
    #expect(summary.latency.maxNanoseconds > 1_500_000_000)
    await server.drain()
  }

  @Test("A stream that goes on for ever is no call without an answer once it has brought a message")
  func streams() async throws {
    let route = Route.serverStreaming(Diagnostics.source) { _, _, replies in
      try await replies.send(EchoMessage())
      try await Task.sleep(for: .seconds(3_600))
    }
    let (server, endpoint) = try serve(route)
    let result = try run(to: endpoint, method: Diagnostics.source.info) { $0.seconds = 1 }
    #expect(result.summary.ended == 0 && result.summary.messages == 1)
    await server.drain()
  }

  @Test("The server's processor time is read over the same span as the generator's")
  func processorTimes() async throws {
    let route = Route.synchronous(Diagnostics.echo) { message, _ throws(RPCError) in message }
    let (server, endpoint) = try serve(route)
    // The server is in this process.
    let result = try run(to: endpoint, serverProcess: getpid()) { settings in
      settings.concurrency = 16
      settings.warmUpSeconds = 2
      settings.seconds = 0.5
    }
    let seconds = try #require(result.serverSeconds)
    #expect(seconds > 0 && seconds < result.summary.generatorSeconds * 1.5 + 0.05)
    #expect(result.summary.succeeded > 0)
    await server.drain()
  }

  @Test(
    "A run of N calls sends N calls, in a closed and in an open loop",
    arguments: [nil, 5_000] as [Double?])
  func count(rate: Double?) async throws {
    let received = Mutex(0)
    let route = Route.synchronous(Diagnostics.echo) { message, _ throws(RPCError) in
      received.withLock { $0 += 1 }
      return message
    }
    let (server, endpoint) = try serve(route)
    let result = try run(to: endpoint) { settings in
      settings.rate = rate
      settings.concurrency = 7
      settings.connections = 3
      settings.count = 100
      settings.seconds = 60
    }
    #expect(result.summary.succeeded == 100)
    #expect(received.withLock { $0 } == 100)
    await server.drain()
  }

  @Test("The time in which no call is answered is counted, and no objective holds over it")
  func outage() async throws {
    let route = Route.synchronous(Diagnostics.echo) { message, _ throws(RPCError) in message }
    let (server, endpoint) = try serve(route)
    let ended = Mutex(false)
    let summary = try run(to: endpoint) { settings in
      settings.concurrency = 4
      settings.seconds = 5
    } each: { second in
      // From here on nobody listens.
      guard second.number == 2, !ended.withLock({ $0 }) else { return }
      ended.withLock { $0 = true }
      server.stop()
    }.summary
    #expect(summary.succeeded > 0 && summary.outageSeconds > 2)
    let verdicts = try Objectives("p50<10s,errors<50%,rate>0.001").verdicts(summary)
    #expect(verdicts.allSatisfy { !$0.holds && $0.text.contains("no answer for") })
  }

  private func serve(_ route: Route) throws -> (Server, Endpoint) {
    var configuration = Server.Configuration(
      router: Router([route]), authenticator: Everybody(),
      identity: ServerIdentity(software: "quiver-load", instanceID: [1]))
    configuration.shardCount = 1
    let server = try Server(configuration)
    let anywhere = try #require(Endpoint("127.0.0.1:0"))
    let port = try #require(server.listen(on: anywhere).first).port
    return (server, try #require(Endpoint("127.0.0.1:\(port)")))
  }

  private func run(
    to endpoint: Endpoint, method: MethodInfo = Diagnostics.echo.info, serverProcess: Int32? = nil,
    _ set: (inout LoadRun.Settings) -> Void, each second: (Interval) -> Void = { _ in }
  ) throws -> LoadRun.Result {
    var settings = LoadRun.Settings()
    settings.warmUpSeconds = 0
    set(&settings)
    let plan = Plan(
      method: method, request: EchoMessage().serializedBytes(), messagesPerCall: 1,
      metadata: Metadata(), timeoutNanoseconds: 0, runID: 7)
    return LoadRun(
      settings, plan, over: try DispatchTransport(), to: Rotation([endpoint]),
      ConnectOptions(token: [1], software: "test")
    ).run(serverProcess: serverProcess) { interval, _ in second(interval) }
  }
}
