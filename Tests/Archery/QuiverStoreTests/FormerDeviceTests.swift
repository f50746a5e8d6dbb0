import QuiverRules
import Testing

@testable import QuiverStore

/// What a device sends that has lost its lease: it fills what is empty, and the rest waits for an
/// official. It is never refused for the lease alone.
@Suite("Devices that have lost their leases", .timeLimit(.minutes(5)))
struct FormerDeviceTests {
  @Test("A device that was taken over fills empty slots; equal arrows are the same, others wait")
  func firstCard() throws {
    let line = try DeviceLine()
    let (former, entry) = (try #require(try line.join(1).lease).principal, line.line.cards.entry)
    try line.record(entry, 0, "9", as: former)
    let present = try line.takeOver(by: 2)
    try line.record(entry, 1, "8", as: present)
    #expect(try line.outcome(entry, 1, "8", as: former).verdict == .same)
    let late = try line.outcome(entry, 1, "7", as: former)
    #expect(late.verdict == .late && late.refusal == nil)
    #expect(try line.outcome(entry, 2, "10", as: former).verdict == .stored)
    #expect(try line.scores(entry) == "9 8 10")
    #expect(try line.lateCount() == 1)
    // A correction of it waits too, and is the same where the arrow is there.
    let slots = try line.line.cards.card(entry).arrows
    let correction = try line.outcome(entry, 0, "6", as: former) { draft in
      (draft.kind, draft.replaces) = (.correct, .id(slots[0].operationID))
      draft.reason = "typed"
    }
    #expect(correction.verdict == .late)
    let equal = try line.outcome(entry, 0, "9", as: former) { draft in
      (draft.kind, draft.replaces) = (.correct, .id(slots[0].operationID))
      draft.reason = "typed"
    }
    #expect(equal.verdict == .same)
    // The present device goes on.
    #expect(try line.outcome(entry, 3, "9", as: present).verdict == .stored)
    #expect(try line.bench.store.verify() == [])
  }

  @Test("Arrows that wait follow an archer who was moved to another target")
  func movedArcher() throws {
    let line = try DeviceLine()
    let (phone, entry) = (try #require(try line.join(1).lease).principal, line.line.cards.entry)
    let other = try #require(try line.join(2, target: 2).lease).principal
    try line.bench.perform(
      try PlaceEntry(entry, session: line.line.session, target: 2, letter: "A", swaps: false))
    #expect(try line.outcome(entry, 0, "9", as: phone).verdict == .stored)
    #expect(try line.outcome(entry, 1, "8", as: other).verdict == .stored)
    #expect(try line.outcome(entry, 1, "7", as: phone).verdict == .late)
    // Who stands there and was never on its target is none of its own.
    try line.bench.perform(
      try PlaceEntry(
        line.line.cards.own, session: line.line.session, target: 1, letter: "A", swaps: false))
    #expect(try line.outcome(line.line.cards.own, 0, "9", as: other).verdict == .refused)
  }

  @Test("A device that has ended by itself delivers what it recorded")
  func endedDevice() throws {
    let line = try DeviceLine()
    let (phone, entry) = (try #require(try line.join(1).lease).principal, line.line.cards.entry)
    try line.record(entry, 0, "9", as: phone)
    line.bench.clock.pass(milliseconds: StoreLimits.deviceLifeMilliseconds + 1)
    #expect(try line.outcome(entry, 1, "8", as: phone).verdict == .stored)
    #expect(try line.outcome(entry, 0, "7", as: phone).verdict == .late)
  }

  @Test("An operation with an equal content is stored once, whichever device delivers it")
  func repeatedByAnother() throws {
    let line = try DeviceLine()
    let (former, entry) = (try #require(try line.join(1).lease).principal, line.line.cards.entry)
    let id = try line.bench.clientID()
    #expect(try line.outcome(entry, 0, "9", as: former) { $0.clientID = id }.verdict == .stored)
    let slot = try line.line.cards.card(entry).arrows[0]
    try line.bench.replace(slot.operationID, of: entry, 0, 0, "8", as: line.line.cards.judge)
    let present = try line.takeOver(by: 2)
    // The slot has another value by now, and the operation had its effect before.
    #expect(try line.outcome(entry, 0, "9", as: present) { $0.clientID = id }.verdict == .same)
    #expect(try line.outcome(entry, 0, "9", as: present).verdict == .conflict)
  }

  @Test("On a second card other arrows of a former device are LATE, and an official sees them")
  func secondCard() throws {
    let line = try DeviceLine()
    let entry = line.line.cards.entry
    let former = try #require(try line.join(1, card: .second).lease).principal
    let present = try line.takeOver(by: 2, card: .second)
    func end(_ index: Int, _ text: String, _ principal: Int64, _ id: [UInt8]? = nil) throws
      -> ScoringOutcome.Verdict
    {
      try line.line.cards.second(entry, index, text, as: principal) { draft in
        draft.device = "phone"
        if let id { draft.clientID = id }
      }.verdict
    }
    #expect(try end(0, "9 9 9", present) == .stored)
    #expect(try end(0, "9 9 9", former) == .same)
    let id = try line.bench.clientID()
    #expect(try end(0, "9 9 8", former, id) == .late)
    #expect(try end(0, "9 9 8", former, id) == .late, "it is as late when it is sent again")
    #expect(try end(1, "8 8 8", former) == .stored)
    let calls = try line.openCalls()
    #expect(calls.map(\.content.kind) == [.lateArrows])
    #expect(calls[0].content.text.contains("9 9 8") && calls[0].content.participant == entry)
    #expect(calls[0].content.target == 1 && calls[0].content.session == line.line.session)
    // Whoever never had the card is refused as before.
    let third = try #require(try line.join(3, target: 2, card: .second).lease).principal
    #expect(try end(1, "7 7 7", third) == .refused)
    #expect(try line.bench.store.verify() == [])
  }

  @Test("What a former device sends of an end that was ruled, or of a confirmed card, waits too")
  func ruledEnd() throws {
    let line = try DeviceLine()
    let (cards, entry) = (line.line.cards, line.line.cards.entry)
    let former = try #require(try line.join(1).lease).principal
    let second = try #require(try line.join(4, card: .second).lease).principal
    for (index, text) in ["9", "9", "9"].enumerated() {
      try line.record(entry, index, text, as: former)
    }
    let slots = try cards.card(entry).arrows
    try cards.second(entry, 0, "9 9 8", as: second) { $0.device = "phone" }
    try cards.bench.perform(
      try RuleOnEnd(entry, end: 0, arrows: CardBench.arrows("9 9 8"), reason: "seen"),
      as: cards.judge)
    // Who holds the lease is refused, as before.
    let own = try line.outcome(entry, 2, "7", as: former) { draft in
      (draft.kind, draft.replaces) = (.correct, .id(slots[2].operationID))
      draft.reason = "typed"
    }
    #expect(own.verdict == .refused)
    let present = try line.takeOver(by: 2)
    let checker = try line.takeOver(by: 5, card: .second)
    #expect(try line.outcome(entry, 0, "9", as: former).verdict == .same)
    #expect(try line.outcome(entry, 2, "9", as: former).verdict == .late)
    #expect(try line.outcome(entry, 2, "7", as: present).verdict == .refused)
    let late = try cards.second(entry, 0, "9 9 7", as: second) { $0.device = "phone" }
    #expect(late.verdict == .late && late.refusal == nil)
    let same = try cards.second(entry, 0, "9 9 8", as: second) { $0.device = "phone" }
    #expect(same.verdict == .same)
    // The same of a card that archer and scorer have confirmed.
    for index in 3..<6 { try line.record(entry, index, "9", as: present) }
    try cards.second(entry, 1, "9 9 9", as: checker) { $0.device = "phone" }
    try cards.confirm(entry, .archer, as: cards.scorer, signature: [1])
    try cards.confirm(entry, .scorer)
    #expect(try line.outcome(entry, 3, "8", as: former).verdict == .late)
    #expect(try line.outcome(entry, 3, "9", as: former).verdict == .same)
    #expect(try line.outcome(entry, 3, "8", as: present).verdict == .refused)
    let confirmed = try cards.second(entry, 1, "9 9 8", as: second) { $0.device = "phone" }
    #expect(confirmed.verdict == .late)
    #expect(try line.scores(entry) == "9 9 8 9 9 9" && line.lateCount() == 2)
    #expect(try cards.card(entry).summary?.status == .confirmed)
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("In a match the arrows of a former device that differ are LATE, and an official sees them")
  func matches() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let bench = bracket.bench
    let match = try bracket.match(2, 0)
    var places = PlaceMatches.Places()
    (places.firstTarget, places.targetsPerMatch) = (3, 1)
    try bench.perform(try PlaceMatches(.match(match.id), places))
    try bench.perform(DemandLeases(event: match.event, isDemanded: true, makesNewCodes: false))
    let plate = try bench.perform(try MakePlateCodes(event: match.event, first: 3, last: 3))[0]
    func join(_ phone: UInt8, takesOver: Bool = false) throws -> Int64 {
      let joined = try bench.perform(
        try JoinAsDevice(
          code: plate.code, .first, device: "phone \(phone)",
          as: .secret(try DeviceSecret((0..<32).map { $0 &+ phone })), takesOver: takesOver,
          presence: bench.store.devicePresence), as: 0)
      return try #require(joined.lease).principal
    }
    func apply(_ draft: MatchOperationDraft, _ principal: Int64) throws -> MatchOutcome.Verdict {
      try bracket.apply([draft], as: principal)[0].verdict
    }
    let former = try join(1)
    #expect(try apply(try bracket.operation(match.id, .first, 0, [9, 9, 9]), former) == .stored)
    _ = try? join(2)
    bench.clock.pass(milliseconds: StoreLimits.takeoverSilenceMilliseconds)
    let present = try join(2, takesOver: true)
    #expect(try apply(try bracket.operation(match.id, .second, 0, [8, 8, 8]), present) == .stored)
    #expect(try apply(try bracket.operation(match.id, .second, 0, [8, 8, 8]), former) == .same)
    let other = try bracket.operation(match.id, .second, 0, [7, 7, 7])
    #expect(try apply(other, former) == .late)
    #expect(try apply(other, former) == .late)
    #expect(try apply(try bracket.operation(match.id, .first, 1, [6, 6, 6]), former) == .stored)
    let event = match.event
    let calls = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.openTargetCalls(event: event)
    }
    #expect(calls.map(\.content.kind) == [.lateArrows] && calls[0].content.target == 3)
    #expect(try bench.store.verify() == [])
  }
}

extension DeviceLine {
  /// The principal of a phone that takes target 1 over.
  func takeOver(by phone: UInt8, card: LeasedCard = .first) throws -> Int64 {
    // From now on it is known how long others are silent.
    _ = bench.store.devicePresence.lastCall(of: 0, now: bench.clock.clock.wallMilliseconds())
    bench.clock.pass(milliseconds: StoreLimits.takeoverSilenceMilliseconds)
    return try #require(try join(phone, card: card, takesOver: true).lease).principal
  }

  func record(_ participant: Int64, _ arrow: Int, _ text: String, as principal: Int64) throws {
    #expect(try outcome(participant, arrow, text, as: principal).verdict == .stored)
  }

  func outcome(
    _ participant: Int64, _ arrow: Int, _ text: String, as principal: Int64,
    _ change: (inout OperationDraft.Content) -> Void = { _ in }
  ) throws -> ScoringOutcome {
    var content = OperationDraft.Content(.id(participant))
    content.clientID = try bench.clientID()
    content.endIndex = UInt32(arrow / 3)
    content.arrowIndex = UInt32(arrow % 3)
    let score = try #require(ArrowScore(sheet: text))
    (content.value, content.isX) = (UInt32(score.value), score.isX)
    content.device = "phone"
    change(&content)
    let draft = try OperationDraft(content, path: "")
    let command = try ApplyOperations([.success(draft)], path: "operations")
    return try bench.perform(command, as: principal)[0]
  }

  func scores(_ participant: Int64) throws -> String {
    try line.cards.card(participant).arrows.map { "\($0.score)" }.joined(separator: " ")
  }

  func lateCount() throws -> Int64 {
    let event = line.event
    return try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: event)?.lateCount ?? 0
    }
  }

  func openCalls() throws -> [TargetCallRecord] {
    let event = line.event
    return try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.openTargetCalls(event: event)
    }
  }
}
