import QuiverRules

/// The code of a plate: it names a target of an event, whatever is shot there.
///
/// Like the code of a target it is not stored.
struct PlateCode: Sendable, Equatable {
  let event: Int64
  let target: UInt32
  let serial: Int64

  private static var form: SignedNumbers { SignedNumbers(prefix: "qp_", label: "plate", count: 3) }

  init(event: Int64, target: UInt32, serial: Int64) {
    self.event = event
    self.target = target
    self.serial = serial
  }

  /// Reads a code of this store; nil for any other text.
  init?(_ text: String, key: [UInt8]) {
    guard let numbers = Self.form.numbers(in: text, key: key) else { return nil }
    event = numbers[0]
    target = UInt32(clamping: numbers[1])
    serial = numbers[2]
  }

  func text(key: [UInt8]) -> String {
    Self.form.text([event, Int64(target), serial], key: key)
  }
}

/// A code of a target or of a plate, as somebody scanned it.
struct ScannedCode: Sendable {
  let event: Int64
  /// Nil: of a plate.
  let session: Int64?
  let target: UInt32
  let serial: Int64

  init?(_ text: String, key: [UInt8]) {
    if let code = TargetCode(text, key: key) {
      (event, session, target, serial) = (code.event, code.session, code.target, code.serial)
    } else if let code = PlateCode(text, key: key) {
      (event, session, target, serial) = (code.event, nil, code.target, code.serial)
    } else {
      return nil
    }
  }

  static var unknown: StoreError { StoreError(.notFound, "no target has this code", field: "code") }
}

/// What is open at the target of a plate.
package struct TargetChoiceRecord: Sendable, Equatable {
  /// 0: a match.
  package let session: Int64
  /// 0: a session.
  package let match: Int64
  package let name: String
  /// 0: not known.
  package let startsAtMilliseconds: Int64
}

extension Snapshot {
  private static let sessionsOfTarget = Query(
    """
    SELECT id, name, starts_at_ms, round FROM event_session
    WHERE event_id = ?1 AND first_target <= ?2 AND last_target >= ?2 ORDER BY starts_at_ms, id
    """)

  /// Throws `notFound` unless the text is a code of this store.
  package func checkTargetCode(_ text: String) throws(StoreError) {
    guard let code = ScannedCode(text, key: pageTokenKey),
      try tournamentHead(id: code.event) != nil
    else { throw ScannedCode.unknown }
  }

  /// What is open at a target: sessions with archers there who have not shot all arrows, except of
  /// those that begin much later; and matches that are known and not decided. Where nothing is, the
  /// sessions that have the target.
  func openChoices(event: Int64, target: UInt32) throws(StoreError) -> [TargetChoiceRecord] {
    let sessions = try all(Self.sessionsOfTarget, .integer(event), .integer(Int64(target))) {
      row in
      (
        choice: TargetChoiceRecord(
          session: row.int64(0), match: 0, name: row.text(1), startsAtMilliseconds: row.int64(2)),
        round: Int(clamping: row.int64(3))
      )
    }
    var open: [TargetChoiceRecord] = []
    for (choice, round) in sessions
    where try hasUnfinished(session: choice.session, target: target, round: round) {
      open.append(choice)
    }
    let soon = wallMilliseconds() + StoreLimits.plateLeadMilliseconds
    let near = open.filter { $0.startsAtMilliseconds <= soon }
    open = near.isEmpty ? Array(open.prefix(1)) : near
    open += try openMatches(event: event, target: target)
    return open.isEmpty ? sessions.map(\.choice) : open
  }

  private func hasUnfinished(
    session: Int64, target: UInt32, round: Int
  ) throws(StoreError) -> Bool {
    for id in try participants(session: session, target: target) {
      guard let place = try scoringPlace(participant: id),
        place.participant.status.standing == .ranked, place.cardState != .confirmed
      else { continue }
      let rounds = try rounds(ofFormat: place.formatID, place.format)
      let arrows = rounds.prefix(max(round, 1)).reduce(0) { $0 + $1.arrowCount }
      if place.participant.tally.arrowCount < arrows { return true }
    }
    return false
  }

