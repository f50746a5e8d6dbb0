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
  private let takesWaiting: Bool
  private let expected: UInt64

  /// How places are drawn; the raw values are those of `quiver.v1.DrawMethod`.
  package enum Method: Int32, Sendable {
    case random = 1
    case ranking = 2
  }

  /// The places that were drawn.
  package struct Reply: Sendable {
    package let entries: [EventEntryRecord]
    package let seed: UInt64
    /// Targets of the session where archers shoot at different distances or faces.
    package let mixed: [MixedTarget]
  }

  /// A target whose archers cannot shoot at one butt.
  package struct MixedTarget: Sendable, Equatable {
    package let target: Int
    package let hasDistances: Bool
    package let hasFaces: Bool
  }

  private static let setPlace = Query(
    "UPDATE event_entry SET session_id = ?4, target = ?2, letter = ?3 WHERE id = ?1")
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
    /// Whether entries that have no session in the round of this one are drawn too.
    package var takesWaiting = false
    /// The sum of the revisions of all entries of the session that were read; 0: any.
    package var expectedRevision: UInt64 = 0

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
    takesWaiting = scope.takesWaiting
    expected = scope.expectedRevision
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
    let lined = try transaction.snapshot.eventEntries(event: event, filter, limit: .max)
    guard expected == 0 || lined.reduce(0, { $0 &+ $1.revision }) == expected else {
      throw .changed(since: "expected_revision", "an entry of the session")
    }
    let all = lined + (takesWaiting ? try waiting(for: line, transaction) : [])
    let drawn = all.filter { entry in
      (category == 0 || entry.content.category == category)
        && entry.isRanked && (entry.place == nil || redraws && !entry.content.isFixed)
    }
    guard !drawn.isEmpty else {
      throw StoreError(
        .failedPrecondition, "no entry of the session waits for a place", field: "session_id")
    }
    let ids = Set(drawn.map(\.participant))
    let taken = Set(all.filter { !ids.contains($0.participant) }.compactMap(\.place))
    let free = line.openPlaces(targets).filter { !taken.contains($0) }
    let archers = try order(drawn, head, transaction).map {
      TargetDraw.Archer(
        id: $0.participant, club: $0.content.club, usesWheelchair: $0.content.usesWheelchair)
    }
    return try store(
      try places(archers, free, line), of: drawn, round: Int(line.round), head, transaction)
  }

  /// The entries that shoot the round of the session and have no session for it.
  private func waiting(
    for line: EventSessionContent, _ transaction: borrowing Transaction
  ) throws(StoreError) -> [EventEntryRecord] {
    var filter = Snapshot.EntryFilter()
    filter.category = category
    var counts: [Int64: Int] = [:]
    var waiting: [EventEntryRecord] = []
    for entry in try transaction.snapshot.eventEntries(event: event, filter, limit: .max) {
      let own = entry.content.category
      if counts[own] == nil {
        counts[own] = try transaction.snapshot.category(id: own, of: event).rounds.count
      }
      let round = Int(line.round)
      guard round <= counts[own] ?? 1, entry.place(inRound: round) == nil, entry.isRanked else {
        continue
      }
      try transaction.checkOrder(of: entry, in: session, line, field: "session_id")
      waiting.append(entry.waiting)
    }
    return waiting
  }

  private func places(
    _ archers: [TargetDraw.Archer], _ free: [TargetDraw.Place], _ line: EventSessionContent
  ) throws(StoreError) -> [Int64: TargetDraw.Place] {
    try validating { () throws(RuleViolation) in
      try TargetDraw.wheelchairsFirst(
        archers, to: free, on: line.places.wheelchairTargets
      ) { (archers, free) throws(RuleViolation) in
        switch method {
        case .random: try TargetDraw.atRandom(archers, to: free, seed: seed)
        case .ranking: try TargetDraw.inOrder(archers, to: free)
        }
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
    _ places: [Int64: TargetDraw.Place], of drawn: [EventEntryRecord], round: Int,
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Reply {
    // A place is unique: all leave theirs first.
    for entry in drawn {
      if round == 1, entry.session == 0 {
        // Who joined by itself has no row.
        try transaction.put(
          entry.participant, event: event, entry.content, session: session, place: nil,
          state: entry.stored)
      } else {
        try put(nil, of: entry.participant, round, transaction)
      }
    }
    for (id, place) in places { try put(place, of: id, round, transaction) }
    let seed = method == .random ? seed : 0
    try transaction.run(
      Self.noteDraw, .integer(session), .integer(Int64(bitPattern: seed)),
      .integer(transaction.nowMilliseconds))
    try transaction.record(
      .updated, of: .eventSession, id: session, principal: head.organiser, topic: event)
    try transaction.auditEvent(
      event, "event.draw", after: "\(session) \(method) \(seed) \(drawn.count)")
    var entries: [EventEntryRecord] = []
    for entry in drawn {
      let stored = try transaction.entry(entry.participant)
      entries.append(stored.shown(in: session) ?? stored)
    }
    let none = TargetDraw.Place(target: 0, letter: 0)
    return Reply(
      entries: entries.sorted { $0.place ?? none < $1.place ?? none }, seed: seed,
      mixed: try mixed(inRound: round, transaction))
  }

  /// What an archer shoots in a round.
  private struct Shot {
    var distances: [String] = []
    var faces: [String] = []
    /// Nil: as the round says.
    var layout: FaceLayout?
  }

  private func mixed(
    inRound round: Int, _ transaction: borrowing Transaction
  ) throws(StoreError) -> [MixedTarget] {
    var filter = Snapshot.EntryFilter()
    filter.session = session
    var shots: [Int64: Shot] = [:]
    var targets: [Int: [Shot]] = [:]
    for entry in try transaction.snapshot.eventEntries(event: event, filter, limit: .max) {
      guard let place = entry.place else { continue }
      let own = entry.content.category
      if shots[own] == nil {
        let category = try transaction.snapshot.category(id: own, of: event)
        let passes = category.rounds.first { $0.number == round }?.passes ?? []
        shots[own] = Shot(
          distances: passes.map { "\($0.distance) \($0.unit)" },
          faces: passes.map { "\($0.face) \($0.diameterCentimetres)" })
      }
      var shot = shots[own] ?? Shot()
      shot.layout = entry.content.faceLayout
      targets[place.target, default: []].append(shot)
    }
    return targets.compactMap { (target, shots) -> MixedTarget? in
      let found = MixedTarget(
        target: target, hasDistances: Set(shots.map(\.distances)).count > 1,
        hasFaces: Set(shots.map(\.faces)).count > 1
          || Set(shots.compactMap(\.layout)).count > 1)
      return found.hasDistances || found.hasFaces ? found : nil
    }.sorted { $0.target < $1.target }
  }

  /// Stores the place of an entry of the session in its round.
  private func put(
    _ place: TargetDraw.Place?, of id: Int64, _ round: Int, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard round == 1 else {
      let place = EventRoundPlace(round: round, session: session, place: place)
      return try transaction.put(place, of: id, in: event)
    }
    try transaction.keepPastScorers(ofParticipant: id, inRound: 1, event: event)
    try transaction.run(
      Self.setPlace, .integer(id), .integer(Int64(place?.target ?? 0)),
      .integer(Int64(place?.letter ?? 0)), .integer(session))
    try transaction.keepTurn(ofParticipant: id)
  }
}

extension EventEntryRecord {
  /// The same without the place of another round.
  fileprivate var waiting: EventEntryRecord {
    var record = self
    (record.session, record.place) = (0, nil)
    return record
  }
}

/// Moves an entry to a place, by hand or on the day. Scores stay.
package struct PlaceEntry: Command {
  private let participant: Int64
  private let session: Int64
  private let place: TargetDraw.Place?
  private let swaps: Bool
  private let expected: Expected

  /// Revisions of entries that were read; 0: any.
  package struct Expected: Sendable {
    let own: UInt64
    /// Of who has the place; not 0: somebody else there, or nobody, is refused.
    let other: UInt64

    package init(own: UInt64 = 0, other: UInt64 = 0) {
      self.own = own
      self.other = other
    }
  }

  /// A `target` of 0 removes the place. If `swaps`, the entry that has the place gets the old one.
  package init(
    _ participant: Int64, session: Int64, target: UInt32, letter: String, swaps: Bool,
    expected: Expected = Expected()
  ) throws(StoreError) {
    self.expected = expected
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
    let target = EventRoundPlace(round: Int(line.round), session: session, place: place)
    guard before.place(inRound: target.round) != target else {
      return before.shown(in: session) ?? before
    }
    try transaction.check(before, hasRevision: expected.own)
    try transaction.checkRound(of: before, in: session, line)
    guard let place else {
      let moved = try transaction.move(before, to: target)
      return moved.shown(in: session) ?? moved
    }
    try line.check(place)
    if let id = try transaction.snapshot.entryID(at: place, session: session) {
      let other = try transaction.entry(id)
      guard swaps else {
        throw StoreError(
          .failedPrecondition, "participant \(id) has this place; swap them, or move it first",
          field: "target")
      }
      try transaction.check(other, hasRevision: expected.other, field: "other_revision")
      let own = before.place(inRound: target.round)
      let left = own?.place == nil ? session : own?.session ?? session
      let otherLine = try transaction.snapshot.eventSessionContent(id: left, of: other.event)
      try transaction.checkRound(of: other, in: left, otherLine)
      // A place is unique: the mover leaves its own first.
      _ = try transaction.move(
        before, to: EventRoundPlace(round: target.round, session: left, place: nil))
      _ = try transaction.move(
        other, to: EventRoundPlace(round: target.round, session: left, place: own?.place),
        after: "swapped")
    } else if expected.other != 0 {
      throw .changed(since: "other_revision", "who had the place")
    }
    let moved = try transaction.move(
      before, to: target, after: "\(place.target) \(place.letter)")
    return moved.shown(in: session) ?? moved
  }
}
