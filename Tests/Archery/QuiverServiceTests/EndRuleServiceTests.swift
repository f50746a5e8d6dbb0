import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Ends that judges change by rules, exchange and move", .timeLimit(.minutes(5)))
struct EndRuleServiceTests {
  /// An event of four ends of three arrows with two archers.
  private struct Line {
    let event: TestEvent
    let archers: [Int64]

    init(_ server: TestServer, starts: Bool = true) async throws {
      event = try await TestEvent(server) { $0.format = .library("wa18", arrows: 12) }
      archers = try await event.entries(
        [TestEvent.draft("1", "Ann"), TestEvent.draft("2", "Ben")]
      ).map(\.participantID)
      if starts { try await event.tournament.start() }
    }

    func record(_ archer: Int, _ end: UInt32, _ values: [UInt32]) async throws {
      for (index, value) in values.enumerated() {
        try await event.tournament.record(archers[archer], end, UInt32(index), value)
      }
    }

    func apply(
      _ rule: EndRule, _ end: UInt32, _ arrows: [UInt32] = [], count: UInt32 = 0,
      archer: Int = 0, reason: String = "seen by the judge", by client: Client? = nil
    ) async throws(RPCError) -> ComparedCard {
      let id = archers[archer]
      return try await (client ?? event.organiser).call(
        Events.applyEndRule,
        .with { request in
          (request.participantID, request.endIndex, request.rule) = (id, end, rule)
          request.arrows = arrows.map { value in .with { $0.value = value } }
          (request.count, request.reason) = (count, reason)
        })
    }

    func move(
      _ first: UInt32, _ count: UInt32 = 0, with other: Int? = nil, earlier: Bool = false,
      by client: Client? = nil
    ) async throws(RPCError) -> [ComparedCard] {
      let (id, second) = (archers[0], other.map { archers[$0] } ?? 0)
      return try await (client ?? event.organiser).call(
        Events.moveEnds,
        .with { request in
          (request.participantID, request.otherParticipantID) = (id, second)
          (request.firstEnd, request.count, request.earlier) = (first, count, earlier)
          request.reason = "written in the wrong line"
        }
      ).cards
    }

    /// The ends of the first card as `0: 9 8 7`.
    func ends(_ archer: Int = 0) async throws -> [String] {
      let id = archers[archer]
      let card = try await event.organiser.call(
        Events.getComparedCard, .with { $0.participantID = id })
      return card.ends.filter { !$0.first.isEmpty }.map { end in
        "\(end.endIndex): " + end.first.map { "\($0.value)" }.joined(separator: " ")
      }
    }

    func total(_ archer: Int = 0) async throws -> UInt32 {
      let id = archers[archer]
      return try await event.organiser.call(
        Events.getComparedCard, .with { $0.participantID = id }
      ).total
    }
  }

