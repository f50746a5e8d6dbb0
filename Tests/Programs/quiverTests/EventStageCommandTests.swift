import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("quiver event with teams and groups", .timeLimit(.minutes(20)))
struct EventStageCommandTests {
  @Test("Teams are ranked and cut, groups are drawn and get targets, and a member is replaced")
  func stages() throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "3", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    let line = try server.quiver(
      "event", "session", id, "morning", "--first", "1", "--last", "4", "--archers", "2", "--json"
    ).json()
    let session = try #require(line["id"] as? String)
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    let rows = (1...7).map { "\($0),E\($0),\($0 % 2 == 0 ? "A" : "B"),\(session)\n" }
    try ("bib,name,club,session\n" + rows.joined()).write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).output == "7 entries\n")
    #expect(try server.quiver("tournament", "start", id).code == 0)
    let entries = try #require(
      try server.quiver("event", "entries", id, "--json").json()["entries"] as? [[String: Any]])
    let archers = entries.compactMap { $0["participantId"] as? String }
    for (index, archer) in archers.enumerated() {
      let arrows = (0..<3).map { "\(10 - (index + $0) / 3)" }
      let end = try server.quiver(
        "tournament", "end", archer, "1", arrows[0], arrows[1], arrows[2])
      #expect(end.code == 0, "\(end.errors)")
    }
    let drawn = try server.quiver("event", "draw", id, session, "ranking")
    #expect(drawn.output.split(separator: "\n").dropFirst().first?.contains("E1") == true)
    let scorer = try server.quiver("event", "scorer", id, "999999", session, "1")
    #expect(scorer.code == 64 + 5 && scorer.errors.contains("PRINCIPAL 999999"))

    let category = try #require(entries[0]["categoryId"] as? String)
    let ranked = try server.quiver("event", "teams", id, category, "club", "team-sets")
    #expect(ranked.code == 0, "\(ranked.errors)")
    let teams = ranked.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(teams.count == 3 && teams[1].prefix(2) == ["1", "B"])
    let cut = try server.quiver(
      "event", "cut-teams", id, category, "club", "team-sets", "2", "--json")
    #expect(cut.code == 0, "\(cut.errors)")
    let stage = try #require((try cut.json()["stage"] as? [String: Any])?["id"] as? String)
    let replaced = try server.quiver(
      "event", "substitute", stage, "1", archers[0], archers[6], "--reason", "ill")
    #expect(replaced.output == "participant \(archers[6]) shoots in team 1\n", "\(replaced.errors)")

    let groups = try server.quiver(
      "event", "groups", id, category, "6", "2", "individual-sets", "--json")
    #expect(groups.code == 0, "\(groups.errors)")
    let second = try #require((try groups.json()["stage"] as? [String: Any])?["id"] as? String)
    let placed = try server.quiver(
      "event", "targets", second, "0", "1", "--targets", "1", "--group-round", "1")
    #expect(placed.code == 0, "\(placed.errors)")
    let matches = try server.quiver("event", "matches", second)
    #expect(matches.output.split(separator: "\n").count == 7)
    #expect(matches.output.contains("ARCHER 1") && matches.output.contains("E6"))
    let early = try server.quiver("event", "cut-groups", second, "1", "individual-sets")
    #expect(early.code == 64 + 9 && early.errors.contains("not confirmed"))
    #expect(try server.quiver("event", "bracket", second).output.contains("E6"))
  }
}
