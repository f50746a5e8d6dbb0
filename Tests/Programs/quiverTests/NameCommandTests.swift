import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("Names on the command line", .timeLimit(.minutes(20)))
struct NameCommandTests {
  /// An open event with entries; the id of the first of them is 1.
  private static func event(_ server: RunningServer, _ entries: [String]) throws {
    let made = try server.quiver(
      "event", "create", "Indoor", "--round", "wa18", "--categories", "RM,RW", "--targets", "1-4")
    #expect(made.code == 0, "\(made.errors)")
    let file = server.directory.path + "/entries.csv"
    try ("bib,name,category\n" + entries.joined(separator: "\n") + "\n")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let imported = try server.quiver("event", "import", "Indoor", file)
    #expect(imported.output == "\(entries.count) entries\n", "\(imported.errors)")
  }

  private static func states(_ server: RunningServer) throws -> [String: String] {
    let list = try server.quiver("event", "entries", "Indoor", "--json").json()
    let entries = try #require(list["entries"] as? [[String: Any]])
    return Dictionary(
      entries.map { ($0["displayName"] as? String ?? "", $0["state"] as? String ?? "") }
    ) { first, _ in first }
  }

  @Test("Digits that are the id of one archer and the bib of another change nobody")
  func idAndBib() throws {
    let server = try RunningServer()
    try Self.event(server, ["2,Ann Archer,RM", "9,Ben Bow,RM"])
    let before = try Self.states(server)
    let refused = try server.quiver("event", "state", "2", "checked-in")
    #expect(refused.code == 64 && refused.output.isEmpty)
    for name in ["Ann Archer", "Ben Bow", "bib", "#2"] {
      #expect(refused.errors.contains(name), "\(refused.errors)")
    }
    #expect(try Self.states(server) == before)
    let byID = try server.quiver("event", "state", "2", "checked-in", "--id")
    #expect(byID.output == "Ben Bow is checked-in\n", "\(byID.errors)")
    let marked = try server.quiver("event", "state", "#1", "checked-in")
    #expect(marked.output == "Ann Archer is checked-in\n", "\(marked.errors)")
    // A command that never took an id takes a bib.
    let bib = try server.quiver("event", "check-in", "2", "--state", "entered")
    #expect(bib.output == "Ann Archer is entered\n", "\(bib.errors)")
    // An id that is no bib is an id, as in scripts of before.
    let plain = try server.quiver("event", "state", "1", "checked-in")
    #expect(plain.output == "Ann Archer is checked-in\n", "\(plain.errors)")
  }

