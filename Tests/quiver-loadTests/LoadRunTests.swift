import QuiverAPI
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import quiver_load

@Suite("A run")
struct LoadRunTests {
  private struct Everybody: Authenticator {
    func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
      .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "test"))
    }
  }

  @Test("Calls that are open when a run ends are given up, when nobody holds the run")
  func openCalls() async throws {
    let held = Mutex<[(Responder<EchoMessage>, EchoMessage)]>([])
    let route = Route.responding(Diagnostics.echo) { message, _, responder in
      held.withLock { $0.append((responder, message)) }
    }
    var configuration = Server.Configuration(
      router: Router([route]), authenticator: Everybody(),
      identity: ServerIdentity(software: "quiver-load", instanceID: [1]))
    configuration.shardCount = 1
    let server = try Server(configuration)
    let anywhere = try #require(Endpoint("127.0.0.1:0"))
    let port = try #require(server.listen(on: anywhere).first).port
    let summary = try run(to: #require(Endpoint("127.0.0.1:\(port)")))
    #expect(summary.ended == 0)
    let open = held.withLock { $0 }
    #expect(open.count == 16)
    for (responder, message) in open { responder.succeed(message) }
    // Every connection has closed, which is after the last reply.
    await server.drain()
  }

  private func run(to endpoint: Endpoint) throws -> Summary {
    var settings = LoadRun.Settings()
    settings.concurrency = 16
    settings.connections = 2
    // Long enough for both connections on a busy machine: what was not sent is never open.
    settings.seconds = 2
    settings.warmUpSeconds = 0
    let plan = Plan(
      method: Diagnostics.echo.info, request: EchoMessage().serializedBytes(), messagesPerCall: 1,
      metadata: Metadata(), timeoutNanoseconds: 0, runID: 7)
    return LoadRun(
      settings, plan, over: try DispatchTransport(), to: endpoint,
      ConnectOptions(token: [1], software: "test")
    ).run { _ in }.summary
  }
}
