import ChildProcesses
import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import TestSupport
import Testing

@testable import torture

/// The restore drill: backups that quiverd makes by itself, under load, are restored and compared
/// with what clients were told.
@Suite("Scheduled backups of quiverd", .timeLimit(.minutes(20)))
struct ScheduledBackupTests {
  @Test("A scheduled backup under load restores every operation acknowledged before it")
  func drill() async throws {
    let backups = try TemporaryDirectory()
    let folder = backups.path + "/made"
    let server = try RestartableServer("--backup-directory", folder, "--backup-every", "1s")
    let clients = try RecordedClients(of: server)
    try await clients.waitForAcknowledged(100)
    let before = clients.events
    let file = Self.backup(of: server, from: Date(timeIntervalSinceNow: 1))
    try await clients.waitForAcknowledged(100)
    await clients.stop()
    #expect(clients.failures.isEmpty && clients.faults.isEmpty)
    #expect(server.stop().code == 0)
    let sum = try String(contentsOfFile: file + ".sha256", encoding: .utf8)

    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!names.contains { $0.hasSuffix(".unfinished") })

    let restored = backups.path + "/restored"
    let restoring = try ServerProcess(
      "restore", file, "--data", restored, "--sha256", String(sum.prefix(64)))
    let ending = restoring.end()
    #expect(ending.code == 0, "\(ending.log)")
    // What was acknowledged after the backup began may be in it or not.
    let histories = zip(before, clients.events).map { before, all in
      before
        + all.dropFirst(before.count).filter { event in
          if case .done = event { false } else { true }
        }
    }
    let findings = try RecordedClients.findings(in: restored, histories)
    #expect(findings.isEmpty, "\(findings.prefix(20))")
    // The whole histories are not: operations after the backup are not in it.
    #expect(try !RecordedClients.findings(in: restored, clients.events).isEmpty)

    let served = try ServerProcess("--data", restored, "--listen", "127.0.0.1:0")
    #expect(served.line(of: "serving").contains("event=serving"))
    served.send(SIGTERM)
    #expect(served.end().code == 0)
  }

  /// The file of the first backup that began at this time or later.
  private static func backup(of server: RestartableServer, from time: Date) -> String {
    let first =
      "quiver-"
      + time.formatted(
        Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    var number = 0
    while true {
      number += 1
      let line = server.process.line(of: "backup-made", number: number)
      let path = line.split(separator: " ").first { $0.hasPrefix("file=") }?.dropFirst(5) ?? ""
      guard let name = path.split(separator: "/").last else { return line }
      if name >= first { return String(path) }
    }
  }

  @Test("A schedule whose directory cannot be written is logged, and the server serves")
  func missingDirectory() async throws {
    let server = try RestartableServer("--backup-directory", "/proc/none/backups")
    let line = server.process.line(of: "backup-failed")
    #expect(line.contains("level=error") && line.contains("/proc/none/backups"))
    #expect(line.contains("retry-seconds=60"))
    let client = try server.client()
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    #expect(server.stop().code == 0)
  }
}
