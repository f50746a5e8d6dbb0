import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("quiver event", .timeLimit(.minutes(20)))
struct EventCommandTests {
  @Test("An organiser's day: entries from a file, targets, check-in, scores, a cut and a bracket")
  func day() throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "3", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    #expect(try server.quiver("event", "category", id, "RM", "--bow", "recurve").code == 0)
    let line = try server.quiver(
      "event", "session", id, "morning", "--in", "1h", "--first", "1", "--last", "2", "--archers",
      "2",
      "--json"
    ).json()
    let session = try #require(line["id"] as? String)

    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    let list = """
      bib,name,club,category,session,shoes
      1,Ann,A,RM,\(session),41
      2,Ben,A,RM,\(session),42

      """
    try list.write(toFile: file, atomically: true, encoding: .utf8)
    let imported = try server.quiver("event", "import", id, file)
    #expect(imported.output == "2 entries\n" && imported.errors.contains("shoes"))
    #expect(try server.quiver("event", "import", id, file).output == "2 entries\n")
    try "bib,name\n1,Cid\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 64 + 6)
    try "bib,name\n3\n".write(toFile: file, atomically: true, encoding: .utf8)
    let bad = try server.quiver("event", "import", id, file)
    #expect(bad.code == 64 && bad.errors.contains("line 2"))

