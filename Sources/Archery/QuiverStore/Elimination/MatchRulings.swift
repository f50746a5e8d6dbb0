package import QuiverRules

/// Confirms one card of a match that is decided.
package struct ConfirmMatchCard: Command {
  private let id: Int64
  private let side: MatchSide
  private let revision: UInt64

  package init(_ id: Int64, _ side: MatchSide?, revision: UInt64) throws(StoreError) {
    guard let side else { throw .invalid("side", "must be 1 or 2") }
    guard revision > 0 else {
      throw .invalid("revision", "must be the revision that was read, from 1")
    }
    self.id = id
    self.side = side
    self.revision = revision
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> MatchInBracket {
    let (match, bracket, head) = try transaction.openCards(id)
    let entrant = bracket.entrant(match.seeds[side.rawValue])
    let mayScore = try transaction.snapshot.mayScore(
      side, of: match, entrant, principal: transaction.caller.principal,
      leasedAfter: transaction.nowMilliseconds)
    guard mayScore else {
      throw StoreError(.permissionDenied, "you do not score this card", field: "match_id")
    }
    guard !match.confirmations.contains(side) else {
      return MatchInBracket(match: match, bracket: bracket)
    }
    guard match.revision == revision else {
      throw StoreError(
        .aborted,
        "it was changed since revision \(revision); it is at \(match.revision)", field: "revision")
    }
    guard match.score(bracket.stage.rules).isDecided else {
      throw StoreError(.failedPrecondition, "it is not decided", field: "match_id")
    }
    try transaction.setState(
      of: match, forfeits: match.forfeits, confirmations: match.confirmations.union([side]), head,
      "match.confirm")
    return try transaction.snapshot.match(id: id, principal: transaction.caller.principal)
  }
}

/// Records that a side does not shoot, or stopped.
///
/// The other side can forfeit as well, until a later match has scores: then neither side advances,
/// and the opponent of the next round has a bye.
package struct ForfeitMatch: Command {
  /// An organiser whose quota is full rules over matches still.
  package static var storesContent: Bool { false }

  private let id: Int64
  private let side: MatchSide
  private let reason: String
  private let expected: UInt64

  /// `expected` is the revision of the match that was read; 0: any.
  package init(
    _ id: Int64, _ side: MatchSide?, reason: String, expected: UInt64 = 0
  ) throws(StoreError) {
    self.expected = expected
    guard let side else { throw .invalid("side", "must be 1 or 2") }
    self.id = id
    self.side = side
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> MatchInBracket {
    let (match, bracket, head) = try transaction.openMatch(id)
    try transaction.checkRules(head)
    guard match.seeds.allSatisfy({ $0 != nil }) else {
      throw StoreError(
        .failedPrecondition, match.isBye ? "it is a bye" : "its archers are not known yet",
        field: "match_id")
    }
    guard !match.forfeits.contains(side) else {
      return MatchInBracket(match: match, bracket: bracket.stageEntrants)
    }
    try bracket.check(match, hasRevision: expected)
    let isForfeited = match.isConfirmed && !match.forfeits.isEmpty
    guard !match.isConfirmed || isForfeited else {
      throw StoreError(
        .failedPrecondition, "both cards are confirmed; reopen it first", field: "match_id")
    }
    if isForfeited {
      let later = bracket.laterRecorded(than: match)
      guard later.isEmpty else {
        throw StoreError(
          .failedPrecondition,
          "the later matches \(later.list) have scores; reopen it first", field: "match_id")
      }
    }
    try transaction.setState(
      of: match, forfeits: match.forfeits.union([side]),
      confirmations: Set(MatchSide.allCases), head, "match.forfeit", reason: reason)
    if isForfeited { try transaction.advance(stage: match.stage, head) }
    return try transaction.snapshot.match(id: id, principal: transaction.caller.principal)
  }
}

/// Takes the confirmations and forfeits of a match back, and the bracket with them.
package struct ReopenMatch: Command {
  package static var storesContent: Bool { false }

  private let id: Int64
  private let reason: String
  private let voidsLater: Bool
  private let expected: UInt64

  /// `expected` is the revision of the match that was read; 0: any.
  package init(
    _ id: Int64, reason: String, voidsLater: Bool, expected: UInt64 = 0
  ) throws(StoreError) {
    self.expected = expected
    self.id = id
    self.reason = try TournamentText.reason(reason)
    self.voidsLater = voidsLater
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> MatchInBracket {
    let (match, bracket, head) = try transaction.openMatch(id)
    try transaction.checkRules(head)
    guard !match.confirmations.isEmpty || !match.forfeits.isEmpty else {
      return MatchInBracket(match: match, bracket: bracket.stageEntrants)
    }
    try bracket.check(match, hasRevision: expected)
    let later = bracket.laterRecorded(than: match)
    guard later.isEmpty || voidsLater else {
      throw StoreError(
        .failedPrecondition,
        "the later matches \(later.list) have scores; reopen them first, or have them voided",
        field: "match_id")
    }
    // The last ones first, so that no match loses its archers before it is empty.
    for match in later.sorted(by: { $1.place < $0.place }) {
      try transaction.void(match, head, reason: reason)
    }
    let current = try transaction.snapshot.match(id: id)
    try transaction.setState(
      of: current, forfeits: [], confirmations: [], head, "match.reopen", reason: reason)
    try transaction.advance(stage: match.stage, head)
    return try transaction.snapshot.match(id: id, principal: transaction.caller.principal)
  }
}

extension BracketRecord {
  /// Throws `aborted` with the match unless it has a revision; 0 is any.
  fileprivate func check(_ match: MatchRecord, hasRevision expected: UInt64) throws(StoreError) {
    guard expected == 0 || match.revision == expected else {
      let current = MatchInBracket(match: match, bracket: stageEntrants)
      throw .changed(since: "expected_revision", "the match", .match(current))
    }
  }

  /// Throws `aborted` with the bracket unless it has a revision; 0 is any.
  func check(hasRevision expected: UInt64) throws(StoreError) {
    guard expected == 0 || revision == expected else {
      throw .changed(since: "expected_revision", "the bracket", .bracket(self))
    }
  }

  /// The matches that depend on one, its winner's and its loser's and theirs, in which something
  /// was recorded.
  fileprivate func laterRecorded(than match: MatchRecord) -> [MatchRecord] {
    guard stage.groupCount == 0 else { return [] }
    var places: Set<BracketPlace> = []
    var open = [match.place]
    while let place = open.popLast() {
      for next in [place.winnersNext?.place, place.losersNext?.place].compactMap({ $0 })
      where places.insert(next).inserted {
        open.append(next)
      }
    }
    return matches.filter { match in
      places.contains(match.place)
        && (!match.cards.allSatisfy(\.isEmpty) || !match.forfeits.isEmpty
          || !match.confirmations.isEmpty)
    }
  }
}

extension [MatchRecord] {
  /// Their ids, for a message.
  fileprivate var list: String { map { "\($0.id)" }.joined(separator: ", ") }
}

/// Deletes a stage in which nothing was recorded.
package struct DeleteStage: Command {
  package static var storesContent: Bool { false }

  private let id: Int64
  private let expected: UInt64

  private static let statements = [
    Query("DELETE FROM event_match WHERE stage_id = ?1"),
    Query("DELETE FROM event_team_member WHERE stage_id = ?1"),
    Query("DELETE FROM event_team WHERE stage_id = ?1"),
    Query("DELETE FROM event_entrant WHERE stage_id = ?1"),
    Query("DELETE FROM event_stage WHERE id = ?1"),
  ]

  /// `expected` is the revision of the bracket that was read; 0: any.
  package init(_ id: Int64, expected: UInt64 = 0) {
    self.id = id
    self.expected = expected
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let bracket = try transaction.snapshot.bracket(
      stage: id, principal: transaction.caller.principal)
    let head = try transaction.event(bracket.stage.event, field: "stage_id")
    try transaction.checkNotCancelled(head, field: "stage_id")
    let isEmpty = bracket.matches.allSatisfy { match in
      match.cards.allSatisfy(\.isEmpty) && match.forfeits.isEmpty && match.confirmations.isEmpty
    }
    guard isEmpty else {
      throw StoreError(
        .failedPrecondition, "matches of it have scores; reopen and empty them first",
        field: "stage_id")
    }
    try bracket.check(hasRevision: expected)
    for statement in Self.statements { try transaction.run(statement, .integer(id)) }
    try transaction.record(
      .deleted, of: .eventStage, id: id, principal: head.organiser, topic: head.id)
    try transaction.auditEvent(head.id, "event.cut", before: "\(id)")
  }
}
