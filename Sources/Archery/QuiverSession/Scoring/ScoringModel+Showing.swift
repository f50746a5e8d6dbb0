public import QuiverAPI
public import QuiverRules

/// What a scoring screen reads.
extension ScoringModel {
  /// The participant to score next.
  public var current: ScoringParticipant? {
    position.flatMap { position in participants.first { $0.id == position.participant } }
  }

  /// Whether all participants that this user scores have shot all arrows.
  public var isRoundComplete: Bool {
    view != nil && position == nil && !participants.isEmpty
  }

  /// The scores of the current face, highest first, starting with X and ending with a miss; empty
  /// if no participant has an open slot.
  public var buttons: [ArrowScore] {
    guard let specification = openPass?.face.specification else { return [] }
    let x = specification.xRing == nil ? [] : [ArrowScore(value: specification.topValue, isX: true)]
    return x + (specification.values + [0]).map { ArrowScore(value: $0) }
  }

  /// Whether arrows on the current face can be entered by position.
  public var canUseTarget: Bool {
    openPass?.face.specification.rings.isEmpty == false
  }

  /// What the next arrow is shot at.
  private var openPass: QuiverRules.RoundPass? {
    position.flatMap { view?.format(of: $0.participant.rawValue)?.end($0.endIndex)?.pass }
  }

  /// The scorecard of a participant that this user scores; nil for others.
  public func card(_ participant: LocalID) -> ScoreCard? { view?.cards[participant.rawValue] }

  /// The place, the weather, the wind and the light of a practice session, including a change that
  /// waits; nil: nothing is known of them.
  public var conditions: SessionConditions? { view?.event.conditions }

  /// The pause of the shooting at a tournament; nil: there is none. Arrows are entered during a
  /// pause too. ``EventNoticesModel`` has the notices.
  public var shootingPause: ShootingPause? { view?.event.tournament?.shootingPause }

  /// Who must agree to the correction of an end that has all its arrows, in a tournament, as the
  /// server last said; unspecified or nobody: nobody must.
  public var correctionConsent: CorrectionConsent {
    view?.event.tournament?.correctionConsent ?? .unspecified
  }

  /// Replaces the conditions of a practice session, with or without a connection; nil: nothing is
  /// known of them.
  public func setConditions(_ conditions: SessionConditions?) async throws(SessionError) {
    let (session, event) = (session, event)
    try await update("change the conditions") { () async throws(SessionError) in
      try await session.setConditions(conditions, of: event)
    }
  }

  /// Adds a guest, with or without a connection.
  @discardableResult
  public func addGuest(_ name: String) async throws(SessionError) -> LocalID {
    let (session, event) = (session, event)
    return try await update("add a guest") { () async throws(SessionError) in
      try await session.addGuest(name, to: event)
    }
  }

  /// Adds entries without an account, as the organiser, with or without a connection.
  @discardableResult
  public func addEntries(_ names: [String]) async throws(SessionError) -> [LocalID] {
    let (session, event) = (session, event)
    return try await update("add entries") { () async throws(SessionError) in
      try await session.addEntries(names, to: event)
    }
  }

  /// Sends a refused change again; with a `witness`, who agreed to that correction.
  public func retry(
    _ entry: OutboxEntry.ID, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    let session = session
    try await update("change the outbox") { () async throws(SessionError) in
      try await session.retry(entry, witness: witness)
    }
  }

  /// Converts an arrow in conflict to a correction of the server's arrow; `witness` is who agreed
  /// to it, where the event demands one.
  public func overwrite(
    _ entry: OutboxEntry.ID, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    let session = session
    try await update("change the outbox") { () async throws(SessionError) in
      try await session.overwrite(entry, witness: witness)
    }
  }

  /// Discards a change that needs attention, with the changes that depend on it.
  public func discard(_ entry: OutboxEntry.ID) async throws(SessionError) {
    let session = session
    try await update("change the outbox") { () async throws(SessionError) in
      try await session.discard(entry)
    }
  }

  private func update<Result: Sendable>(
    _ operation: String, _ body: @escaping @MainActor () async throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    var result: Result?
    try await change(operation) { () async throws(SessionError) in
      result = try await body()
      await self.refresh()
    }
    guard let result else { preconditionFailure("a change that returns has its result") }
    return result
  }
}

extension ScoringModel {
  /// The id of the user of the session; 0 before the first reply of the server.
  var owner: Int64 { session.identity?.principalID ?? 0 }
}

extension ScoringView {
  func shownParticipants(owner: Int64) -> [ScoringParticipant] {
    participants.compactMap { participant in
      guard participant.mayScore, let card = cards[participant.key] else { return nil }
      let message = participant.message
      return ScoringParticipant(
        id: LocalID(rawValue: participant.key), serverID: message.id, name: message.displayName,
        isCurrentUser: isCurrentUser(participant, owner: owner), kind: message.kind,
        status: message.status, roundStatus: roundStatus(of: participant), tally: card.tally,
        isComplete: card.isComplete,
        mark: max(
          participant.isOnServer ? .synced : .waiting,
          card.arrows.values.map(\.mark).max() ?? .synced))
    }
  }

  /// Whether a participant is the user of the session; practice rounds are the user's own.
  private func isCurrentUser(_ participant: LocalParticipant, owner: Int64) -> Bool {
    participant.message.kind == .user
      && (!event.isTournament || participant.message.principalID == owner)
  }