    let drawn = try server.quiver("event", "draw", id, session, "random", "--seed", "7")
    #expect(drawn.code == 0 && drawn.output.split(separator: "\n").count == 3)
    let steps = try server.quiver("event", "steps", id)
    #expect(steps.output.contains("2 entries are not checked in"))
    let entries = try #require(
      try server.quiver("event", "entries", id, "--json").json()["entries"] as? [[String: Any]])
    let archers = entries.compactMap { $0["participantId"] as? String }
    #expect(archers.count == 2)
    let changed = try server.quiver("event", "entry", archers[0], "--country", "GB")
    #expect(changed.output == "Ann is changed\n", "\(changed.errors)")
    for (archer, name) in zip(archers, ["Ann", "Ben"]) {
      #expect(
        try server.quiver("event", "state", archer, "checked-in").output
          == "\(name) is checked-in\n")
    }
    #expect(try server.quiver("tournament", "start", id).code == 0)
    #expect(try server.quiver("tournament", "end", archers[0], "1", "10", "10", "9").code == 0)
    #expect(try server.quiver("tournament", "end", archers[1], "1", "9", "9", "9").code == 0)
    let standings = try server.quiver("event", "standings", id, "--club", "A")
    #expect(standings.output.split(separator: "\n").count == 3)

    let category = try #require(entries[0]["categoryId"] as? String)
    try Self.eliminate(server, id, category)
  }

  @Test("A qualification of two rounds: a session for each, places of their own, and the sum")
  func rounds() throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "3", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    let category = try server.quiver(
      "event", "category", id, "R", "--round", "wa18", "--json"
    ).json()
    let number = try #require(category["id"] as? String)
    let added = try server.quiver(
      "event", "add-round", id, number, "--round", "wa18", "--revision", "1")
    #expect(added.output == "category R has 2 rounds, 120 arrows, revision 2\n", "\(added.errors)")
    let again = try server.quiver(
      "event", "add-round", id, number, "--round", "wa18", "--revision", "1")
    #expect(again.code != 0)
    let removed = try server.quiver("event", "rm-round", id, number, "2", "--revision", "2")
    #expect(removed.output == "category R has 1 round, 60 arrows, revision 3\n")
    #expect(
      try server.quiver(
        "event", "add-round", id, number, "--round", "wa18", "--before", "1", "--revision", "3"
      ).code == 0)
    let day = try server.quiver(
      "event", "session", id, "day 2", "--first", "1", "--last", "2", "--archers", "2", "--number",
      "2", "--json"
    ).json()
    let session = try #require(day["id"] as? String)
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    try "bib,name,category\n1,Ann,R\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 0)
    let drawn = try server.quiver("event", "draw", id, session, "random", "--waiting")
    #expect(drawn.output.contains("Ann"), "\(drawn.errors)")
    let entries = try server.quiver("event", "entries", id, "--session", session)
    #expect(entries.output.contains("Ann") && entries.output.contains("day 2"))
    let standings = try server.quiver("event", "standings", id, "--category", number)
    #expect(standings.output.contains("ROUNDS") && standings.output.contains("0, 0"))
  }

  /// Cuts the two entries, and shoots their match, which the first one wins.
  private static func eliminate(
    _ server: RunningServer, _ id: String, _ category: String
  ) throws {
    let cut = try server.quiver("event", "cut", id, category, "2", "individual-sets", "--json")
    #expect(cut.code == 0, "\(cut.errors)")
    let matches = try #require(try cut.json()["matches"] as? [[String: Any]])
    let match = try #require(matches.first?["id"] as? String)
    for end in ["1", "2", "3"] {
      #expect(try server.quiver("event", "end", match, "1", end, "10", "10", "10").code == 0)
      let other = try server.quiver("event", "end", match, "2", end, "M", "9", "9")
      #expect(other.code == 0, "\(other.errors)")
    }
    let refused = try server.quiver("event", "end", match, "1", "4", "10", "10", "10")
    #expect(refused.code == 64 && refused.errors.contains("decided"))
    for side in ["1", "2"] {
      let card = try server.quiver("event", "match", match)
      #expect(card.output.contains("10 10 10") && card.output.contains("M 9 9"), "\(card.output)")
      let shown = try server.quiver("event", "match", match, "--json").json()
      let revision = try #require(shown["revision"] as? String)
      let confirmed = try server.quiver("event", "confirm", match, side, revision)
      #expect(confirmed.code == 0, "\(confirmed.errors)")
    }
    let stages = try #require(
      try server.quiver("event", "stages", id, "--json").json()["stages"] as? [[String: Any]])
    let stage = try #require(stages.first?["id"] as? String)
    let bracket = try server.quiver("event", "bracket", stage)
    let lines = bracket.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count == 3 && lines[1].prefix(3) == ["1", "1", "Ann"])
    try documents(server, id)
  }

  /// Writes papers and lists to files and to standard output.
  private static func documents(_ server: RunningServer, _ id: String) throws {
    let directory = try TemporaryDirectory()
    for paper in [
      "start-list", "target-list", "score-cards", "standings", "brackets", "medals", "results",
      "diplomas",
    ] {
      let file = directory.path + "/" + paper + ".html"
      let written = try server.quiver("event", "paper", id, paper, file, "--zone", "Asia/Tokyo")
      #expect(written.code == 0, "\(paper): \(written.errors)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains(">Ann<") && text.hasSuffix("</html>\n"), "\(paper)")
      // An existing file is not changed.
      #expect(try server.quiver("event", "paper", id, paper, file).code != 0)
    }
    for (list, start) in [
      ("entries", "bib,name,"), ("standings", "category,rank,"), ("matches", "category,stage,"),
      ("sessions", "BEGIN:VCALENDAR"),
    ] {
      let written = try server.quiver("event", "export", id, list, "-")
      #expect(written.code == 0 && written.output.hasPrefix(start), "\(list): \(written.errors)")
    }
    let template = directory.path + "/diploma.txt"
    try "Bravo\n{name}, {place}".write(toFile: template, atomically: true, encoding: .utf8)
    let diplomas = try server.quiver(
      "event", "paper", id, "diplomas", "-", "--text", template, "--ranks", "1")
    #expect(diplomas.code == 0, "\(diplomas.errors)")
    #expect(diplomas.output.contains("<p class=\"head\">Bravo</p>"))
    #expect(diplomas.output.split(separator: "card diploma").count == 2)
    let wrong = try server.quiver("event", "paper", id, "poster", "-")
    #expect(wrong.code != 0 && wrong.errors.contains("start-list"))
  }
}
