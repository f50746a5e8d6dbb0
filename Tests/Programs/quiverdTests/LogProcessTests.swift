import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

/// The log of the built server.
@Suite("The log of quiverd", .timeLimit(.minutes(20)))
struct LogProcessTests {
  private static func field(_ name: String, in line: String) -> String? {
    line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
      .map { String($0.dropFirst(name.count + 1)) }
  }

  @Test("A slow call and a fault of the server are logged with method and caller, without its text")
  func calls() async throws {
    let served = try ServedProcess(
      try TemporaryDirectory(), "--diagnostics", "--slow-call", "20")
    var delay = DelayRequest()
    delay.delayMilliseconds = 30
    _ = try await served.client.call(Diagnostics.delay, delay)
    let slow = served.process.line(of: "slow-call")
    #expect(Self.field("method", in: slow) == "quiver.v1.Diagnostics/Delay")
    #expect(Self.field("code", in: slow) == "OK")
    #expect(Self.field("caller", in: slow)?.hasPrefix("principal:") == true)
    #expect(Self.field("milliseconds", in: slow).flatMap { Int($0) }.map { $0 >= 20 } == true)

    var fail = FailRequest()
    fail.code = StatusCode.internal.rawValue
    fail.message = "a text of the user"
    await #expect(throws: RPCError.self) {
      try await served.client.call(Diagnostics.fail, fail)
    }
    let failed = served.process.line(of: "call-failed")
    #expect(Self.field("method", in: failed) == "quiver.v1.Diagnostics/Fail")
    #expect(Self.field("code", in: failed) == "INTERNAL")
    served.process.send(SIGTERM)
    #expect(!served.process.end().log.contains("a text of the user"))
  }

  @Test("A refused token is logged with its address and reason, and not the token")
  func refusedToken() async throws {
    let served = try ServedProcess(try TemporaryDirectory())
    let secret = "qv_" + String(repeating: "A", count: 43)
    await #expect(throws: RPCError.self) {
      try await served.client(token: secret).call(Account.whoAmI, WhoAmIRequest())
    }
    let line = served.process.line(of: "authentication-failed")
    #expect(Self.field("address", in: line) == "127.0.0.1")
    #expect(line.contains("reason=\"the token is unknown, expired or revoked\""))
    served.process.send(SIGTERM)
    #expect(!served.process.end().log.contains(secret))
  }

  @Test("The access log has every call with --access-log 1, and every line is a JSON object")
  func json() async throws {
    let directory = try TemporaryDirectory()
    let socket = "unix:\(directory.path)/socket"
    let server = try ServerProcess(
      "--data", directory.path, "--listen", socket, "--diagnostics", "--log-format=json",
      "--access-log=1")
    _ = server.line(of: "serving")
    let token = try String(contentsOfFile: directory.path + "/admin.token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let client = try RPCClient(RPCClient.Configuration(server: socket, token: token))
    for _ in 0..<5 { _ = try await client.call(Diagnostics.echo, EchoMessage()) }
    server.send(SIGTERM)
    let lines = server.end().log.split(separator: "\n")
    let objects = try lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]
    }
    #expect(objects.allSatisfy { $0?["event"] != nil && $0?["time"] != nil })
    let calls = objects.filter { $0?["event"] == "call" }
    #expect(calls.count == 5)
    #expect(calls.allSatisfy { $0?["method"] == "quiver.v1.Diagnostics/Echo" })
    #expect(calls.allSatisfy { $0?["code"] == "OK" })
  }

  @Test("A start after a kill logs that the store was recovered, a start after a stop does not")
  func recovery() async throws {
    let directory = try TemporaryDirectory()
    let first = try ServedProcess(directory)
    var creation = CreatePrincipalRequest()
    creation.kind = .user
    creation.displayName = "Robin"
    _ = try await first.client.call(Admin.createPrincipal, creation)
    first.process.send(SIGKILL)
    #expect(!first.process.end().log.contains("event=store-recovered"))

    let second = try ServedProcess(directory)
    let line = second.process.line(of: "store-recovered")
    #expect(Self.field("log-bytes", in: line).flatMap { Int($0) }.map { $0 > 0 } == true)
    second.process.send(SIGTERM)
    _ = second.process.end()

    let third = try ServedProcess(directory)
    _ = third.process.line(of: "serving")
    third.process.send(SIGTERM)
    #expect(!third.process.end().log.contains("event=store-recovered"))
  }

  @Test("A server whose log nobody reads answers calls, and counts the lines that it dropped")
  func fullPipe() async throws {
    let served = try ServedProcess(
      try TemporaryDirectory(), "--diagnostics", "--access-log", "1")
    // The pipe takes 64 KiB and the buffer 256 KiB; a line has more than 100 bytes.
    for _ in 0..<50 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask {
            _ = try await served.client.call(Diagnostics.echo, EchoMessage())
          }
        }
        try await group.waitForAll()
      }
    }
    let line = served.process.line(of: "log-lines-dropped")
    #expect(Self.field("count", in: line).flatMap { Int($0) }.map { $0 > 0 } == true)
    served.process.send(SIGTERM)
    let ending = served.process.end()
    #expect(ending.code == 0)
    let logged = ending.log.split(separator: "\n").count { $0.contains(" event=call ") }
    let dropped = ending.log.split(separator: "\n").reduce(0) { sum, line in
      guard line.contains("event=log-lines-dropped") else { return sum }
      return sum + (Self.field("count", in: String(line)).flatMap { Int($0) } ?? 0)
    }
    #expect(logged + dropped >= 5_000)
  }
}
