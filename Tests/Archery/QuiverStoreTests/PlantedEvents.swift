import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

/// Events of an account, each text of which has its mark.
struct PlantedEvents {
  let principal: Int64
  /// An event with a scorer.
  let given: Int64
  let scorer: Int64
  let entry: Int64
  /// Events without a scorer.
  let begun: Int64
  let open: Int64
  /// An event of another organiser, and a participant that the account scores there.
  let other: Int64
  let scored: Int64

  init(_ bench: EventBench, _ account: FullAccount) throws {
    let (robin, mark) = (account.principal, account.mark)
    principal = robin
    func event(_ name: String) throws -> TournamentRecord {
      var content = CreateTournament.Content(.codename("wa18"))
      (content.name, content.arrowLimit) = (mark + " " + name, 30)
      content.clientID = try bench.clientID()
      return try bench.perform(try CreateTournament(content), as: robin)
    }
    func entry(_ event: TournamentRecord, scorer: Int64 = 0) throws -> Int64 {
      let draft = try AddEntries.EntryDraft(
        name: mark + " Much", clientID: try bench.clientID(), scorer: scorer, path: "")
      return try bench.perform(try AddEntries([draft], to: event.head.id), as: robin)[0].id
    }
    let cup = try event("cup")
    scorer = try bench.archer("Marian")
    let tuck = try bench.archer("Tuck")
    try bench.perform(
      try AppointScorer(try bench.code(of: scorer), of: cup.head.id, participants: []), as: robin)
    self.entry = try entry(cup, scorer: scorer)
    try Self.plantStructure(bench, cup.head.id, of: robin, mark)
    let own = try bench.join(tuck, cup)
    try bench.perform(try ChangeTournamentState(cup.head.id, .start, anyway: true), as: robin)
    let reply = try bench.record(self.entry, 0, 0, "9", as: robin) { $0.device = mark + " phone" }
    let operation = try #require(reply.arrows.first?.operationID)
    try bench.record(self.entry, 0, 0, "X", as: robin) { content in
      (content.kind, content.replaces) = (.correct, .id(operation))
      content.reason = mark + " misread"
    }
    try bench.perform(
      try ChangeParticipant(own.id, to: .disqualified, reason: mark + " reason"), as: robin)
    try bench.perform(
      try ChangeParticipant(own.id, to: .active, reason: mark + " again"), as: robin)
    try bench.perform(try ChangeTournamentState(cup.head.id, .finalise, anyway: true), as: robin)
    let late = try bench.record(own.id, 0, 0, "9", as: tuck) { $0.device = "Tuck's" }
    #expect(late.verdict == .late)
    let waiting = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.lateOperations(
        tournament: cup.head.id, principal: robin, pageSize: 0, pageToken: "")
    }.items.map(\.operation.id)
    _ = try bench.perform(
      try RuleOnOperations(
        tournament: cup.head.id, ids: waiting, admits: true, reason: mark + " ruling"), as: robin)
    try bench.perform(
      try ChangeTournamentState(cup.head.id, .reopen, reason: mark + " reopened"), as: robin)
    given = cup.head.id
    let begun = try event("begun")
    let shooting = try entry(begun)
    try bench.perform(try ChangeTournamentState(begun.head.id, .start, anyway: true), as: robin)
    self.begun = begun.head.id
    try Self.plantCards(bench, shooting, of: begun.head.id, by: robin, mark)
    open = try event("open").head.id
    let stormy = try event("stormy").head.id
    try bench.perform(
      try ChangeTournamentState(stormy, .cancel, reason: mark + " storm"), as: robin)
    let other = try bench.event()
    scored = try bench.entries(["Alan"], other)[0].id
    try bench.perform(
      try AppointScorer(try bench.code(of: robin), of: other.head.id, participants: [scored]))
    let joined = try bench.join(robin, other)
    try bench.perform(
      try AddGuest(name: mark + " guest", clientID: try bench.clientID(), to: other.head.id),
      as: robin)
    try bench.start(other)
    try bench.record(scored, 0, 0, "8", as: robin) { $0.device = mark + " phone" }
    try Self.plantPaper(bench, joined.id, 0, by: bench.organiser, mark)
    self.other = other.head.id
    try Self.plantOthers(bench, of: robin, mark)
    try Self.plantTeams(bench, of: robin, mark)
  }

  /// A ruling on an end in dispute with its reason, the name of a device that leases a target, a
  /// notice, and a pause with its reason.
  private static func plantCards(
    _ bench: EventBench, _ entry: Int64, of event: Int64, by robin: Int64, _ mark: String
  ) throws {
    let nine = (0..<3).map { _ in ArrowScore(value: 9) }
    for index in 0..<3 { try bench.record(entry, 0, index, "9", as: robin) }
    var draft = CardOperationDraft()
    (draft.clientID, draft.participant) = (try bench.clientID(), entry)
    draft.arrows = (0..<3).map { _ in ArrowScore(value: 8) }
    draft.device = mark + " second phone"
    try bench.perform(try ApplyCardOperations([draft]), as: robin)
    (draft.replaces, draft.clientID) = (draft.clientID, try bench.clientID())
    (draft.arrows[2], draft.reason) = (ArrowScore(value: 7), mark + " misheard")
    try bench.perform(try ApplyCardOperations([draft]), as: robin)
    try bench.perform(
      try RuleOnEnd(entry, end: 0, arrows: nine, reason: mark + " seen"), as: robin)
    try plantPaper(bench, entry, 1, by: robin, mark)
    try bench.perform(
      DemandLeases(event: event, isDemanded: true, makesNewCodes: false), as: robin)
    let code = try bench.perform(ReadTargetCode(event: event), as: robin)
    try bench.perform(
      try JoinTarget(code: code, .first, device: mark + " tablet", takesOver: false), as: robin)
    try bench.perform(
      try JoinAsDevice(
        code: code, .second, device: mark + " borrowed phone",
        as: .secret(try DeviceSecret((0..<32).map { $0 &* 3 &+ UInt8(truncatingIfNeeded: event) })),
        takesOver: false, presence: bench.store.devicePresence), as: 0)
    var call = TargetCallContent()
    (call.target, call.text) = (3, mark + " call")
    let raised = try bench.perform(try RaiseTargetCall(call, of: event), as: robin)
    try bench.perform(
      try ResolveTargetCall(raised.id, of: event, decision: mark + " decision"), as: robin)
    var notice = EventNoticeContent()
    notice.text = mark + " notice"
    try bench.perform(try SendNotice(notice, to: event), as: robin)
    try bench.perform(try PauseShooting(event, reason: mark + " pause"), as: robin)
  }

  /// A total that is typed from a paper, and corrected with a reason.
  private static func plantPaper(
    _ bench: EventBench, _ participant: Int64, _ part: UInt32, by principal: Int64, _ mark: String
  ) throws {
    var paper = TypedTotalDraft()
    (paper.participant, paper.part, paper.score) = (participant, part, TypedScore(total: 200))
    paper.paper = mark + " first paper"
    paper.replaces = try bench.perform(try SetTypedTotal(paper), as: principal).id
    (paper.paper, paper.reason) = (mark + " second paper", mark + " first was misread")
    try bench.perform(try SetTypedTotal(paper), as: principal)
  }

  /// The names of teams in an event that nobody has shot, and reasons in their match.
  private static func plantTeams(
    _ bench: EventBench, of robin: Int64, _ mark: String
  ) throws {
    var content = CreateTournament.Content(.codename("wa18"))
    (content.name, content.arrowLimit) = (mark + " teams", 3)
    let event = try bench.perform(try CreateTournament(content), as: robin).head.id
    let drafts = try (1...6).map { number in
      var content = EventEntryContent()
      content.club = mark + " club \(number % 2)"
      return try ImportEntries.Draft(
        name: mark + " \(number)", clientID: [], content, categoryCode: "", session: 0, path: "")
    }
    var scope = TeamScope()
    scope.event = event
    for slice in try ImportEntries.slices(of: drafts, to: event) {
      scope.category = try bench.perform(slice, as: robin)[0].content.category
    }
    try bench.perform(try ChangeTournamentState(event, .start, anyway: true), as: robin)
    try bench.perform(try ChangeTournamentState(event, .finalise, anyway: true), as: robin)
    let form = try TeamForm(.teamSets, .club)
    let match = try bench.perform(
      try CutTeams(scope, form, size: 2, hasBronzeMatch: false, seed: 1, tie: nil), as: robin
    ).matches[0].id
    var draft = MatchOperationDraft()
    (draft.match, draft.clientID) = (match, try bench.clientID())
    draft.entry = .end(0, (0..<6).map { _ in ArrowScore(value: 9) })
    try bench.perform(try ApplyMatchOperations([draft]), as: robin)
    (draft.replaces, draft.clientID) = (draft.clientID, try bench.clientID())
    draft.entry = .end(0, (0..<6).map { _ in ArrowScore(value: 8) })
    draft.reason = mark + " miscounted"
    try bench.perform(try ApplyMatchOperations([draft]), as: robin)
    try bench.perform(try ForfeitMatch(match, .second, reason: mark + " ill"), as: robin)
    try bench.perform(
      try ReopenMatch(match, reason: mark + " well", voidsLater: false), as: robin)
  }

  /// Texts of a category, a session and an entry.
  private static func plantStructure(
    _ bench: EventBench, _ event: Int64, of robin: Int64, _ mark: String
  ) throws {
    var category = EventCategoryContent()
    (category.code, category.name) = (mark, mark + " category")
    _ = try bench.perform(
      try PutCategory(category, in: event, format: nil, arrowLimit: 0), as: robin)
    var session = EventSessionContent()
    session.name = mark + " line"
    let line = try bench.perform(
      try PutEventSession(0, of: event, revision: 0, session), as: robin)
    var content = EventEntryContent()
    (content.bib, content.club) = (mark + "7", mark + " club")
    content.publicName = .bib
    (content.country, content.licence) = (mark + " country", mark + " licence")
    let draft = try ImportEntries.Draft(
      name: mark + " Alan", clientID: [], content, categoryCode: mark, session: line.id, path: "")
    for slice in try ImportEntries.slices(of: [draft], to: event) {
      _ = try bench.perform(slice, as: robin)
    }
  }

  /// Texts in a kept reply of another caller, a preference, a staged import, an invite and a
  /// certificate.
  private static func plantOthers(
    _ bench: EventBench, of robin: Int64, _ mark: String
  ) throws {
    let name = Array((mark + " Robin").utf8)
    try bench.store.keep(
      [0x0A, UInt8(name.count)] + name, under: name[0], of: bench.organiser)
    _ = try bench.perform(try SetPreference(key: mark.lowercased() + ".key", value: "v"), as: robin)
    // What an import stages before it is decided.
    let connection = try Connection(path: bench.directory.databasePath, mode: .readWrite)
    try connection.execute(
      """
      INSERT INTO weight_import (principal_id) VALUES (\(robin));
      INSERT INTO weight_import_entry (import_id, principal_id, day, measured_at_ms, thousandths,
        unit, note) VALUES (last_insert_rowid(), \(robin), 1, 1, 80000, 2, '\(mark) staged');
      """)
    _ = try bench.perform(try CreateInvite(label: mark + " club", uses: 1), as: robin)
    try bench.perform(
      BindCertificate(
        principal: robin, name: try CertificateName(.uri, "urn:" + mark), label: mark + " key"))
  }
}
