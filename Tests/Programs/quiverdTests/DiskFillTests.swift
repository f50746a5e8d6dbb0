import ChildProcesses
import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

/// A real file system that is filled and freed, with the log, the metrics and Health throughout.
@Suite("A disk that is filled and freed", .serialized, .timeLimit(.minutes(20)))
struct DiskFillTests {
  /// A server whose data is on a small file system of its own.
  private struct Served {
    let directory: TemporaryDirectory
    let process: ServerProcess
    let client: RPCClient
    private let metrics: String

    init() throws {
      directory = try TemporaryDirectory()
      let disk = directory.path + "/disk"
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      process = try ServerProcess(
        [
          "--data", disk + "/data", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0",
          "--backup-directory", disk + "/backups",
        ], smallDisk: (disk, 24))
      metrics = Self.address(in: process.line(of: "metrics-listening"))
      let server = Self.address(in: process.line(of: "listening"))
      #expect(process.line(of: "serving").contains(" event=serving "))
      // The process's own view of its file system.
      let root = "/proc/\(process.id)/root" + disk
      disksPath = root
      let token = try String(contentsOfFile: root + "/data/admin.token", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      var configuration = RPCClient.Configuration(server: server, token: token)
      configuration.limits.maxAttempts = 1
      client = try RPCClient(configuration)
    }

    /// The path of the file system for other processes.
    let disksPath: String

    private static func address(in line: String) -> String {
      line.split(separator: " ").first { $0.hasPrefix("address=") }?.dropFirst(8).description ?? ""
    }

    /// Writes a file until the disk is full.
    func fill() throws {
      let descriptor = open(disksPath + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      for size in [65_536, 4_096, 512, 1] {
        let block = [UInt8](repeating: 7, count: size)
        while write(descriptor, block, size) == size {}
      }
      #expect(errno == ENOSPC)
    }

    func free() throws { try FileManager.default.removeItem(atPath: disksPath + "/filler") }

    func get(_ path: String) throws -> (status: Int, text: String) {
      let curl = ChildProcess()
      let output = Pipe()
      curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
      curl.arguments = [
        "--silent", "--noproxy", "*", "-w", "\n%{http_code}", "--max-time", "20",
        "http://\(metrics)\(path)",
      ]
      curl.standardOutput = output
      try curl.run()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      curl.waitUntilExit()
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return (lines.last.flatMap { Int($0) } ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    /// The value of the series whose line begins like this; nil: there is none.
    func value(_ series: String) throws -> Double? {
      try get("/metrics").text.split(separator: "\n")
        .first { $0.hasPrefix(series + " ") }?.split(separator: " ").last.flatMap { Double($0) }
    }

    func health() async throws -> HealthCheckResponse {
      try await client.call(Health.check, HealthCheckRequest())
    }

    func create() async -> RPCError? {
      do throws(RPCError) {
        _ = try await client.call(Equipment.risers.create, .hoyt)
        return nil
      } catch {
        return error
      }
    }
  }

  /// The log, the metrics, the probes and Health say the same: all is well.
  private static func expectServing(_ served: Served) async throws {
    #expect(try await served.health().status == .serving)
    #expect(try served.value("quiver_store_writable") == 1)
    #expect(try served.value("quiver_server_serving") == 1)
    #expect(try served.get("/readyz").status == 200)
    #expect(try served.get("/livez").status == 200)
  }

  /// They say that nothing can be stored, and reads continue.
  private static func expectFull(_ served: Served, items: Int) async throws {
    let health = try await served.health()
    #expect(health.status == .notServing && health.reason.contains("the disk is full"))
    #expect(try served.value("quiver_store_writable") == 0)
    #expect(try served.value("quiver_server_serving") == 0)
    let ready = try served.get("/readyz")
    #expect(ready.status == 503 && ready.text.contains("the disk is full"))
    #expect(try served.get("/livez").status == 200)
    for _ in 0..<5 {
      let refusal = await served.create()
      #expect(refusal?.code == .resourceExhausted && refusal?.isNotProcessed == true)
    }
    var request = ListItemsRequest()
    request.pageSize = 500
    let list = try await served.client.call(Equipment.listItems, request)
    #expect(list.items.count == min(items, 500))
  }

  @Test("The log, metrics, probes and Health agree while a disk is filled and freed twice")
  func course() async throws {
    let served = try Served()
    // There is no room for a backup beside the reserve, and nothing of it is written.
    let failed = served.process.line(of: "backup-failed")
    #expect(failed.contains("level=error") && failed.contains("make room"))
    #expect(try served.value(#"quiver_backups_total{outcome="failed"}"#) == 1)
    #expect(try served.value("quiver_backups_kept") == 0)
    let refused =
      #"quiver_server_handled_total{service="quiver.v1.Equipment",method="CreateRiser","#
      + #"code="RESOURCE_EXHAUSTED"}"#
    var items = 0
    for round in 1...2 {
      #expect(await served.create() == nil)
      items += 1
      try await Self.expectServing(served)
      try served.fill()
      let before = try served.value(refused) ?? 0
      // The log has room for some more commits.
      var refusal: RPCError?
      while refusal == nil {
        refusal = await served.create()
        if refusal == nil { items += 1 }
      }
      #expect(refusal?.code == .resourceExhausted && refusal?.isNotProcessed == true)
      #expect(refusal?.message.contains("disk is full") == true)
      #expect(served.process.line(of: "disk-full", number: round).contains("level=error"))
      try await Self.expectFull(served, items: items)
      #expect(try served.value(refused) == before + 6)

      try served.free()
      // The server detects the free space by itself.
      #expect(served.process.line(of: "disk-recovered", number: round).contains("level=info"))
      try await Self.expectServing(served)
    }
    #expect(await served.create() == nil)
    #expect(try await served.client.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    let backups = try FileManager.default.contentsOfDirectory(
      atPath: served.disksPath + "/backups")
    #expect(backups == ["quiver-backups.lock"])
    served.process.send(SIGTERM)
    let ending = served.process.end()
    #expect(ending.code == 0)
    #expect(ending.log.components(separatedBy: "event=disk-full ").count == 3)
    #expect(ending.log.components(separatedBy: "event=disk-recovered").count == 3)
  }
}
