import Foundation
import TestSupport
import Testing

/// What has no name is named by what people know of it: a day, a distance, a place on a card.
@Suite("Things without a name on the command line", .timeLimit(.minutes(20)))
struct UnnamedCommandTests {
  private func run(_ server: RunningServer, _ line: String, input: String? = nil) throws -> Run {
    try server.run(
      line.split(separator: " ").map { String($0).replacing("_", with: " ") }, input: input)
  }

  /// Runs commands in order; each must end with its code and print its text.
  private func check(_ server: RunningServer, _ steps: [(String, Int32, String)]) throws {
    for (line, code, text) in steps {
      let run = try run(server, line)
      #expect(run.code == code, "\(line): \(run.output)\(run.errors)")
      let printed = run.output + run.errors
      #expect(text.isEmpty || printed.contains(text), "\(line): \(printed)")
    }
  }

  @Test("A practice round is the last one, or of a day or a round; its archers are me and guests")
  func practice() throws {
    let server = try RunningServer()
    try check(
      server,
      [
        ("round end me 1 9 9 9", 64, "there is no archer me in a practice round"),
        ("round show last", 64, "there is no practice round"),
        ("round add wa18 540 --date 2026-05-23", 0, "is added"),
        ("round start portsmouth --guest Ben_Bow", 0, "is started"),
        ("round end me 1 10 9 9", 0, "total 28"), ("round end ben 1 8 8 8", 0, "total 24"),
        ("round correct me 1 3 7 --reason misread", 0, "total 26"),
        ("round end me 2 10 10 11", 67, "ARROW 11"),
        ("round end me 99 10 10 10", 67, "END 99"),
        ("round card ben", 0, "8 8 8"), ("round card zed", 64, "there is no archer zed in"),
        ("round conditions last --place Hall", 0, "are stored"),
        ("round show last", 0, "Hall"), ("round show Portsmouth", 0, "Ben Bow"),
        ("round show 2026-05-23", 0, "540"), ("round show 2026-05-24", 64, "2026-05-23"),
        ("round pause me", 0, "paused"), ("round resume me", 0, "in-progress"),
        ("round guest last Cid", 0, "Cid shoots in round"),
        ("round card me --practice 2026-05-23", 0, "540"),
        ("round start wa18", 0, "is started"), ("round show wa18", 64, "may be any of"),
        ("round rm 2026-05-23", 0, "is deleted"), ("round show wa18", 0, "wa18"),
      ])
    // Ids are as before.
    let id = try #require(
      (try server.quiver("round", "list", "--json").json()["sessions"] as? [[String: Any]])?.last?[
        "id"] as? String)
    try check(server, [("round show \(id)", 0, "Ben Bow"), ("round show #\(id)", 0, "Ben Bow")])
  }

  @Test("A round of your own is named wherever a round is")
  func ownRound() throws {
    let server = try RunningServer()
    try check(
      server,
      [
        ("format add Club_30 --pass 30,20m,10-zone,80,3 --place outdoor", 0, "is added"),
        ("format add Club_40 --pass 30,30m,10-zone,80,3 --place outdoor", 0, "is added"),
        ("format show Club_30", 0, "Club 30"), ("format show club", 64, "may be any of"),
        ("round start Club_40", 0, "is started"),
        ("tournament create Cup --round Club_30", 0, "is open"),
        ("event create Open --round Club_40 --categories RM", 0, "is open"),
        ("event add-round Open RM --round Club_30", 0, "category RM has 2 rounds"),
        ("round start wa81", 64, "there is no such round; near are wa18"),
        ("handicap of Club 30", 64, "may be any of Club 30"),
      ])
  }

  @Test("A sight mark is named by its distance, and by what it is of where several have it")
  func marks() throws {
    let server = try RunningServer()
    try check(
      server,
      [
        ("equipment add sight --brand Axcel --model Achieve", 0, "sight 1"),
        ("setup add Club_bow", 0, "1"),
        ("mark add 70m 4.25 --setup Club_bow", 0, "is added"),
        ("mark add 70m 5.5 --sight Axcel", 0, "is added"),
        ("mark add 20yd 1.5 --sight Axcel", 0, "is added"),
        ("mark edit 70m --mark 4.5", 64, "70m at 4.25, Club bow #1, 70m at 5.5, sight"),
        ("mark edit 70m_club --mark 4.5", 0, "mark 1 is changed"),
        ("mark rm 20yd", 0, "is deleted"), ("mark rm 20yd", 64, "there is no sight mark 20yd"),
        ("mark rm 2", 0, "mark 2 is deleted"), ("mark rm 70_m", 0, "mark 1 is deleted"),
      ])
  }

  @Test("A set is named by its exercise and day, a deleted weight by its day")
  func training() throws {
    let server = try RunningServer()
    try check(
      server,
      [
        ("strength add Squat 5 100 --unit kg --day 2026-05-20", 0, "set 1"),
        ("strength add Squat 5 105 --unit kg --day 2026-05-23", 0, "set 2"),
        ("strength add Squat 4 110 --unit kg --day 2026-05-23", 0, "set 3"),
        ("strength add Squat_jump 4 10 --unit kg --day 2026-05-24", 0, "set 4"),
        ("strength set Squat_2026-05-23", 64, "Squat 5 x 105 kg on 2026-05-23 #2"),
        ("strength set squat_2026-05-20", 0, "2026-05-20"),
        ("strength set Squ_last", 64, "may be any of Squat, Squat jump"),
        ("strength set Sqat_last", 64, "there is no exercise Sqat; did you mean Squat"),
        ("strength set Squat", 64, "Squat 2026-05-23"),
        ("strength edit squat_jump_last --repetitions 6", 0, "set 4 is changed"),
        ("strength rm Squat_2026-05-20", 0, "set 1 is deleted"),
        ("strength rm Squat_2026-05-20", 64, "there is no set"),
        ("strength rm 2", 0, "set 2 is deleted"),
        ("logbook add 80.5 --unit kg --day 2026-05-22", 0, ""),
        ("logbook add 80.1 --unit kg --day 2026-05-23", 0, ""),
        ("logbook show last", 0, "2026-05-23"), ("logbook rm 2026-05-22", 0, "is deleted"),
        ("logbook restore 2026-05-21", 64, "there is no deleted weight entry 2026-05-21"),
        ("logbook restore 2026-05-22", 0, "is restored"),
        ("logbook show 2026-05-22", 0, "80.5"),
      ])
  }

  @Test("An invitation is named by the last day of its share, a typed total by its part")
  func others() throws {
    let server = try RunningServer()
    let until = String(Date(timeIntervalSinceNow: 40 * 86_400).formatted(.iso8601).prefix(10))
    try check(
      server,
      [
        ("share invite --part rounds --until \(until)", 0, ""),
        ("share uninvite 2020-01-01", 64, "there is no invitation"),
        ("share uninvite \(until)", 0, "has ended"),
        ("share uninvite last", 64, "there is no invitation"),
        ("event create Indoor --round wa18 --categories RM --targets 1-4", 0, "is open"),
        ("tournament enter Indoor Ann Ben", 0, ""), ("event start Indoor", 0, "in-progress"),
        ("event type Ann 0 540", 0, "540"), ("event type Ben 0 530", 0, "530"),
        (
          "event type Ann 0 541 --replaces round --reason misread", 0, "has 541"
        ),
        ("event untype Ann part-2 --reason wrong", 64, "there is no typed total part-2"),
        ("event untype Ann round --reason wrong", 0, "is removed"),
        ("event untype Ann round --reason wrong", 64, "there is no typed total round"),
      ])
  }

  @Test("Late arrows are shown with their archer, and named by archer, end and arrow")
  func late() throws {
    let server = try RunningServer()
    try check(
      server,
      [
        ("event create Indoor --round wa18 --categories RM --targets 1-4", 0, "is open"),
        ("tournament enter Indoor Ann Ben", 0, ""), ("event start Indoor", 0, "in-progress"),
      ])
    let address = server.address
    #expect(try run(server, "tournament score Indoor", input: "q\n").code == 0)
    server.stop()
    // The event is found by its name without a connection.
    let offline = try run(server, "tournament score indoor", input: "n Ben\n7 7 8\n")
    #expect(offline.code == 0, "\(offline.output)\(offline.errors)")
    let unknown = try run(server, "tournament score Outdoor", input: "q\n")
    #expect(unknown.code != 0 && unknown.errors.contains("Indoor"), "\(unknown.errors)")
    try server.start(address)
    try check(server, [("event finalise Indoor --anyway", 0, "completed")])
    _ = try run(server, "tournament score Indoor", input: "q\n")
    try check(
      server,
      [
        ("tournament late Indoor", 0, "Ben"),
        ("tournament reject Indoor Ben-1-9 --reason late", 64, "there is no late arrow Ben-1-9"),
      ])
    let late = try server.quiver("tournament", "late", "Indoor", "--json").json()
    let count = (late["operations"] as? [[String: Any]])?.count
    #expect(count == 3)
  }

  @Test("Sessions of a list of entries are named; a number that is an id and a name is refused")
  func sessionsOfEntries() throws {
    let server = try RunningServer()
    try check(
      server,
      [
        ("event create Indoor --round wa18 --categories RM", 0, "is open"),
        ("event session Indoor Morning --first 1 --last 4 --archers 4", 0, "session 1"),
        ("event session Indoor Mountain --first 1 --last 4 --archers 4", 0, "session 2"),
        ("event session Indoor 1 --first 1 --last 4 --archers 4", 0, "session 3"),
      ])
    func file(_ lines: String...) throws -> String {
      let path = server.directory.path + "/entries.csv"
      try (["bib,name,category,session"] + lines).joined(separator: "\n")
        .write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    for (line, parts) in [
      ("2,B,RM,Mo", ["line 3: session Mo may be any of Morning #1, Mountain #2"]),
      ("2,B,RM,Evening", ["line 3: there is no session Evening", "Morning"]),
      ("2,B,RM,1", ["line 3: session 1 is the id of Morning and the name of 1 #3"]),
    ] {
      let path = try file("1,A,RM,morning", line)
      let refused = try server.quiver("event", "import", "Indoor", path)
      #expect(refused.code == 64, "\(refused.output)")
      for part in parts { #expect(refused.errors.contains(part), "\(refused.errors)") }
      #expect(refused.errors.contains("entries.csv"), "\(refused.errors)")
    }
    try check(server, [("event entries Indoor", 0, "ID")])
    #expect(try !server.quiver("event", "entries", "Indoor").output.contains("Morning"))
    let path = try file("1,A,RM,morning", "2,B,RM,2", "3,C,RM,#1", "4,D,RM,")
    let made = try server.quiver("event", "import", "Indoor", path)
    #expect(made.output == "4 entries\n", "\(made.errors)")
    let list = try server.quiver("event", "entries", "Indoor", "--json").json()
    let entries = try #require(list["entries"] as? [[String: Any]])
    let sessions = Dictionary(
      entries.map { ($0["bib"] as? String ?? "", $0["sessionId"] as? String ?? "0") }
    ) { first, _ in first }
    #expect(sessions == ["1": "1", "2": "2", "3": "1", "4": "0"])
  }
}

extension UnnamedCommandTests {
  @Test("Refusals of the server name what was typed, whatever their code is")
  func refusals() throws {
    let server = try RunningServer()
    try check(
      server,
      [
        ("event create Indoor --round wa18 --categories RM --targets 1-4", 0, "is open"),
        ("tournament enter Indoor Ann", 0, ""),
        ("tournament end Ann 1 9 9 9", 73, "ARCHER Ann: the event has not been started"),
        ("event state 99 checked-in", 69, "ARCHER 99: there is no"),
        ("equipment add riser --brand Hoyt --model X --lenght 25", 64, "did you mean --length-in"),
        ("tournament join --id Indor", 64, "did you mean Indoor?"),
        ("admin audit --principal Administrator", 0, "ROW"),
        ("admin audit --kind tournament --object Indoor", 0, "tournament"),
        ("admin audit --object Indoor", 64, "--object expects an id"),
      ])
  }
}