  private static func code(_ body: () async throws -> Void) async -> StatusCode? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? RPCError)?.code
    }
  }

  @Test("Of too many arrows the lowest count, and the audit has all that were shot")
  func tooMany() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      try await line.record(0, 0, [10, 9, 9])
      let card = try await line.apply(.tooManyArrows, 0, [10, 9, 9, 8, 7])
      #expect(card.total == 24)
      #expect(try await line.ends() == ["0: 8 9 7"])
      // An end of which nobody had entered anything.
      _ = try await line.apply(.tooManyArrows, 1, [5, 5, 5, 6])
      #expect(try await line.ends() == ["0: 8 9 7", "1: 5 5 5"])
      let audit = try await server.client(.administrator, named: "Sheriff").call(
        Admin.listAudit, .with { $0.action = "card.too-many" }
      ).entries
      #expect(audit.count == 2)
      let first = try #require(audit.last)
      #expect(String(decoding: first.before, as: UTF8.self) == "0=10 9 9 / 10 9 9 8 7")
      #expect(String(decoding: first.after, as: UTF8.self) == "0=8 9 7")
      let many = await Self.code {
        _ = try await line.apply(.tooManyArrows, 0, Array(repeating: 1, count: 7))
      }
      let few = await Self.code { _ = try await line.apply(.tooManyArrows, 0, [1, 2, 3]) }
      let high = await Self.code { _ = try await line.apply(.tooManyArrows, 0, [1, 2, 3, 12]) }
      #expect([many, few, high] == [.invalidArgument, .invalidArgument, .invalidArgument])
      #expect(try await line.total() == 39)
    }
  }

  @Test("A shot out of time or order takes the highest arrow, and missed ends become misses")
  func time() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      try await line.record(0, 0, [7, 10, 9])
      try await line.record(0, 1, [8, 8, 8])
      try await line.record(0, 2, [6])
      _ = try await line.apply(.outOfTime, 0)
      #expect(try await line.ends().first == "0: 7 0 9")
      _ = try await line.apply(.outOfOrder, 1, count: 2)
      let unfinished = await Self.code { _ = try await line.apply(.outOfTime, 2) }
      #expect(unfinished == .failedPrecondition)
      let card = try await line.apply(.missedEnds, 2, count: 2)
      #expect(card.total == 7 + 9 + 8 + 6)
      #expect(try await line.ends() == ["0: 7 0 9", "1: 0 0 8", "2: 6 0 0", "3: 0 0 0"])
      let again = await Self.code { _ = try await line.apply(.missedEnds, 2, count: 2) }
      #expect(again == .failedPrecondition)
      // The other archer has what was there.
      #expect(try await line.ends(1).isEmpty)
    }
  }

  @Test("Ends of two archers are exchanged, and the same again takes it back")
  func exchange() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      try await line.record(0, 0, [10, 9, 8])
      try await line.record(0, 1, [7, 7])
      try await line.record(1, 0, [1, 2, 3])
      try await line.record(1, 2, [4, 4, 4])
      let before = [try await line.ends(0), try await line.ends(1)]
      let cards = try await line.move(0, 3, with: 1)
      #expect(cards.map(\.participantID) == line.archers && cards.map(\.total) == [18, 41])
      #expect(try await line.ends(0) == ["0: 1 2 3", "2: 4 4 4"])
      #expect(try await line.ends(1) == ["0: 10 9 8", "1: 7 7"])
      _ = try await line.move(0, 3, with: 1)
      #expect(try await [line.ends(0), line.ends(1)] == before)
      let audit = try await server.client(.administrator, named: "Marian").call(
        Admin.listAudit, .with { $0.action = "card.exchange" }
      ).entries
      #expect(audit.count == 4)
      let other = "0=1 2 3, 1=, 2=4 4 4 / \(line.archers[0])"
      #expect(audit.contains { String(decoding: $0.before, as: UTF8.self) == other })
      let empty = await Self.code { _ = try await line.move(3, with: 1) }
      #expect(empty == .failedPrecondition)
    }
  }

  @Test("Ends of archers who shoot at another face, or other numbers of arrows, are not exchanged")
  func faces() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.format = .library("wa18", arrows: 12) }
      try await event.category("TRIPLE", round: "wa18_triple", arrows: 12)
      try await event.category("LONG", round: "wa720_70", arrows: 12)
      try await event.category("SAME", round: "wa25", arrows: 12)
      let archers = try await event.entries(
        [
          TestEvent.draft("1", "Ann"), TestEvent.draft("2", "Ben", category: "TRIPLE"),
          TestEvent.draft("3", "Cid", category: "LONG"),
          TestEvent.draft("4", "Dee", category: "SAME"),
        ]
      ).map(\.participantID)
      try await event.tournament.start()
      for arrow in 0..<3 as Range<UInt32> {
        try await event.tournament.record(archers[0], 0, arrow, 9)
      }
      func exchange(with other: Int64) async -> RPCError? {
        await event.organiser.refusal(
          Events.moveEnds,
          .with { request in
            (request.participantID, request.otherParticipantID) = (archers[0], other)
            request.reason = "written in the wrong line"
          })
      }
      for other in archers[1...2] {
        let refusal = await exchange(with: other)
        #expect(refusal?.code == .failedPrecondition)
        #expect(refusal?.message.contains("other_participant_id: shoots end 1") == true)
      }
      // Where the end has as many arrows and the face has the same values, the round may differ.
      #expect(await exchange(with: archers[3]) == nil)
      let card = try await event.organiser.call(
        Events.getComparedCard, .with { $0.participantID = archers[3] })
      #expect(card.total == 27)
    }
  }

  @Test("Ends move by one where the next one is empty, and back")
  func moves() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      try await line.record(0, 1, [10, 9, 8])
      try await line.record(0, 2, [7, 7, 7])
      _ = try await line.move(1, 2, earlier: true)
      #expect(try await line.ends() == ["0: 10 9 8", "1: 7 7 7"])
      #expect(try await line.total() == 48)
      _ = try await line.move(0, 2)
      #expect(try await line.ends() == ["1: 10 9 8", "2: 7 7 7"])
      // The end before has arrows, there is none behind the last one, and none before the first.
      for (first, count, earlier) in [(2, 1, true), (1, 1, false), (3, 1, false), (0, 1, true)]
        as [(UInt32, UInt32, Bool)]
      {
        let code = await Self.code { _ = try await line.move(first, count, earlier: earlier) }
        #expect(code == .failedPrecondition, "\(first) \(count) \(earlier)")
      }
      for (first, count) in [(4, 1), (0, 5), (UInt32.max, UInt32.max)] as [(UInt32, UInt32)] {
        let code = await Self.code { _ = try await line.move(first, count) }
        #expect(code == .invalidArgument, "\(first) \(count)")
      }
      #expect(try await line.ends() == ["1: 10 9 8", "2: 7 7 7"])
    }
  }

  @Test("The second card of an end is compared again")
  func cards() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      for end in 0..<4 as Range<UInt32> { try await line.record(0, end, [9, 9, 9]) }
      var operation = CardOperation()
      operation.clientID = try line.event.tournament.clientID()
      operation.participantID = line.archers[0]
      operation.arrows = [9, 9, 0].map { value in .with { $0.value = value } }
      let second = operation
      let verdicts = try await line.event.organiser.call(
        Events.applyCardOperations, .with { $0.operations = [second] }
      ).verdicts
      #expect(verdicts.first?.end?.state == .disputed)
      let card = try await line.apply(.outOfTime, 0)
      #expect(card.ends.first?.state == .agreed && card.summary?.disputedEnds == 0)
    }
  }

  @Test("Others than judges are refused, and nothing that is refused changes anything")
  func refused() async throws {
    try await TestServer.run { server in
      let line = try await Line(server)
      try await line.record(0, 0, [9, 9, 9])
      let other = try server.client(named: "Will")
      let before = try server.lastSequence()
      let rule = await Self.code { _ = try await line.apply(.outOfTime, 0, by: other) }
      let move = await Self.code { _ = try await line.move(0, by: other) }
      #expect([rule, move] == [.permissionDenied, .permissionDenied])
      for (rule, arrows, count, reason) in [
        (.unspecified, [], 0, "x"), (EndRule(rawValue: 9), [], 0, "x"), (.outOfTime, [1], 0, "x"),
        (.outOfTime, [], 4, "x"), (.outOfTime, [], 1, " "), (.tooManyArrows, [1, 2, 3, 4], 2, "x"),
        (.missedEnds, [], 9, "x"), (.outOfTime, [], 1, String(repeating: "x", count: 201)),
      ] as [(EndRule, [UInt32], UInt32, String)] {
        let code = await Self.code {
          _ = try await line.apply(rule, 0, arrows, count: count, reason: reason)
        }
        #expect(code == .invalidArgument, "\(rule.rawValue) \(arrows) \(count)")
      }
      let beyond = await Self.code { _ = try await line.apply(.outOfTime, 4) }
      let same = await Self.code { _ = try await line.move(0, with: 0) }
      #expect([beyond, same] == [.invalidArgument, .invalidArgument])
      #expect(try server.lastSequence() == before)
      let early = try await Line(server, starts: false)
      let code = await Self.code { _ = try await early.apply(.missedEnds, 0) }
      #expect(code == .failedPrecondition)
    }
  }
}
