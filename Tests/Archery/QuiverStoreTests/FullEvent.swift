import QuiverCrypto
import QuiverRules

@testable import QuiverStore

/// An event with a row in each table of its structure and of its elimination.
struct FullEvent {
  let organiser: Int64
  let judge: Int64
  let event: Int64
  let stage: Int64

  /// Six archers shoot three arrows in a category, four of them are cut after a tie, and both
  /// semi-finals are decided, one of them twice.
  init(in store: some CommandPerformer) throws {
    organiser = try store.perform(CreatePrincipal(kind: .user, displayName: "Sheriff"), .of(0)).id
    judge = try store.perform(CreatePrincipal(kind: .user, displayName: "Tuck"), .of(0)).id
    let caller = Caller(store: store, principal: organiser)
    event = try Self.open(in: store, as: organiser)
    try caller.perform(SetOfficial(try store.code(of: judge), of: event, role: .scorer))
    try caller.perform(SetOfficial(try store.code(of: judge), of: event, role: .judge))
    var category = EventCategoryContent()
    category.code = "RM"
    let record = try caller.perform(
      try PutCategory(category, in: event, format: nil, arrowLimit: 0))
    let entries = try Self.enter(record.id, event, caller)
    let second = try Self.enterSecondRound(event, caller)
    try Self.shoot(entries, event, caller)
    try Self.check(entries, caller)
    try Self.type(second, caller)
    stage = try Self.cut(entries, record.id, event, caller)
    var places = PlaceMatches.Places()
    (places.firstTarget, places.targetsPerMatch, places.startsAtMilliseconds) = (3, 2, 9_000)
    try caller.perform(try PlaceMatches(.round(stage: stage, size: 4), places))
    var teams = TeamScope()
    (teams.event, teams.category) = (event, record.id)
    try caller.perform(
      try CutTeams(
        teams, try TeamForm(.teamSets, .club), size: 2, hasBronzeMatch: false, seed: 4, tie: nil))
    try caller.perform(
      try DrawGroups(record.id, of: event, size: 6, groupCount: 2, .individualSets, seed: 5))
    try caller.perform(DemandLeases(event: event, isDemanded: true, makesNewCodes: false))
    let code = try caller.perform(ReadTargetCode(event: event))
    try caller.perform(try JoinTarget(code: code, .first, device: "tablet", takesOver: false))
    try caller.perform(try JoinTarget(code: code, .second, device: "phone", takesOver: false))
    try caller.perform(try LeaveTarget(event: event, session: 0, target: 3, .second))
    _ = try store.perform(
      try JoinAsDevice(
        code: code, .second, device: "phone of Much",
        as: .secret(
          try DeviceSecret((0..<32).map { $0 &* 3 &+ UInt8(truncatingIfNeeded: event) })),
        takesOver: false, presence: DevicePresence()), .of(0))
    var call = TargetCallContent()
    (call.target, call.text) = (3, "the string broke")
    let raised = try caller.perform(try RaiseTargetCall(call, of: event))
    try caller.perform(try ResolveTargetCall(raised.id, of: event, decision: "15 minutes"))
    var notice = EventNoticeContent()
    notice.text = "Lunch at noon"
    try caller.perform(try SendNotice(notice, to: event))
    try caller.perform(try PauseShooting(event, reason: "fog"))
    try caller.perform(ResumeShooting(event))
    try caller.perform(try PauseShooting(event, reason: "lightning"))
  }

  /// An event of three arrows that nobody has entered.
  static func open(in store: some CommandPerformer, as organiser: Int64) throws -> Int64 {
    var content = CreateTournament.Content(.codename("wa18"))
    (content.name, content.arrowLimit) = ("Cup", 3)
    return try store.perform(try CreateTournament(content), .of(organiser)).head.id
  }

  /// A store and who calls it.
  private struct Caller<Performer: CommandPerformer> {
    let store: Performer
    let principal: Int64

    @discardableResult
    func perform<C: Command>(_ command: C) throws -> C.Reply {
      try store.perform(command, .of(principal))
    }
  }

