import Foundation
import TestSupport
import Testing

@Suite("Daily use of the command line", .timeLimit(.minutes(20)))
struct DailyUseTests {
  private func run(_ server: RunningServer, _ line: String) throws -> Run {
    try server.run(line.split(separator: " ").map { String($0).replacing("_", with: " ") })
  }

  /// Runs commands in order; each must end with 0 and print its text.
  private func expect(_ server: RunningServer, _ steps: [(String, String)]) throws {
    for (line, text) in steps {
      let run = try run(server, line)
      #expect(run.code == 0, "\(line): \(run.errors)")
      #expect(run.output.contains(text), "\(line): \(run.output)")
    }
  }

  @Test("Profile, preferences, principals, invites, grants and certificates")
  func accounts() throws {
    let server = try RunningServer()
    try expect(
      server,
      [
        ("profile edit --name Ada --units metric", "profile of Ada is changed"),
        ("profile show", "Ada"), ("whoami", "administrator"),
        ("preference set theme.color dark", "preference theme.color is set"),
        ("preference list", "theme.color  dark"), ("preference delete theme.color", "is deleted"),
        ("principal add Bot --kind service", "principal 2 is created"),
        ("principal add Bea --kind user", "principal 3 is created"),
        ("principal edit 3 --name Bee", "principal 3 is changed"),
        ("principal ls", "Bee"), ("principal disable 3", "is disabled"),
        ("principal enable 3", "is enabled"), ("principal show 3", "Bee"),
        ("grant add 2 3 --scope scoring", "service 2 may act for user 3"),
        ("grant list", "read, scoring"), ("grant rm 2 3", "may not act"),
        ("certificate bind 2 bot.example --kind dns", "binding 1 of principal 2"),
        ("certificate list", "bot.example"), ("certificate rm 1", "is removed"),
        ("admin connections", "PRINCIPAL"), ("invite list", "USES"),
      ])
    let code = try server.quiver("invite", "create", "--uses", "1")
    #expect(code.code == 0 && code.errors == "invite 1, 1 uses\n")
    let secret = try server.quiver("invite", "redeem", code.output.trimmed, "--name", "Cy")
    #expect(secret.output.hasPrefix("qv_") && secret.errors.contains("Cy"))
    let token = server.directory.path + "/cy.token"
    try secret.output.write(toFile: token, atomically: true, encoding: .utf8)
    let wrong = try server.run(["account", "delete", "Someone"], tokenFile: token)
    #expect(wrong.code == 67 && wrong.errors.contains("NAME Someone: "), "\(wrong.errors)")
    let gone = try server.run(["account", "delete", "Cy"], tokenFile: token)
    #expect(gone.output == "the account is deleted\n", "\(gone.errors)")
    #expect(try server.run(["whoami"], tokenFile: token).code == 80)
    #expect(try server.quiver("invite", "revoke", "1").output == "invite 1 is revoked\n")
  }

  @Test("Setups, their parts and sight marks")
  func setups() throws {
    let server = try RunningServer()
    try expect(
      server,
      [
        ("equipment add sight --brand Shibuya --model Ultima", "sight 1"),
        ("equipment add riser --brand Hoyt --model Xi", "riser 2"),
        ("setup add Indoor --part 1", "setup 1"), ("setup edit 1 --notes spare", "is changed"),
        ("setup add-part 1 2", "version 2"), ("setup remove-part 1 1", "version 3"),
        ("setup deactivate 1", "not active"), ("setup activate 1", "is active"),
        ("mark add 70m 42.5 --setup 1", "mark 1 is added"),
        ("mark add 60yd 50 --setup 1", "mark 2"), ("mark edit 1 --mark 43", "mark 1 is changed"),
        // The revision is at 2 now, and found from the refusal.
        ("mark edit 1 --distance 71m", "mark 1 is changed"), ("mark list --setup 1", "71"),
        ("mark rm 2", "mark 2 is deleted"),
      ])
    let marks = try server.quiver("mark", "list", "--setup", "1", "--output", "csv")
    #expect(marks.output == "ID,DISTANCE,UNIT,MARK,NOTES\n1,71,metre,43,\n")
    let bad = try server.quiver("mark", "add", "2000m", "4", "--setup", "1")
    #expect(bad.code == 67 && bad.errors.contains("DISTANCE 2000m: must be"), "\(bad.errors)")
    let two = try server.quiver("setup", "add-part", "1", "2:2")
    #expect(two.code == 67 && two.errors.contains("PART 2:2: must be 1"), "\(two.errors)")
    let stale = try server.quiver("setup", "edit", "1", "--name", "X", "--revision", "1")
    #expect(stale.code == 74, "\(stale.errors)")
  }

