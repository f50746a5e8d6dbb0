import QuiverCrypto
import QuiverRules

/// Draws the entries of a session to places on its targets: all of them, or none.
package struct DrawPlaces: Command {
  private let event: Int64
  private let session: Int64
  private let category: Int64
  private let method: Method
  private let firstTarget: UInt32
  private let lastTarget: UInt32
  private let seed: UInt64
  private let redraws: Bool

  /// How places are drawn; the raw values are those of `quiver.v1.DrawMethod`.
  package enum Method: Int32, Sendable {
    case random = 1
    case ranking = 2
  }

  /// The places that were drawn.
  package struct Reply: Sendable {
    package let entries: [EventEntryRecord]
    package let seed: UInt64
  }

  private static let clearPlaces = Query(
    "UPDATE event_entry SET target = 0, letter = 0 WHERE id = ?1")
  private static let setPlace = Query(
    "UPDATE event_entry SET target = ?2, letter = ?3 WHERE id = ?1")
  private static let noteDraw = Query(
    """
    UPDATE event_session SET revision = revision + 1, draw_seed = ?2, drawn_at_ms = ?3
    WHERE id = ?1
    """)

  /// What is drawn.
  package struct Scope: Sendable {
    package var event: Int64 = 0
    package var session: Int64 = 0
    /// 0: all entries of the session.
    package var category: Int64 = 0
    /// 0: those of the session.
    package var firstTarget: UInt32 = 0
    package var lastTarget: UInt32 = 0
    /// Whether entries that have a place are drawn again.
    package var redraws = false

    package init() {}
  }

  /// A `seed` of 0 draws one.
  package init(_ scope: Scope, _ method: Method?, seed: UInt64) throws(StoreError) {
    guard let method else { throw .invalid("method", "must be random or ranking") }
    event = scope.event
    session = scope.session
    category = scope.category
    firstTarget = scope.firstTarget
    lastTarget = scope.lastTarget
    redraws = scope.redraws
    self.method = method
    self.seed = method == .random && seed == 0 ? try Self.randomSeed() : seed
  }

  /// From 1 to the largest number that fits a stored integer.
  static func randomSeed() throws(StoreError) -> UInt64 {
    do {
      return max(1, try RandomBytes.make(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1)
    } catch {
      throw StoreError(.internalError, "the system gave no random bytes", notProcessed: true)
    }
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Reply {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let line = try transaction.snapshot.eventSessionContent(id: session, of: event)
    if category != 0 { _ = try transaction.snapshot.category(id: category, of: event) }
    let targets = try targets(of: line)
    var filter = Snapshot.EntryFilter()
    filter.session = session
    let all = try transaction.snapshot.eventEntries(event: event, filter, limit: .max)
    let drawn = all.filter { entry in
      (category == 0 || entry.content.category == category)
        && entry.isRanked && (redraws || entry.place == nil)
    }
    guard !drawn.isEmpty else {
      throw StoreError(
        .failedPrecondition, "no entry of the session waits for a place", field: "session_id")
    }
    let ids = Set(drawn.map(\.participant))
    let taken = Set(all.filter { !ids.contains($0.participant) }.compactMap(\.place))
    let free = line.places(targets).filter { !taken.contains($0) }
    let archers = try order(drawn, head, transaction).map {
      TargetDraw.Archer(id: $0.participant, club: $0.content.club)
    }
    return try store(try places(archers, free), of: drawn, head, transaction)
  }

  private func places(
    _ archers: [TargetDraw.Archer], _ free: [TargetDraw.Place]
  ) throws(StoreError) -> [Int64: TargetDraw.Place] {
    try validating { () throws(RuleViolation) in
      switch method {
      case .random: try TargetDraw.atRandom(archers, to: free, seed: seed)
      case .ranking: try TargetDraw.inOrder(archers, to: free)
      }
    }
  }

  private func targets(of line: EventSessionContent) throws(StoreError) -> ClosedRange<UInt32> {
    let first = firstTarget == 0 ? line.firstTarget : firstTarget
    let last = lastTarget == 0 ? line.lastTarget : lastTarget
    guard first >= line.firstTarget, last <= line.lastTarget, first <= last else {
      throw .invalid(
        "first_target", "the session has the targets \(line.firstTarget) to \(line.lastTarget)")
    }
    return first...last
  }

  /// By their ranking for that method: the order of the leaderboard.
  private func order(
    _ entries: [EventEntryRecord], _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) -> [EventEntryRecord] {
    guard method == .ranking else { return entries }
    let (_, ranking) =
      category == 0
      ? (head.form(of: head.tiePolicy), head.ranking())
      : try transaction.snapshot.ranking(of: category, in: head)
    var rows: [(entry: EventEntryRecord, contender: Ranking.Contender)] = []
    for entry in entries {
      let participant = try transaction.certain(entry.participant)
      rows.append(
        (
          entry,
          Ranking.Contender(
            id: participant.id, standing: participant.status.standing, tally: participant.tally)
        ))
    }
    return rows.sorted { ranking.isBefore($0.contender, $1.contender) }.map(\.entry)
  }

  private func store(
    _ places: [Int64: TargetDraw.Place], of drawn: [EventEntryRecord], _ head: TournamentHead,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> Reply {
    for entry in drawn { try transaction.run(Self.clearPlaces, .integer(entry.participant)) }
    for (id, place) in places {
      try transaction.run(
        Self.setPlace, .integer(id), .integer(Int64(place.target)), .integer(Int64(place.letter)))
      try transaction.setTurn(of: id, to: place)
    }
    let seed = method == .random ? seed : 0
    try transaction.run(
      Self.noteDraw, .integer(session), .integer(Int64(bitPattern: seed)),
      .integer(transaction.nowMilliseconds))
    try transaction.record(
      .updated, of: .eventSession, id: session, principal: head.organiser, topic: event)
    try transaction.auditEvent(
      event, "event.draw", after: "\(session) \(method) \(seed) \(drawn.count)")
    var entries: [EventEntryRecord] = []
    for entry in drawn { entries.append(try transaction.entry(entry.participant)) }
    let none = TargetDraw.Place(target: 0, letter: 0)
    return Reply(
      entries: entries.sorted { $0.place ?? none < $1.place ?? none }, seed: seed)
  }
}

/// Moves an entry to a place, by hand or on the day. Scores stay.
package struct PlaceEntry: Command {
  private let participant: Int64
  private let session: Int64
  private let place: TargetDraw.Place?
  private let swaps: Bool

  /// A `target` of 0 takes the place away. If `swaps`, who has the place gets the old one.
  package init(
    _ participant: Int64, session: Int64, target: UInt32, letter: String, swaps: Bool
  ) throws(StoreError) {
    self.participant = participant
    self.session = session
    self.swaps = swaps
    guard target != 0 else {
      place = nil
      return
    }
    guard let index = ["A", "B", "C", "D"].firstIndex(of: letter.uppercased()) else {
      throw .invalid("letter", "must be A, B, C or D")
    }
    place = TargetDraw.Place(target: Int(target), letter: index)
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventEntryRecord {
    let (before, _) = try transaction.entry(participant, for: [.judge])
    let line = try transaction.snapshot.eventSessionContent(id: session, of: before.event)
    guard let place else {
      guard before.place != nil || before.session != session else { return before }
      return try transaction.replace(before, session: session, place: nil, "entry.place")
    }
    guard (line.firstTarget...line.lastTarget).contains(UInt32(place.target)) else {
      throw .invalid(
        "target", "the session has the targets \(line.firstTarget) to \(line.lastTarget)")
    }
    guard place.letter < Int(line.archersPerTarget) else {
      throw .invalid("letter", "the session has \(line.archersPerTarget) archers on a target")
    }
    guard before.place != place || before.session != session else { return before }
    if let id = try transaction.snapshot.entryID(at: place, session: session) {
      let other = try transaction.entry(id)
      guard swaps else {
        throw StoreError(
          .failedPrecondition, "participant \(id) has this place; swap them, or move it first",
          field: "target")
      }
      // A place is unique: the mover leaves its own first.
      _ = try transaction.replace(before, place: nil, "entry.place")
      _ = try transaction.replace(
        other, session: before.place == nil ? other.session : before.session, place: before.place,
        "entry.place", after: "swapped")
    }
    return try transaction.replace(
      before, session: session, place: place, "entry.place",
      after: "\(place.target) \(place.letter)")
  }
}
