import QuiverCrypto
package import QuiverRules

/// Records or corrects an end or a shoot-off of a card.
package struct MatchOperationDraft: Sendable {
  package var clientID: [UInt8] = []
  package var match: Int64 = 0
  package var side = MatchSide.first
  /// The archer or team of the side; 0: not checked.
  package var participant: Int64 = 0
  /// Nil empties the place.
  package var entry: MatchEntry?
  package var isShootOff = false
  package var index = 0
  /// The client_id of the operation that is corrected; empty: none.
  package var replaces: [UInt8] = []
  package var reason = ""
  package var scoredAtMilliseconds: Int64 = 0
  /// That of the lease, in an event that demands leases.
  package var device = ""
  /// Who agreed to a correction; nil: nobody is named.
  package var witness: CorrectionWitness?
  /// Why it cannot be valid, whatever the store has: a refusal of this operation alone. Nil: it
  /// can.
  package var invalid: StoreError?

  package init() {}

  var place: MatchRecord.CardPlace {
    MatchRecord.CardPlace(side: side, isShootOff: isShootOff, index: index)
  }

  /// How far a client's clock may be ahead.
  private static let clockAllowanceMilliseconds: Int64 = 5 * 60_000

  /// The client's time; the server's where there is none, or it is more than 5 minutes ahead.
  func scoredAt(receivedAt now: Int64) -> Int64 {
    scoredAtMilliseconds == 0 || scoredAtMilliseconds > now + Self.clockAllowanceMilliseconds
      ? now : scoredAtMilliseconds
  }

  /// What makes two operations the same.
  var contentHash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.integer(match))
    encoding.append(.integer(Int64(side.rawValue)))
    encoding.append(.integer(isShootOff ? 1 : 0))
    encoding.append(.integer(Int64(index)))
    encoding.append(.blob(replaces))
    switch entry {
    case nil: encoding.append(.null)
    case .end(_, let arrows)?: encoding.append(.blob(CardBytes.arrows(arrows)))
    case .shootOff(_, let shot)?:
      encoding.append(.blob(CardBytes.arrows(shot.arrows)))
      encoding.append(.blob(CardBytes.distances(shot.distances)))
      encoding.append(.integer(shot.isMarkedCloser ? 1 : 0))
    }
    // Operations from before there was this field have their hashes still.
    if participant != 0 { encoding.append(.integer(participant)) }
    return SHA256.hash(encoding.bytes)
  }
}

/// What became of an operation on a match.
package struct MatchOutcome: Sendable {
  package let verdict: Verdict
  package let refusal: StoreError?
  /// The match afterwards; nil if the caller may not see it.
  package let match: MatchRecord?
  package let bracket: StageEntrants?

  /// The raw values are those of `quiver.v1.MatchVerdict`.
  package enum Verdict: Int32, Sendable {
    case stored = 1
    case same = 2
    case conflict = 3
    case refused = 4
    /// A client sends it again later.
    case notYet = 5
    /// An official sees it; the card does not have it.
    case late = 6

    /// The verdict of an operation that an error refuses; nil for failures of the store.
    init?(refusal error: StoreError) {
      switch ScoringOutcome.Verdict(refusal: error) {
      case .notYet: self = .notYet
      case .conflict: self = .conflict
      case .refused: self = .refused
      case .stored, .same, .late, nil: return nil
      }
    }
  }
}

