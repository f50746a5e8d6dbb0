import ChildProcesses
import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import TestSupport
import Testing

/// Traces against a collector that decodes with PyPI's `opentelemetry-proto`.
@Suite("The traces of quiverd", .timeLimit(.minutes(20)))
struct TraceTests {
  /// A collector as a child process, and the spans that it received.
  private final class Collector {
    let url: String
    private let process = ChildProcess()
    private let output = Pipe()
    private var text = ""

    /// - Parameter refusals: the statuses of the first answers.
    init(refusals: String? = nil) throws {
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/otlp_collector.py").standardized.path
      let python = ProcessInfo.processInfo.environment["QUIVER_PYTHON"] ?? "python3"
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [python, script] + (refusals.map { [$0] } ?? [])
      process.standardOutput = output
      try process.run()
      var port = ""
      while !port.hasSuffix("\n") {
        let bytes = output.fileHandleForReading.readData(ofLength: 1)
        guard !bytes.isEmpty else { throw CollectorError() }
        port += String(decoding: bytes, as: UTF8.self)
      }
      url = "http://127.0.0.1:\(port.dropLast())"
    }

    deinit { process.terminate() }

    struct CollectorError: Error, CustomStringConvertible {
      let description = "the collector did not start; tools/install installs opentelemetry-proto"
    }

    /// The next span.
    func next() throws -> [String: Any] {
      var line: [UInt8] = []
      while line.last != 10 {
        let bytes = output.fileHandleForReading.readData(ofLength: 1)
        guard !bytes.isEmpty else { throw CollectorError() }
        line += bytes
      }
      return try #require(
        JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }

    func next(_ count: Int) throws -> [[String: Any]] { try (0..<count).map { _ in try next() } }
  }

  private static let traceID = [UInt8](1...16)
  private static let parentID = [UInt8](21...28)

  private static func traced(sampled: Bool = true) -> CallOptions {
    var options = CallOptions()
    options.traceparent = traceID + parentID + [sampled ? 1 : 0]
    return options
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test("A command has spans of the call, of its wait for the writer and of its commit")
  func command() async throws {
    let collector = try Collector()
    let server = try RestartableServer("--traces", collector.url)
    let client = try server.client()
    let before = UInt64(Date().timeIntervalSince1970 * 1e9)
    // Neither a call without a context nor one that is not sampled is traced.
    _ = try await client.call(Account.whoAmI, WhoAmIRequest())
    _ = try await client.call(
      Account.whoAmI, WhoAmIRequest(), options: Self.traced(sampled: false))
    let made = try await client.call(
      Equipment.risers.create, .hoyt, options: Self.traced())
    let spans = try collector.next(3)
    let call = try #require(spans.first { $0["kind"] as? String == "SPAN_KIND_SERVER" })
    #expect(call["name"] as? String == Equipment.risers.create.info.name)
    #expect(call["trace"] as? String == Self.hex(Self.traceID))
    #expect(call["parent"] as? String == Self.hex(Self.parentID))
    #expect(call["status"] as? String == "STATUS_CODE_UNSET")
    #expect((call["resource"] as? [String: Any])?["service.name"] as? String == "quiverd")
    let attributes = try #require(call["attributes"] as? [String: Any])
    #expect(attributes["rpc.service"] as? String == "quiver.v1.Equipment")
    #expect(attributes["rpc.method"] as? String == "CreateRiser")
    #expect(attributes["rpc.grpc.status_code"] as? Int == 0)
    let start = try #require(call["start"] as? UInt64)
    let end = try #require(call["end"] as? UInt64)
    // The clocks of both processes are the machine's.
    #expect(start > before - 60_000_000_000 && start <= end)
    let inside = spans.filter { $0["kind"] as? String == "SPAN_KIND_INTERNAL" }
    #expect(Set(inside.compactMap { $0["name"] as? String }) == ["wait for the writer", "commit"])
    for span in inside {
      #expect(span["parent"] as? String == call["id"] as? String)
      #expect(span["trace"] as? String == Self.hex(Self.traceID))
      #expect((span["start"] as? UInt64).map { $0 >= start } == true)
      #expect((span["end"] as? UInt64).map { $0 <= end } == true)
    }
    #expect(Set(spans.compactMap { $0["id"] as? String }).count == 3)

    // A read that waits for a thread, and a call that fails.
    var reading = GetPrincipalRequest()
    reading.id = 1
    _ = try await client.call(Admin.getPrincipal, reading, options: Self.traced())
    let read = try collector.next(2)
    #expect(
      Set(read.compactMap { $0["name"] as? String })
        == ["read", Admin.getPrincipal.info.name])
    await #expect(throws: RPCError.self) {
      try await client.call(
        Equipment.risers.get, .of(made.id + 9), options: Self.traced())
    }
    var failed = try collector.next()
    while failed["kind"] as? String != "SPAN_KIND_SERVER" { failed = try collector.next() }
    let code = (failed["attributes"] as? [String: Any])?["rpc.grpc.status_code"] as? Int
    #expect(failed["name"] as? String == Equipment.risers.get.info.name && code == 5)
    #expect(server.stop().code == 0)
  }

  @Test("While a collector refuses, spans are kept and sent again; the log says so once")
  func refusals() async throws {
    let collector = try Collector(refusals: "503,429")
    let server = try RestartableServer("--traces", collector.url)
    let client = try server.client()
    _ = try await client.call(Account.whoAmI, WhoAmIRequest(), options: Self.traced())
    #expect(server.process.line(of: "traces-failing").contains("answered 503"))
    _ = try collector.next()
    #expect(server.process.line(of: "traces-recovered").contains(collector.url))
    let ending = server.stop()
    #expect(ending.code == 0)
    #expect(ending.log.components(separatedBy: "traces-failing").count <= 2)
  }

  @Test("A server whose collector is gone serves, and stops within its time")
  func noCollector() async throws {
    let server = try RestartableServer("--traces", "http://127.0.0.1:1")
    let client = try server.client()
    for _ in 0..<100 {
      _ = try await client.call(Account.whoAmI, WhoAmIRequest(), options: Self.traced())
    }
    #expect(server.process.line(of: "traces-failing").contains("level=warning"))
    #expect(server.stop().code == 0)
  }
}
