import ChildProcesses
import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import TestSupport
import Testing

@testable import quiverd

@Suite("The metrics of quiverd", .timeLimit(.minutes(20)))
struct MetricsTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A server that exposes metrics.
  private struct Served {
    let process: ServedProcess
    let address: String

    init(_ flags: String...) throws {
      let directory = try TemporaryDirectory()
      process = try ServedProcess(directory, flags: ["--metrics", "127.0.0.1:0"] + flags)
      let line = process.process.line(of: "metrics-listening")
      address = line.split(separator: "address=").last.map(String.init) ?? ""
    }

    func get(_ path: String) async throws -> (status: Int, text: String) {
      let url = try #require(URL(string: "http://\(address)\(path)"))
      let curl = ChildProcess()
      let output = Pipe()
      curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
      curl.arguments = [
        "--silent", "--noproxy", "*", "-w", "\n%{http_code}", "--max-time", "20",
        url.absoluteString,
      ]
      curl.standardOutput = output
      try curl.run()
      let bytes = output.fileHandleForReading.readDataToEndOfFile()
      curl.waitUntilExit()
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let status = try #require(lines.last.flatMap { Int($0) })
      let body = lines.dropLast().joined(separator: "\n")
      return (status, body.hasSuffix("\n") ? String(body.dropLast()) : body)
    }

    /// The value of the one series whose line begins like this.
    func value(_ series: String) async throws -> Double? {
      try await get("/metrics").text.split(separator: "\n")
        .first { $0.hasPrefix(series + " ") }?.split(separator: " ").last.flatMap { Double($0) }
    }
  }

  @Test("The table in docs/operations.md has every metric with its type, and no other")
  func table() async throws {
    let backups = try TemporaryDirectory()
    let served = try Served(
      "--backup-directory", backups.path + "/made", "--traces", "http://127.0.0.1:1")
    let exposed = try await served.get("/metrics").text.split(separator: "\n").compactMap { line in
      line.hasPrefix("# TYPE ") ? line.dropFirst(7).split(separator: " ").map(String.init) : nil
    }
    let page = try String(
      contentsOf: Self.repository.appending(path: "docs/operations.md"), encoding: .utf8)
    let listed = page.split(separator: "\n").compactMap { line -> [String]? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, ["counter", "gauge", "histogram"].contains(cells[1]) else {
        return nil
      }
      return [cells[0].replacingOccurrences(of: "`", with: ""), cells[1]]
    }
    // These have no series without TLS, PostgreSQL or a replica, or before anything of the kind has
    // happened.
    let conditional: Set = [
      "quiver_web_available", "quiver_web_restarts_total",
      "quiver_database_connections_total", "quiver_database_conflicts_total",
      "quiver_database_clock_difference_seconds", "quiver_database_reads_total",
      "quiver_database_replica_usable", "quiver_database_replica_lag_seconds",
      "quiver_certificate_expiry_seconds", "quiver_server_tls_failures_total",
      "quiver_server_handling_seconds",
    ]
    #expect(Set(exposed).isSubset(of: Set(listed)))
    #expect(
      Set(listed.map { $0[0] }).subtracting(exposed.map { $0[0] }).isSubset(of: conditional))
    #expect(conditional.isSubset(of: Set(listed.map { $0[0] })))
    #expect(exposed.allSatisfy { $0[1] != "counter" || $0[0].hasSuffix("_total") })
  }

  @Test("Calls, commits and failures are counted, and probes answer")
  func counts() async throws {
    let served = try Served("--diagnostics")
    let client = served.process.client
    for _ in 0..<7 { _ = try await client.call(Diagnostics.echo, EchoMessage()) }
    var creation = CreatePrincipalRequest()
    creation.kind = .user
    creation.displayName = "Robin"
    _ = try await client.call(Admin.createPrincipal, creation)
    await #expect(throws: RPCError.self) {
      try await served.process.client(token: "qv_" + String(repeating: "A", count: 43))
        .call(Account.whoAmI, WhoAmIRequest())
    }
    let echo = #"service="quiver.v1.Diagnostics",method="Echo""#
    #expect(try await served.value("quiver_server_handled_total{\(echo),code=\"OK\"}") == 7)
    #expect(try await served.value("quiver_server_handling_seconds_count{\(echo)}") == 7)
    #expect(try await served.value("quiver_server_authentication_failures_total") == 1)
    #expect(try await served.value("quiver_store_batch_commands_sum").map { $0 >= 1 } == true)
    #expect(try await served.value("quiver_store_commit_seconds_count").map { $0 >= 1 } == true)
    #expect(try await served.value("quiver_server_connections").map { $0 >= 1 } == true)
    #expect(try await served.value("process_open_fds").map { $0 > 5 } == true)
    // Later than 2020: the machine's start was found and added.
    #expect(
      try await served.value("process_start_time_seconds").map { $0 > 1_577_836_800 } == true)
    #expect(try await served.get("/livez").status == 200)
    #expect(try await served.get("/readyz").text == "ok")
    #expect(try await served.get("/other").status == 404)
  }

  @Test("During a drain /readyz answers 503 with the reason, and /livez 200")
  func draining() async throws {
    let served = try Served("--diagnostics")
    var request = DelayRequest()
    request.delayMilliseconds = 600_000
    let delay = request
    let client = served.process.client
    let waiting = Task.immediate { try await client.call(Diagnostics.delay, delay) }
    _ = try await client.call(Diagnostics.echo, EchoMessage())
    served.process.process.send(SIGTERM)
    _ = served.process.process.line(of: "draining")
    var ready = try await served.get("/readyz")
    while ready.status == 200 { ready = try await served.get("/readyz") }
    #expect(ready.status == 503 && ready.text.contains("draining"))
    #expect(try await served.get("/livez").status == 200)
    #expect(try await served.value("quiver_server_serving") == 0)
    served.process.process.send(SIGTERM)
    #expect(served.process.process.end().code == 1)
    await #expect(throws: RPCError.self) { try await waiting.value }
  }

  @Test("Limits of the store are exposed from the first, and each refusal counts under its name")
  func limits() async throws {
    let served = try Served("--stored-rows-per-principal", "2")
    let series = "quiver_store_limits_reached_total{limit="
    let exposed = try await served.get("/metrics").text.split(separator: "\n").filter {
      $0.hasPrefix(series)
    }
    #expect(exposed.count > 50 && exposed.allSatisfy { $0.hasSuffix(" 0") })
    let client = served.process.client
    func create() async throws {
      var request = CreateItemRequest<Riser>()
      request.item = Riser()
      request.item?.brand = "Hoyt"
      request.item?.model = "Formula Xi"
      _ = try await client.call(Equipment.risers.create, request)
    }
    var refused = 0.0
    for _ in 0..<5 {
      do { try await create() } catch { refused += 1 }
    }
    #expect(refused >= 3)
    #expect(try await served.value(series + "\"storedRowsPerPrincipal\"}") == refused)
    #expect(try await served.value(series + "\"storedBytesPerPrincipal\"}") == 0)
  }

  @Test("A watch's delay and the memory of unread messages are counted")
  func watches() async throws {
    let served = try Served()
    let client = served.process.client
    var changes = try client.stream(Equipment.watchItems, WatchItemsRequest()).makeAsyncIterator()
    _ = try await changes.next()
    var request = CreateItemRequest<Riser>()
    request.item = Riser()
    request.item?.brand = "Hoyt"
    request.item?.model = "Formula Xi"
    _ = try await client.call(Equipment.risers.create, request)
    _ = try await changes.next()
    #expect(try await served.value("quiver_server_watches") == 1)
    // What was sent before its notice arrived counts when that arrives.
    while try await served.value("quiver_watch_delay_seconds_count") == 0 {}
    #expect(try await served.value("quiver_watch_delay_seconds_count") == 1)
    #expect(try await served.value(#"quiver_server_held_bytes{direction="output"}"#) == 0)
  }
}
