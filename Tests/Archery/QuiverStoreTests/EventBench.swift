import QuiverCrypto
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport

@testable import QuiverStore

/// A store with an organiser, archers and an event, and short ways to score.
final class EventBench: Sendable {
  let directory: TemporaryDirectory
  let store: Store
  let clock: TestClock
  let organiser: Int64
  private let milliseconds = Mutex<UInt64>(1_700_000_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    clock = TestClock()
    store = try directory.open(clock: clock)
    organiser = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Sheriff"), .of(0)
    ).id
  }

  /// A bench on a store that was opened elsewhere.
  init(in store: Store) throws {
    directory = try TemporaryDirectory()
    clock = TestClock()
    self.store = store
    organiser = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Sheriff"), .of(0)
    ).id
  }

  @discardableResult
  func perform<C: Command>(_ command: C, as principal: Int64? = nil) throws -> C.Reply {
    try store.perform(command, .of(principal ?? organiser))
  }

  func code(of principal: Int64) throws -> Appointee { try store.code(of: principal) }

  /// How a command ends that is meant to fail.
  func refusal(_ body: () throws -> some Any) -> StoreError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  func archer(_ name: String = "Robin") throws -> Int64 {
    try perform(CreatePrincipal(kind: .user, displayName: name)).id
  }

  /// A UUIDv7 of its own.
  func clientID() throws -> [UInt8] {
    let now = milliseconds.withLock { milliseconds in
      milliseconds += 1
      return milliseconds
    }
    return try UUIDv7.make(unixMilliseconds: now)
  }

  /// An event of the organiser's, wa18 of 30 arrows unless another is named.
  func event(
    format: String = "wa18", arrows: UInt32 = 30,
    _ change: (inout CreateTournament.Content) -> Void = { _ in }
  ) throws -> TournamentRecord {
    var content = CreateTournament.Content(.codename(format))
    content.name = "Club"
    content.arrowLimit = arrows
    change(&content)
    return try perform(try CreateTournament(content))
  }

  @discardableResult
  func start(_ event: TournamentRecord) throws -> TournamentRecord {
    try perform(try ChangeTournamentState(event.head.id, .start, anyway: true))
  }

  @discardableResult
  func finalise(_ event: TournamentRecord) throws -> TournamentRecord {
    try perform(try ChangeTournamentState(event.head.id, .finalise, anyway: true))
  }

  func join(_ principal: Int64, _ event: TournamentRecord) throws -> ParticipantRecord {
    try perform(JoinTournament(.joinCode(event.head.joinCode)), as: principal)
  }

  func entries(_ names: [String], _ event: TournamentRecord) throws -> [ParticipantRecord] {
    let drafts = try names.map {
      try AddEntries.EntryDraft(name: $0, clientID: [], scorer: 0, path: "")
    }
    return try perform(try AddEntries(drafts, to: event.head.id))
  }

  /// An operation on a slot; `text` is as on a score sheet, empty for none.
  func operation(
    _ participant: Int64, _ end: Int, _ arrow: Int, _ text: String,
    _ change: (inout OperationDraft.Content) -> Void = { _ in }
  ) throws -> OperationDraft {
    var content = OperationDraft.Content(.id(participant))
    content.endIndex = UInt32(clamping: end)
    content.arrowIndex = UInt32(clamping: arrow)
    if let score = ArrowScore(sheet: text) {
      content.value = UInt32(score.value)
      content.isX = score.isX
    }
    change(&content)
    return try OperationDraft(content, path: "operation.")
  }

  /// Records an arrow as a call of its own would.
  @discardableResult
  func record(
    _ participant: Int64, _ end: Int, _ arrow: Int, _ text: String, as principal: Int64? = nil,
    _ change: (inout OperationDraft.Content) -> Void = { _ in }
  ) throws -> ScoringReply {
    try perform(
      RecordArrows(try operation(participant, end, arrow, text, change)), as: principal)
  }

  /// Corrects, or empties where `text` is empty, what that operation left.
  @discardableResult
  func replace(
    _ id: Int64, of participant: Int64, _ end: Int, _ arrow: Int, _ text: String,
    as principal: Int64? = nil
  ) throws -> ScoringReply {
    try record(participant, end, arrow, text, as: principal) { content in
      content.kind = text.isEmpty ? .retract : .correct
      content.replaces = .id(id)
      content.reason = "misread"
    }
  }

  func participant(_ id: Int64) throws -> ParticipantRecord? {
    try store.read { (snapshot) throws(StoreError) in try snapshot.participant(id: id) }
  }

  func tally(_ id: Int64) throws -> ScoreTally {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.participant(id: id)?.tally ?? ScoreTally()
    }
  }

  /// The operations of an event that wait for its organiser.
  func late(_ event: TournamentRecord) throws -> [Int64] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.lateOperations(
        tournament: event.head.id, principal: organiser, pageSize: 500, pageToken: ""
      ).items.map(\.operation.id)
    }
  }

  /// The last row of the journal: in PostgreSQL also one above the horizon, which any open
  /// transaction of the same server holds back.
  func sequence() throws -> Int64 {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.first(Self.lastRow) { row in row.int64(0) } ?? 0
    }
  }

  private static let lastRow = Query("SELECT max(sequence) FROM journal")

  /// The standings as `rank name total x tens`, a row each.
  func standings(
    _ event: TournamentRecord, under policy: TiePolicy? = nil, pageSize: UInt32 = 500
  ) throws -> [String] {
    let page = try store.standings(
      event.head.id, under: policy, principal: organiser, pageSize: pageSize, pageToken: "")
    return zip(page.rows.entries, page.rows.ranks).map { entry, rank in
      let tally = entry.contender.tally
      return "\(rank) \(entry.displayName) \(tally.total) \(tally.xCount) \(tally.tenCount)"
    }
  }
}