  @Test("A name of several archers is refused with all of them, and nobody is changed")
  func ambiguous() throws {
    let server = try RunningServer()
    try Self.event(
      server, ["11,Ben Bow,RM", "12,Bea Bow,RM", "13,Ann Archer,RM", "14,Ann Archer,RW"])
    let before = try Self.states(server)
    for (words, names) in [
      (["13", "be"], ["Ben Bow (bib 11)", "Bea Bow (bib 12)"]),
      (["Ann Archer"], ["bib 13", "bib 14"]), (["11", "Zed"], ["there is no archer Zed"]),
      (["11-13", "nobody"], ["nobody"]), (["90-95"], ["no archer has a bib from 90-95"]),
      ([""], ["is empty"]), (["99999999999999999999"], ["too large"]),
    ] {
      let refused = try server.run(["event", "check-in"] + words)
      #expect(refused.code == 64, "\(words)")
      for name in names { #expect(refused.errors.contains(name), "\(refused.errors)") }
    }
    #expect(try Self.states(server) == before)
    let file = server.directory.path + "/bibs.txt"
    try "bib\n11\n\nZed\n".write(toFile: file, atomically: true, encoding: .utf8)
    let line = try server.quiver("event", "check-in", "--from", file)
    #expect(line.code == 64 && line.errors.contains("line 4"), "\(line.errors)")
    #expect(try Self.states(server) == before)
    let all = try server.quiver("event", "check-in", "11-13", "14")
    #expect(all.output == "4 archers are checked-in\n", "\(all.errors)")
  }

  @Test("Names that look like flags, numbers or ids, and names from right to left, are found")
  func hostile() throws {
    let server = try RunningServer()
    let name = "\u{05D3}\u{05E0}\u{05D4} \u{05DC}\u{05D5}\u{05D9}"
    try Self.event(
      server, ["-v,--yes,RM", "x1,99,RM", "x2,\(name),RW", "x3,#7,RW", "0012,Null Seven,RW"])
    for (words, found) in [
      (["--", "--yes"], "--yes"), (["--", "-v"], "--yes"), (["99"], "99"),
      ([String(name.prefix(3))], name), (["0012"], "Null Seven"), (["null  SEVEN"], "Null Seven"),
    ] {
      let run = try server.run(["event", "check-in"] + words)
      #expect(run.output == "\(found) is checked-in\n", "\(words): \(run.errors)")
    }
    let flag = try server.quiver("event", "check-in", "--yas")
    #expect(flag.code == 64 && flag.errors.contains("--"), "\(flag.errors)")
    for text in ["a\u{1B}[31mb", "a\u{202E}b", "a\nb"] {
      let run = try server.quiver("event", "check-in", text)
      #expect(run.code == 64 && run.errorLines.count == 2, "\(run.errors)")
      #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\u{202E}"))
    }
  }

  @Test("Categories, sessions and events by code, name and beginning; a wrong one by suggestions")
  func others() throws {
    let server = try RunningServer()
    try Self.event(server, ["1,Ann Archer,RM"])
    for (words, code, text) in [
      (["event", "categories", "indoor"], Int32(0), "RM"),
      (["event", "categories", "Ind"], 0, "RM"),
      (["event", "standings", "Indoor", "--category", "rm"], 0, "Ann Archer"),
      (["event", "entries", "Indoor", "--session", "qual"], 0, "NAME"),
      (["event", "categories", "Indor"], 64, "did you mean Indoor?"),
      (["event", "standings", "Indoor", "--category", "RX"], 64, "did you mean RM or RW?"),
      (["event", "draw", "Indoor", "morning", "random"], 64, "there is no session morning"),
      (["event", "create", "B", "--round", "wa81"], 64, "wa18"),
      (["event", "create", "B", "--round", "wa18", "--categories", "X:crossbow"], 64, "recurve"),
      (
        ["event", "session", "Indoor", "late", "--first", "1", "--last", "4", "--archers", "9"],
        64 + 3, "--archers 9"
      ),
    ] {
      let run = try server.run(words)
      #expect(run.code == code, "\(words): \(run.errors)")
      #expect((run.output + run.errors).contains(text), "\(words): \(run.output)\(run.errors)")
    }
    let changed = try server.quiver("event", "edit-category", "Indoor", "RW", "--name", "Women")
    #expect(changed.code == 0, "\(changed.errors)")
    let stale = try server.quiver(
      "event", "edit-category", "Indoor", "RW", "--name", "Other", "--revision", "1")
    #expect(stale.code == 74 && stale.errors.contains("--revision"), "\(stale.errors)")
  }

  @Test("A role is given and taken by a name, and of several people with it none gets it")
  func officials() throws {
    let server = try RunningServer()
    try Self.event(server, ["1,Ann Archer,RM"])
    let code = try #require(
      try server.quiver("tournament", "show", "Indoor", "--json").json()["joinCode"] as? String)
    for name in ["Bea Bow", "Bea Box"] {
      let file = try server.token(of: name)
      let joined = try server.run(["tournament", "join", code], tokenFile: file)
      #expect(joined.code == 0, "\(joined.errors)")
    }
    let several = try server.quiver("event", "appoint", "Indoor", "bea", "judge")
    #expect(several.code == 64 && several.errors.contains("Bea Box"), "\(several.errors)")
    let judge = try server.quiver("event", "appoint", "Indoor", "bea box", "judge")
    #expect(judge.output == "Bea Box is judge\n", "\(judge.errors)")
    let dismissed = try server.quiver("event", "dismiss", "Indoor", "Bea Box")
    #expect(dismissed.code == 0, "\(dismissed.errors)")
  }