  @Test("Weight entries, the plan and strength")
  func logbook() throws {
    let server = try RunningServer()
    try expect(
      server,
      [
        ("profile edit --units metric", "changed"),
        ("logbook add 80 --day 2024-01-01 --unit kg", "added 1"),
        ("logbook edit 1 --weight 81.5 --note dinner", "entry 1 is changed"),
        ("logbook show 1", "81.5"), ("logbook rm 1", "entry 1 is deleted"),
        ("logbook list --deleted", "dinner"), ("logbook restore 1", "is restored"),
        ("plan set 82 70 --step 5 --from 2024-01-01", "from 82 to 70 kg"),
        ("plan set 82 72 --step 5", "from 82 to 72 kg"), ("plan show", "72"),
        ("plan milestones", "75"), ("plan rm", "plan is deleted"),
        ("strength add Bench_Press 5 100 --sets 3 --day 2024-01-02", "set 1 is added: 5 x 100 kg"),
        ("strength sets Bench_Press", "112.5"), ("strength edit 1 --weight 105", "is changed"),
        ("strength near Bench_Press 2024-01-01", "118.125"), ("strength set 1", "Bench Press"),
        ("strength formulas 5 100", "brzycki   112.5"),
        ("strength export -", "Jan 02 2024,Bench Press,3,5,105"),
        ("training --from 2024-01-01 --to 2024-01-05", "81.5"),
        ("strength rm 1", "set 1 is deleted"),
      ])
    let first = try server.quiver("logbook", "list", "--limit", "1", "--json").json()
    #expect((first["entries"] as? [Any])?.count == 1)
  }

  @Test("Formats and practice rounds")
  func rounds() throws {
    let server = try RunningServer()
    try expect(
      server,
      [
        ("format add Mine --pass 36,70m,10-zone,122,6 --place outdoor", "36 arrows, 360 points"),
        ("format list --own", "Mine"), ("format show 1", "36"), ("format rm 1", "is deleted"),
        ("format faces", "10-zone"), ("format list --limit 2", "CODENAME"),
        ("round start wa18 --arrows 3 --guest Tim", "is started"), ("round list", "wa18"),
        ("round show 1", "Tim"), ("round end 1 1 X 9 8", "stored, total 27"),
        ("round correct 1 1 2 10 --reason typo", "total 28"),
        ("round retract 1 1 1 --reason twice", "total 18"), ("round card 1 --history", "typo"),
        ("round pause 2", "is paused"), ("round resume 2", "is in-progress"),
        ("round complete 2", "is completed"), ("round guest 1 Zoe", "Zoe shoots in round 1"),
        ("round rm 1", "is deleted"), ("range set all", "is stored"), ("range show", "all-time"),
      ])
    let limited = try server.quiver("format", "list", "--limit", "2")
    #expect(limited.output.split(separator: "\n").count == 3)
    let bad = try server.quiver("format", "add", "X", "--pass", "36,70,10", "--place", "outdoor")
    #expect(bad.code == 64 && bad.errors.contains("--pass expects ARROWS,DISTANCE,FACE"))
  }

  @Test("A tournament from its creation to its results")
  func tournament() throws {
    let server = try RunningServer()
    try expect(
      server,
      [
        ("tournament create Cup --round wa18 --arrows 6 --join", "tournament 1 is open"),
        ("tournament enter 1 Eve", "participant 2 Eve"), ("tournament ls", "Cup"),
        ("tournament show 1", "join-code"), ("tournament archers 1", "Eve"),
        ("tournament edit 1 --max 60", "is changed"), ("tournament start 1", "in-progress"),
        ("tournament end 1 1 10 9 X", "stored, total 29"),
        ("tournament correct 1 1 2 8 --reason typo", "total 28"),
        ("tournament card 1", "10 8 X"), ("tournament withdraw 2", "is withdrawn"),
        ("tournament reinstate 2 --reason back", "is active"),
        ("tournament pause 1", "is paused"), ("tournament start 1", "in-progress"),
        ("tournament finalize 1", "is completed"),
        ("tournament reopen 1 --reason late_card", "in-progress"),
        ("tournament finalise 1", "is completed"), ("tournament late 1", "SLOT HAS"),
        ("tournament scorers 1", "PRINCIPAL"), ("tournament policies", "X_FIRST"),
        ("tournament create Other --round wa18", "tournament 2"),
        ("tournament cancel 2", "is cancelled"), ("tournament rm 2", "is deleted"),
      ])
    let table = try server.quiver("tournament", "rank", "1", "-o", "csv")
    #expect(table.output.hasPrefix("RANK,ID,NAME,TOTAL,X,10,ENDS,BEHIND\n1,1,"))
  }

  @Test("An official is appointed by the code that it shows, or by its name as a participant")
  func appointments() throws {
    let server = try RunningServer()
    let (ada, bea) = (try server.token(of: "Ada"), try server.token(of: "Bea"))
    let event = try server.run(
      ["tournament", "create", "Cup", "--round", "wa18"], tokenFile: ada)
    let join = try #require(event.output.trimmed.split(separator: " ").last).description
    func appoint(_ principal: String, _ role: String) throws -> Run {
      try server.run(["event", "appoint", "1", principal, role], tokenFile: ada)
    }
    for unknown in ["3", "9", "bea"] {
      let refused = try appoint(unknown, "judge")
      #expect(refused.code != 0 && !refused.errors.contains("Bea"), "\(refused.errors)")
    }
    let code = try server.run(["account", "code"], tokenFile: bea).output.trimmed
    let judge = try appoint(code, "judge")
    #expect(judge.output == "Bea is judge\n", "\(judge.errors)")
    #expect(try server.run(["event", "dismiss", "1", "3"], tokenFile: ada).code == 0)
    #expect(try server.run(["tournament", "join", join], tokenFile: bea).code == 0)
    let scorer = try appoint("bea", "scorer")
    #expect(scorer.output == "Bea is scorer\n", "\(scorer.errors)")
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
