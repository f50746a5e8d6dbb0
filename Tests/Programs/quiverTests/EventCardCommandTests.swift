import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("quiver event with second cards", .timeLimit(.minutes(20)))
struct EventCardCommandTests {
  @Test("Second cards are recorded, ruled on, confirmed and reopened")
  func cards() throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "3", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    try "bib,name\n1,Much\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 0)
    #expect(try server.quiver("tournament", "start", id).code == 0)
    let entries = try server.quiver("event", "entries", id, "--json").json()
    let archer = try #require(
      (entries["entries"] as? [[String: Any]])?.first?["participantId"] as? String)
    #expect(try server.quiver("tournament", "end", archer, "1", "X", "9", "9").code == 0)
    let second = try server.quiver("event", "second", archer, "1", "9", "9", "10")
    #expect(second.output == "the end is disputed\n", "\(second.errors)")
    let conflict = try server.quiver("event", "second", archer, "1", "9", "9", "9")
    #expect(conflict.code != 0 && conflict.errors.contains("--reason"))
    let disputes = try server.quiver("event", "disputes", id)
    #expect(disputes.output.contains("Much"), "\(disputes.errors)")
    let silent = try server.quiver("event", "rule", archer, "1", "X", "9", "9")
    #expect(silent.code != 0 && silent.errors.contains("--reason"))
    let ruled = try server.quiver(
      "event", "rule", archer, "1", "10", "9", "9", "--reason", "the line was not touched")
    #expect(ruled.output.contains("has 28, agreed"), "\(ruled.errors)")
    #expect(try server.quiver("event", "total", archer, "27").code == 0)
    let counts = try server.quiver("event", "total", archer, "27", "--hits", "3", "--golds", "2")
    #expect(counts.code == 0, "\(counts.errors)")
    let many = try server.quiver("event", "total", archer, "27", "--x", "4")
    #expect(many.code == 64 + 3 && many.errors.contains("--x"), "\(many.errors)")
    let unsigned = try server.quiver("event", "confirm-card", archer, "archer")
    #expect(unsigned.code == 64 + 3 && unsigned.errors.contains("signature"))
    let signed = try server.quiver(
      "event", "confirm-card", archer, "archer", "--signature", file)
    #expect(signed.code == 0, "\(signed.errors)")
    let early = try server.quiver("event", "finalise", id)
    #expect(early.code == 64 + 9 && early.errors.contains("--anyway"), "\(early.errors)")
    #expect(early.errors.contains("confirmations is open: 1 cards"), "\(early.errors)")
    let both = try server.quiver("event", "confirm-card", archer, "scorer")
    #expect(both.output.contains("has 27, confirmed"), "\(both.errors)")
    let standings = try server.quiver("event", "standings", id)
    #expect(standings.output.contains("confirmed"), "\(standings.errors)")
    let card = try server.quiver("event", "card", archer)
    #expect(card.output.contains("the line was not touched"), "\(card.errors)")
    let closed = try server.quiver(
      "event", "end-rule", archer, "1", "out-of-time", "--reason", "after the signal")
    #expect(closed.code != 0 && closed.errors.contains("reopen"), "\(closed.errors)")
    let reopened = try server.quiver("event", "reopen-card", archer, "--reason", "wrong total")
    #expect(reopened.code == 0, "\(reopened.errors)")
    #expect(try server.quiver("event", "confirm-card", archer, "scorer").code == 0)
    #expect(try server.quiver("event", "finalise", id).code == 64 + 9)
    let ended = try server.quiver("event", "finalise", id, "--anyway")
    #expect(ended.output == "tournament \(id) is completed, 1 take part\n", "\(ended.errors)")
  }

  @Test("Judges change ends by rules, exchange them and move them")
  func ends() throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "9", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    try "bib,name\n1,Much\n2,Nell\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 0)
    #expect(try server.quiver("tournament", "start", id).code == 0)
    let entries = try server.quiver("event", "entries", id, "--json").json()
    let archers = try #require(entries["entries"] as? [[String: Any]])
      .compactMap { $0["participantId"] as? String }
    #expect(try server.quiver("tournament", "end", archers[0], "1", "X", "9", "9").code == 0)
    let reason = ["--reason", "seen by the judge"]
    let timed = try server.run(["event", "end-rule", archers[0], "1", "out-of-time"] + reason)
    #expect(timed.output == "Much has 18\n", "\(timed.errors)")
    let many = try server.run(
      ["event", "end-rule", archers[0], "1", "too-many-arrows", "X", "9", "9", "8"] + reason)
    #expect(many.output == "Much has 26\n", "\(many.errors)")
    let moved = try server.run(["event", "move-ends", archers[0], "1"] + reason)
    #expect(moved.output == "Much has 26\n", "\(moved.errors)")
    let exchanged = try server.run(
      ["event", "move-ends", archers[0], "2", archers[1]] + reason)
    #expect(exchanged.output == "Much has 0\nNell has 26\n", "\(exchanged.errors)")
    let missed = try server.run(
      ["event", "end-rule", archers[0], "1", "missed-ends", "--count", "2"] + reason)
    #expect(missed.output == "Much has 0\n", "\(missed.errors)")
    for words in [
      ["end-rule", archers[0], "0", "out-of-time"], ["end-rule", archers[0], "1", "weather"],
      ["move-ends", archers[0], "x"],
    ] {
      #expect(try server.run(["event"] + words + reason).code == 64, "\(words)")
    }
    #expect(try server.quiver("event", "move-ends", archers[0], "1").code == 64)
  }

  @Test("Corrections name who agreed, and an event says who must agree")
  func agreements() throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "3", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    try "bib,name\n1,Much\n2,Nell\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 0)
    let edited = try server.quiver("tournament", "edit", id, "--corrections", "witness")
    #expect(edited.code == 0, "\(edited.errors)")
    let shown = try server.quiver("tournament", "show", id)
    #expect(shown.output.contains("witness"), "\(shown.output)")
    #expect(try server.quiver("tournament", "edit", id, "--corrections", "sometimes").code == 64)
    #expect(try server.quiver("tournament", "start", id).code == 0)
    let entries = try server.quiver("event", "entries", id, "--json").json()
    let archers = try #require(entries["entries"] as? [[String: Any]])
      .compactMap { $0["participantId"] as? String }
    #expect(try server.quiver("tournament", "end", archers[0], "1", "X", "9", "9").code == 0)
    let corrected = try server.quiver(
      "tournament", "correct", archers[0], "1", "2", "8", "--reason", "misread", "--witness",
      "Nell")
    #expect(corrected.output == "stored, total 27\n", "\(corrected.errors)")
    let card = try server.quiver("tournament", "card", archers[0], "--history")
    #expect(card.output.contains("AGREED") && card.output.contains("Nell"), "\(card.errors)")
    let own = try server.quiver(
      "tournament", "retract", archers[0], "1", "2", "--reason", "misread", "--witness", "Much")
    #expect(own.code == 64 + 3 && own.errors.contains("another participant"), "\(own.errors)")
    #expect(try server.quiver("event", "second", archers[0], "1", "X", "9", "9").code == 0)
    let second = try server.quiver(
      "event", "second", archers[0], "1", "X", "9", "8", "--reason", "misread", "--witness",
      "Nell")
    #expect(second.output == "the end is agreed\n", "\(second.errors)")
    let both = try server.quiver("event", "card", archers[0])
    #expect(both.output.contains("Nell"), "\(both.output)")
  }

  @Test("A card shows the arrows that are owed, whose end counts from 1")
  func owed() throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "6", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    let line = try server.quiver(
      "event", "session", id, "morning", "--in", "1h", "--first", "1", "--last", "1",
      "--archers", "2", "--json"
    ).json()
    let session = try #require(line["id"] as? String)
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    try "bib,name,session\n1,Much,\(session)\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 0)
    #expect(try server.quiver("event", "draw", id, session, "random", "--seed", "7").code == 0)
    #expect(try server.quiver("tournament", "start", id).code == 0)
    let call = ["event", "call", id, "morning", "1", "equipment-failure", "--participant", "Much"]
    for (end, wanted) in [("0", "1 or above"), ("3", "at most 2")] {
      let wrong = try server.run(call + ["--owed", "2", "--end", end])
      #expect(wrong.code >= 64 && wrong.errors.contains("--end"), "\(wrong.errors)")
      #expect(wrong.errors.contains(wanted), "\(wrong.errors)")
    }
    #expect(try server.run(call + ["--owed", "1", "--end", "2"]).code == 0)
    let calls = try server.quiver("event", "calls", id)
    let rows = calls.output.split(separator: "\n").map { $0.split(separator: " ") }
    let column = try #require(rows.first?.firstIndex(of: "END"))
    #expect(rows.count == 2 && rows[1][column - 1] == "1" && rows[1][column] == "2")
    let card = try server.quiver("event", "card", "Much", "--event", id)
    #expect(card.output.contains("owed") && card.code == 0, "\(card.output)\(card.errors)")
    let shown = try server.quiver("event", "card", "Much", "--event", id, "--json").json()
    let owed = try #require((shown["owed"] as? [[String: Any]])?.first)
    #expect(owed["endIndex"] as? Int == 1 && owed["arrowCount"] as? Int == 1)
  }

  @Test("An organiser lets scorers type papers")
  func papers() throws {
    let server = try RunningServer()
    let made = try server.quiver("tournament", "create", "Club", "--round", "wa18", "--json").json()
    let id = try #require(made["id"] as? String)
    #expect(try server.quiver("tournament", "edit", id, "--papers", "yes").code == 0)
    let shown = try server.quiver("tournament", "show", id)
    #expect(shown.output.contains("scorers-type-papers"), "\(shown.output)")
    #expect(try server.quiver("tournament", "edit", id, "--papers", "maybe").code == 64)
    #expect(try server.quiver("tournament", "edit", id, "--papers", "no").code == 0)
    let after = try server.quiver("tournament", "show", id)
    #expect(!after.output.contains("scorers-type-papers"), "\(after.output)")
  }
}
