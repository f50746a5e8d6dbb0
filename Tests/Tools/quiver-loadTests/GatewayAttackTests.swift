import Foundation
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Testing

@testable import GatewayCalls
@testable import quiver_load

@Suite("Attackers of a gateway", .timeLimit(.minutes(5)))
struct GatewayAttackTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "tools/load/scenarios/gateway-attacked.json")

  @Test("The scenario has each attack once, from an address that no other caller has")
  func scenario() throws {
    let scenario = try ScenarioReader.scenario(file: Self.file.path)
    let attacks = scenario.roles.compactMap { role in
      if case .gatewayAttackers(let settings) = role.work { settings } else { nil }
    }
    #expect(Set(attacks.map(\.attack)) == Set(GatewayAttack.allCases))
    #expect(attacks.count == GatewayAttack.allCases.count)
    #expect(Set(attacks.map(\.address)).count == attacks.count)
    #expect(attacks.allSatisfy { $0.address > 1 } && scenario.allSucceed)
  }

  @Test(
    "Attackers reach only gateways of this machine",
    arguments: [
      ("http://127.0.0.1:7480", true), ("http://127.8.9.10:1", true),
      ("http://localhost:7480", true), ("http://128.0.0.1:7480", false),
      ("http://127.0.0.1.example:7480", false), ("http://127.0.0.256:7480", false),
      ("http://10.0.0.1:80", false), ("http://[::2]:80", false),
    ])
  func loopback(text: String, isLoopback: Bool) throws {
    #expect(try #require(GatewayAddress(text)).isLoopback == isLoopback)
  }

  @Test(
    "An address of a gateway is http://HOST:PORT",
    arguments: ["127.0.0.1:7480", "https://localhost:1", "http://localhost", "http://unix:a", ""])
  func addresses(text: String) {
    #expect(GatewayAddress(text) == nil)
    #expect(throws: Options.Wrong.self) { try Options(["run", "a.json", "--gateway", text]) }
  }

  @Test("--gateway goes with run, without --retry")
  func flags() throws {
    let flags = ["--gateway", "http://localhost:7480"]
    #expect(try Options(["run", "a.json"] + flags).gateway?.description == flags[1])
    #expect(throws: Options.Wrong.self) { try Options(["--method", "Echo"] + flags) }
    #expect(throws: Options.Wrong.self) { try Options(["run", "a.json", "--retry", "1s"] + flags) }
  }

  @Test(
    "Costly bodies are of at most 10 KB, and a hundred times as large where they are compressed")
  func bodies() {
    for body in CostlyBodies.all {
      #expect(body.bytes.count <= 10_240, "\(body.name)")
      guard body.isGzip else { continue }
      // The last four bytes of gzip are the length before (RFC 1952).
      let length = body.bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(length >= 100 * body.bytes.count && length <= 4 << 20, "\(body.name)")
    }
  }

  @Test("Frames are those of RFC 9113")
  func frames() {
    var frames = HTTP2Frames()
    frames.reset(1)
    frames.updateWindow(2)
    #expect(
      frames.bytes == [
        0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 8, 0, 0, 4, 8, 0, 0, 0, 0, 5, 0, 0, 0, 0,
      ])
    frames = HTTP2Frames()
    frames.open(0)
    let count = frames.bytes.count - 9
    #expect(Array(frames.bytes.prefix(9)) == [0, 0, UInt8(count), 1, 4, 0, 0, 0, 1])
    // :method POST and :scheme http of the static table of RFC 7541.
    #expect(frames.bytes[9] == 0x83 && frames.bytes[10] == 0x86)
  }

  /// Nothing listens at it.
  private static let nowhere = "127.0.0.1:1"

  @Test("A request for a connection that is closed already is not processed, and can be repeated")
  func closedConnection() async throws {
    let transport = try DispatchTransport()
    let end = transport.connect(to: try #require(Endpoint(Self.nowhere))) { HTTPClientEnd($0) }
    while end.isUsable { try await Task.sleep(for: .milliseconds(1)) }
    let call = HTTPCall(end, [], transport, .seconds(60))
    do throws(RPCError) {
      _ = try await call.response.head()
      Issue.record("nothing answers at \(Self.nowhere)")
    } catch {
      #expect(error.isNotProcessed && error.code == .unavailable)
    }
  }

  @Test("Calls of a gateway that does not listen end as UNAVAILABLE")
  func noGateway() async throws {
    let caller = GatewayCaller(
      try DispatchTransport(), try #require(GatewayAddress("http://\(Self.nowhere)")), .anonymous)
    for _ in 0..<100 {
      await #expect(throws: RPCError.self) {
        try await caller.callEncoded(Health.methods.check.info, [])
      }
    }
  }

  @Test("A call that fails of a role that does not attack fails the run, and is named")
  func failures() throws {
    for attacks in [false, true] {
      let role =
        attacks
        ? #"{"kind": "gateway-attackers", "name": "r", "attack": "anonymous-calls"}"#
        : #"{"kind": "mix", "name": "r", "methods": [{"method": "Health/Check"}]}"#
      let scenario = try ScenarioReader.scenario(
        Array(
          """
          {"version": 1, "name": "t", "all_succeed": true, "roles": [\(role)],
           "stages": [{"shape": "hold", "duration": "1s"}]}
          """.utf8))
      let gate = Tally.Gate()
      gate.open(from: 0)
      let tally = Tally(role: "r", method: "m", counting: gate, lateSeconds: 1)
      tally.ended(
        intended: 1, sent: 1, now: 2, (StatusCode.unavailable, "UNAVAILABLE: lost"), isOpen: false)
      var result = ScenarioRun.Result()
      result.conducted.tallies = [tally.result(series: Series())]
      let outcome = ScenarioOutcome(
        scenario: scenario, server: "s", result: result, objectives: nil)
      #expect((outcome.failure == nil) == attacks)
      #expect(attacks || outcome.failure?.sentence.contains("r: m: 1 failed") == true)
    }
  }
}
