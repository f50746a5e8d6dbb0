import Foundation
import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Testing

@testable import quiver_load

@Suite("Scenarios against a server", .serialized, .timeLimit(.minutes(5)))
struct ScenarioRunTests {
  private func json(_ roles: [String], _ more: String = "", seconds: Int = 1) -> String {
    #"{"version": 1, "name": "t", "late_after": "10s","#
      + #" "stages": [{"shape": "hold", "duration": "\#(seconds)s"}],"#
      + #" "roles": [\#(roles.joined(separator: ", "))]\#(more)}"#
  }

  @Test("All roles at once: every one does its part, and nothing is lost")
  func everything() async throws {
    try await TestServer.run { server in
      let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "tools/load/scenarios/smoke.json")
      let outcome = try await server.run(String(contentsOf: file, encoding: .utf8))
      #expect(outcome.failure == nil, "\(ScenarioTextReport.text(outcome))")
      let findings = try #require(outcome.result.findings)
      #expect(
        findings.map(\.subject) == [
          "accessories", "weight entries", "sets", "arrows", "ends of matches",
        ])
      #expect(findings.allSatisfy { $0.isClean && $0.acknowledged > 0 })
      for row in outcome.result.conducted.tallies where row.role != "slow readers" {
        #expect(row.counts.summary.succeeded > 0, "\(row.role): \(row.method)")
      }
      let subscribers = try #require(outcome.row("subscribers"))
      #expect(subscribers.mostOpen == 50 && (subscribers.counts.sinceAnswer?.count ?? 0) > 0)
      let scorers = try #require(outcome.row("scorers"))
      #expect(scorers.notes[ScorerWork.strayNext] == nil, "\(scorers.notes)")
      #expect(outcome.row("herd")?.mostOpen == 20)
      #expect(outcome.row("rowdies", "open-and-cancel")?.notes["closed behind its budget"] != nil)
      try reports(outcome)
    }
  }

  /// Each report has each role and method.
  private func reports(_ outcome: ScenarioOutcome) throws {
    let rows = outcome.result.conducted.tallies
    let json = try JSONSerialization.jsonObject(
      with: Data(ScenarioJSONReport.text(outcome).utf8))
    let fields = try #require(json as? [String: Any])
    #expect((fields["roles"] as? [Any])?.count == rows.count && fields["verified"] as? Bool == true)
    let page = ScenarioHTMLReport.text(outcome)
    let text = ScenarioTextReport.text(outcome)
    let csv = ScenarioCSVReport.text(outcome)
    for row in rows {
      #expect(text.contains("\n\(row.role): \(row.method)\n"))
      #expect(page.contains("<h3>\(row.role): \(row.method)</h3>"))
      #expect(csv.contains("\n\(row.role),\(row.method),"))
    }
    #expect(page.contains("nothing is lost, doubled or reordered"))
    #expect(!page.contains("<script") && !page.contains("http"))
    let columns = csv.split(separator: "\n").map { $0.count { $0 == "," } }
    #expect(Set(columns).count == 1)
  }

  @Test("Captured values go into what follows, in setup, in the sequence and in teardown")
  func captures() async throws {
    try await TestServer.run { server in
      let outcome = try await server.run(
        json(
          [
            #"{"kind": "sequence", "name": "s", "actors": 2, "steps": ["#
              + #"{"call": "Equipment/CreateSight", "body": {"sight": {"brand": "${brand}", "#
              + #""model": "${unique}"}}, "capture": {"id": "id", "revision": "revision"}},"#
              + #"{"think": {"constant": "1ms"}},"#
              + #"{"call": "Equipment/GetSight", "body": {"id": "${id}"}, "repeat": 2},"#
              + #"{"call": "Equipment/DeleteSight", "body": {"id": "${id}", "revision": "#
              + #""${revision}"}}]}"#
          ],
          #", "setup": [{"call": "Equipment/CreateRiser", "body": {"riser": {"brand": "Hoyt", "#
            + #""model": "Formula"}}, "capture": {"riser": "id", "brand": "brand"}}],"#
            + #" "teardown": [{"call": "Equipment/DeleteRiser", "body": {"id": "${riser}"}}]"#))
      let made = outcome.row("s", "CreateSight")?.counts.summary
      let read = outcome.row("s", "GetSight")?.counts.summary
      #expect((made?.succeeded ?? 0) > 0 && (read?.succeeded ?? 0) > 0)
      #expect(outcome.total.failed == 0, "\(ScenarioTextReport.text(outcome))")
      let hub = try await server.client.call(Equipment.getHub, GetHubRequest())
      #expect(hub.total <= 2)
    }
  }

  @Test("Streams of all kinds have their messages counted")
  func kinds() async throws {
    try await TestServer.run { server in
      let outcome = try await server.run(
        json([
          #"{"kind": "mix", "name": "m", "actors": 4, "think": {"constant": "2ms"}, "methods": ["#
            + #"{"method": "Diagnostics/Echo"},"#
            + #"{"method": "Sink", "body": {"number": 1}, "messages": 5},"#
            + #"{"method": "Source", "body": {"count": 7, "size": 10}},"#
            + #"{"method": "EchoStream", "body": {"text": "${actor}"}, "messages": 300}]}"#
        ]))
      #expect(outcome.total.failed == 0, "\(ScenarioTextReport.text(outcome))")
      for (method, messages) in [("Echo", 0), ("Sink", 0), ("Source", 7), ("EchoStream", 300)] {
        let counts = try #require(outcome.row("m", "/" + method)).counts
        let calls = counts.summary.succeeded
        #expect(calls > 0, "\(method)")
        // Calls that were open when counting ended have brought some.
        #expect(counts.summary.messages >= calls * UInt64(messages))
        #expect((counts.firstMessages?.count ?? 0) >= (messages > 0 ? calls : 0))
        #expect((counts.gaps == nil) == (messages == 0), "\(method)")
      }
    }
  }

  @Test("Scorers with accounts go where the answers lead, an arrow at a time, until all is shot")
  func accounts() async throws {
    try await TestServer.run { server in
      // A third of a second for each arrow, as disks may need that are slow to sync.
      let outcome = try await server.run(
        json(
          [
            #"{"kind": "scorers", "name": "s", "actors": 2, "accounts": true,"#
              + #" "call": "RecordArrow"}"#
          ],
          #", "verify": true, "event": {"entries": 3, "format": "wa18", "arrow_limit": 6}"#,
          seconds: 6))
      let row = try #require(outcome.row("s"))
      #expect(row.counts.summary.succeeded == 18 && row.notes["scorers who are done"] == 2)
      #expect(row.notes[ScorerWork.strayNext] == nil && outcome.failure == nil)
      #expect(outcome.result.findings?.first?.acknowledged == 18)
    }
  }

  @Test("Calls that are open when the stages are over count by their end, and break objectives")
  func openAtTheEnd() async throws {
    try await TestServer.run { server in
      let outcome = try await server.run(
        json(
          [
            #"{"kind": "mix", "name": "m", "rate": 20, "timeout": "2s", "methods": [{"method":"#
              + #" "Diagnostics/Delay", "body": {"delay_ms": 60000}}]}"#
          ], #", "objectives": "p99<5ms,errors<1%""#))
      #expect(outcome.total.succeeded == 0 && (18...21).contains(outcome.total.failed))
      #expect(outcome.verdicts.allSatisfy { !$0.holds } && outcome.failure != nil)
      #expect(outcome.result.conducted.stages[0].summary.failed == outcome.total.failed)
      #expect(outcome.total.seconds < 2)
    }
  }

  @Test("What was measured is reported though reading back and the teardown fail")
  func failuresBehind() async throws {
    try await TestServer.run { server in
      let outcome = try await server.run(
        json(
          [
            #"{"kind": "mix", "name": "m", "rate": 50, "methods": [{"method": "Echo"}]}"#,
            #"{"kind": "scorers", "name": "s"}"#,
          ],
          #", "verify": true, "event": {"entries": 1, "format": "wa18", "arrow_limit": 3},"#
            + #" "setup": [{"call": "DeleteTournament", "body": {"id": "${event_id}"}}],"#
            + #" "teardown": [{"call": "Equipment/GetRiser", "body": {"id": 99}}]"#))
      #expect(outcome.row("m")?.counts.summary.succeeded ?? 0 > 0)
      let failure = try #require(outcome.failure)
      #expect(failure.code == .unreachable && failure.sentence.contains("not be read back"))
      #expect(outcome.isVerified == false)
      #expect(outcome.result.tearDownFailure?.sentence.contains("GetRiser") == true)
      let text = ScenarioTextReport.text(outcome)
      #expect(text.contains("m: quiver.v1.Diagnostics/Echo") && text.contains("could not be read"))
      #expect(text.contains("teardown   teardown: ") && !text.contains("nothing is lost"))
      let json = try JSONSerialization.jsonObject(
        with: Data(ScenarioJSONReport.text(outcome).utf8))
      let fields = try #require(json as? [String: Any])
      #expect(fields["verified"] as? Bool == false)
      #expect(fields["failure"] as? String == failure.sentence)
    }
  }

  @Test("Verification finds entries that another actor deleted, and the run fails")
  func deletedEntries() async throws {
    try await TestServer.run { server in
      let outcome = try await server.run(
        json(
          [
            #"{"kind": "mix", "name": "loggers", "actors": 3, "think": {"constant": "5ms"},"#
              + #" "methods": [{"method": "Logbook/CreateWeightEntry"}]}"#,
            #"{"kind": "sequence", "name": "deleter", "think": {"constant": "100ms"}, "steps": ["#
              + #"{"think": {"constant": "100ms"}}, {"call": "Logbook/ListWeightEntries","#
              + #" "capture": {"id": "entries[0].id"}},"#
              + #" {"call": "Logbook/DeleteWeightEntry", "body": {"id": "${id}"}}]}"#,
          ], #", "verify": true"#))
      let deleted = try #require(outcome.row("deleter", "DeleteWeightEntry")).counts.summary
        .succeeded
      let finding = try #require(outcome.result.findings?.first)
      #expect(deleted > 0 && finding.lost.count >= Int(deleted), "\(finding.text)")
      #expect(finding.doubled.count == 0 && finding.reordered.count == 0)
      #expect(outcome.failure?.code == .writesLost)
      #expect(ScenarioTextReport.text(outcome).contains("NOT ALL IS AS IT MUST BE"))
    }
  }

  @Test("Plain runs count the messages of all kinds of streams", arguments: ["open", "closed"])
  func plainRuns(loop: String) async throws {
    try await TestServer.run { server in
      for (name, json, messages) in [
        ("Sink", #"{"number": 1}"#, 0), ("Source", #"{"count": 7}"#, 7),
        ("EchoStream", #"{"text": "a"}"#, 5),
        ("Diagnostics/Echo", "{}", 0),
      ] as [(String, String, UInt64)] {
        let method = try server.directory.method(name)
        var settings = LoadRun.Settings()
        settings.rate = loop == "open" ? 100 : nil
        settings.seconds = 0.5
        settings.warmUpSeconds = 0
        let plan = Plan(
          method: method, request: try MethodDirectory.request(json, of: method),
          messagesPerCall: 5, metadata: Metadata(), timeoutNanoseconds: 5_000_000_000, runID: 9)
        let result = LoadRun(
          settings, plan, over: server.dial.transport, to: server.dial.endpoints,
          ConnectOptions(token: Array((server.dial.token ?? "").utf8), software: "test")
        ).run { _, _ in }
        let calls = result.summary.succeeded
        #expect(calls > 0 && result.summary.failed == 0, "\(name)")
        #expect(result.summary.messages >= calls * messages, "\(name)")
        #expect((result.firstMessages.count >= calls) == (messages > 0), "\(name)")
        #expect((result.gaps.count > 0) == (messages > 1), "\(name)")
      }
    }
  }

  @Test("Failures are counted by their code, with the first one's words")
  func failures() async throws {
    try await TestServer.run { server in
      let outcome = try await server.run(
        json(
          [
            #"{"kind": "mix", "name": "m", "rate": 50, "methods": [{"method": "Diagnostics/Fail","#
              + #" "body": {"code": 9, "message": "no archers"}}]}"#,
            #"{"kind": "subscribers", "name": "w", "method": "Tournament/WatchTournament","#
              + #" "body": {"tournament_id": 77}}"#,
          ], #", "objectives": "errors<1%""#))
      let row = try #require(outcome.row("m"))
      #expect(row.counts.summary.failures[9] ?? 0 > 0)
      #expect(row.firstFailure == "FAILED_PRECONDITION: no archers")
      #expect(outcome.failure?.code == .objectiveBroken)
      #expect(outcome.row("w")?.counts.summary.failures[5] ?? 0 > 0)
    }
  }

  @Test(
    "What does not fit the server is refused before any load, by its place",
    arguments: [
      (
        #"{"kind": "mix", "name": "m", "methods": [{"method": "Nope"}]}"#, Failure.Code.unreachable,
        "roles[0].methods[0]"
      ),
      (
        #"{"kind": "mix", "name": "m", "methods": [{"method": "GetRiser", "body": {"ids": 1}}]}"#,
        .usage, "roles[0].methods[0].body.ids"
      ),
      (
        #"{"kind": "mix", "name": "m", "methods": [{"method": "GetRiser", "body": "#
          + #"{"id": true}}]}"#, .usage, "roles[0].methods[0].body.id"
      ),
      (
        #"{"kind": "subscribers", "name": "w", "method": "GetHub"}"#, .usage, "roles[0].method"
      ),
      (
        #"{"kind": "sequence", "name": "s", "steps": [{"call": "GetHub", "capture": "#
          + #"{"x": "groups.label"}}]}"#, .usage, "roles[0].steps[0].capture.x: groups is a list"
      ),
    ])
  func misfits(role: String, code: Failure.Code, place: String) async throws {
    try await TestServer.run { server in
      do {
        _ = try await server.run(json([role]))
        Issue.record("it ran")
      } catch let error as Failure {
        #expect(error.code == code && error.sentence.contains(place), "\(error.sentence)")
      }
    }
  }

  @Test("A setup that fails ends the run before its load, with the server's words")
  func badSetup() async throws {
    try await TestServer.run { server in
      do {
        _ = try await server.run(
          json(
            [#"{"kind": "idle", "name": "i"}"#],
            #", "setup": [{"call": "Equipment/GetRiser", "body": {"id": 99}}]"#))
        Issue.record("it ran")
      } catch let error as Failure {
        #expect(error.code == .unreachable && error.sentence.contains("setup"))
        #expect(error.sentence.contains("NOT_FOUND"))
      }
    }
  }
}
