import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverSession
import TestSupport
import Testing

@testable import quiver_command

@Suite("Ends at the keyboard", .timeLimit(.minutes(20)))
struct ScoringCommandTests {
  @Test("Ends are entered, undone and corrected; a wrong line changes nothing and is an error")
  func entry() throws {
    let server = try RunningServer()
    #expect(
      try server.quiver("tournament", "create", "Cup", "--round", "wa18", "--arrows", "6", "--join")
        .code == 0)
    #expect(try server.quiver("tournament", "enter", "1", "Bob", "--guest").code == 0)
    #expect(try server.quiver("tournament", "start", "1").code == 0)
    let input = "10 9 X\nu\n8\nn bo\n7 7 7\nn bo\nc 1 1 10 misread\ns\nq\n"
    let run = try server.run(["tournament", "score", "1"], input: input)
    #expect(run.code == 0, "\(run.errors)")
    for text in [
      "end 1: 10 9 X = 29, total 29", "undone", "end 1: 8 = 8, total 27", "Bob, end 1: 7 7 7 = 21",
      "1    10 7 7  24   24",
    ] {
      #expect(run.output.contains(text), "\(text): \(run.output) \(run.errors)")
    }
    let standings = try server.quiver("tournament", "archers", "1", "--output", "csv")
    #expect(standings.output.contains("Bob,guest,active,,24,3"), "\(standings.output)")
    let wrong = try server.run(["tournament", "score", "1"], input: "12\nfoo\n")
    #expect(wrong.code == 64 && wrong.errors.contains("2 lines were refused"), "\(wrong.errors)")
    #expect(wrong.errors.contains("foo is neither an end nor a command"))
    #expect(
      try server.quiver("tournament", "archers", "1", "--output", "csv").output == standings.output)
  }

  /// An event in progress of the archers of an entry file, with the administrator as organiser.
  private func event(_ server: RunningServer, _ entries: String) throws {
    #expect(
      try server.quiver("tournament", "create", "Cup", "--round", "wa18", "--arrows", "6").code == 0
    )
    let session = try server.quiver(
      "event", "session", "1", "Morning", "--first", "1", "--last", "9", "--archers", "4", "--json")
    let id = try #require(try session.json()["id"] as? String, "\(session.errors)")
    let file = server.directory.path + "/entries.csv"
    try entries.replacingOccurrences(of: "Morning", with: id).write(
      toFile: file, atomically: true, encoding: .utf8)
    let imported = try server.quiver("event", "import", "1", file)
    #expect(imported.code == 0, "\(imported.errors)")
    for (participant, target, letter) in [("1", "2", "A"), ("2", "2", "B"), ("3", "3", "A")] {
      let placed = try server.quiver("event", "place", participant, id, target, letter)
      #expect(placed.code == 0, "\(placed.errors)")
    }
  }

  private static let entries = """
    bib,name,club,session
    7,Ann Maier,Lyon,Morning
    8,Ann Maier,Bern,Morning
    9,Bob,Bern,Morning

    """

  @Test("After a name that is not found nobody is selected, until somebody is")
  func selection() throws {
    let server = try RunningServer()
    try event(server, Self.entries)
    #expect(try server.quiver("tournament", "start", "1").code == 0)
    let input = "n Bob\nn Zed\n9 9 9\nu\nc 1 1 8 misread\ng 2\ns\nn bo\n7 7 7\nq\n"
    let run = try server.run(["tournament", "score", "1"], input: input)
    #expect(run.code == 64, "\(run.errors)")
    #expect(run.errors.contains("nobody is called Zed; there are Ann Maier (bib 7, 2A, Lyon)"))
    let refusals = run.errorLines.filter { $0.contains("nobody is selected") }
    #expect(refusals.count == 5 && run.errors.contains("6 lines were refused"), "\(run.errors)")
    let entered = run.output.split(separator: "\n").filter { $0.contains(", end ") }
    #expect(entered == ["Bob, end 1: 7 7 7 = 21, total 21"], "\(run.output)")
  }

  @Test(
    "A bib, a place, and a name with a bib, a place or a club select; equal names alone do not",
    arguments: [
      ("8", "Bern"), ("2b", "Bern"), ("2 B", "Bern"), ("#2", "Bern"), ("ann maier bern", "Bern"),
      ("Ann  Maier, Lyon", "Lyon"), ("Ann Maier 7", "Lyon"), ("Ann Maier 2A", "Lyon"),
      ("Ann Maier ly", "Lyon"), ("3", "Bob"), ("b", "Bob"), ("Ann", nil), ("2", nil), ("", nil),
      ("Ann Maier Rome", nil), ("\u{1B}[2J", nil),
    ] as [(String, String?)])
  func lookUp(_ text: String, _ expected: String?) throws {
    var entries: [EventEntry] = []
    for (id, bib, name, club, target, letter) in [
      (1, "7", "Ann Maier", "Lyon", 2, "A"), (2, "8", "Ann Maier", "Bern", 2, "B"),
      (3, "9", "Bob", "Bern", 3, "A"),
    ] as [(Int64, String, String, String, UInt32, String)] {
      entries.append(
        .with { entry in
          (entry.participantID, entry.displayName, entry.bib) = (id, name, bib)
          (entry.club, entry.target, entry.letter, entry.sessionID) = (club, target, letter, 1)
        })
    }
    let archers = ScoredArchers(entries.map { ($0.participantID, $0.displayName) }, entries)
    do throws(SessionError) {
      let found = try archers.archer(named: text)
      #expect(expected != nil && (found.name == expected || found.club == expected))
    } catch {
      #expect(expected == nil && !error.message.contains("\u{1B}"), "\(error)")
    }
  }

  @Test("An arrow that the server refuses makes the exit code non-zero, and can be sent again")
  func refused() throws {
    let server = try RunningServer()
    try event(server, Self.entries)
    #expect(try server.quiver("tournament", "start", "1").code == 0)
    #expect(try server.run(["tournament", "score", "1"], input: "q\n").code == 0)
    let address = server.address
    server.stop()
    // Without a connection it is not known here that Bob has withdrawn.
    #expect(try server.run(["tournament", "score", "1"], input: "n Bob\n7 7 7\n").code == 0)
    try server.start(address)
    let withdrawn = try server.quiver("tournament", "withdraw", "3")
    #expect(withdrawn.code == 0, "\(withdrawn.errors)")
    let run = try server.run(["tournament", "score", "1"], input: "q\n")
    #expect(run.code == 64 && run.errors.contains("the server refused 3 entries"), "\(run.errors)")
    #expect(run.errors.contains("withdrawn"), "\(run.errors)")
    let again = try server.run(["tournament", "score", "1"], input: "w\nd 99\nq\n")
    #expect(again.code == 64 && again.output.contains("has withdrawn"), "\(again.output)")
    #expect(again.errors.contains("no refused entry 99"), "\(again.errors)")
    let reinstated = try server.quiver("tournament", "reinstate", "3", "--reason", "he is back")
    #expect(reinstated.code == 0, "\(reinstated.errors)")
    let sent = try server.run(["tournament", "score", "1"], input: "r\nq\n")
    #expect(sent.code == 0 && sent.output.contains("3 entries to be sent again"), "\(sent.errors)")
    let card = try server.quiver("tournament", "card", "3")
    #expect(card.output.contains("7 7 7"), "\(card.output)\(card.errors)")
  }

  @Test("Somebody who scores nobody is told so")
  func nobody() throws {
    let server = try RunningServer()
    let made = try server.quiver("tournament", "create", "Cup", "--round", "wa18", "--public")
    #expect(made.code == 0)
    let robin = try server.token(of: "Robin")
    let run = try server.run(["tournament", "score", "1"], input: "9\n", tokenFile: robin)
    #expect(run.code == 64 && run.errors.contains("you score nobody in Cup"), "\(run.errors)")
    #expect(!run.output.contains("help"), "\(run.output)")
  }

  @Test("A device joins a target by its code, and scores who stands there")
  func target() throws {
    let server = try RunningServer()
    try event(server, Self.entries)
    #expect(try server.quiver("event", "lease", "1", "--on").code == 0)
    #expect(try server.quiver("tournament", "start", "1").code == 0)
    let codes = try server.quiver("event", "codes", "1", "1", "--output", "csv")
    let line = codes.output.split(separator: "\n").first { $0.hasPrefix("2,") }
    let code = String(try #require(line, "\(codes.output)\(codes.errors)").dropFirst(2))
    let robin = try server.token(of: "Robin")
    func score(_ device: String?, _ input: String, _ more: String...) throws -> Run {
      let named = device.map { ["--device", $0] } ?? []
      return try server.run(
        ["tournament", "score", "--target", code] + named + more, input: input, tokenFile: robin)
    }
    let unnamed = try score(nil, "")
    #expect(unnamed.code == 64 && unnamed.errors.contains("--device"), "\(unnamed.errors)")
    let run = try score("tablet 2", "9 9 9\n8 8 8\nn 9\n7\n")
    #expect(run.code == 64 && run.errors.contains("nobody is called 9"), "\(run.errors)")
    #expect(run.output.contains("Ann Maier, end 1: 9 9 9 = 27, total 27"), "\(run.output)")
    #expect(run.output.contains("Ann Maier, end 1: 8 8 8 = 24, total 24"), "\(run.output)")
    #expect(!run.errors.contains("the server refused"), "\(run.errors)")
    let leases = try server.quiver("event", "leases", "1", "--output", "csv")
    #expect(leases.output.contains(",2,1,tablet 2,Robin,"), "\(leases.output)")
    let other = try score("another", "9\n", "--directory", server.directory.path + "/another")
    #expect(
      other.code == 64 + 9 && other.errors.contains("another device scores target 2"),
      "\(other.errors)")
    // The organiser scores only those who stand on the target that was joined.
    let wrong = try server.run(
      ["tournament", "score", "--target", "AAAA-AAAA", "--device", "laptop"], input: "")
    #expect(wrong.code != 0 && wrong.output.isEmpty, "\(wrong.errors)")
  }

  @Test("Ends that were entered without a connection are sent by the next run")
  func offline() throws {
    let server = try RunningServer()
    let address = server.address
    let first = try server.run(
      ["round", "shoot", "wa18", "--arrows", "6", "--guest", "Zoe"], input: "9 9 9\n")
    #expect(first.code == 0, "\(first.errors)")
    server.stop()
    let offline = try server.run(["round", "score", "1"], input: "10 10 10\n")
    #expect(offline.code == 0, "\(offline.errors)")
    #expect(offline.output.contains("Zoe, end 1: 10 10 10 = 30, total 30"), "\(offline.output)")
    #expect(offline.errors.contains("3 entries wait to be sent by the next run"))
    try server.start(address)
    let sent = try server.run(["round", "score", "1"], input: "q\n")
    #expect(sent.code == 0 && !sent.errors.contains("wait"), "\(sent.errors)")
    let card = try server.quiver("round", "card", "2")
    #expect(card.output.contains("total 30"), "\(card.output)\(card.errors)")
    let nothing = try server.run(["round", "score", "77"], input: "")
    #expect(nothing.code == 64 && nothing.errors.contains("was not started on this machine"))
  }
}