  private func roundStatus(of participant: LocalParticipant) -> RoundStatus {
    guard case .rounds(let session) = event.content, participant.isOnServer else {
      return .unspecified
    }
    let id = participant.message.id
    return session.rounds.first { $0.participantID == id }?.status ?? .unspecified
  }

  /// The next slot: in the end at the cursor, otherwise where the turns continue from there.
  var position: ScoringPosition? {
    let cursor = (participant: event.cursorParticipant, end: event.cursorEnd)
    let isOpen = cards[cursor.participant]?.firstOpen(inEnd: cursor.end) != nil
    let place =
      isOpen && scored.contains { $0.key == cursor.participant }
      ? cursor : turn(after: cursor.participant, end: cursor.end)
    guard let slot = cards[place.participant]?.firstOpen(inEnd: place.end),
      let format = format(of: place.participant), let end = format.end(slot.endIndex)
    else { return nil }
    return ScoringPosition(
      participant: LocalID(rawValue: place.participant), endIndex: slot.endIndex,
      endCount: format.endCount, arrowIndex: slot.arrowIndex, arrowCount: end.arrowCount)
  }

  /// The active participants that this user scores.
  private var scored: [LocalParticipant] {
    participants.filter { $0.mayScore && isActive($0) }
  }

  /// Where a scorer continues after a participant's end, as the server computes it; (0, 0) if no
  /// participant has an open slot.
  func turn(after participant: Int64, end: Int) -> (participant: Int64, end: Int) {
    // Turns follow the order of the participants, whether or not the server has assigned ids.
    let scored = scored
    let place = scored.firstIndex { $0.key == participant } ?? -1
    if place >= 0, cards[participant]?.firstOpen(inEnd: end) != nil { return (participant, end) }
    var due: [Int64: [ScoringTurn.Candidate]] = [:]
    for (index, other) in scored.enumerated() {
      guard let open = cards[other.key]?.firstOpen else { continue }
      let turn = rounds.turn(of: other, end: open.endIndex)
      due[turn.session, default: []].append(
        ScoringTurn.Candidate(participant: Int64(index), open: open, order: turn.order))
    }
    // The session of the end first, then the others in their order, each from its first place.
    let here = place < 0 ? nil : rounds.turn(of: scored[place], end: end)
    let sessions = (here.map { [$0.session] } ?? []) + rounds.sessionOrder
    guard let session = sessions.first(where: { due[$0] != nil }), let candidates = due[session]
    else { return (0, 0) }
    let turn = ScoringTurn.after(
      Int64(place), order: session == here?.session ? here?.order ?? .min : .min, endIndex: end,
      openInEnd: nil, among: candidates)
    guard turn.kind != .done, scored.indices.contains(Int(turn.participant)) else { return (0, 0) }
    return (scored[Int(turn.participant)].key, turn.slot.endIndex)
  }

  /// The value of an arrow of a participant at a position, as far as this device knows the arrows;
  /// nil for a face that only has buttons.
  func score(
    x: Double, y: Double, on pass: QuiverRules.RoundPass, of participant: LocalID
  ) -> ArrowScore? {
    let known = participants.first { $0.key == participant.rawValue }
    let format = known.flatMap { rounds.format(of: $0) } ?? rounds.format
    let standard = format.location.arrowDiameterMillimetres
    let isGuest = known?.message.kind == .guest
    return pass.face.specification.score(
      x: x, y: y,
      arrowDiameterMillimetres: isGuest ? standard : setupDiameterMillimetres ?? standard,
      faceDiameterCentimetres: pass.diameterCentimetres)
  }

  /// All participants by rank under a policy, in the version that applies to the event.
  func leaderboard(by policy: QuiverRules.TiePolicy?, owner: Int64) -> [LeaderboardLine] {
    let tournament = event.tournament
    let own = tournament.flatMap { QuiverRules.TiePolicy(rawValue: $0.tiePolicy.rawValue) }
    let day = tournament?.tiePolicyDay ?? Int32.max
    let ranking = Ranking(
      TiePolicyForm.of(policy ?? own ?? .standard, onDay: day),
      inProgress: tournament?.status == .inProgress)
    // Contenders are numbered by order, so that tied rows follow the order of turns.
    let contenders = participants.enumerated().map { index, participant in
      Ranking.Contender(
        id: Int64(index), standing: participant.message.status.standing,
        tally: tally(participant))
    }
    let ranked = ranking.ranked(contenders)
    let first = ranked.first?.contender.tally.total ?? 0
    return ranked.map { row in
      let participant = participants[Int(row.contender.id)]
      let message = participant.message
      return LeaderboardLine(
        id: LocalID(rawValue: participant.key), rank: row.rank, name: message.displayName,
        isCurrentUser: isCurrentUser(participant, owner: owner),
        isGuest: message.kind == .guest, isScoredHere: participant.mayScore,
        status: message.status, tally: row.contender.tally,
        difference: Ranking.difference(
          rank: row.rank, total: row.contender.tally.total, firstTotal: first))
    }
  }
}

extension ParticipantStatus {
  fileprivate var standing: Ranking.Standing {
    switch self {
    case .withdrawn: .withdrawn
    case .disqualified: .disqualified
    default: .ranked
    }
  }
}