  private func openMatches(
    event: Int64, target: UInt32
  ) throws(StoreError) -> [TargetChoiceRecord] {
    var open: [TargetChoiceRecord] = []
    for id in try matches(event: event, target: target) {
      let match = try match(id: id)
      guard match.seeds.allSatisfy({ $0 != nil }), match.forfeits.isEmpty, !match.isConfirmed
      else { continue }
      let bracket = try entrants(of: match)
      let names = match.seeds.map { bracket.entrant($0)?.displayName ?? "" }
      open.append(
        TargetChoiceRecord(
          session: 0, match: id, name: names.joined(separator: " – "),
          startsAtMilliseconds: match.startsAtMilliseconds))
    }
    return open
  }

  /// The session of a scanned code, 0 for that of matches; nil: it is one of several that are open.
  func session(
    of code: ScannedCode, chosenSession: Int64, chosenMatch: Int64
  ) throws(StoreError) -> (session: Int64?, choices: [TargetChoiceRecord]) {
    if let session = code.session { return (session, []) }
    if chosenMatch != 0 {
      guard try matches(event: code.event, target: code.target).contains(chosenMatch) else {
        throw StoreError(
          .failedPrecondition, "the match is not on target \(code.target)", field: "match_id")
      }
      return (0, [])
    }
    if chosenSession != 0 { return (chosenSession, []) }
    let open = try openChoices(event: code.event, target: code.target)
    guard !open.isEmpty else {
      throw StoreError(
        .failedPrecondition, "nothing is shot on target \(code.target)", field: "code")
    }
    // One lease is for all matches of a target.
    guard Set(open.map(\.session)).count > 1 else { return (open[0].session, []) }
    return (nil, open)
  }

  /// All targets of an event: those of its sessions and of its matches, in their order.
  func targets(event: Int64) throws(StoreError) -> [UInt32] {
    var found: Set<UInt32> = []
    try session.forEach(Self.ranges, [.integer(event)]) { row in
      let (first, last) = (UInt32(clamping: row.int64(0)), UInt32(clamping: row.int64(1)))
      if first > 0, first <= last { found.formUnion(first...last) }
    }
    return found.sorted()
  }

  private static let ranges = Query(
    """
    SELECT first_target, last_target FROM event_session WHERE event_id = ?1
    UNION SELECT first_target, first_target FROM event_match WHERE event_id = ?1
    UNION SELECT second_target, second_target FROM event_match WHERE event_id = ?1
    """)
}

/// Returns the codes of plates; the first time the event gets codes.
package struct MakePlateCodes: Command {
  package static var keepsReply: Bool { false }

  private let event: Int64
  private let targets: ClosedRange<UInt32>?

  private static let set = Query("UPDATE tournament SET lease_serial = ?2 WHERE id = ?1")

  /// Nil: all targets of the event.
  package init(event: Int64, first: UInt32, last: UInt32) throws(StoreError) {
    self.event = event
    guard first != 0 || last != 0 else {
      targets = nil
      return
    }
    guard first > 0, first <= last, last <= StoreLimits.targetNumber,
      last - first < StoreLimits.targetsPerSession
    else {
      throw .invalid(
        "first_target", "with last_target must name 1 to \(StoreLimits.targetsPerSession) targets")
    }
    targets = first...last
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [(target: UInt32, code: String)] {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let asked: [UInt32]
    if let targets {
      asked = Array(targets)
    } else {
      asked = try transaction.snapshot.targets(event: event)
    }
    guard !asked.isEmpty else {
      throw StoreError(
        .failedPrecondition, "no session of the event has targets", field: "tournament_id")
    }
    guard asked.count <= Int(StoreLimits.leasesPerEvent) else {
      throw .invalid("first_target", "must be given where the event has so many targets")
    }
    var serial = try transaction.snapshot.leaseSerial(event: event)
    if serial == 0 {
      serial = -1
      try transaction.run(Self.set, .integer(event), .integer(serial))
      try transaction.auditEvent(event, "event.plates", after: "1")
    }
    let key = transaction.snapshot.pageTokenKey
    return asked.map { target in
      let code = PlateCode(event: event, target: target, serial: abs(serial))
      return (target: target, code: code.text(key: key))
    }
  }
}
