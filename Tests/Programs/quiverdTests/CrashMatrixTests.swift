import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import torture

/// Rows 1, 4 and 17 of the fault matrix, and backups, with clients and their recorded histories.
@Suite("quiverd killed under load", .serialized, .timeLimit(.minutes(20)))
struct CrashMatrixTests {
  @Test(
    "row 1: after a kill at the N-th write or sync, each acknowledged change is there once",
    arguments: [
      "fdatasync:signal=SIGKILL:when=2", "fdatasync:signal=SIGKILL:when=17",
      "pwrite64:signal=SIGKILL:when=5", "pwrite64:signal=SIGKILL:when=90",
    ])
  func killedAtCall(injection: String) async throws {
    let server = try RestartableServer()
    let clients = try RecordedClients(of: server)
    try await clients.waitForAcknowledged(20)
    let tracer = try Tracer(server.process, injection)
    tracer.waitForEnd()
    #expect(server.process.end().code == -1)
    try server.start()
    try await clients.waitForAcknowledged(40)
    await clients.stop()
    #expect(server.stop().code == 0)
    let findings = try clients.findings(in: server.data)
    #expect(findings.isEmpty, "\(findings.prefix(20))")
    #expect(clients.failures.allSatisfy { $0.code == .unavailable })
  }

  @Test("row 1: after three kills under load, each acknowledged change is there once")
  func killedUnderLoad() async throws {
    let server = try RestartableServer()
    let clients = try RecordedClients(8, of: server)
    for round in 1...3 {
      try await clients.waitForAcknowledged(150 * round)
      server.process.send(SIGKILL)
      #expect(server.process.end().code == -1)
      try server.start()
    }
    try await clients.waitForAcknowledged(50)
    await clients.stop()
    #expect(server.stop().code == 0)
    let findings = try clients.findings(in: server.data)
    #expect(findings.isEmpty, "\(findings.prefix(20))")
    #expect(clients.acknowledgedCount > 900)
  }

  @Test("row 4: after an fsync error the process exits with 74, and the next start recovers")
  func failedSync() async throws {
    let server = try RestartableServer()
    let clients = try RecordedClients(8, of: server)
    try await clients.waitForAcknowledged(50)
    let tracer = try Tracer(server.process, "fdatasync:error=EIO:when=3+")
    tracer.waitForEnd()
    let ending = server.process.end()
    #expect(ending.code == 74)
    #expect(ending.log.contains("event=store-failed"))
    try server.start()
    try await clients.waitForAcknowledged(50)
    await clients.stop()
    #expect(server.stop().code == 0)
    let findings = try clients.findings(in: server.data)
    #expect(findings.isEmpty, "\(findings.prefix(20))")
    #expect(!clients.failures.isEmpty)
    #expect(clients.failures.allSatisfy { $0.code == .unavailable }, "\(clients.failures)")
    let told = clients.failures.filter { $0.message.contains("could not write its database") }
    #expect(!told.isEmpty, "\(clients.failures)")
  }

  @Test(
    "row 17: after a kill between commit and reply, a repeated call has one effect and its reply"
  )
  func killedBeforeAnswer() async throws {
    let server = try RestartableServer()
    let client = try server.client()
    _ = try await client.call(Diagnostics.echo, EchoMessage())
    let key = IdempotencyKey.random()
    let tracer = try Tracer(server.process, "sendto:signal=SIGKILL")
    let lost = await #expect(throws: RPCError.self) {
      try await client.call(
        Equipment.risers.create, .hoyt, options: CallOptions(idempotencyKey: key))
    }
    #expect(lost?.code == .unavailable && lost?.isNotProcessed == false)
    tracer.waitForEnd()
    #expect(server.process.end().code == -1)

    try server.start()
    let there = try await client.call(Equipment.listItems, ListItemsRequest()).items
    #expect(there.count == 1)
    for _ in 0..<3 {
      let again = try await client.call(
        Equipment.risers.create, .hoyt, options: CallOptions(idempotencyKey: key))
      #expect(again.id == there.first?.id && again.revision == 1)
    }
    #expect(try await client.call(Equipment.listItems, ListItemsRequest()).items == there)
    server.stop()
  }

  @Test("row 17: many repetitions over many connections have one effect and one reply")
  func storm() async throws {
    let server = try RestartableServer()
    let clients = try (0..<8).map { _ in try server.client() }
    for round in 0..<5 {
      let key = IdempotencyKey.random()
      let replies = try await withThrowingTaskGroup(of: Riser.self) { group in
        for client in clients {
          for _ in 0..<16 {
            group.addTask {
              try await client.call(
                Equipment.risers.create, .hoyt, options: CallOptions(idempotencyKey: key))
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(replies.count == 128 && replies.allSatisfy { $0 == replies[0] })
      var other = CreateItemRequest<Riser>.hoyt
      other.item?.model = "another"
      let wanted = other
      let refusal = await #expect(throws: RPCError.self) {
        try await clients[round].call(
          Equipment.risers.create, wanted, options: CallOptions(idempotencyKey: key))
      }
      #expect(refusal?.code == .alreadyExists && refusal?.isNotProcessed == true)
      let list = try await clients[0].call(Equipment.listItems, ListItemsRequest())
      #expect(list.items.count == round + 1)
    }
    server.stop()
  }

  @Test("A backup under load restores to a state that the history explains")
  func backupUnderLoad() async throws {
    let server = try RestartableServer()
    let clients = try RecordedClients(8, of: server)
    try await clients.waitForAcknowledged(600)
    let admin = try server.client()
    var request = BackupRequest()
    request.file = server.path + "/backup.db"
    let before = clients.events
    let acknowledged = clients.acknowledgedCount
    let made = try await admin.call(Admin.backup, request)
    let during = clients.acknowledgedCount - acknowledged
    let after = clients.events
    try await clients.waitForAcknowledged(100)
    await clients.stop()
    #expect(server.stop().code == 0)
    #expect(made.sha256.count == 32)
    #expect(during > 0)

    let restored = server.path + "/restored"
    let ending = try ServerProcess("restore", made.file, "--data", restored).end()
    #expect(ending.code == 0, "\(ending.log)")
    // A change that was acknowledged during the copy may be there or not; later ones are not.
    let explained = zip(before, after).map { before, after in
      before
        + after.dropFirst(before.count).filter { event in
          if case .done = event { false } else { true }
        }
    }
    let findings = try RecordedClients.findings(in: restored, explained)
    #expect(findings.isEmpty, "\(findings.prefix(20))")
    #expect(try clients.findings(in: server.data).isEmpty)
  }
}

extension CreateItemRequest<Riser> {
  static var hoyt: Self {
    var request = Self()
    var riser = Riser()
    riser.brand = "Hoyt"
    riser.model = "Formula Xi"
    request.item = riser
    return request
  }
}