  @Test(
    "Calls are named by their target or archer, and a time of the calendar is shown with its zone")
  func calls() throws {
    let server = try RunningServer()
    try Self.event(server, ["11,Ann Archer,RM"])
    let drawn = try server.quiver("event", "draw", "Indoor", "Qualification", "random", "--waiting")
    #expect(drawn.code == 0, "\(drawn.errors)")
    let target = try #require(
      try server.quiver("event", "entries", "Indoor", "--json").json()["entries"]
        as? [[String: Any]])[0]["target"]
    let call = try server.quiver(
      "event", "call", "Indoor", "Qual", "\(target ?? 0)", "equipment-failure", "--participant",
      "11", "--owed", "3")
    #expect(call.code == 0, "\(call.errors)")
    let list = try server.quiver("event", "calls", "Indoor")
    #expect(list.output.contains("Ann Archer") && list.output.contains("Qualification"))
    let resolved = try server.quiver("event", "resolve-call", "Indoor", "ann", "three arrows")
    #expect(resolved.output.contains("three arrows"), "\(resolved.errors)")
    let again = try server.quiver("event", "resolve-call", "Indoor", "ann", "three arrows")
    #expect(again.code == 64 && again.errors.contains("there is no call"), "\(again.errors)")
  }
}

/// Programs on a terminal of 40 columns.
@Suite("A narrow terminal", .timeLimit(.minutes(20)))
struct NarrowTerminalTests {
  /// Runs `quiver` with a terminal as its standard streams and types `keys`; what it printed.
  private static func run(
    _ arguments: [String], _ server: RunningServer, keys: String = ""
  ) throws -> (code: Int32, lines: [String]) {
    let screen = try Screen(width: 40)
    let process = ChildProcess()
    process.executableURL = try Programs.url("quiver")
    process.arguments = arguments
    process.environment = [
      "QUIVER_SERVER": server.address, "HOME": server.directory.path, "NO_COLOR": "1",
      "QUIVER_TOKEN_FILE": server.directory.path + "/data/admin.token",
    ]
    process.standardInput = screen.terminal
    process.standardOutput = screen.terminal
    process.standardError = screen.terminal
    try process.run()
    try screen.terminal.close()
    if !keys.isEmpty { try screen.type(keys) }
    let text = screen.rest()
    process.waitUntilExit()
    let lines = text.split(whereSeparator: \.isNewline)
    return (process.terminationStatus, lines.map(String.init))
  }

  private static func server() throws -> RunningServer {
    let server = try RunningServer()
    let made = try server.quiver(
      "event", "create", "Indoor", "--round", "wa18", "--categories", "RM,RW", "--targets", "1-4")
    #expect(made.code == 0, "\(made.errors)")
    return server
  }

  @Test("Tables and help fit 40 columns, but for single words and examples")
  func widths() throws {
    let server = try Self.server()
    for arguments in [
      ["event", "categories", "Indoor"], ["event", "sessions", "Indoor"], ["--help"],
      ["event", "--help"], ["event", "draw", "--help"], ["help", "flags"],
      ["event", "match", "score", "--help"], ["help", "draw"], ["tournament", "list"],
    ] {
      let (code, lines) = try Self.run(arguments, server)
      #expect(code == 0 && lines.count > 3, "\(arguments): \(lines)")
      for line in lines where line.count > 40 && !line.hasPrefix("  quiver ") {
        let words = line.split(separator: " ")
        #expect(words.count <= 2, "\(arguments): \(line)")
      }
    }
  }

  @Test(
    "What is destroyed is named and asked for on a terminal, and anything but yes changes nothing")
  func consent() throws {
    let server = try Self.server()
    func hasRW() throws -> Bool {
      try server.quiver("event", "categories", "Indoor").output.contains("RW")
    }
    for keys in ["n\n", "\n", "maybe\n", "\u{4}"] {
      let (code, lines) = try Self.run(
        ["event", "rm-category", "Indoor", "RW"], server, keys: keys)
      #expect(code == 64 && lines.joined().contains("deletes category RW"), "\(lines)")
      #expect(lines.contains { $0.contains("nothing was changed") }, "\(lines)")
      #expect(try hasRW())
    }
    let (code, lines) = try Self.run(["event", "rm-category", "Indoor", "RW"], server, keys: "y\n")
    #expect(code == 0, "\(lines)")
    #expect(try !hasRW())
    // A script is not asked, and --yes does not ask either.
    let script = try server.quiver("tournament", "create", "Other", "--round", "wa18")
    #expect(script.code == 0, "\(script.errors)")
    let removed = try Self.run(["tournament", "rm", "Other", "--yes"], server)
    #expect(removed.code == 0, "\(removed.lines)")
  }
}