  private static func enter(
    _ category: Int64, _ event: Int64, _ caller: Caller<some CommandPerformer>
  ) throws -> [Int64] {
    var content = EventSessionContent()
    (content.name, content.lastTarget) = ("line", 4)
    let line = try caller.perform(try PutEventSession(0, of: event, revision: 0, content)).id
    let drafts = try (1...6).map { number in
      var content = EventEntryContent()
      (content.bib, content.club) = ("\(number)", "C\(number % 2)")
      return try ImportEntries.Draft(
        name: "E\(number)", clientID: [], content, categoryCode: "RM", session: line, path: "")
    }
    var entries: [EventEntryRecord] = []
    for slice in try ImportEntries.slices(of: drafts, to: event) {
      entries += try caller.perform(slice)
    }
    var scope = DrawPlaces.Scope()
    (scope.event, scope.session) = (event, line)
    try caller.perform(try DrawPlaces(scope, .random, seed: 7))
    let ids = entries.map(\.participant)
    try caller.perform(
      try PlaceEntry(ids[0], session: line, target: 4, letter: "B", swaps: true))
    for id in ids { try caller.perform(try SetEntryState(id, .checkedIn, reason: "")) }
    scope.redraws = true
    try caller.perform(try DrawPlaces(scope, .ranking, seed: 0))
    let targets = AppointScorer.Targets(session: line, numbers: [1, 2])
    for slice in try AppointScorer.slices(
      .id(caller.principal), of: event, participants: [], on: targets)
    {
      try caller.perform(slice)
    }
    return ids
  }

  /// Adds a category of two rounds with an archer who has a place in the second one.
  private static func enterSecondRound(
    _ event: Int64, _ caller: Caller<some CommandPerformer>
  ) throws -> Int64 {
    var category = EventCategoryContent()
    category.code = "R2"
    let record = try caller.perform(
      try PutCategory(category, in: event, format: .codename("wa18"), arrowLimit: 3))
    try caller.perform(
      try ChangeQualification(
        .add(.codename("wa18"), arrowLimit: 6, before: 0), of: record.id, in: event,
        revision: record.revision))
    let draft = try ImportEntries.Draft(
      name: "E7", clientID: [], EventEntryContent(), categoryCode: "R2", session: 0, path: "")
    let entered = try caller.perform(try ImportEntries.slices(of: [draft], to: event)[0])
    var content = EventSessionContent()
    (content.name, content.lastTarget, content.round) = ("day 2", 4, 2)
    let line = try caller.perform(try PutEventSession(0, of: event, revision: 0, content)).id
    var scope = DrawPlaces.Scope()
    (scope.event, scope.session, scope.takesWaiting) = (event, line, true)
    try caller.perform(try DrawPlaces(scope, .random, seed: 8))
    return entered[0].participant
  }

  /// Types both distances, one of them twice, and removes one.
  private static func type(
    _ archer: Int64, _ caller: Caller<some CommandPerformer>
  ) throws {
    var draft = TypedTotalDraft()
    (draft.participant, draft.part, draft.paper) = (archer, 1, "sheet 7")
    draft.score = TypedScore(total: 27, hits: 3, golds: 1, xCount: 0)
    draft.replaces = try caller.perform(try SetTypedTotal(draft)).id
    (draft.score.golds, draft.reason) = (0, "misread")
    try caller.perform(try SetTypedTotal(draft))
    draft = TypedTotalDraft()
    (draft.participant, draft.part, draft.score) = (archer, 2, TypedScore(total: 50))
    let other = try caller.perform(try SetTypedTotal(draft))
    try caller.perform(try RemoveTypedTotal(other.id, of: archer, reason: "another's"))
  }

  private static func shoot(
    _ entries: [Int64], _ event: Int64, _ caller: Caller<some CommandPerformer>
  ) throws {
    try caller.perform(try ChangeTournamentState(event, .start, anyway: true))
    for (id, value) in zip(entries, [10, 9, 8, 7, 7, 5] as [UInt32]) {
      for index in 0..<3 {
        var arrow = OperationDraft.Content(.id(id))
        (arrow.arrowIndex, arrow.value) = (UInt32(index), value)
        try caller.perform(RecordArrows(try OperationDraft(arrow, path: "")))
      }
    }
  }

