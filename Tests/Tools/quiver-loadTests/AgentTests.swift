import ChildProcesses
import Foundation
import TestSupport
import Testing

@testable import quiver_load

@Suite("Load from several processes", .timeLimit(.minutes(10)))
struct AgentTests {
  @Test("A histogram survives its encoding; counts that no histogram has are refused")
  func histogram() throws {
    var histogram = Histogram()
    for value in [1_000, 5_000_000, 77_000_000_000, 1_000] as [UInt64] {
      histogram.record(nanoseconds: value)
    }
    let data = try JSONEncoder().encode(histogram)
    #expect(try JSONDecoder().decode(Histogram.self, from: data) == histogram)
    let empty = try JSONEncoder().encode(Histogram())
    #expect(try JSONDecoder().decode(Histogram.self, from: empty) == Histogram())
    for text in [
      #"{"pairs":[99999999,1],"count":1,"max":1,"min":1,"sum":1}"#,
      #"{"pairs":[5],"count":1,"max":1,"min":1,"sum":1}"#,
      #"{"pairs":[5,1],"count":2,"max":5000,"min":5000,"sum":1}"#,
      #"{"pairs":[5,1],"count":1,"max":1,"min":5000,"sum":1}"#,
      #"{"pairs":[5,1],"count":1,"max":900000,"min":800000,"sum":1}"#,
      #"{"pairs":[5,18446744073709551615,6,1],"count":0,"max":9000,"min":1000,"sum":1}"#,
    ] {
      #expect(throws: (any Error).self, "\(text)") {
        try JSONDecoder().decode(Histogram.self, from: Data(text.utf8))
      }
    }
  }

  @Test("Rate, calls and connections are shared out without a rest")
  func shares() throws {
    let options = try Options([
      "--rate", "100", "--connections", "5", "--count", "11", "--agents", "3",
    ])
    let share = try AgentShare(options, count: 3)
    let requests = (0..<3).map {
      share.request($0, server: "unix:/s", token: "qv", settings: options.settings)
    }
    let parts = try requests.map { try Options($0.arguments).settings }
    #expect(parts.map(\.count) == [4, 4, 3])
    #expect(parts.map(\.connections) == [2, 2, 1])
    #expect(parts.allSatisfy { abs(($0.rate ?? 0) - 100.0 / 3) < 0.001 })
    #expect(requests.map(\.delaySeconds) == [0, 0.01, 0.02])
    #expect(requests.allSatisfy { !$0.arguments.contains("qv") })
    let closed = try Options(["--concurrency", "2"])
    #expect(throws: Failure.self) { try AgentShare(closed, count: 3) }
  }

  @Test("A second is complete when each agent has told it")
  func merging() {
    var merged = MergedSeconds(agentCount: 2)
    func second(_ number: Int, _ succeeded: UInt64) -> AgentSecond {
      var summary = Summary()
      summary.succeeded = succeeded
      for _ in 0..<succeeded { summary.latency.record(nanoseconds: 1_000_000 * succeeded) }
      return AgentSecond(
        number: number, isWarmUp: false, openCalls: 3, generatorShare: 0.1, summary: summary)
    }
    #expect(merged.add(second(1, 10)).isEmpty)
    #expect(merged.add(second(2, 10)).isEmpty)
    let first = merged.add(second(1, 30))
    #expect(first.map(\.interval.number) == [1])
    #expect(first.first?.interval.succeeded == 40 && first.first?.interval.openCalls == 6)
    #expect(first.first?.summary.latency.count == 40)
    #expect(merged.rest().map(\.interval.number) == [2])
    #expect(merged.series.intervals.map(\.succeeded) == [40, 10])
  }

  @Test("Two processes make all calls of a run, and their histograms are merged")
  func processes() async throws {
    try await TestServer.run { server in
      let run = try Self.load(
        server,
        [
          "--method", "Equipment/GetHub", "--concurrency", "4", "--count", "1001", "--agents", "2",
          "--json", "--quiet",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let report =
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
      #expect(report["succeeded"] as? Int == 1_001)
      #expect((report["latency_us"] as? [String: Any])?["count"] as? Int == 1_001)
    }
  }

  @Test("An agent that ends before another one does not end the run")
  func endsApart() async throws {
    try await TestServer.run { server in
      // The second agent begins later, by one interval of the whole rate.
      let run = try Self.load(
        server,
        [
          "--method", "Equipment/GetHub", "--rate", "2", "--duration", "1s", "--warm-up", "0",
          "--late-after", "10s", "--agents", "2", "--quiet",
        ])
      #expect(run.code == 0, "\(run.errors)")
    }
  }

  @Test("An agent that cannot start, or does not answer like one, fails the run")
  func brokenAgents() async throws {
    try await TestServer.run { server in
      for (command, text) in [
        ("exit 3", "ended without a result"),
        ("echo hello; sleep 1", "does not answer like quiver-load agent"),
        ("cat", "does not answer like quiver-load agent"),
      ] {
        let run = try Self.load(
          server,
          [
            "--method", "Equipment/GetHub", "--count", "10", "--concurrency", "2", "--agents", "1",
            "--agent", command,
          ])
        #expect(run.code == 4, "\(command): \(run.errors)")
        #expect(run.errors.contains(text), "\(command): \(run.errors)")
      }
    }
  }

  @Test("--json-lines writes a line for each second")
  func jsonLines() async throws {
    try await TestServer.run { server in
      let run = try Self.load(
        server,
        [
          "--method", "Equipment/GetHub", "--rate", "20", "--duration", "2s", "--warm-up", "0",
          "--json-lines", "-", "--quiet",
        ])
      let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("{\"second\"") }
      #expect(lines.count >= 1, "\(run.output)\(run.errors)")
      for line in lines {
        let second = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(second?["lag_p99_us"] != nil && second?["failures"] is [String: Any])
      }
    }
  }

  private static func load(
    _ server: TestServer, _ arguments: [String]
  ) throws -> (code: Int32, output: String, errors: String) {
    let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let process = ChildProcess()
    process.executableURL = here.deletingLastPathComponent().appending(path: "quiver-load")
    process.arguments = ["--server", server.dial.server] + arguments
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let token = directory.path + "/token"
    try (server.dial.token ?? "").write(toFile: token, atomically: true, encoding: .utf8)
    process.environment = ["SWIFT_BACKTRACE": "enable=no", "QUIVER_TOKEN_FILE": token]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: printed, as: UTF8.self),
      String(decoding: complaints, as: UTF8.self)
    )
  }
}
