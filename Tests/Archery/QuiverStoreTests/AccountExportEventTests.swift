import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The export of events", .timeLimit(.minutes(5)))
struct AccountExportEventTests {
  private static func names(
    of principal: Int64, pageSize: UInt32, _ store: Store
  ) throws -> [String] {
    try AccountExportTests.pages(of: principal, pageSize: pageSize, store).flatMap(\.items)
      .map(AccountExportTests.name)
  }

  @Test(
    "The structure, roles, entries, matches and cards of an event come once and in order",
    arguments: [1, 2, 5, 500])
  func complete(pageSize: UInt32) throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    defer { store.close() }
    let full = try FullEvent(in: store)
    // A second event of another organiser is not in the export.
    _ = try FullEvent(in: store)
    let names = try Self.names(of: full.organiser, pageSize: pageSize, store)
    let shown = Array(names.drop { !$0.hasPrefix("category") })
    #expect(
      shown.prefix(16) == [
        "category ALL", "category RM", "category R2", "line line", "line day 2", "stage of RM",
        "stage of RM", "stage of RM", "role judge", "entry 1 C1", "entry 2 C0", "entry 3 C1",
        "entry 4 C0", "entry 5 C1", "entry 6 C0", "entry  ",
      ])
    // A bracket of four, a match of teams, and two groups of three.
    let matches = shown.dropFirst(16).prefix(11)
    #expect(matches.prefix(4) == ["match of 4", "match of 4", "match of 2", "match of 2"])
    #expect(matches.count == 11 && matches.allSatisfy { $0.hasPrefix("match of ") })
    #expect(
      shown.dropFirst(27) == [
        "compared card of 1", "compared card of 1", "compared card of 1", "compared card of 0",
        "lease on 3", "tie of 2", "notice Lunch at noon", "pause fog", "pause lightning",
        "action card.record", "action card.record", "action card.record", "action card.rule",
        "action card.retype", "action card.untype",
        "action match.forfeit", "action match.reopen", "action match.forfeit",
        "action call.resolve", "action event.pause", "action event.pause", "device phone of Much",
        "call the string broke",
        "typed total sheet 7", "typed total sheet 7", "typed total ",
      ])
  }

  private static func join(_ event: Int64, _ principal: Int64, _ store: Store) throws -> Int64 {
    let head = try store.read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: event)
    }
    let code = try #require(head).joinCode
    return try store.perform(JoinTournament(.joinCode(code)), .of(principal)).id
  }

  @Test("An archer gets its entry and its matches in an event of another, and an official its role")
  func others() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    defer { store.close() }
    let full = try FullEvent(in: store)
    #expect(try Self.names(of: full.judge, pageSize: 1, store) == ["profile", "role judge"])
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
    let event = try FullEvent.open(in: store, as: full.organiser)
    let own = try Self.join(event, robin, store)
    var change = UpdateEntry.Change()
    (change.bib, change.club) = ("7", "Loxley")
    _ = try store.perform(UpdateEntry(own, change), .of(full.organiser))
    let guest = try store.perform(
      try AddGuest(name: "Will", clientID: [], to: event), .of(robin)
    ).id
    _ = try store.perform(
      try ChangeTournamentState(event, .start, anyway: true), .of(full.organiser))
    for (id, value) in [(own, 10), (guest, 9)] as [(Int64, UInt32)] {
      for index in 0..<3 {
        var arrow = OperationDraft.Content(.id(id))
        (arrow.arrowIndex, arrow.value) = (UInt32(index), value)
        _ = try store.perform(RecordArrows(try OperationDraft(arrow, path: "")), .of(robin))
      }
    }
    var scope = CutCategory.Scope()
    (scope.event, scope.size) = (event, 2)
    scope.category = try store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: event, principal: robin)[0].id
    }
    _ = try store.perform(try CutCategory(scope, .individualSets), .of(full.organiser))
    // The match of its archer with its guest comes once.
    #expect(
      try Self.names(of: robin, pageSize: 1, store) == [
        "profile", "card of 3", "card of 3", "entry 7 Loxley", "match of 2",
      ])
  }

  private static func items(of principal: Int64, _ bench: EventBench) throws -> [ExportItem] {
    try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.export(principal: principal, pageSize: 500, pageToken: "").items
    }
  }

  @Test(
    "An archer who joined by itself gets its places in later rounds, and its decided ties",
    arguments: BothEngines.allCases)
  func laterRounds(engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try RoundEvent(in: bench)
      let archers = try ["Robin", "Will"].map { try bench.archer($0) }
      let joined = try archers.map { try bench.join($0, event.record).id }
      let (id, organiser) = (event.id, bench.organiser)
      let first = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.categories(event: id, principal: organiser)[0]
      }
      _ = try event.add(to: first)
      let line = try event.line(2).id
      try event.place(joined[0], line, 1, "A")
      try bench.start(event.record)
      for (participant, texts) in zip(joined, [["10", "9"], ["9", "10"]]) {
        for (end, text) in texts.enumerated() { try event.end(participant, end, .six(text)) }
      }
      let order = Array(joined.reversed())
      try bench.perform(try DecideTie(order, of: first.id, in: event.id, .shootOff))
      var entries: [EventEntryRecord] = []
      var ties: [ExportedTie] = []
      for item in try Self.items(of: archers[0], bench) {
        switch item {
        case .eventEntry(let entry): entries.append(entry)
        case .tie(let tie): ties.append(tie)
        default: break
        }
      }
      #expect(entries.map(\.participant) == [joined[0]])
      #expect(entries.first?.laterPlaces.map(\.session) == [line])
      #expect(ties.map(\.participants) == [order] && ties.first?.category == first.id)
      #expect(ties.first?.decision == DecideTie.Decision.shootOff.rawValue)
      let other = try bench.archer("Other")
      #expect(try Self.items(of: other, bench).map(AccountExportTests.name) == ["profile"])
    }
  }

  @Test("A drawn signature is in the export of who drew it, and of nobody else")
  func signatures() throws {
    let cards = try CardBench(try EventBench())
    for end in 0..<2 { try cards.first(cards.own, end, "9 9 9") }
    // The archer draws on the device of the scorer.
    try cards.confirm(cards.own, .archer, as: cards.scorer, signature: [1, 2, 3])
    try cards.confirm(cards.own, .scorer, as: cards.judge, signature: [4, 5])
    func drawn(_ principal: Int64) throws -> [CardRole: [UInt8]] {
      var found: [CardRole: [UInt8]] = [:]
      for case .comparedCard(let card) in try Self.items(of: principal, cards.bench) {
        for confirmation in card.confirmations { found[confirmation.role] = confirmation.signature }
      }
      return found
    }
    #expect(try drawn(cards.archer) == [.archer: [1, 2, 3]])
    #expect(try drawn(cards.scorer) == [:])
    #expect(try drawn(cards.judge) == [.scorer: [4, 5]])
    let kept = try Self.items(of: cards.scorer, cards.bench).compactMap { item in
      if case .comparedCard(let card) = item { card.confirmations.map(\.role) } else { nil }
    }
    #expect(kept == [[.archer]])
  }

  @Test("A deleted account has no role, bib or club in events of others; its matches stay")
  func deletion() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    defer { store.close() }
    let full = try FullEvent(in: store)
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
    let event = try FullEvent.open(in: store, as: full.organiser)
    let own = try Self.join(event, robin, store)
    var change = UpdateEntry.Change()
    (change.bib, change.club) = ("7", "Loxley")
    _ = try store.perform(UpdateEntry(own, change), .of(full.organiser))
    _ = try store.perform(
      SetOfficial(try store.code(of: robin), of: full.event, role: .scorer), .of(full.organiser))
    func matches() throws -> [MatchRecord] {
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.bracket(stage: full.stage, principal: full.judge).matches
      }
    }
    let before = try matches()
    try store.perform(DeleteAccount(confirmation: "Robin"), .of(robin))
    try store.perform(DeleteAccount(confirmation: "Sheriff"), .of(full.organiser))
    try store.awaitErasure()
    let (roles, entry) = try store.read { (snapshot) throws(StoreError) in
      (
        try snapshot.officials(event: full.event, principal: full.judge),
        try snapshot.eventEntry(id: own)
      )
    }
    #expect(roles.map(\.principal) == [full.judge])
    #expect(entry?.content.bib == "" && entry?.content.club == "")
    #expect(entry?.displayName == "Archer \(robin)")
    #expect(try matches() == before)
    #expect(try store.verify() == [])
  }
}
