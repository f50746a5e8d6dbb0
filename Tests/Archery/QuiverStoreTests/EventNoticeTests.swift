import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Notices of events", .timeLimit(.minutes(5)))
struct EventNoticeTests {
  @discardableResult
  private func send(
    _ text: String, to cards: CardBench, as principal: Int64? = nil,
    _ change: (inout EventNoticeContent) -> Void = { _ in }
  ) throws -> EventNoticeRecord {
    var content = EventNoticeContent()
    content.text = text
    change(&content)
    return try cards.bench.perform(
      try SendNotice(content, to: cards.event.head.id), as: principal)
  }

  private func list(_ cards: CardBench, _ principal: Int64?) throws -> [String] {
    let event = cards.event.head.id
    return try cards.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.notices(event: event, principal: principal).map(\.content.text)
    }
  }

  @Test(
    "Organisers and judges send notices; those who take part see all, others the public ones",
    arguments: BothEngines.allCases)
  func visible(engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      let first = try send(" Line 2 is closed ", to: cards)
      #expect(first.authorRole == .organiser && first.content.text == "Line 2 is closed")
      let second = try send("Buses leave at five", to: cards, as: cards.judge) {
        $0.isPublic = true
      }
      #expect(second.authorRole == .judge && second.id > first.id)
      let both = ["Buses leave at five", "Line 2 is closed"]
      for principal in [bench.organiser, cards.judge, cards.scorer, cards.archer] {
        #expect(try list(cards, principal) == both)
      }
      for principal in [cards.scorer, cards.archer] {
        let before = try bench.sequence()
        let denied = bench.refusal { try send("no", to: cards, as: principal) }
        #expect(denied?.code == .permissionDenied)
        #expect(try bench.sequence() == before)
      }
      let guest = try bench.archer("Guest")
      #expect(bench.refusal { try list(cards, guest) }?.code == .notFound)
      var change = UpdateTournament.Change()
      change.isPublic = true
      let head = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.tournamentHead(id: cards.event.head.id)
      }
      try bench.perform(
        try UpdateTournament(
          cards.event.head.id, revision: try #require(head).revision, change))
      #expect(try list(cards, guest) == ["Buses leave at five"])
      #expect(try list(cards, nil) == ["Buses leave at five"])
      // A notice stays possible when the event has ended.
      try bench.finalise(cards.event)
      try send("Medals at six", to: cards)
      #expect(try list(cards, cards.archer).first == "Medals at six")
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("A notice is a line of 1 to 300 characters for targets of one session")
  func content() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    var line = EventSessionContent()
    (line.name, line.firstTarget, line.lastTarget) = ("morning", 3, 6)
    let session = try bench.perform(
      try PutEventSession(0, of: cards.event.head.id, revision: 0, line)
    ).id
    func refusal(
      _ text: String, _ change: (inout EventNoticeContent) -> Void = { _ in }
    ) -> String? {
      let error = bench.refusal { try send(text, to: cards, change) }
      return error.map { "\($0.code) \($0.field ?? "")" }
    }
    #expect(refusal(" \n ") == "invalidArgument text")
    for text in ["a\0b", "two\nlines", "a\tb", "a\u{7F}b", "a\u{9B}b"] {
      #expect(refusal(text) == "invalidArgument text", "\(text.unicodeScalars)")
    }
    #expect(refusal(String(repeating: "é", count: 301)) == "invalidArgument text")
    #expect(refusal(String(repeating: "é", count: 300)) == nil)
    #expect(refusal("a") { $0.firstTarget = 3 } == "invalidArgument first_target")
    #expect(refusal("a") { $0.session = session + 99 } == "notFound session_id")
    for (first, last) in [(2, 3), (3, 7), (7, 7)] as [(UInt32, UInt32)] {
      let found = refusal("a") {
        ($0.session, $0.firstTarget, $0.lastTarget) = (session, first, last)
      }
      #expect(found == "invalidArgument first_target", "\(first) to \(last)")
    }
    #expect(
      refusal("a") { ($0.session, $0.firstTarget, $0.lastTarget) = (session, 5, 4) }
        == "invalidArgument last_target")
    #expect(
      refusal("a") { ($0.session, $0.lastTarget) = (session, 4) } == "invalidArgument last_target")
    let one = try send("target 4, please", to: cards) {
      ($0.session, $0.firstTarget) = (session, 4)
    }
    #expect(one.content.firstTarget == 4 && one.content.lastTarget == 4)
    let whole = try send("all of the line", to: cards) { $0.session = session }
    #expect(whole.content.firstTarget == 0 && whole.content.session == session)
  }

  @Test("The oldest notices above the limit are removed, and an event gets 10 within a minute")
  func limits() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    let perMinute = Int(StoreLimits.noticesPerMinute)
    for number in 0..<perMinute { try send("\(number)", to: cards) }
    bench.clock.pass(milliseconds: 20_000)
    let before = try bench.sequence()
    let refused = bench.refusal { try send("more", to: cards, as: cards.judge) }
    #expect(refused?.code == .resourceExhausted && refused?.retryAfterMilliseconds != nil)
    #expect(refused?.retryAfterMilliseconds ?? 0 <= 40_000)
    #expect(try bench.sequence() == before)
    let kept = Int(StoreLimits.noticesPerEvent)
    for number in perMinute..<kept + 3 {
      if number % perMinute == 0 { bench.clock.pass(milliseconds: 60_001) }
      try send("\(number)", to: cards)
    }
    let shown = try list(cards, cards.archer)
    #expect(shown == (3..<kept + 3).reversed().map { "\($0)" })
    #expect(try bench.store.verify() == [])
    // Another event has notices of its own.
    let other = try bench.event()
    var content = EventNoticeContent()
    content.text = "welcome"
    try bench.perform(try SendNotice(content, to: other.head.id))
    #expect(try list(cards, cards.archer).count == kept)
    try bench.perform(DeleteTournament(other.head.id))
    #expect(try bench.store.verify() == [])
  }

  @Test("What a deleted account has sent is deleted, and the reasons of its pauses are empty")
  func erased() throws {
    let cards = try CardBench(try EventBench())
    let bench = cards.bench
    try send("call me: 555", to: cards, as: cards.judge)
    try send("lunch", to: cards)
    try bench.perform(try PauseShooting(cards.event.head.id, reason: "my back"), as: cards.judge)
    try bench.perform(DeleteAccount(confirmation: "Tuck"), as: cards.judge)
    try bench.store.awaitErasure()
    #expect(try list(cards, cards.archer) == ["lunch"])
    let event = cards.event.head.id
    let pauses = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.pauses(event: event)
    }
    #expect(pauses.map(\.reason) == [""] && pauses[0].endedAtMilliseconds == nil)
    #expect(pauses[0].startedByName == "Archer \(cards.judge)")
    #expect(try bench.store.verify() == [])
  }
}
