import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("quiver tournament", .timeLimit(.minutes(20)))
struct TournamentCommandTests {
  /// A server with an event of two entries, and the event's id.
  private func event(_ body: (RunningServer, String) throws -> Void) throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "tournament", "create", "Club", "--round", "wa18", "--arrows", "3", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    let entered = try server.quiver("tournament", "enter", id, "Ann", "Ben")
    #expect(entered.code == 0 && entered.output.split(separator: "\n").count == 2)
    try body(server, id)
  }

  /// Records arrows of a participant's first end.
  private func score(_ server: RunningServer, _ participant: String, _ values: [Int]) throws {
    for (index, value) in values.enumerated() {
      let run = try server.quiver(
        "call", "Tournament/RecordArrow",
        "{\"operation\":{\"participant_id\":\"\(participant)\",\"arrow_index\":\(index),"
          + "\"value\":\(value)}}")
      #expect(run.code == 0, "\(run.errors)")
    }
  }

  private func participants(_ server: RunningServer, _ id: String) throws -> [String] {
    let run = try server.quiver("tournament", "rank", id)
    return run.output.split(separator: "\n").dropFirst().map {
      String($0.split(separator: " ")[1])
    }
  }

  @Test("A tournament is created, joined, started, ranked, explained and ended")
  func life() throws {
    try event { server, id in
      let people = try participants(server, id)
      #expect(people.count == 2)
      let started = try server.quiver("tournament", "start", id)
      #expect(started.output == "tournament \(id) is in-progress, 2 take part\n")
      try score(server, people[0], [9, 9, 9])
      try score(server, people[1], [10, 10, 7])
      #expect(try server.quiver("tournament", "results", id).code == 64 + 9)
      let ranked = try server.quiver("tournament", "rank", id)
      let lines = ranked.output.split(separator: "\n").map { $0.split(separator: " ") }
      #expect(lines[1] == ["1", Substring(people[1]), "Ben", "27", "0", "2", "1", "-"])
      let moved = try server.quiver("tournament", "rank", id, "--policy", "SCORE_ONLY")
      #expect(moved.output.contains("WAS") && moved.output.split(separator: "\n").count == 3)
      let why = try server.quiver("tournament", "why", id, people[1], people[0])
      #expect(why.output == "Ben is above Ann by arrows of 10: 2 against 0\n")
      let ended = try server.quiver("tournament", "finalise", id)
      #expect(ended.output == "tournament \(id) is completed, 2 take part\n")
      let results = try server.quiver("tournament", "results", id)
      #expect(results.code == 0 && results.output.split(separator: "\n").count == 3)
      #expect(results.errors == "")
    }
  }

  @Test("Results and standings of a finalised tournament say which parts were not finished")
  func unfinished() throws {
    try event { server, id in
      let people = try participants(server, id)
      #expect(try server.quiver("tournament", "start", id).code == 0)
      try score(server, people[0], [9, 9, 9])
      let early = try server.quiver("event", "standings", id)
      #expect(early.code == 0 && early.errors == "")
      #expect(try server.quiver("tournament", "finalise", id).code == 0)
      let sentence = "not finished: 1 entries have not shot all arrows"
      for command in [["tournament", "results", id], ["event", "standings", id]] {
        let shown = try server.run(command)
        #expect(shown.code == 0 && shown.output.split(separator: "\n").count == 3)
        #expect(shown.errors == sentence + "\n")
        #expect(try server.run(command + ["--quiet"]).errors == "")
      }
      let json = try server.quiver("tournament", "results", id, "--json").json()
      let steps = try #require(json["openSteps"] as? [[String: Any]])
      #expect(steps.map { $0["kind"] as? String } == ["EVENT_STEP_KIND_QUALIFICATION"])
      try score(server, people[1], [8])
      let late = try server.quiver("tournament", "results", id)
      #expect(late.errors == sentence + ", 1 late operations wait for a decision\n")
    }
  }

  @Test("A tournament is joined by its code, again without effect, and not by another code")
  func joining() throws {
    let server = try RunningServer()
    let made = try server.quiver("tournament", "create", "Open", "--round", "york")
    let code = String(made.output.split(whereSeparator: \.isWhitespace).last ?? "")
    #expect(code.count == 19)
    let secret = try server.quiver("token", "create", "--name", "Robin", "--kind", "user").output
    let token = try server.directory.file("robin.token", secret)
    let joined = try server.run(["tournament", "join", code], tokenFile: token)
    #expect(joined.code == 0 && joined.output.hasSuffix(", Robin\n"), "\(joined.errors)")
    let again = try server.run(["tournament", "join", code], tokenFile: token)
    #expect(again.output == joined.output)
    let id = String(joined.output.split(separator: ":")[0].split(separator: " ")[1])
    let guest = try server.run(["tournament", "enter", id, "Ann", "--guest"], tokenFile: token)
    #expect(guest.code == 0 && guest.output.hasSuffix(" Ann\n"))
    #expect(try server.run(["tournament", "enter", id, "Ben"], tokenFile: token).code == 64 + 7)
    #expect(try server.run(["tournament", "start", id], tokenFile: token).code == 64 + 7)
    let wrong = try server.run(["tournament", "join", "ZZZZZZZZ"], tokenFile: token)
    #expect(wrong.code == 64 + 5)
  }

  /// Invalid arguments, and the messages.
  static let usages: [([String], String)] = [
    (["create", "Club"], "expected --round CODENAME"),
    (["create", "Club", "--round", "wa18", "--arrows", "0"], "--arrows expects"),
    (["create", "Club", "--round", "wa18", "--policy", "nothing"], "there is no policy"),
    (["join"], "expected one CODE"), (["start"], "expected one EVENT"),
    (["enter", "1"], "expected EVENT and at least one NAME"), (["why", "1", "2"], "expected"),
    (["watch", "1", "--top", "201"], "--top expects"),
    (["watch", "1", "--top", "2", "--around", "1"], "do not go together"),
    (["rank", "1", "--policy", "WA_INDOR"], "did you mean WA_INDOOR"),
  ]

  @Test("Arguments that are not valid are refused with the reason", arguments: usages.indices)
  func usage(_ index: Int) throws {
    let (words, said) = Self.usages[index]
    let run = try Run(["tournament"] + words, in: TemporaryDirectory())
    #expect(run.code == 64 && run.errorLines.first?.contains(said) == true, "\(run.errors)")
  }

  @Test("Each command has help")
  func help() throws {
    let directory = try TemporaryDirectory()
    for word in [
      "create", "join", "enter", "start", "finalise", "watch", "results", "rank", "why", "replay",
    ] {
      let run = try Run(["tournament", word, "--help"], in: directory)
      #expect(run.code == 0 && run.output.hasPrefix("usage: quiver tournament \(word) "))
    }
  }

  @Test("A watch redraws its table on a terminal, and continues after a restart")
  func live() throws {
    try event { server, id in
      let people = try participants(server, id)
      #expect(try server.quiver("tournament", "start", id).code == 0)
      let screen = try Screen()
      let watch = ChildProcess()
      watch.executableURL = try Programs.url("quiver")
      watch.arguments = ["tournament", "watch", id, "--max", "2"]
      watch.currentDirectoryURL = URL(fileURLWithPath: server.directory.path)
      watch.environment = [
        "SWIFT_BACKTRACE": "enable=no", "HOME": server.directory.path,
        "QUIVER_SERVER": server.address,
      ]
      watch.standardInput = FileHandle.nullDevice
      watch.standardOutput = screen.terminal
      watch.standardError = FileHandle.nullDevice
      try watch.run()
      let first = screen.read(until: "Ben")
      #expect(first.contains("RANK  ID") && !first.contains("\u{1B}[5A"))
      try score(server, people[1], [10])
      // Five lines up: title, blank, heading and two rows.
      let second = screen.read(until: "10 ")
      #expect(second.contains("\u{1B}[5A\r") && second.contains("\u{1B}[K"))
      watch.waitUntilExit()
      #expect(watch.terminationReason == .exit && watch.terminationStatus == 0)
    }
  }

  @Test("A watch ends when the event is over or its output is closed")
  func ended() throws {
    try event { server, id in
      let people = try participants(server, id)
      #expect(try server.quiver("tournament", "start", id).code == 0)
      try score(server, people[0], [9])
      let unread = try Run.Started(
        ["tournament", "watch", id, "--until-final"], in: server.directory,
        environment: ["QUIVER_SERVER": server.address], isRead: false)
      #expect(unread.end().code == 128 + SIGPIPE)
      #expect(try server.quiver("tournament", "finalise", id).code == 0)
      let seen = try server.quiver("tournament", "watch", id, "--until-final")
      #expect(seen.code == 0 && seen.output.contains("1 Ann 9 0 0"), "\(seen.errors)")
    }
  }

  @Test("A watch continues after a restart of the server")
  func restart() throws {
    try event { server, id in
      let people = try participants(server, id)
      #expect(try server.quiver("tournament", "start", id).code == 0)
      let watch = try Run.Started(
        ["tournament", "watch", id, "--until-final"], in: server.directory,
        environment: ["QUIVER_SERVER": server.address])
      try score(server, people[0], [9])
      watch.read(until: "Ann 9 ")
      let port = server.address
      server.stop()
      try server.start(port)
      try score(server, people[1], [10, 10])
      #expect(try server.quiver("tournament", "finalise", id).code == 0)
      let seen = watch.end()
      #expect(seen.code == 0, "\(seen.errors)")
      let lines = seen.output.split(separator: "\n")
      #expect(lines.contains("1 Ben 20 0 2") && lines.contains { $0.hasSuffix("Ann 9 0 0") })
      #expect(seen.errors.contains("disconnected since "), "\(seen.errors)")
      #expect(seen.errors.contains("connected again"), "\(seen.errors)")
    }
  }

  @Test("A watch whose first connection is refused exits at once with 78")
  func refusedWatch() throws {
    let server = try RunningServer()
    server.stop()
    let seen = try server.quiver("tournament", "watch", "1")
    #expect(seen.code == 78 && seen.errors.contains("UNAVAILABLE"), "\(seen.errors)")
  }
}
