import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Qualification over several rounds", .timeLimit(.minutes(5)))
struct QualificationRoundTests {
  @Test("Rounds are parts of one card: the standings add them up, and rows have each of them")
  func sums() throws {
    let event = try RoundEvent(in: try EventBench(), ends: 1)
    let category = try event.category("R", rounds: 2)
    #expect(category.rounds.map(\.firstEnd) == [0, 1] && category.rounds.map(\.number) == [1, 2])
    #expect(category.format.format.arrowCount == 12)
    #expect(category.format.format.name == "2 rounds, 12 arrows")
    let archers = try event.enter(["Ann", "Ben"], "R")
    try event.bench.start(event.record)
    try event.end(archers[0], 0, .six("9"))
    try event.end(archers[1], 0, .six("X"))
    var rows = try event.standings(category.id)
    #expect(rows.rows.map(\.rank) == [1, 2] && rows.shootingCount == 2 && rows.isProvisional)
    #expect(rows.rows[0].rounds.map(\.total) == [60, 0])
    #expect(rows.rows[0].rounds.map(\.arrowCount) == [6, 0])
    #expect(rows.rows[0].rounds[0].xCount == 6 && rows.rows[0].rounds[0].tenCount == 6)
    try event.end(archers[0], 1, .six("10"))
    try event.end(archers[1], 1, .six("5"))
    rows = try event.standings(category.id)
    #expect(rows.rows.map(\.entry.displayName) == ["Ann", "Ben"] && rows.shootingCount == 0)
    #expect(rows.rows.map { $0.rounds.map(\.total) } == [[54, 60], [60, 30]])
    #expect(rows.rows.map(\.leaderboard.contender.tally.total) == [114, 90])
    #expect(try event.bench.store.verify() == [])
  }

