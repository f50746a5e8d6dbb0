import Foundation
import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverWire
import TestSupport
import Testing

@testable import quiver_command

@Suite("quiver event import-results", .timeLimit(.minutes(20)))
struct EventResultsCommandTests {
  /// An event of three archers in one category; two have shot an end.
  private struct Event {
    let server: RunningServer
    let id: String
    let file: String

    init() throws {
      server = try RunningServer()
      let made = try server.quiver(
        "tournament", "create", "Club", "--round", "wa18", "--arrows", "6", "--json"
      ).json()
      id = try #require(made["id"] as? String)
      file = server.directory.path + "/file.txt"
      #expect(
        try server.quiver("event", "category", id, "RM", "--bow", "recurve").code == 0)
      try write(
        "bib,name,club,country,licence,category\n1,Much,Lyon,FRA,L-1,RM\n2,Ανδρέας,,GRE,,RM\n"
          + "3,Tuck,,,L-3,RM\n")
      #expect(try server.quiver("event", "import", id, file).output == "3 entries\n")
      #expect(try server.quiver("tournament", "start", id).code == 0)
      let archers = try archers()
      for (archer, arrows) in zip(archers, [["X", "9", "M"], ["10", "10", "8"]]) {
        #expect(try server.run(["tournament", "end", archer, "1"] + arrows).code == 0)
      }
    }

    func write(_ text: String) throws {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    func archers() throws -> [String] {
      let entries = try server.quiver("event", "entries", id, "--json").json()
      let list = try #require(entries["entries"] as? [[String: Any]])
      return list.sorted { ($0["bib"] as? String ?? "") < ($1["bib"] as? String ?? "") }
        .compactMap { $0["participantId"] as? String }
    }

    func importResults(_ flags: String...) throws -> Run {
      try server.run(["event", "import-results", id, file] + flags)
    }

    func importArrows(_ flags: [String] = []) throws -> Run {
      try server.run(
        ["event", "import-results", id, file, "--format", "ianseo", "--arrows"] + flags)
    }

    /// The number of operations on each archer.
    func operationCounts() throws -> [Int] {
      try archers().map { archer in
        let request = #"{"participantId":"\#(archer)","includeHistory":true}"#
        let card = try server.quiver("call", "Rounds/GetScorecard", request).json()
        return (card["history"] as? [Any])?.count ?? 0
      }
    }

    func paperTotals() throws -> [Int?] {
      try archers().map { archer in
        let card = try server.quiver("event", "card", archer, "--json").json()
        return (card["summary"] as? [String: Any])?["paperTotal"] as? Int
      }
    }
  }

