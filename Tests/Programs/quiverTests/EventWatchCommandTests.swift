import ChildProcesses
import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import TestSupport
import Testing

@testable import quiver_command

@Suite("quiver event watch-bracket and watch-match", .timeLimit(.minutes(20)))
struct EventWatchCommandTests {
  /// A server with a bracket of four archers, and the ids of its stage and of its first match.
  private struct TestBracket {
    let server: RunningServer
    let stage: String
    let match: String

    init() throws {
      server = try RunningServer()
      let made = try server.quiver(
        "tournament", "create", "Club", "--round", "wa18", "--arrows", "3", "--json"
      ).json()
      let id = try #require(made["id"] as? String)
      let directory = try TemporaryDirectory()
      let file = directory.path + "/entries.csv"
      try "bib,name\n1,Ann\n2,Ben\n3,Cid\n4,Dot\n".write(
        toFile: file, atomically: true, encoding: .utf8)
      #expect(try server.quiver("event", "import", id, file).output == "4 entries\n")
      #expect(try server.quiver("tournament", "start", id).code == 0)
      let entries = try #require(
        try server.quiver("event", "entries", id, "--json").json()["entries"] as? [[String: Any]])
      for (index, entry) in entries.enumerated() {
        let archer = try #require(entry["participantId"] as? String)
        let arrow = "\(10 - index)"
        #expect(
          try server.quiver("tournament", "end", archer, "1", arrow, arrow, arrow).code == 0)
      }
      let category = try #require(entries[0]["categoryId"] as? String)
      let cut = try server.quiver("event", "cut", id, category, "4", "individual-sets", "--json")
      let bracket = try cut.json()
      stage = try #require((bracket["stage"] as? [String: Any])?["id"] as? String)
      let matches = try #require(bracket["matches"] as? [[String: Any]])
      match = try #require(matches.first?["id"] as? String)
    }

    func watch(_ words: String...) throws -> Run.Started {
      try Run.Started(
        ["event"] + words, in: server.directory, environment: ["QUIVER_SERVER": server.address])
    }
  }

  @Test("A watch of a bracket prints each change once, also over a restart, and ends with SIGINT")
  func bracket() throws {
    let test = try TestBracket()
    let watch = try test.watch("watch-bracket", test.stage)
    watch.read(until: "for bronze, is waiting")
    let forfeit = try test.server.quiver(
      "event", "forfeit", test.match, "2", "--reason", "a broken bow")
    #expect(forfeit.code == 0, "\(forfeit.errors)")
    watch.read(until: "wins by forfeit")
    let address = test.server.address
    test.server.stop()
    try test.server.start(address)
    let placed = try test.server.quiver(
      "event", "targets", test.stage, "2", "5", "--targets", "1")
    #expect(placed.code == 0, "\(placed.errors)")
    watch.read(until: "target 6")
    watch.signal(SIGINT)
    let seen = watch.end()
    #expect(seen.code == 0, "\(seen.errors)")
    let lines = seen.output.split(separator: "\n").map(String.init)
    #expect(Set(lines).count == lines.count, "a line is there twice: \(lines)")
    let own = lines.filter { $0.hasPrefix("match \(test.match), round of 4, 1, is ") }
    #expect(own.first?.contains("is scheduled: Ann 0 (0) : 0 (0) Dot, revision ") == true)
    #expect(own.last?.contains("is confirmed: Ann") == true && own.count == 2, "\(own)")
    #expect(lines.contains { $0.contains("for gold, is waiting: Ann 0 (0) : 0 (0) nobody") })
    #expect(seen.errors.contains("disconnected since ") && seen.errors.contains("connected again"))
  }

  @Test("A watch of a match prints each end and the match, in text and as JSON by lines")
  func match() throws {
    let test = try TestBracket()
    let text = try test.watch("watch-match", test.match)
    let json = try test.watch("watch-match", test.match, "--output", "json", "--max", "2")
    text.read(until: "revision ")
    json.read(until: "\n")
    let end = try test.server.quiver("event", "end", test.match, "1", "1", "X", "10", "9")
    #expect(end.code == 0, "\(end.errors)")
    text.read(until: "is shooting")
    text.signal(SIGINT)
    let seen = text.end()
    #expect(seen.code == 0, "\(seen.errors)")
    let lines = seen.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[1] == "Ann, end 1: X 10 9", "\(lines)")
    #expect(lines[2].contains("is shooting: Ann 0 (0) : 0 (0) Dot, revision "))
    let objects = json.end()
    #expect(objects.code == 0, "\(objects.errors)")
    let messages = try objects.output.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    #expect(messages.count == 2 && messages.allSatisfy { $0?["id"] as? String == test.match })
    #expect(messages.last??["state"] as? String == "MATCH_STATE_SHOOTING")
  }

  @Test("A correction in a match names who agreed, and a watch shows the name")
  func agreed() throws {
    let test = try TestBracket()
    func end(_ words: String...) throws -> Run {
      try test.server.run(["event", "end", test.match, "1", "1"] + words)
    }
    #expect(try end("X", "10", "9").code == 0)
    let own = try end("X", "10", "8", "--reason", "misread", "--witness", "Ann")
    #expect(own.code == 64 && own.errors.contains("not on the side"), "\(own.errors)")
    let corrected = try end("X", "10", "8", "--reason", "misread", "--witness", "Dot")
    #expect(corrected.code == 0, "\(corrected.errors)")
    let watch = try test.watch("watch-match", test.match, "--max", "1")
    let seen = watch.end()
    #expect(seen.output.contains("Ann, end 1: X 10 8, agreed by Dot\n"), "\(seen.errors)")
  }

  @Test("A wait for the server pauses behind a failed attempt, and ends with its task")
  func waits() async {
    let attempts = Mutex(0)
    let (made, mark) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await Access.waitForServer(pause: .seconds(3_600)) { () async throws(RPCError) in
        attempts.withLock { $0 += 1 }
        mark.yield()
        throw RPCError(.unimplemented, "no such method")
      }
    }
    for await _ in made { break }
    task.cancel()
    #expect(await task.value == false)
    #expect(attempts.withLock { $0 } == 1)
    let isReady = await Access.waitForServer(pause: .zero) { () async throws(RPCError) in
      let count = attempts.withLock { count in
        count += 1
        return count
      }
      if count < 4 { throw RPCError(.permissionDenied, "not yet") }
    }
    #expect(isReady && attempts.withLock { $0 } == 4)
  }

  @Test("A watch of what is not there, and arguments that are not valid, fail with the reason")
  func refusals() throws {
    let server = try RunningServer()
    for (word, name) in [("watch-bracket", "stage"), ("watch-match", "match")] {
      let missing = try server.quiver("event", word, "999")
      #expect(missing.code == 64 + 5 && missing.output.isEmpty, "\(missing.errors)")
      let usage = try server.quiver("event", word, "x")
      #expect(usage.code == 64 && usage.errors.contains("there is no \(name) x"))
      #expect(try server.quiver("event", word, "1", "--max", "0").code == 64)
      let help = try server.quiver("event", word, "--help")
      #expect(help.code == 0 && help.output.contains("Examples\n  quiver event \(word) "))
    }
    server.stop()
    let refused = try server.quiver("event", "watch-match", "1")
    #expect(refused.code == 78 && refused.errors.contains("UNAVAILABLE"), "\(refused.errors)")
  }

  @Test("Lines of matches name groups, medals, winners, targets and what was removed")
  func lines() {
    var match = EliminationMatch.with { match in
      (match.id, match.group, match.groupRound, match.state) = (7, 2, 1, .finished)
      match.sides = [
        .with { ($0.displayName, $0.setPoints, $0.confirmed, $0.target) = ("Ann", 6, true, 3) },
        .with { ($0.displayName, $0.setPoints, $0.target) = ("Ben", 2, 4) },
      ]
      (match.winner, match.decision, match.revision) = (1, .shootOff, 9)
    }
    #expect(
      EventMatchLines.line(match)
        == "match 7, group 2, round 1, is finished: Ann 6 (0) : 2 (0) Ben, targets 3 and 4, "
        + "Ann wins by shoot-off, card of Ann is confirmed, revision 9")
    var lines = EventMatchLines()
    match.sides[0].entries = [
      .with { entry in
        (entry.shootOff, entry.index, entry.isCloser) = (true, 1, true)
        (entry.arrows, entry.distances) = ([.with { $0.value = 9 }], [125])
      }
    ]
    #expect(
      lines.take(match).first == "Ann, shoot-off 2: 9, 12.5 mm from the centre, closer")
    match.sides[0].entries = []
    (match.winner, match.group, match.roundSize, match.index) = (0, 0, 2, 1)
    let removed = lines.take(match)
    #expect(removed.first == "Ann, shoot-off 2: none" && removed.count == 2)
    #expect(removed.last?.hasPrefix("match 7, for bronze, is finished: ") == true)
    #expect(lines.take(match).isEmpty)

    var bracket = QuiverAPI.EliminationBracket.with { bracket in
      bracket.ranks = [
        .with { ($0.seed, $0.rank, $0.displayName, $0.group, $0.points) = (1, 1, "Ann", 2, 4) },
        .with { ($0.seed, $0.displayName) = (2, "Ash") },
      ]
    }
    #expect(lines.take(bracket) == ["group 2, rank 1: Ann, 4 points"])
    (bracket.ranks[1].rank, bracket.ranks[0].rank) = (1, 0)
    bracket.ranks[1].members = [.with { $0.displayName = "Ben" }]
    #expect(
      lines.take(bracket) == ["group 2, no rank: Ann, 4 points", "rank 1: Ash (Ben)"])
  }
}
