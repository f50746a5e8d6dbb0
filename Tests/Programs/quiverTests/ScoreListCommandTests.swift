import Foundation
import TestSupport
import Testing

@testable import quiver_command

@Suite("quiver round import-scores", .timeLimit(.minutes(10)))
struct ScoreListCommandTests {
  @Test("Rounds of a list are stored once, count as personal bests, and are exported again")
  func imported() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/scores.csv"
    try """
    date,round,score,hits,golds,x,place,status,bow,notes
    2014-06-01,wa18,540,60,20,,Lyon,record,recurve,
    2015-06-01,wa18,550,60,25,9,,club,recurve,"windy, cold"

    """.write(toFile: file, atomically: true, encoding: .utf8)
    let dry = try server.quiver("round", "import-scores", file, "--dry-run")
    #expect(dry.output == "2 rounds; nothing was stored\n", "\(dry.errors)")
    for _ in 0..<2 {
      let run = try server.quiver("round", "import-scores", file)
      #expect(run.output == "2 rounds\n", "\(run.errors)")
    }
    let sessions = try server.quiver("round", "list", "--json").json()
    #expect((sessions["sessions"] as? [Any])?.count == 2)
    let bests = try server.quiver("call", "Rounds/GetPersonalBests", "{}").json()
    let best = try #require((bests["bests"] as? [[String: Any]])?.first)
    #expect(best["score"] as? Int == 550 && best["roundCount"] as? Int == 2)
    let list = try server.quiver("round", "export-scores").output
    #expect(list.contains("2014-06-01,wa18,540,60,20,,Lyon,record,recurve,"))
    #expect(list.contains("2015-06-01,wa18,550,60,25,9,,club,recurve,\"windy, cold\""))
    let added = try server.quiver(
      "round", "add", "wa18", "555", "--date", "2016-06-01", "--status", "open")
    #expect(added.output.contains("is added"), "\(added.errors)")
    #expect(try server.quiver("round", "export-scores").output.contains("2016-06-01,wa18,555,,,,"))
  }

  @Test("Two equal rounds of one day are two rounds, however often the list is imported")
  func equal() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/scores.csv"
    let line = "2014-06-01,wa18,540\n"
    for lines in [line + line, line + line, line] {
      try ("date,round,score\n" + lines).write(toFile: file, atomically: true, encoding: .utf8)
      let run = try server.quiver("round", "import-scores", file)
      #expect(run.code == 0, "\(run.errors)")
    }
    let sessions = try server.quiver("round", "list", "--json").json()
    #expect((sessions["sessions"] as? [Any])?.count == 2)
  }

  @Test("Of 50,000 rounds with an error in every tenth the errors are counted, and none is stored")
  func manyErrors() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/scores.csv"
    var text = "date,round,score\n"
    for number in 0..<50_000 {
      let line =
        switch number % 20 {
        case 0: "2014-02-30,wa18,540\n"
        case 10: "2014-02-28,wa18,601\n"
        default: "2014-02-28,wa18,540\n"
        }
      text += line
    }
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let run = try server.quiver("round", "import-scores", file)
    #expect(run.code != 0 && run.output.isEmpty)
    #expect(run.errors.contains("line 2: date must be as in 2014-06-01 or 01/06/2014"))
    #expect(run.errors.contains("and 4980 more"), "\(run.errors)")
    #expect(run.errors.contains("5000 bad lines; nothing was stored"))
    let sessions = try server.quiver("round", "list", "--json").json()
    #expect((sessions["sessions"] as? [Any])?.isEmpty != false)
  }

  @Test("A line that cannot be stored stores nothing, and is named")
  func refused() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/scores.csv"
    for (line, reason) in [
      ("2014-06-01,wa18,601", "line 3: total must be from 0 to 600"),
      ("2014-06-01,nothing,60", "line 3: round is none of"),
      ("2999-06-01,wa18,60", "line 3: date must not be in the future"),
    ] {
      try "date,round,score\n2014-06-01,wa18,540\n\(line)\n".write(
        toFile: file, atomically: true, encoding: .utf8)
      let run = try server.quiver("round", "import-scores", file)
      #expect(run.code != 0 && run.errors.contains(reason), "\(run.errors)")
    }
    let sessions = try server.quiver("round", "list", "--json").json()
    #expect((sessions["sessions"] as? [Any])?.isEmpty != false)
  }
}
