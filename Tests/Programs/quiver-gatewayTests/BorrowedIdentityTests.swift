import Foundation
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import TestSupport
import Testing

/// A server that knows everybody on its Unix socket, and no mark of anonymous calls, as servers
/// before it.
@Suite("A server that takes callers without a token for somebody", .timeLimit(.minutes(5)))
struct BorrowedIdentityTests {
  private struct Nothing: Message {
    static let schema = Schema<Self>("test.Nothing")
  }

  private struct Principal: Message {
    var id: Int64 = 0
    static let schema = Schema<Self>("test.Principal", .int64(1, "id", \.id))
  }

  private struct Identity: Message {
    var principal: Principal?
    static let schema = Schema<Self>("test.Identity", .message(1, "principal", \.principal))
  }

  private struct Everybody: Authenticator {
    func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
      .caller(Caller(principalID: 7, tokenID: 0, kind: .administrator, displayName: "Sheriff"))
    }
  }

  /// - Parameter knowsMark: whether an anonymous call is refused.
  private static func server(_ path: String, knowsMark: Bool) throws -> Server {
    let whoAmI = UnaryMethod<Nothing, Identity>(
      "quiver.v1.Account/WhoAmI", id: 5121, anonymous: !knowsMark)
    let server = try Server(
      Server.Configuration(
        router: Router([
          .synchronous(whoAmI) { (_: Nothing, _: CallContext) throws(RPCError) -> Identity in
            var identity = Identity()
            identity.principal = Principal(id: 7)
            return identity
          },
          .synchronous(Health.methods.check) {
            (_: HealthCheckRequest, _: CallContext) throws(RPCError) -> HealthCheckResponse in
            var answer = HealthCheckResponse()
            answer.status = .serving
            return answer
          },
        ]), authenticator: Everybody(),
        identity: ServerIdentity(software: "test", instanceID: [1])))
    _ = try server.listen(on: try #require(Endpoint("unix:" + path)))
    return server
  }

  @Test("A gateway does not start before a server that ignores that a call is anonymous")
  func refusesToStart() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/socket"
    let server = try Self.server(path, knowsMark: false)
    let gateway = try GatewayProcess("--server", "unix:" + path)
    #expect(gateway.line(of: "failed").contains("for principal 7"))
    #expect(gateway.end() == 64)
    await server.drain()
  }

  @Test(
    "A call without a token is FAILED_PRECONDITION there, in each protocol and version of HTTP",
    arguments: [
      ("--http1.1", "application/json", "HTTP/1.1 400 ", "\"code\":\"failed_precondition\""),
      (
        "--http2-prior-knowledge", "application/json", "HTTP/2 400 ",
        "\"code\":\"failed_precondition\""
      ),
      ("--http2-prior-knowledge", "application/grpc", "HTTP/2 200 ", "\ngrpc-status: 9\r"),
      ("--http1.1", "application/grpc-web", "HTTP/1.1 200 ", "\ngrpc-status: 9\r"),
    ])
  func refused(version: String, type: String, status: String, code: String) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/socket"
    let gateway = try GatewayProcess("--server", "unix:" + path)
    _ = gateway.line(of: "server-unavailable")
    let server = try Self.server(path, knowsMark: false)
    #expect(gateway.line(of: "server-unavailable").contains("for principal 7"))
    let answer = try gateway.call(
      "Health/Check", version, "--header", "content-type: \(type)", "--header", "te: trailers")
    #expect(answer.hasPrefix(status) && answer.contains(code), "\(answer)")
    #expect(answer.contains("for principal 7"), "\(answer)")
    #expect(gateway.end() == 0)
    await server.drain()
  }

  @Test("A gateway that finds such a server later is not ready, and becomes ready with another")
  func notReady() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/socket"
    let gateway = try GatewayProcess("--server", "unix:" + path, "--metrics", "127.0.0.1:0")
    _ = gateway.line(of: "server-unavailable")
    let old = try Self.server(path, knowsMark: false)
    #expect(gateway.line(of: "server-unavailable").contains("for principal 7"))
    #expect(try gateway.get("/readyz").contains("for principal 7"))
    await old.drain()
    _ = gateway.line(of: "server-unavailable")
    let new = try Self.server(path, knowsMark: true)
    #expect(gateway.line(of: "server-available").contains("level=info"))
    #expect(try gateway.get("/readyz") == "ok\n")
    #expect(gateway.end() == 0)
    await new.drain()
  }
}
