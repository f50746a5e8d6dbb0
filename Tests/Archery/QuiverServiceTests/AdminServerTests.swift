import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("The administrator's view of the server", .timeLimit(.minutes(5)))
struct AdminServerTests {
  @Test("The list of connections has their principal, token and open calls")
  func connections() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let sheriff = try await admin.call(Account.whoAmI, WhoAmIRequest())
      let robin = try server.client(named: "Robin")
      let identity = try await robin.call(Account.whoAmI, WhoAmIRequest())
      let nobody = try server.nobody()
      _ = try await nobody.call(Health.check, HealthCheckRequest())
      let answer = try await admin.call(Admin.listConnections, ListConnectionsRequest())
      #expect(answer.openCount == 3 && answer.connections.count == 3)
      #expect(answer.connections.map(\.id) == answer.connections.map(\.id).sorted())
      let ofAdmin = answer.connections.first { $0.tokenID == sheriff.tokenID }
      #expect(ofAdmin?.openCalls == 1 && ofAdmin?.principalID == sheriff.principal?.id)
      let ofRobin = answer.connections.first { $0.tokenID == identity.tokenID }
      #expect(ofRobin?.openCalls == 0 && ofRobin?.principalID == identity.principal?.id)
      #expect(answer.connections.contains { $0.tokenID == 0 && $0.principalID == 0 })
      let started = identity.principal?.createdAtMilliseconds ?? 0
      #expect(ofRobin.map { $0.connectedAtMilliseconds >= started - 60_000 } == true)
    }
  }

  @Test("An intact store has no findings")
  func verifying() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.client(named: "Robin")
      _ = try await robin.call(Equipment.risers.create, .of(.hoyt))
      let answers = try await (
        admin.call(Admin.verify, VerifyRequest()), admin.call(Admin.verify, VerifyRequest())
      )
      #expect(answers.0.findings.isEmpty && answers.1.findings.isEmpty)
      #expect(answers.0.subjects == VerifyFinding.Subject.allCases.map(\.rawValue))
    }
  }

  @Test("An administrator creates a backup on the server once; other users cannot")
  func backup() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.client(named: "Robin")
      var request = BackupRequest()
      request.file = server.store.directory.path + "/backup.db"
      let refusal = await robin.refusal(Admin.backup, request)
      #expect(refusal?.code == .permissionDenied)
      let made = try await admin.call(Admin.backup, request)
      #expect(made.file == request.file && made.sha256.count == 32 && made.byteCount > 0)
      let again = await admin.refusal(Admin.backup, request)
      #expect(again?.code == .alreadyExists)
    }
  }

  @Test("A finding names its subject", arguments: VerifyFinding.Subject.allCases)
  func finding(_ subject: VerifyFinding.Subject) {
    let finding = Finding(VerifyFinding(subject, "row 7 is missing"))
    #expect(finding.subject == subject.rawValue && finding.message == "row 7 is missing")
  }

  @Test("Only an administrator may call these methods")
  func permission() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      let refusals = [
        await robin.refusal(Admin.listConnections, ListConnectionsRequest()),
        await robin.refusal(Admin.verify, VerifyRequest()),
      ]
      #expect(refusals.allSatisfy { $0?.code == .permissionDenied })
    }
  }
}
