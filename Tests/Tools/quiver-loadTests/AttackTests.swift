import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import quiver_load

@Suite("Attackers against a server", .serialized, .timeLimit(.minutes(5)))
struct AttackTests {
  /// An attack with fewer connections than usual, and codes of which the server answers one.
  struct Case: CustomTestStringConvertible, Sendable {
    let attack: Attack
    var connections = 4
    var calls = 20
    /// Empty: the server need not refuse anything at this size.
    var codes: [StatusCode] = []

    var testDescription: String { attack.rawValue }
  }

  static let cases = [
    Case(attack: .unreadWatches), Case(attack: .unreadExports),
    Case(attack: .unfinishedMessages, connections: 8, calls: 4, codes: [.resourceExhausted]),
    Case(attack: .wrongTokens, codes: [.unauthenticated]),
    Case(attack: .wrongCodes, calls: 2, codes: [.notFound, .resourceExhausted]),
    Case(attack: .anonymousConnections, connections: 150, codes: [.resourceExhausted]),
    Case(attack: .bulkStoring, calls: 2),
    Case(attack: .pipelinedCreates, connections: 30, codes: [.resourceExhausted]),
    Case(attack: .leaderboardTopics, connections: 2), Case(attack: .changeListeners, calls: 100),
    Case(attack: .halfOpenHandshakes, connections: 50),
  ]

  @Test("There is a case for each attack")
  func coverage() {
    #expect(Self.cases.map(\.attack) == Attack.allCases)
  }

  @Test("No regular call is refused during an attack, and Health answers", arguments: cases)
  func regularCallsSucceed(_ attack: Case) async throws {
    try await TestServer.run(isSmall: true) { server in
      let outcome = try await server.run(Self.scenario(attack))
      let text = ScenarioTextReport.text(outcome)
      #expect(outcome.failure == nil, "\(text)")
      #expect(outcome.total.succeeded > 50 && outcome.total.failed == 0, "\(text)")
      #expect(outcome.row("connectors")?.counts.summary.succeeded ?? 0 > 0, "\(text)")
      let rows = outcome.result.conducted.tallies.filter { $0.role == "attackers" }
      #expect(rows.contains { $0.mostOpen > 0 }, "\(text)")
      let refused = Set(rows.flatMap { $0.counts.summary.failures.keys })
      #expect(
        attack.codes.isEmpty || attack.codes.contains { refused.contains($0.rawValue) }, "\(text)")
      if let code = attack.codes.first {
        #expect(text.contains("refused ") && text.contains(code.name), "\(text)")
      }
      let health = try await server.client.call(Health.check, HealthCheckRequest())
      #expect(health.status == .serving)
    }
  }

  @Test("The accounts of attackers are deleted with what they stored")
  func accounts() async throws {
    try await TestServer.run(isSmall: true) { server in
      let attack = Case(attack: .bulkStoring, connections: 1, calls: 1)
      let outcome = try await server.run(Self.scenario(attack))
      #expect(outcome.failure == nil, "\(ScenarioTextReport.text(outcome))")
      let list = try await server.client.call(Admin.listPrincipals, ListPrincipalsRequest())
      #expect(!list.principals.contains { $0.displayName.hasPrefix("Attacker") })
    }
  }

  private static func scenario(_ attack: Case) -> String {
    """
    {"version": 1, "name": "t", "late_after": "30s", "verify": true, "objectives": "errors<0.001%",
     "roles": [
      {"kind": "mix", "name": "regular", "actors": 4, "connections": 2, "rate": 40,
       "timeout": "60s", "methods": [
        {"method": "Health/Check"}, {"method": "Equipment/GetHub"},
        {"method": "Logbook/CreateWeightEntry", "body": {"weight_entry": {
         "thousandths": "${random:60000:80000}", "unit": "WEIGHT_UNIT_KILOGRAM"}}}]},
      {"kind": "reconnect-storm", "name": "connectors", "rate": 2, "timeout": "60s"},
      {"kind": "attackers", "name": "attackers", "attack": "\(attack.attack.rawValue)",
       "connections": \(attack.connections), "calls": \(attack.calls)}],
     "stages": [{"shape": "hold", "duration": "2s"}]}
    """
  }
}
