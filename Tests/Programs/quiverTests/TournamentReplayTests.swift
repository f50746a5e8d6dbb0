import Foundation
import TestSupport
import Testing

@Suite("quiver tournament replay", .timeLimit(.minutes(20)))
struct TournamentReplayTests {
  @Test(
    "A replay in random order, with repetitions and lost connections, gives the file's standings"
  )
  func everythingAtOnce() throws {
    let expected = try Sample.standings(["10", "9"])
    // The sample has ties that separate, and some that do not.
    let ranks = expected.map { $0.prefix { $0 != " " } }
    #expect(expected.count >= 60 && Set(ranks).count < ranks.count)
    let server = try RunningServer()
    // tools/checks/tournament.sh plays each of these alone, and other policies.
    let run = try server.run(
      [
        "tournament", "replay", Sample.path, "--policy", "wa-indoor", "--order", "random",
        "--seed", "8", "--duplicate", "--disconnect-every", "60",
      ])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output == expected.map { $0 + "\n" }.joined())
    #expect(run.errors.hasPrefix("tournament "))
  }

  @Test("A replay warns of repeated lines and creates an entry for each")
  func repeatedLines() throws {
    let server = try RunningServer()
    let path = server.directory.path + "/repeated.csv"
    try Data("archer,a1,a2,a3\nRobin,X,9,8\nWill,9,9,9\nRobin,X,9,8\n".utf8)
      .write(to: URL(filePath: path))
    let run = try server.run(["tournament", "replay", path])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("line 4 repeats line 2 (Robin); both are entries"))
    #expect(run.output.split(separator: "\n").count == 3)
  }

  @Test("A watch of a replay shows moving rows up to the results")
  func watched() throws {
    let server = try RunningServer()
    let replay = try Run.Started(
      ["tournament", "replay", Sample.path, "--policy", "SCORE_ONLY"], in: server.directory,
      environment: ["QUIVER_SERVER": server.address])
    var id = ""
    var tries = 0
    while id.isEmpty {
      tries += 1
      try #require(tries < 500, "no event was made")
      let list = try server.quiver("call", "Tournament/ListTournaments").json()
      let events = list["tournaments"] as? [[String: Any]] ?? []
      id = events.first?["id"] as? String ?? ""
    }
    let watch = try Run.Started(
      ["tournament", "watch", id, "--top", "200", "--until-final"], in: server.directory,
      environment: ["QUIVER_SERVER": server.address])
    let played = replay.end()
    let seen = watch.end()
    #expect(played.code == 0 && seen.code == 0, "\(played.errors)\(seen.errors)")
    #expect(played.output == (try Sample.standings([])).map { $0 + "\n" }.joined())
    var last: [Substring: Int] = [:]
    var moves = 0
    for line in seen.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      try #require(words.count == 5, "\(line)")
      let total = try #require(Int(words[2]))
      if let before = last[words[1]] {
        #expect(total >= before)
        moves += total > before ? 1 : 0
      }
      last[words[1]] = total
    }
    // The number depends on the speed of the replay.
    #expect(moves > 0)
    let totals = try Sample.rows().map { (Substring($0.name), $0.total) }
    #expect(last == Dictionary(uniqueKeysWithValues: totals))
    let results = try server.quiver("tournament", "results", id)
    #expect(results.code == 0 && results.output.split(separator: "\n").count == 65)
    let json = try server.quiver("tournament", "results", id, "--json").json()
    #expect((json["rows"] as? [Any])?.count == 64)
  }

  /// Files that cannot be replayed, and the messages.
  static let bad: [(text: String, flags: [String], said: String)] = [
    ("", [], "line 1, column 1"), ("name,a1\nAnn,9\n", [], "line 1, column 1"),
    ("archer,a1,a3\nAnn,9,9\n", [], "line 1, column 3"), ("archer\nAnn\n", [], "line 1, column 2"),
    ("archer,a1\n", [], "line 2, column 1"), ("archer,a1\n\n,9\n", [], "line 3, column 1"),
    ("archer,a1,a2\nAnn,9\n", [], "line 2, column 3"),
    ("archer,a1\nAnn,9,9\n", [], "line 2, column 3"),
    ("archer,a1,a2\nAnn,9,12\n", [], "line 2, column 3"),
    ("archer,a1\nAnn,11\n", [], "line 2, column 2"), ("archer,a1\nAnn,\n", [], "line 2, column 2"),
    ("archer,a1\nAnn,8\n", ["--round", "york"], "line 2, column 2"),
    ("archer,a1\n\(String(repeating: "n", count: 51)),9\n", [], "line 2, column 1"),
    ("archer,a1\nAnn,9\n", ["--round", "nowhere"], "no round nowhere"),
    ("archer,a1\nAnn,9\n", ["--policy", "X_FRIST"], "did you mean X_FIRST"),
    ("archer,a1\nAnn,9\n", ["--order", "odd"], "--order expects"),
    ("archer,a1\nAnn,9\n", ["--seed", "3"], "--seed goes with"),
    ("archer,a1\nAnn,9\n", ["--disconnect-every", "0"], "--disconnect-every expects"),
  ]

  @Test("A file that is not valid is refused with the line, and nothing is created")
  func badFiles() throws {
    let server = try RunningServer()
    for (index, (text, flags, said)) in Self.bad.enumerated() {
      let file = try server.directory.file("sheet\(index).csv", text)
      let run = try server.run(["tournament", "replay", file] + flags)
      #expect(run.code == 64 && run.output.isEmpty, "\(text)")
      #expect(run.errorLines.first?.contains(said) == true, "\(text): \(run.errors)")
      if said.hasPrefix("line") { #expect(run.errors.contains("sheet\(index).csv, ")) }
    }
    let list = try server.quiver("call", "Tournament/ListTournaments").json()
    #expect((list["tournaments"] as? [Any])?.isEmpty == true)
    #expect(try server.quiver("tournament", "replay", "nowhere.csv").code == 64)
  }

  @Test("Blanks, quotes, a byte order mark and CRLF line ends are read")
  func spelling() throws {
    let server = try RunningServer()
    let file = try server.directory.file(
      "sheet.csv", "\u{FEFF}archer,a1,a2\r\n\"Hood, Robin\", X ,10\r\n\r\nAnn,m,x\r\n")
    let run = try server.quiver("tournament", "replay", file)
    #expect(run.output == "1 Hood, Robin 20 1 2\n2 Ann 10 1 1\n", "\(run.errors)")
    let json = try server.quiver("tournament", "replay", file, "--json").json()
    let rows = json["rows"] as? [[String: Any]] ?? []
    #expect(
      rows.map { $0["display_name"] as? String ?? $0["displayName"] as? String } == [
        "Hood, Robin", "Ann",
      ])
  }
}