  @Test("A cut waits for all rounds, and takes the best of their sum")
  func cut() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 2)
    let archers = try event.enter(["Ann", "Ben", "Cid"], "R")
    try event.bench.start(event.record)
    for (archer, text) in zip(archers, ["10", "9", "8"]) { try event.end(archer, 0, .six(text)) }
    var scope = CutCategory.Scope()
    (scope.event, scope.category, scope.size) = (event.id, category.id, 2)
    let early = event.bench.refusal {
      try event.bench.perform(try CutCategory(scope, .individualSets))
    }
    #expect(early?.message.contains("3 entries have not shot all arrows") == true)
    try event.end(archers[0], 1, .six("1"))
    try event.end(archers[2], 1, .six("9"))
    // Who stops after the first round keeps what was shot.
    try event.bench.perform(try SetEntryState(archers[1], .didNotFinish, reason: "ill"))
    let stage = try event.bench.perform(try CutCategory(scope, .individualSets))
    #expect(stage.entrants.map(\.participant) == [archers[2], archers[0]])
    let late = event.bench.refusal { try event.add(to: category) }
    #expect(late?.message == "it has an elimination; delete that first")
  }

  @Test("A tie of the sum is decided, whatever the rounds are")
  func tie() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 2)
    let archers = try event.enter(["Ann", "Ben"], "R")
    try event.bench.start(event.record)
    for (archer, texts) in zip(archers, [["10", "9"], ["9", "10"]]) {
      for (end, text) in texts.enumerated() { try event.end(archer, end, .six(text)) }
    }
    #expect(try event.standings(category.id).rows.map(\.rank) == [1, 1])
    try event.bench.perform(
      try DecideTie(archers.reversed(), of: category.id, in: event.id, .shootOff))
    let rows = try event.standings(category.id).rows
    #expect(rows.map(\.entry.displayName) == ["Ben", "Ann"] && rows.map(\.rank) == [1, 2])
  }

  @Test("Each round has places of its own, drawn in its session")
  func places() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 2)
    let (first, second) = (try event.line(1), try event.line(2))
    let archers = try event.enter(["Ann", "Ben"], "R", in: first.id)
    try event.place(archers[0], first.id, 1, "A")
    let drawn = try event.draw(second.id)
    #expect(drawn.map(\.session) == [second.id, second.id] && drawn.allSatisfy { $0.place != nil })
    let ann = try #require(try event.entry(archers[0]))
    #expect(ann.session == first.id && ann.place == TargetDraw.Place(target: 1, letter: 0))
    #expect(ann.laterPlaces.map(\.round) == [2] && ann.laterPlaces[0].session == second.id)
    let taken = try event.place(archers[0], second.id, 3, "D")
    #expect(taken.place == TargetDraw.Place(target: 3, letter: 3))
    let refused = event.bench.refusal { try event.place(archers[1], second.id, 3, "D") }
    #expect(refused?.message.contains("has this place") == true)
    let before = try event.entry(archers[1])?.laterPlaces.first?.place
    try event.place(archers[1], second.id, 3, "D", swaps: true)
    #expect(try event.entry(archers[0])?.laterPlaces.first?.place == before)
    #expect(try event.entry(archers[0])?.place == TargetDraw.Place(target: 1, letter: 0))
    // Removing the round removes its places.
    try event.remove(2, of: category)
    #expect(try event.entry(archers[0])?.laterPlaces == [])
    #expect(try event.bench.store.verify() == [])
  }

  @Test("An archer who joined by itself is drawn too, and a late entry waits for its places")
  func waiting() throws {
    let event = try RoundEvent(in: try EventBench())
    let joined = try event.bench.join(try event.bench.archer(), event.record).id
    let line = try event.line(1)
    #expect(try event.draw(line.id).map(\.participant) == [joined])
    try event.bench.start(event.record)
    _ = try event.enter(["Late"], "")
    let drawn = try event.draw(line.id)
    #expect(drawn.map(\.displayName) == ["Late"])
    #expect(try event.bench.store.verify() == [])
  }

  @Test("A scorer goes through one session before the next, and through one round before the next")
  func turns() throws {
    let event = try RoundEvent(in: try EventBench(), ends: 2)
    _ = try event.category("R", rounds: 2, ends: 2)
    let (late, early) = (try event.line(1, startsAt: 2_000), try event.line(1, startsAt: 1_000))
    let day = try event.line(2, startsAt: 3_000)
    let archers = try event.enter(["Ann", "Ben", "Cid"], "R")
    try event.place(archers[0], early.id, 1, "B")
    try event.place(archers[1], early.id, 1, "A")
    try event.place(archers[2], late.id, 1, "A")
    for (archer, letter) in zip(archers, ["C", "B", "A"]) {
      try event.place(archer, day.id, 1, letter)
    }
    try event.bench.start(event.record)
    var visited: [String] = []
    var next: (archer: Int64, end: Int)? = (archers[1], 0)
    while let (archer, end) = next {
      visited.append("\(try event.entry(archer)?.displayName.prefix(1) ?? "")\(end)")
      let turn = try event.end(archer, end, .six("9"))
      #expect(turn?.kind != .arrow)
      next = turn.flatMap { $0.kind == .done ? nil : ($0.participant, $0.slot.endIndex) }
    }
    #expect(
      visited == [
        "B0", "A0", "B1", "A1", "C0", "C1", "C2", "B2", "A2", "C3", "B3", "A3",
      ])
    #expect(try event.bench.store.verify() == [])
  }

  @Test("Rounds cannot change where arrows, cards or the start of the event stand in the way")
  func refusals() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 2)
    let archers = try event.enter(["Ann"], "R")
    try event.bench.start(event.record)
    try event.end(archers[0], 0, .six("9"))
    try event.end(archers[0], 1, .six("9"))
    func message(_ body: () throws -> EventCategoryRecord) -> String {
      event.bench.refusal(body)?.message ?? "nothing"
    }
    #expect(message { try event.add(to: category, before: 2) }.contains("arrows in round 2"))
    #expect(message { try event.add(to: category, before: 1) }.contains("arrows in round 1"))
    #expect(message { try event.remove(2, of: category) }.contains("arrows in round 2"))
    #expect(message { try event.remove(1, of: category) }.contains("arrows in round 1"))
    #expect(message { try event.remove(3, of: category) }.contains("no such round"))
    #expect(message { try event.add(to: category, before: 3) }.contains("at most 2"))
    let indoor = message {
      try event.bench.perform(
        try ChangeQualification(
          .add(.codename("wa18"), arrowLimit: 6, before: 0), of: category.id, in: event.id,
          revision: category.revision))
    }
    #expect(indoor.contains("not shot where"))
    // After the last round one can be added: the card is not complete any more.
    let longer = try event.add(to: category)
    #expect(longer.rounds.count == 3)
    #expect(message { try event.add(to: category) }.contains("it was changed since revision"))
    #expect(try event.standings(category.id).shootingCount == 1)
    let shorter = try event.remove(3, of: longer)
    #expect(shorter.rounds.count == 2)
    #expect(try event.standings(category.id).shootingCount == 0)
    let all = try event.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: event.id, principal: event.bench.organiser)
    }
    #expect(message { try event.add(to: all[0]) }.contains("stays after the start"))
    #expect(message { try event.remove(1, of: all[0]) }.contains("stays after the start"))
    #expect(try event.bench.store.verify() == [])
  }

  @Test("A second card and a confirmation are of all rounds, and rounds are at most eight")
  func cards() throws {
    let event = try RoundEvent(in: try EventBench())
    var category = try event.category("R", rounds: 8)
    #expect(category.rounds.count == 8)
    #expect(event.bench.refusal { try event.add(to: category) }?.code == .resourceExhausted)
    let archers = try event.enter(["Ann"], "R")
    category = try event.remove(8, of: category)
    try event.bench.start(event.record)
    try event.bench.perform(SetPaperTotal(archers[0], total: 100))
    let refused = event.bench.refusal { try event.add(to: category) }
    #expect(refused?.message.contains("second card") == true)
  }

  @Test("The rounds of the event are those of all categories without a round of their own")
  func ofEvent() throws {
    let event = try RoundEvent(in: try EventBench())
    let joined = try event.bench.join(try event.bench.archer(), event.record).id
    var content = EventCategoryContent()
    content.code = "P"
    let plain = try event.bench.perform(
      try PutCategory(content, in: event.id, format: nil, arrowLimit: 0))
    let entered = try event.enter(["Ann"], "P")[0]
    let own = try event.category("O", rounds: 1)
    let changed = try event.add(ends: 2, to: plain)
    #expect(changed.rounds.map(\.endCount) == [1, 2] && !changed.hasOwnFormat)
    try event.bench.start(event.record)
    for archer in [joined, entered] {
      for end in 0..<3 { try event.end(archer, end, .six("9")) }
    }
    let other = try event.enter(["Ben"], "O")[0]
    try event.end(other, 0, .six("9"))
    let beyond = event.bench.refusal { try event.end(other, 1, .six("9")) }
    #expect(beyond?.code == .invalidArgument)
    #expect(try event.standings(own.id).rows.map(\.rounds.count) == [0])
    #expect(try event.standings(plain.id).rows.map { $0.rounds.map(\.total) } == [[54, 108]])
    #expect(try event.bench.store.verify() == [])
  }

  @Test("An entry has one session in a round, in the order of the rounds")
  func sessions() throws {
    let event = try RoundEvent(in: try EventBench())
    _ = try event.category("R", rounds: 2)
    _ = try event.category("S", rounds: 1)
    let first = try event.line(1, startsAt: 2_000)
    let early = try event.line(2, startsAt: 1_000)
    let (second, other) = (try event.line(2, startsAt: 3_000), try event.line(2, startsAt: 4_000))
    let ann = try event.enter(["Ann"], "R", in: first.id)[0]
    let ben = try event.enter(["Ben"], "S", in: first.id)[0]
    func message(_ body: () throws -> some Any) -> String {
      event.bench.refusal(body)?.message ?? "nothing"
    }
    #expect(message { try event.place(ann, early.id, 1, "A") }.contains("order of the rounds"))
    #expect(message { try event.place(ben, second.id, 1, "A") }.contains("S has 1 round"))
    #expect(message { try event.enter(["Cid"], "R", in: second.id) }.contains("shoots round 2"))
    try event.place(ann, second.id, 1, "A")
    try event.place(ann, other.id, 2, "B")
    #expect(try event.entry(ann)?.laterPlaces.map(\.session) == [other.id])
    var content = other.content
    content.startsAtMilliseconds = 1_500
    #expect(
      message {
        try event.bench.perform(
          try PutEventSession(other.id, of: event.id, revision: other.revision, content))
      }.contains("order of the rounds"))
    content = other.content
    content.round = 1
    #expect(
      message {
        try event.bench.perform(
          try PutEventSession(other.id, of: event.id, revision: other.revision, content))
      }.contains("1 entries shoot round 2"))
    #expect(message { try event.line(9) }.contains("from 1 to 8"))
    var change = UpdateEntry.Change()
    change.session = second.id
    let moved = try event.bench.perform(UpdateEntry(ann, change))
    #expect(moved.session == first.id && moved.laterPlaces.map(\.session) == [second.id])
    change.session = 0
    let left = try event.bench.perform(UpdateEntry(ann, change))
    #expect(left.session == 0 && left.laterPlaces == [])
    #expect(try event.bench.store.verify() == [])
  }

  @Test("The steps of the day name what is missing for later rounds")
  func steps() throws {
    let event = try RoundEvent(in: try EventBench())
    _ = try event.category("R", rounds: 2)
    let (first, second) = (try event.line(1), try event.line(2))
    _ = try event.enter(["Ann"], "R")
    func missing(_ kind: EventProgress.Kind) throws -> String? {
      try event.bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.progress(event: event.id, principal: event.bench.organiser)
      }.steps.first { $0.kind == kind }?.missing
    }
    try event.draw(first.id)
    #expect(try missing(.sessions) == "1 of the later rounds of entries have no session")
    #expect(try missing(.draw) == "1 of the later rounds of entries have no target")
    try event.draw(second.id)
    #expect(try missing(.sessions) == "" && missing(.draw) == "")
  }

  @Test("Verification finds rounds that are not the ends, impossible places and wrong turns")
  func verification() throws {
    let event = try RoundEvent(in: try EventBench())
    _ = try event.category("R", rounds: 2)
    let line = try event.line(2)
    _ = try event.enter(["Ann"], "R")
    try event.draw(line.id)
    event.bench.store.close()
    for (damage, expected) in [
      ("UPDATE format_part SET first_end = 2 WHERE number = 2", "rounds that are not its ends"),
      ("UPDATE event_round_place SET round = 3", "a place in round 3 that cannot be"),
      ("UPDATE participant SET turn_order = 7", "has the turn 7 in session 0"),
    ] {
      let connection = try Connection(path: event.bench.directory.databasePath, mode: .readWrite)
      try connection.execute("SAVEPOINT before; \(damage); RELEASE before;")
      connection.close()
      let store = try event.bench.directory.open(clock: event.bench.clock)
      let findings = try store.verify().map(\.description)
      #expect(findings.contains { $0.contains(expected) }, "\(damage): \(findings)")
      store.close()
    }
  }
}
