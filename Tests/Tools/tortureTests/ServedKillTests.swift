import QuiverClient
import QuiverTLS
import ServerPrograms
import Testing

@testable import torture

/// Rows 1 and 17 of the fault matrix, with real servers and clients.
@Suite("quiverd killed under clients over a network", .serialized, .timeLimit(.minutes(20)))
struct ServedKillTests {
  @Test(
    "After kills of a server, each acknowledged call has one effect, and is read back",
    arguments: [false, true])
  func rounds(isSecure: Bool) async throws {
    let kills = ServedKills(scratch: try ScratchDirectory(), seed: 1, isSecure: isSecure)
    let outcome = try await kills.rounds(4)
    #expect(outcome.kills.findings.isEmpty, "\(outcome.kills.findings.prefix(20))")
    #expect(outcome.kills.killedCount == 4)
    #expect(outcome.kills.acknowledgedCount > 100)
    #expect(outcome.readCount > 10 && outcome.failureCount > 0)
    #expect((outcome.handshakes.full > 0) == isSecure)
    #expect((outcome.handshakes.resumed > 0) == isSecure)
  }

  @Test("After kills of a server behind a gateway, each acknowledged call has one effect")
  func gatewayRounds() async throws {
    var kills = ServedKills(scratch: try ScratchDirectory(), seed: 1)
    kills.isBehindGateway = true
    let outcome = try await kills.rounds(4)
    #expect(outcome.kills.findings.isEmpty, "\(outcome.kills.findings.prefix(20))")
    #expect(outcome.kills.killedCount == 4 && outcome.kills.acknowledgedCount > 100)
    #expect(outcome.readCount > 10 && outcome.failureCount > 0)
  }

  @Test("A gateway that keeps something of requests at its end fails the run")
  func kept() throws {
    let end = "10:00:00 level=info event=stopping\n10:00:01 level=info event=stopped\n"
    try ServerProgram.checkKept(end)
    let complaint = #expect(throws: Complaint.self) {
      try ServerProgram.checkKept(
        end + "10:00:01 level=error event=requests-kept requests=1 bytes=4096 tasks=1\n")
    }
    #expect(complaint?.description.contains("requests=1 bytes=4096 tasks=1") == true)
  }

  @Test("An acknowledged call that the server has not stored is a finding")
  func detection() async throws {
    let scratch = try ScratchDirectory()
    let server = ServerProgram(directory: scratch.make())
    try server.start()
    defer { server.kill() }
    let (address, token) = (server.address, try server.token())
    let clients = try RecordedClients(1) { _ in
      try RPCClient(RPCClient.Configuration(server: address, token: token))
    }
    try await clients.waitForAcknowledged(20)
    await clients.stop()
    server.kill()
    #expect(try clients.findings(in: server.data).isEmpty)
    let lost = clients.events.map { $0 + [.begun(500), .done(500, [1])] }
    let findings = try RecordedClients.findings(in: server.data, lost)
    #expect(findings.contains("operation 500 was acknowledged and is lost"), "\(findings)")
  }
}