/// Applies operations on cards, each with a verdict of its own.
package struct ApplyMatchOperations: Command {
  package var isToldByClientIDs: Bool { true }

  private let drafts: [MatchOperationDraft]

  private static let find = Query(
    """
    SELECT content_hash, stands_for_id FROM match_operation
    WHERE client_id = ?1 AND principal_id = ?2
    """)
  /// NULL: there is no such operation; 1: it is the one that the place has, or stands for it.
  private static let replaced = Query(
    """
    SELECT max(CASE WHEN id = ?3 OR stands_for_id = ?3 THEN 1 ELSE 0 END) FROM match_operation
    WHERE client_id = ?1 AND match_id = ?2
    """)
  private static let count = Query(
    "SELECT count(*) FROM match_operation WHERE match_id = ?1 AND principal_id = ?2")
  private static let insert = Query(
    """
    INSERT INTO match_operation (match_id, event_id, principal_id, client_id, content_hash,
      scored_at_ms, received_at_ms, stands_for_id, witness_id, judge_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """, key: "id")

  package init(_ drafts: [MatchOperationDraft]) throws(StoreError) {
    guard (1...StoreLimits.operationsPerCommand).contains(drafts.count) else {
      throw .invalid("operations", "must be from 1 to \(StoreLimits.operationsPerCommand)")
    }
    self.drafts = drafts
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [MatchOutcome] {
    var outcomes: [MatchOutcome] = []
    for (index, draft) in drafts.enumerated() {
      outcomes.append(try apply(draft, "operations[\(index)].", transaction))
    }
    return outcomes
  }

  /// A refusal follows from the reads before the first write. A later failure fails the command.
  private func apply(
    _ draft: MatchOperationDraft, _ path: String, _ transaction: borrowing Transaction
  ) throws(StoreError) -> MatchOutcome {
    var opened: Found?
    let found: Found
    let decision: Decision
    do throws(StoreError) {
      let kept = try stored(draft, transaction)
      // Who sends a stored operation again may have lost its lease or its role meanwhile.
      if draft.invalid == nil, let kept, kept.hash == draft.contentHash {
        return try outcome(ofRepeated: draft, isLate: kept.isLate, transaction)
      }
      found = try transaction.openCards(draft.match, field: path + "match_id")
      opened = found
      decision = try decide(draft, path, found, isTaken: kept != nil, transaction)
    } catch {
      guard let verdict = MatchOutcome.Verdict(refusal: error) else { throw error }
      // A lease that has expired shows nothing, though its operations are answered with NOT_YET.
      let seen = try opened.flatMap { (found) throws(StoreError) in
        try sees(found.head, transaction) ? found : nil
      }
      let shown = try seen.map { (found) throws(StoreError) in
        let reader = try transaction.snapshot.nameReader(
          of: found.head, principal: transaction.caller.principal)
        return MatchInBracket(
          match: found.match.shown(to: reader), bracket: found.bracket.shown(to: reader))
      }
      return MatchOutcome(
        verdict: verdict, refusal: error, match: shown?.match, bracket: shown?.bracket)
    }
    try store(draft, found, decision, transaction)
    // A device that has lost its lease may see nothing of a private event any more.
    guard try sees(found.head, transaction) else {
      return MatchOutcome(verdict: decision.verdict, refusal: nil, match: nil, bracket: nil)
    }
    let after = try transaction.snapshot.match(
      id: draft.match, principal: transaction.caller.principal)
    return MatchOutcome(
      verdict: decision.verdict, refusal: nil, match: after.match, bracket: after.bracket)
  }

  private func sees(
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try transaction.snapshot.checkSees(head, principal: transaction.caller.principal)
      return true
    } catch {
      guard error.code == .notFound else { throw error }
      return false
    }
  }

  /// The caller's operation that has this client_id already; nil if there is none.
  private func stored(
    _ draft: MatchOperationDraft, _ transaction: borrowing Transaction
  ) throws(StoreError) -> (hash: [UInt8], isLate: Bool)? {
    guard UUIDv7.isValid(draft.clientID) else { return nil }
    return try transaction.snapshot.first(
      Self.find, .blob(draft.clientID), .integer(transaction.caller.principal)
    ) { row in (row.bytes(0), row.int64(1) == LateArrows.standsFor) }
  }

  /// The outcome of an operation that is stored already, with the match if it is still there and
  /// the caller sees it.
  private func outcome(
    ofRepeated draft: MatchOperationDraft, isLate: Bool, _ transaction: borrowing Transaction
  ) throws(StoreError) -> MatchOutcome {
    var seen: MatchInBracket?
    do throws(StoreError) {
      seen = try transaction.snapshot.match(
        id: draft.match, principal: transaction.caller.principal)
    } catch {
      guard error.code == .notFound else { throw error }
    }
    return MatchOutcome(
      verdict: isLate ? .late : .same, refusal: nil, match: seen?.match, bracket: seen?.bracket)
  }

  private typealias Found = (match: MatchRecord, bracket: StageEntrants, head: TournamentHead)

  /// What an operation does that nothing refuses.
  private enum Decision {
    /// The card has it already, by another operation.
    case same
    case change
    /// A device sends it that has lost its lease, and the card has something else.
    case late

    var verdict: MatchOutcome.Verdict {
      switch self {
      case .same: .same
      case .change: .stored
      case .late: .late
      }
    }
  }

  private func decide(
    _ draft: MatchOperationDraft, _ path: String, _ found: Found, isTaken: Bool,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> Decision {
    let match = found.match
    if let invalid = draft.invalid { throw invalid }
    let entrant = found.bracket.entrant(match.seeds[draft.side.rawValue])
    let mayScore = try transaction.snapshot.mayScore(
      draft.side, of: match, entrant, principal: transaction.caller.principal)
    let hasScored = try transaction.snapshot.hasScored(
      match: match.id, principal: transaction.caller.principal)
    guard mayScore || hasScored else {
      throw StoreError(
        .permissionDenied, "you do not score this card", field: path + "match_id")
    }
    guard UUIDv7.isValid(draft.clientID) else {
      throw .invalid(path + "client_id", "must be a UUIDv7 of 16 bytes")
    }
    guard !isTaken else {
      throw StoreError(
        .alreadyExists, "another operation was made with this client_id",
        field: path + "client_id")
    }
    try checkOpen(match, path)
    try check(entrant, draft, path)
    try transaction.checkWitness(of: draft, on: entrant, found.head, path: path)
    var isFormer = !mayScore
    do throws(StoreError) {
      try checkLease(draft, path, found, transaction)
    } catch {
      guard error.code == .failedPrecondition else { throw error }
      isFormer = hasScored
      if !isFormer { isFormer = try hasEndedLease(on: draft.side, of: match, transaction) }
      guard isFormer else { throw error }
    }
    let current = match.operations[draft.place]
    let isSame = current != nil && match.entry(at: draft.place) == draft.entry
    if isFormer, !isSame, current != nil || !draft.replaces.isEmpty {
      try checkCount(match, transaction)
      return .late
    }
    if !isSame {
      try checkHead(draft, path, current, transaction)
      guard draft.replaces.isEmpty || !draft.reason.isEmpty else {
        throw .invalid(path + "reason", "must be given for a correction")
      }
      try transaction.checkConsent(to: draft, in: match, found.head, path: path)
      try validate(draft, path, match, found.bracket.stage.rules)
      try checkMark(draft, path, found, transaction)
    }
    try checkCount(match, transaction)
    return isSame ? .same : .change
  }

  /// Throws `aborted` unless the operation replaces what its place has, and `NOT_YET` if the
  /// operation that it replaces has not arrived. One that was answered SAME stands for the one that
  /// the place had then.
  private func checkHead(
    _ draft: MatchOperationDraft, _ path: String, _ head: (id: Int64, clientID: [UInt8])?,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard draft.replaces != head?.clientID ?? [] else { return }
    guard !draft.replaces.isEmpty else {
      throw StoreError(
        .aborted, "other arrows are there; correct them", field: path + "entry.index")
    }
    // No operation has the id -1, which stands for a place without arrows.
    let isHead = try transaction.snapshot.first(
      Self.replaced, .blob(draft.replaces), .integer(draft.match), .integer(head?.id ?? -1)
    ) { row in row.optionalInt64(0) }
    guard let isHead = isHead ?? nil else {
      throw StoreError(
        .failedPrecondition, "the operation that it replaces has not arrived",
        field: path + "replaces_client_id", marker: .notYet)
    }
    guard isHead == 1 else {
      throw StoreError(
        .aborted, "another operation replaced the same one", field: path + "replaces_client_id")
    }
  }

  private func store(
    _ draft: MatchOperationDraft, _ found: Found, _ decision: Decision,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let match = found.match
    let id = try transaction.insert(
      Self.insert, .integer(match.id), .integer(match.event),
      .integer(transaction.caller.principal), .blob(draft.clientID), .blob(draft.contentHash),
      .integer(draft.scoredAt(receivedAt: transaction.nowMilliseconds)),
      .integer(transaction.nowMilliseconds),
      .integer(
        decision == .late
          ? LateArrows.standsFor
          : decision == .same ? match.operations[draft.place]?.id ?? 0 : 0),
      .integer(draft.witness?.participant ?? 0), .integer(draft.witness?.judge ?? 0))
    if decision == .late {
      return try transaction.keepLate(
        LateArrows(
          place: draft.index, isShootOff: draft.isShootOff, sent: Self.text(draft.entry, draft),
          stored: Self.text(match.entry(at: draft.place), draft), device: draft.device),
        of: match, draft.side)
    }
    guard decision == .change else { return }
    try transaction.put(draft.entry, at: draft.place, of: match, operation: id, found.head)
    let isFirst = match.operations[draft.place] == nil
    try transaction.auditMatch(
      match, isFirst ? "match.record" : "match.correct",
      before: Self.text(match.entry(at: draft.place), draft),
      after: Self.text(draft.entry, draft) + (draft.witness?.auditText ?? ""),
      reason: draft.reason)
  }

  /// Throws unless the caller's device holds the lease on the target of the side, in an event that
  /// demands leases. Organisers and judges correct, and record shoot-offs, with any device.
  private func checkLease(
    _ draft: MatchOperationDraft, _ path: String, _ found: Found,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let target = found.match.targets[draft.side.rawValue]
    guard found.head.leaseSerial > 0, target > 0 else { return }
    if draft.isShootOff || !draft.replaces.isEmpty {
      switch try transaction.snapshot.role(of: transaction.caller.principal, in: found.head) {
      case .organiser, .judge: return
      case .scorer, .results, .checkIn, nil: break
      }
    }
    try transaction.checkLease(
      event: found.match.event, session: 0, target: target, .first, draft.device,
      field: path + "device")
  }

  /// Whether the caller is a device whose lease on the target of the side has ended with it.
  private func hasEndedLease(
    on side: MatchSide, of match: MatchRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Bool {
    let lease = try transaction.snapshot.lease(
      event: match.event, session: 0, target: match.targets[side.rawValue], card: .first)
    guard let lease, lease.principal == transaction.caller.principal else { return false }
    return lease.hasEnded(at: transaction.nowMilliseconds)
  }

  private func checkOpen(_ match: MatchRecord, _ path: String) throws(StoreError) {
    let field = path + "match_id"
    guard match.seeds.allSatisfy({ $0 != nil }) else {
      throw StoreError(
        .failedPrecondition, match.isBye ? "it is a bye" : "its archers are not known yet",
        field: field)
    }
    guard match.forfeits.isEmpty else {
      throw StoreError(
        .failedPrecondition, "a side forfeited it; a judge may reopen it", field: field)
    }
    guard !match.isConfirmed else {
      throw StoreError(
        .failedPrecondition, "both cards are confirmed; a judge may reopen it", field: field)
    }
  }

  /// Throws unless the side has the archer whose arrows these are.
  private func check(
    _ entrant: EntrantRecord?, _ draft: MatchOperationDraft, _ path: String
  ) throws(StoreError) {
    guard draft.participant == 0 || draft.participant == entrant?.participant else {
      throw StoreError(
        .failedPrecondition,
        "another archer is on this side now; read the match again", field: path + "participant_id")
    }
  }

  /// Throws unless the caller may mark a shoot-off as closer. A mark belongs to its arrows.
  private func checkMark(
    _ draft: MatchOperationDraft, _ path: String, _ found: Found,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard case .shootOff(_, let shot)? = draft.entry, shot.isMarkedCloser else { return }
    if case .shootOff(_, let before)? = found.match.entry(at: draft.place),
      before.isMarkedCloser, before.arrows == shot.arrows
    {
      return
    }
    let role = try transaction.snapshot.role(of: transaction.caller.principal, in: found.head)
    guard role == .organiser || role == .judge else {
      throw StoreError(
        .permissionDenied, "only an organiser or a judge of the event marks a shoot-off",
        field: path + "entry.is_closer")
    }
  }

  /// Throws if the caller has sent as many operations on the match as it may.
  private func checkCount(
    _ match: MatchRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let count = try transaction.snapshot.first(
      Self.count, .integer(match.id), .integer(transaction.caller.principal)
    ) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.operationsPerMatch else {
      throw StoreError.reached(
        .operationsPerMatch,
        "one caller may send \(StoreLimits.operationsPerMatch) operations on a match")
    }
  }

  private func validate(
    _ draft: MatchOperationDraft, _ path: String, _ match: MatchRecord, _ rules: MatchRules
  ) throws(StoreError) {
    guard let entry = draft.entry else {
      guard !draft.replaces.isEmpty else {
        throw .invalid(path + "entry.arrows", "must be given")
      }
      return
    }
    guard !draft.isShootOff || draft.index < StoreLimits.shootOffsPerMatch else {
      throw .invalid(
        path + "entry.index", "must be below \(StoreLimits.shootOffsPerMatch) in a shoot-off")
    }
    var cards = match.cards
    // A correction is validated against the cards without what it replaces.
    if draft.isShootOff {
      cards[draft.side.rawValue].set(nil, shootOff: draft.index)
    }
    let without = cards
    try validating { () throws(RuleViolation) in
      try entry.checkValues(rules, path: path + "entry.")
    }
    do throws(RuleViolation) {
      try entry.checkState(rules, without, side: draft.side, path: path + "entry.")
    } catch {
      throw StoreError(.failedPrecondition, error.message, field: error.field)
    }
  }

  private static func text(_ entry: MatchEntry?, _ draft: MatchOperationDraft) -> String {
    let arrows: [ArrowScore]
    switch entry {
    case nil: return ""
    case .end(_, let end)?: arrows = end
    case .shootOff(_, let shot)?: arrows = shot.arrows
    }
    let kind = draft.isShootOff ? "S" : "E"
    return "\(draft.side.rawValue + 1) \(kind)\(draft.index)="
      + arrows.map { "\($0)" }.joined(separator: " ")
  }
}

extension MatchRecord {
  /// What a card has at a place; nil if that is empty.
  package func entry(at place: CardPlace) -> MatchEntry? {
    let card = cards[place.side.rawValue]
    return place.isShootOff
      ? card.shootOffs[place.index].map { .shootOff(place.index, $0) }
      : card.ends[place.index].map { .end(place.index, $0) }
  }
}