  @Test("Totals are stored as totals on paper, once, and a dry run stores nothing")
  func totals() throws {
    let event = try Event()
    try event.write("bib,total,Coach\n1,19,A\n2,27,B\n3,,C\n")
    let dry = try event.importResults("--dry-run")
    #expect(
      dry.output
        == "2 totals: 2 new, 0 changed, 0 as before; 1 lines without a result;"
        + " nothing was stored\n",
      "\(dry.errors)")
    #expect(dry.errors.contains("the column Coach is not known and is skipped"))
    #expect(dry.errors.contains("line 3: 2 has 27, and 28 by the arrows"))
    #expect(try event.paperTotals() == [nil, nil, nil])
    #expect(try event.importResults().output.hasPrefix("2 totals: 2 new, 0 changed, 0 as before"))
    #expect(try event.paperTotals() == [19, 27, nil])
    #expect(try event.importResults().output.hasPrefix("2 totals: 0 new, 0 changed, 2 as before"))
    try event.write("bib,total\n2,28\n")
    #expect(try event.importResults().output.hasPrefix("1 totals: 0 new, 1 changed, 0 as before"))
    #expect(try event.paperTotals() == [19, 28, nil])
  }

  @Test("Typed totals rank, once each, and are marked, exported, listed and removed")
  func typed() throws {
    let event = try Event()
    try event.write("bib,total,golds,x\n1,50,2,\n2,40,2,1\n3,50,1,1\n")
    let dry = try event.importResults("--typed", "--dry-run")
    #expect(dry.output.contains("3 typed totals: 3 new, 0 changed, 0 as before"), "\(dry.errors)")
    #expect(try event.importResults("--typed").output.contains("3 new, 0 changed"))
    #expect(try event.importResults("--typed").output.contains("0 new, 0 changed, 3 as before"))
    let rows = try #require(
      try event.server.quiver("event", "standings", event.id, "--json").json()["rows"]
        as? [[String: Any]])
    let shown = rows.compactMap { $0["row"] as? [String: Any] }
    // Two have 50 points, and the paper of one of them has no X.
    #expect(shown.map { $0["rank"] as? Int } == [1, 1, 3])
    #expect(shown.map { $0["total"] as? Int } == [50, 50, 40])
    #expect(shown.allSatisfy { $0["typed"] as? Bool == true })
    let missing = rows.map { ($0["missingKey"] as? [String: Any])?["kind"] as? String }
    #expect(missing == ["RANK_KEY_KIND_X", "RANK_KEY_KIND_X", nil])
    let archers = try event.archers()
    let list = try event.server.quiver("event", "typed", event.id)
    #expect(list.output.contains("line 2 of file.txt"), "\(list.errors)")
    let paper = try event.server.quiver("event", "export", event.id, "standings", "-")
    #expect(paper.output.contains(",yes,") && paper.output.contains("x 9 8"), "\(paper.errors)")
    let sent = try event.server.quiver("event", "export", event.id, "ianseo-results", "-")
    #expect(sent.output.contains("Much;") && sent.output.contains(";50;"), "\(sent.errors)")
    // What the arrows of the first archer show is not below the corrected total.
    let listed = try event.server.quiver("event", "typed", event.id, "--json").json()
    let totals = try #require(listed["totals"] as? [[String: Any]])
    let first = try #require(
      totals.first { $0["participantId"] as? String == archers[0] }?["id"] as? String)
    let below = try event.server.quiver(
      "event", "type", archers[0], "1", "18", "--replaces", first, "--reason", "misread")
    #expect(below.code != 0 && below.errors.contains("below the 19 points"), "\(below.errors)")
    let corrected = try event.server.quiver(
      "event", "type", archers[0], "1", "51", "--x", "1", "--replaces", first, "--reason",
      "misread", "--paper", "target 1", "--shot", "2h")
    #expect(corrected.code == 0, "\(corrected.errors)")
    let id = try #require(corrected.output.split(separator: " ").dropFirst(2).first)
      .trimmingCharacters(in: CharacterSet(charactersIn: ":"))
    let removed = try event.server.quiver(
      "event", "untype", archers[0], id, "--reason", "another archer's")
    #expect(removed.output.contains("is removed"), "\(removed.errors)")
    let card = try event.server.quiver("event", "card", archers[0], "--json").json()
    #expect(card["total"] as? Int == 19)
  }

  @Test("A file with an archer or a total that cannot be changes nothing")
  func refusals() throws {
    let event = try Event()
    for (text, part) in [
      ("bib,total\n1,19\n9,5\n", "line 3 is of 9, and no entry has this bib"),
      ("bib,total\n1,19\n2,61\n", "line 3 has 61, and category RM at most 60 points"),
      ("bib,total\n1,19\n1,19\n", "line 3 has the bib of line 2"),
      ("bib,total\n1,19\nL-3,1\n", "no entry has this bib"), ("bib,total\n", "has no results"),
      ("bib,total\n1,19\n2,\"1\n", "quote without its end"),
    ] {
      try event.write(text)
      let run = try event.importResults()
      #expect(run.code == 64 && run.errors.contains(part), "\(run.errors)")
    }
    #expect(try event.importResults("--format", "asc").code == 64)
    try event.write("WaID;Local Bib;Score;Hits\nL-1;;19;3\n1;;19;3\n")
    let twice = try event.importResults("--format", "ianseo")
    #expect(twice.errors.contains("line 3 is of the archer of line 2"), "\(twice.errors)")
    try event.write("WaID;Local Bib;Score;Hits\nL-1;2;19;3\n")
    let two = try event.importResults("--format", "ianseo")
    #expect(two.errors.contains("the bib or the licence of two entries"), "\(two.errors)")
    #expect(try event.paperTotals() == [nil, nil, nil])
  }

  @Test("Results that are exported for ianseo are imported as they were")
  func ianseo() throws {
    let event = try Event()
    let results = try event.server.quiver("event", "export", event.id, "ianseo-results", "-")
    let lines = results.output.split(separator: "\r\n").map {
      $0.split(separator: ";", omittingEmptySubsequences: false)
    }
    #expect(lines.count == 4, "\(results.errors)")
    #expect(lines.allSatisfy { $0.count == lines.first?.count })
    let much = try #require(lines.first { $0[0] == "L-1" })
    #expect(much[1...2] == ["1", "Much"] && much[8...11] == ["FRA", "Lyon", "R", "M"])
    #expect(much[13] == "19" && much[16] == "X,9,M" && much[17...18] == ["19", "3"])
    try event.write(results.output)
    let imported = try event.importResults("--format", "ianseo")
    #expect(
      imported.output == "2 totals: 2 new, 0 changed, 0 as before; 1 lines without a result\n",
      "\(imported.errors)")
    #expect(imported.errors.isEmpty)
    #expect(try event.paperTotals() == [19, 28, nil])
    let again = try event.server.quiver("event", "export", event.id, "ianseo-results", "-")
    #expect(again.output == results.output)
    // The export of standings is another file with the same totals.
    let standings = try event.server.quiver("event", "export", event.id, "standings", "-")
    try event.write(standings.output)
    let same = try event.importResults()
    #expect(same.output.hasPrefix("2 totals: 0 new, 0 changed, 2 as before"), "\(same.errors)")
    #expect(same.errors.isEmpty)
  }

  @Test("Arrows are written for ianseo's page List load, by distance and by code")
  func arrows() throws {
    let event = try Event()
    let export = ["event", "export", event.id, "ianseo-arrows", "-"]
    let whole = try event.server.run(export)
    #expect(
      whole.output == "##QUAL-ARROWS##\tL-1\t1\tX,9,M\r\n##QUAL-ARROWS##\t2\t1\t10,10,8\r\n",
      "\(whole.errors)")
    let archer = try event.archers()[0]
    #expect(try event.server.quiver("tournament", "end", archer, "2", "9", "9", "9").code == 0)
    let halves = try event.server.run(export + ["--distances", "2"])
    #expect(halves.output.contains("L-1\t1\tX,9,M\r\n##QUAL-ARROWS##\tL-1\t2\t9,9,9\r\n"))
    #expect(try event.server.run(export + ["--distances", "4"]).code == 64)
    #expect(try event.server.run(export + ["--distances", "9"]).code == 64)
    #expect(try event.server.run(export + ["--category", "1"]).code == 64)
    let wrong = try event.server.quiver("event", "export", event.id, "ianseo-x", "-")
    #expect(wrong.code == 64 && wrong.errors.contains("no list ianseo-x"))
    #expect(
      try event.server.quiver("event", "entry", archer, "--licence", "L 1").code == 0)
    let code = try event.server.run(export)
    #expect(code.code == 64 && code.errors.contains("Much has the code L 1"))
    #expect(
      try event.server.quiver("event", "entry", archer, "--licence", "2").code == 0)
    let double = try event.server.run(export)
    #expect(double.code == 64 && double.errors.contains("have the code 2"))
  }

  @Test("Arrows of ianseo are recorded once, where slots are empty")
  func recorded() throws {
    let event = try Event()
    let head = "WaID;Division;Class;D1 Score;D1 Arrows;D2 Score;D2 Arrows;Score;Hits\n"
    try event.write(head + "L-3;R;M;28;X,9,9;5;M,5;33;5\nL-1;R;M;19;X,9,M;0;;19;3\n")
    let flags = ["event", "import-results", event.id, event.file, "--format", "ianseo", "--arrows"]
    let dry = try event.server.run(flags + ["--dry-run"])
    #expect(
      dry.output == "2 cards with 8 arrows; 0 lines without a result; nothing was stored\n",
      "\(dry.errors)")
    let first = try event.server.run(flags)
    #expect(
      first.output
        == "2 cards with 8 arrows: 5 new, 0 late, 3 as before; 0 lines without a result\n",
      "\(first.errors)")
    #expect(try event.server.run(flags).output.contains("0 new, 0 late, 8 as before"))
    let standings = try event.server.quiver("event", "standings", event.id)
    #expect(standings.output.contains("33"), "\(standings.output)")
    #expect(try event.paperTotals() == [nil, nil, nil])
    try event.write(head + "2;R;M;27;9,9,9;0;;27;3\n")
    let other = try event.server.run(flags)
    #expect(other.code == 64 && other.errors.contains("3 of 3 arrows were refused"))
    #expect(other.errors.contains("line 2: end 1, arrow 1: "), "\(other.errors)")
    try event.write(head + "L-3;R;M;28;X,9,9;5;M,5*;33;5\n")
    #expect(try event.server.run(flags).errors.contains("line 2 has the arrow 5* at distance 2"))
    #expect(try event.importResults("--arrows").code == 64)
  }

  @Test("Arrows that are imported twice, or were entered by hand before, add no operation")
  func repeated() throws {
    let event = try Event()
    try event.write(
      "WaID;Local Bib;D1 Score;D1 Arrows;Score;Hits\nL-1;;28;X,9,M,9;28;4\nL-3;;9;9;9;1\n")
    #expect(try event.operationCounts() == [3, 3, 0])
    let first = try event.importArrows()
    #expect(first.output.contains("5 arrows: 2 new, 0 late, 3 as before"), "\(first.errors)")
    #expect(try event.operationCounts() == [4, 3, 1])
    let again = try event.importArrows()
    #expect(again.output.contains("5 arrows: 0 new, 0 late, 5 as before"), "\(again.errors)")
    #expect(try event.operationCounts() == [4, 3, 1])
  }

  @Test("Arrows are refused unless the event is in progress, and none is kept as late")
  func notInProgress() throws {
    let event = try Event()
    try event.write("WaID;D1 Score;D1 Arrows;Score;Hits\nL-1;28;X,9,M,9;28;4\n")
    #expect(try event.server.quiver("tournament", "finalise", event.id).code == 0)
    for flags in [[], ["--dry-run"]] {
      let run = try event.importArrows(flags)
      #expect(run.code == 64 && run.errors.contains("the event is finalised"), "\(run.errors)")
    }
    let tournament = try event.server.quiver(
      "call", "Tournament/GetTournament", #"{"id":"\#(event.id)"}"#
    ).json()
    #expect(tournament["status"] as? String == "TOURNAMENT_STATUS_COMPLETED")
    #expect(tournament["lateCount"] as? Int ?? 0 == 0)
    #expect(try event.operationCounts() == [3, 3, 0])
  }

  @Test("Categories of two and of four distances are exported for ianseo and imported again")
  func unequalRounds() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/file.txt"
    func make() throws -> (id: String, archers: [String]) {
      let made = try server.quiver("tournament", "create", "Club", "--round", "wa18", "--json")
        .json()
      let id = try #require(made["id"] as? String)
      for (code, round) in [("RM", "national_50"), ("RW", "metric_v")] {
        let category = try server.quiver(
          "event", "category", id, code, "--bow", "recurve", "--round", round)
        #expect(category.code == 0, "\(category.errors)")
      }
      try "bib,name,category\n1,Much,RM\n2,Tuck,RW\n".write(
        toFile: file, atomically: true, encoding: .utf8)
      #expect(try server.quiver("event", "import", id, file).output == "2 entries\n")
      #expect(try server.quiver("tournament", "start", id).code == 0)
      let entries = try server.quiver("event", "entries", id, "--json").json()
      let list = try #require(entries["entries"] as? [[String: Any]])
      let archers = list.sorted { ($0["bib"] as? String ?? "") < ($1["bib"] as? String ?? "") }
        .compactMap { $0["participantId"] as? String }
      return (id, archers)
    }
    let (first, archers) = try make()
    // 48 arrows at the first distance, then 24, in ends of 6; 24 do not fit a quarter of them.
    let shot = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 9), (1, 1), (1, 7)]
    for (archer, end) in shot {
      let run = try server.run(
        ["tournament", "end", archers[archer], "\(end)"] + Array(repeating: "9", count: 6))
      #expect(run.code == 0, "\(run.errors)")
    }
    let results = try server.quiver("event", "export", first, "ianseo-results", "-")
    #expect(results.output.contains("D4 Arrows"), "\(results.errors)")
    let (second, _) = try make()
    try results.output.write(toFile: file, atomically: true, encoding: .utf8)
    let imported = try server.quiver(
      "event", "import-results", second, file, "--format", "ianseo", "--arrows")
    #expect(imported.output.hasPrefix("2 cards with 42 arrows: 42 new"), "\(imported.errors)")
    let copy = try server.quiver("event", "export", second, "ianseo-results", "-")
    #expect(copy.output == results.output)
  }

  @Test("Refusals of one card let others be stored, and other errors keep the report so far")
  func progress() async throws {
    let list = try ResultList(Array("bib,total\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n".utf8), .csv)
    let matches = list.rows.map {
      EventResultsCommand.Match(row: $0, standing: CategoryStandingsRow())
    }
    let codes: [String: StatusCode] = [
      "1": .notFound, "3": .invalidArgument, "4": .failedPrecondition, "5": .unavailable,
    ]
    let progress = await EventResultsCommand.Progress(matches) { (match) async throws(RPCError) in
      if let code = codes[match.row.code] { throw RPCError(code, "no \(match.row.total)") }
    }
    #expect(progress.stored == 1 && progress.error?.code == .unavailable)
    #expect(progress.refused == ["line 2: 1: no 1", "line 4: 3: no 3", "line 5: 4: no 4"])
    let whole = await EventResultsCommand.Progress(matches) { (_) async throws(RPCError) in }
    #expect(whole.stored == 6 && whole.refused.isEmpty && whole.error == nil)
  }

  @Test("Totals of confirmed cards are refused and listed, and the others are stored")
  func confirmed() throws {
    let event = try Event()
    let archer = try event.archers()[0]
    #expect(try event.server.quiver("tournament", "end", archer, "2", "9", "9", "9").code == 0)
    let signature = event.server.directory.path + "/signature"
    try "drawn".write(toFile: signature, atomically: true, encoding: .utf8)
    for words in [["archer", "--signature", signature], ["scorer"]] {
      let confirmed = try event.server.run(["event", "confirm-card", archer] + words)
      #expect(confirmed.code == 0, "\(confirmed.errors)")
    }
    try event.write("bib,total\n1,45\n2,28\n3,5\n")
    let stored = try event.importResults()
    #expect(stored.code == 64 && stored.errors.contains("1 of 3 new totals were refused"))
    #expect(stored.errors.contains("line 2: 1: "), "\(stored.errors)")
    #expect(try event.paperTotals() == [nil, 28, 5])
  }
}
