import Foundation
import TestSupport
import Testing

@testable import quiver_command

@Suite("Files of other programs", .timeLimit(.minutes(20)))
struct ImportFormatTests {
  @Test("An export says its unit, and its import takes it")
  func exportedUnit() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/log.csv"
    let add = ["strength", "add", "Squat", "5", "100", "--sets", "3", "--day", "2024-01-02"]
    #expect(try server.run(add + ["--unit", "kg"]).code == 0)
    #expect(try server.quiver("strength", "export", file, "--unit", "kg").code == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text == "date,exercise,sets,reps,weight kg\nJan 02 2024,Squat,3,5,100\n")
    // Without the unit these would be 100 lb, and so another set.
    let again = try server.quiver("strength", "import", file)
    #expect(again.code == 0 && again.output.contains("added 0, unchanged 1"), "\(again.errors)")
    let wrong = try server.quiver("strength", "import", file, "--unit", "lb")
    #expect(wrong.code == 64 && wrong.errors.contains("in kg"))
  }

  @Test("Exports of Strong and Hevy are imported once")
  func workouts() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/strong.csv"
    try """
    Date,Workout Name,Exercise Name,Set Order,Weight,Reps,Mood
    2020-12-30 18:51:52,Evening,Snatch,1,40.0,3,good
    2020-12-30 18:51:52,Evening,Snatch,2,40.0,3,good

    """.write(toFile: file, atomically: true, encoding: .utf8)
    let unknown = try server.quiver("strength", "import", file, "--format", "strong")
    #expect(unknown.code == 64 && unknown.errors.contains("unit is not in the file"))
    let named = ["strength", "import", file, "--format", "strong", "--unit", "kg"]
    let first = try server.run(named)
    #expect(first.output.contains("added 2, unchanged 0"), "\(first.errors)")
    #expect(first.errors.contains("the column Mood is not known"))
    #expect(try server.run(named).output.contains("added 0, unchanged 2"))
    try """
    start_time,exercise_title,weight_kg,reps
    "9 Sep 2024, 21:46",Snatch,45,3
    yesterday,Snatch,45,3

    """.write(toFile: file, atomically: true, encoding: .utf8)
    let bad = try server.quiver("strength", "import", file, "--format", "hevy")
    #expect(bad.code == 64 && bad.errors.contains("line 3"))
    let lenient = try server.quiver("strength", "import", file, "--format", "hevy", "--lenient")
    #expect(lenient.output.contains("added 1, unchanged 0"), "\(lenient.errors)")
    #expect(try server.quiver("strength", "import", file, "--format", "x").code == 64)
  }

  @Test("A list for ianseo is imported with its targets, and exported as it was")
  func ianseo() throws {
    let server = try RunningServer()
    let made = try server.quiver("tournament", "create", "Club", "--round", "wa18", "--json").json()
    let id = try #require(made["id"] as? String)
    #expect(try server.quiver("event", "category", id, "RM", "--bow", "recurve").code == 0)
    let session = try server.quiver(
      "event", "session", id, "morning", "--first", "1", "--last", "9", "--archers", "4")
    #expect(session.code == 0, "\(session.errors)")
    let file = server.directory.path + "/list.txt"
    let list = """
      12345\t1\tR\tM\t7B\t1\t1\t1\t1\t1\tRossi\tAldo\tM\tITA\tArcieri\r
      77\t1\tR\tM\t\t1\t1\t1\t1\t1\tSan\t\tM\tFRA\tLyon\r

      """
    try list.write(toFile: file, atomically: true, encoding: .utf8)
    for _ in 0..<2 {
      let imported = try server.quiver("event", "import", id, file, "--format", "ianseo")
      #expect(imported.output == "2 entries\n", "\(imported.errors)")
    }
    let exported = try server.quiver("event", "export", id, "ianseo", "-")
    let whole = list.replacing("\tRossi\tAldo\t", with: "\tAldo Rossi\t\t")
    #expect(exported.output == whole, "\(exported.errors)")
    try "1\t2\tR\tM\t\t1\t1\t1\t1\t1\tA\n".write(toFile: file, atomically: true, encoding: .utf8)
    let missing = try server.quiver("event", "import", id, file, "--format", "ianseo")
    #expect(missing.code == 64 && missing.errors.contains("session 2"))
  }

  @Test("A file of MyTargets is imported once, as practice rounds")
  func practice() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/mytargets.csv"
    let arrow =
      "\"Club\";\"2016-07-03\";\"Mine\";\"Outdoor\";\"\";\"\";\"1\";\"30m\";\"WA Full (122cm)\";"
    try """
    Title;Date;Standard round;Indoor;Bow;Arrow;Round;Distance;Target;End;Timestamp;Points;x;y
    \(arrow)1;14:18:42;X;0;0
    \(arrow)1;14:18:42;9;0;0
    \(arrow)2;14:30:00;M;0;0

    """.write(toFile: file, atomically: true, encoding: .utf8)
    let command = ["round", "import", file, "--format", "mytargets"]
    let first = try server.run(command)
    #expect(first.output == "1 rounds: added 3 arrows, unchanged 0\n", "\(first.errors)")
    #expect(try server.run(command).output == "1 rounds: added 0 arrows, unchanged 3\n")
    let sessions = try server.quiver("call", "Rounds/ListSessions", "{}").json()
    let list = try #require(sessions["sessions"] as? [[String: Any]])
    #expect(list.count == 1 && list[0]["notes"] as? String == "2016-07-03 Club, Mine")
    let rounds = try #require(list[0]["rounds"] as? [[String: Any]])
    let score = try #require(rounds.first?["score"] as? [String: Any])
    #expect(score["total"] as? Int == 19 && score["arrowCount"] as? Int == 3)
    let participant = try #require(rounds.first?["participantId"] as? String)
    let card = try server.quiver(
      "call", "Rounds/GetScorecard", #"{"participantId":"\#(participant)"}"#
    ).json()
    let arrows = try #require(card["arrows"] as? [[String: Any]])
    // 2016-07-03 14:18:42 UTC, and 14:30:00.
    #expect(
      arrows.map { $0["scoredAtMs"] as? String } == [
        "1467555522000", "1467555522000", "1467556200000",
      ])
    #expect(try server.quiver("round", "import", file).code == 64)
  }

  @Test("A file of MyTargets whose last line cannot be stored adds nothing")
  func unstorable() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/mytargets.csv"
    let head =
      "Title;Date;Standard round;Indoor;Bow;Arrow;Round;Distance;Target;End;Timestamp;Points;x;y\n"
    func arrow(_ day: Int, _ target: String, _ points: String) -> String {
      "Club;2016-07-0\(day);Mine \(day);Outdoor;;;1;30m;\(target);1;14:18:42;\(points);0;0\n"
    }
    try (head + arrow(1, "WA Full (122cm)", "9") + arrow(2, "WA 6 Ring (80cm)", "3"))
      .write(toFile: file, atomically: true, encoding: .utf8)
    let refused = try server.quiver("round", "import", file, "--format", "mytargets")
    #expect(refused.code == 64 && refused.errors.contains("line 3 has in points 3"), "\(refused)")
    let sessions = try server.quiver("call", "Rounds/ListSessions", "{}").json()
    #expect((sessions["sessions"] as? [Any])?.isEmpty == true)
    let formats = try server.quiver("call", "Rounds/ListFormats", #"{"ownOnly":true}"#).json()
    #expect((formats["formats"] as? [Any])?.isEmpty == true)
  }

  @Test("Any number of unknown columns gives one line")
  func unknownColumns() throws {
    let server = try RunningServer()
    let names = (1...100_000).map { "column \($0)" }
    let file = server.directory.path + "/wide.csv"
    let strong = "Date,Exercise Name,Weight,Reps," + names.joined(separator: ",") + "\n"
    try strong.write(toFile: file, atomically: true, encoding: .utf8)
    let workouts = try server.quiver(
      "strength", "import", file, "--format", "strong", "--unit", "kg")
    let targets =
      "Title;Date;Standard round;Indoor;Round;Distance;Target;End;Timestamp;Points;"
      + names.joined(separator: ";") + "\n"
    try targets.write(toFile: file, atomically: true, encoding: .utf8)
    let rounds = try server.quiver("round", "import", file, "--format", "mytargets")
    for run in [workouts, rounds] {
      let lines = run.errorLines.filter { $0.contains("column") }
      #expect(lines.count == 1 && run.errors.utf8.count < 1_000, "\(run.errors.prefix(1_000))")
      #expect(
        run.errors.contains(
          "100000 columns are not known and are skipped: column 1, column 2, column 3, column 4,"
            + " column 5 and 99995 more"), "\(run.errors.prefix(1_000))")
    }
  }

  @Test("A name that is used gets the lowest free number, within the limit of names")
  func numbers() {
    #expect(RoundImportCommand.unusedName("A", among: ["B"]) == "A")
    #expect(RoundImportCommand.unusedName("A", among: ["A", "A 2", "A 4"]) == "A 3")
    let long = String(repeating: "x", count: 200)
    let numbered = RoundImportCommand.unusedName(long, among: [long])
    #expect(numbered.count == 200 && numbered.hasSuffix("x 2"))
  }

  @Test("Two rounds of MyTargets of one name on a day are two practice rounds, once")
  func equalNames() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/mytargets.csv"
    let head =
      "Title;Date;Standard round;Indoor;Bow;Arrow;Round;Distance;Target;End;Timestamp;Points;x;y\n"
    let lines = [(1, 9), (2, 8), (1, 7), (2, 6)].map { end, points in
      "\"Club\";\"2016-07-01\";\"Mine\";\"Outdoor\";\"\";\"\";\"1\";\"30m\";"
        + "\"WA Full (122cm)\";\(end);14:18:42;\(points);0;0\n"
    }
    try (head + lines.joined()).write(toFile: file, atomically: true, encoding: .utf8)
    for output in ["added 4 arrows, unchanged 0", "added 0 arrows, unchanged 4"] {
      let imported = try server.quiver("round", "import", file, "--format", "mytargets")
      #expect(imported.output == "2 rounds: \(output)\n", "\(imported.errors)")
    }
    let sessions = try server.quiver("call", "Rounds/ListSessions", "{}").json()
    let list = try #require(sessions["sessions"] as? [[String: Any]])
    #expect(
      Set(list.compactMap { $0["notes"] as? String }) == [
        "2016-07-01 Club, Mine", "2016-07-01 Club, Mine 2",
      ])
  }

  @Test("Rounds of MyTargets with equal passes share a format, and others of its name are numbered")
  func practices() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/mytargets.csv"
    func arrow(_ day: Int, _ end: Int, _ distance: Int = 30) -> String {
      "\"Club\";\"2016-07-0\(day)\";\"Mine\";\"Outdoor\";\"\";\"\";\"1\";\"\(distance)m\";"
        + "\"WA Full (122cm)\";\(end);14:18:42;9;0;0\n"
    }
    let head =
      "Title;Date;Standard round;Indoor;Bow;Arrow;Round;Distance;Target;End;Timestamp;Points;x;y\n"
    // The third training has another distance.
    let lines = [
      arrow(1, 1), arrow(1, 2), arrow(2, 1), arrow(2, 2), arrow(3, 1, 50), arrow(3, 2, 50),
    ]
    try (head + lines.joined()).write(toFile: file, atomically: true, encoding: .utf8)
    let command = ["round", "import", file, "--format", "mytargets"]
    for output in ["added 6 arrows, unchanged 0", "added 0 arrows, unchanged 6"] {
      let imported = try server.run(command)
      #expect(imported.output == "3 rounds: \(output)\n", "\(imported.errors)")
    }
    let answer = try server.quiver("call", "Rounds/ListFormats", #"{"ownOnly":true}"#).json()
    let formats = try #require(answer["formats"] as? [[String: Any]])
    #expect(formats.compactMap { $0["name"] as? String } == ["Mine", "Mine 2"])
  }
}