  /// Keeps second cards: one agrees and is confirmed, a judge rules on one, one is in dispute, and
  /// one is a total on paper.
  private static func check(_ entries: [Int64], _ caller: Caller<some CommandPerformer>) throws {
    let values = [[10, 10, 10], [9, 9, 8], [8, 8, 7]]
    let drafts = try zip(entries, values).map { id, values in
      var draft = CardOperationDraft()
      draft.clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      (draft.participant, draft.device) = (id, "phone")
      draft.arrows = values.map { ArrowScore(value: $0) }
      return draft
    }
    try caller.perform(try ApplyCardOperations(drafts + [drafts[0]]))
    try caller.perform(
      try RuleOnEnd(
        entries[1], end: 0, arrows: (0..<3).map { _ in ArrowScore(value: 9) }, reason: "seen"))
    let record = try caller.perform(SetPaperTotal(entries[5], total: 14))
    try caller.perform(
      try ConfirmScoreCard(
        entries[5], .archer, revision: UInt64(record.revision), signature: [1]))
    let distance = try caller.perform(SetPaperTotal(entries[2], total: 23, part: 1))
    try caller.perform(
      try ConfirmScoreCard(
        entries[2], .archer, part: 1, revision: UInt64(distance.revision), signature: [3]))
    let revision = UInt64(try caller.perform(SetPaperTotal(entries[0], total: 30)).revision)
    let signed = try caller.perform(
      try ConfirmScoreCard(entries[0], .archer, revision: revision, signature: [1, 2]))
    try caller.perform(
      try ConfirmScoreCard(
        entries[0], .scorer, revision: UInt64(signed.revision), signature: []))
  }

  private static func cut(
    _ entries: [Int64], _ category: Int64, _ event: Int64,
    _ caller: Caller<some CommandPerformer>
  ) throws -> Int64 {
    try caller.perform(try DecideTie([entries[4], entries[3]], of: category, in: event, .coinToss))
    var scope = CutCategory.Scope()
    (scope.event, scope.category, scope.size, scope.seed) = (event, category, 4, 3)
    let bracket = try caller.perform(try CutCategory(scope, .individualSets))
    let open = bracket.matches.filter { $0.seeds.allSatisfy { $0 != nil } }.map(\.id).sorted()
    try shoot(match: open[0], caller)
    try caller.perform(try ForfeitMatch(open[1], .first, reason: "ill"))
    try caller.perform(try ReopenMatch(open[1], reason: "well", voidsLater: true))
    try caller.perform(try ForfeitMatch(open[1], .second, reason: "late"))
    return bracket.stage.id
  }

  /// Sends the ends of a match, one of them twice, and confirms both cards.
  private static func shoot(
    match id: Int64, _ caller: Caller<some CommandPerformer>
  ) throws {
    var drafts: [MatchOperationDraft] = []
    for side in MatchSide.allCases {
      for end in 0..<3 {
        var draft = MatchOperationDraft()
        draft.clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
        (draft.match, draft.side, draft.index) = (id, side, end)
        let values = side == .first ? [10, 10, 9] : [9, 9, 8]
        draft.entry = .end(end, values.map { ArrowScore(value: $0) })
        drafts.append(draft)
      }
    }
    let outcomes = try caller.perform(try ApplyMatchOperations(drafts + [drafts[0]]))
    var revision = outcomes.last?.match?.revision ?? 0
    for side in MatchSide.allCases {
      revision = try caller.perform(try ConfirmMatchCard(id, side, revision: revision))
        .match.revision
    }
  }
}

/// The code of a target of matches.
struct ReadTargetCode: Command {
  let event: Int64

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> String {
    try transaction.snapshot.targetCodes(
      event: event, session: 0, targets: 3...3, principal: transaction.caller.principal
    )[0].code
  }
}
