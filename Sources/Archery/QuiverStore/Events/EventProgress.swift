import QuiverRules

/// How far the organiser's day of an event is.
package struct EventProgress: Sendable, Equatable {
  package let steps: [Step]

  /// The pauses of the shooting, newest first.
  package let pauses: [ShootingPauseRecord]

  /// A step, and what is missing before it is done.
  package struct Step: Sendable, Equatable {
    package let kind: Kind
    /// A sentence; empty: the step is done.
    package let missing: String

    package var isDone: Bool { missing.isEmpty }
  }

  /// The steps in their order; the raw values are those of `quiver.v1.EventStepKind`.
  package enum Kind: Int32, Sendable, CaseIterable {
    case entries = 1
    case sessions = 2
    case draw = 3
    case checkIn = 4
    case start = 5
    case qualification = 6
    case secondCards = 12
    case disputes = 8
    case confirmations = 13
    case typedCounts = 14
    case cut = 9
    case matches = 10
    case finalise = 7
    case lateOperations = 11
  }

  /// What must be done before an event is started, unless the organiser goes on anyway.
  package static let neededToStart: Set<Kind> = [.entries]

  /// The same before it is finalised. Arrows that nobody shot are no obstacle.
  package static let neededToFinalise: Set<Kind> = [
    .entries, .secondCards, .disputes, .confirmations, .typedCounts, .matches, .lateOperations,
  ]

  /// What is not finished where the standings of a finalised event are not.
  package static let neededForStandings: Set<Kind> = [
    .qualification, .secondCards, .disputes, .confirmations, .typedCounts, .lateOperations,
  ]

  /// The same where its results are not.
  package static let neededForResults = neededForStandings.union([.matches])
}

extension Snapshot {
  private static let counts = Query(
    """
    SELECT count(*), count(CASE WHEN coalesce(e.session_id, 0) = 0 THEN 1 END),
      count(CASE WHEN coalesce(e.target, 0) = 0 THEN 1 END),
      count(CASE WHEN coalesce(e.state, 1) = \(EventEntryState.entered.rawValue) THEN 1 END),
      count(CASE WHEN coalesce(e.state, 1) <> \(EventEntryState.didNotFinish.rawValue)
        AND p.arrow_count < (
          SELECT sum(f.arrow_count) FROM format_pass f WHERE f.format_id = r.format_id)
        THEN 1 END)
    FROM participant p LEFT JOIN event_entry e ON e.id = p.id
    JOIN round r ON r.participant_id = p.id
    WHERE p.session_id = ?1 AND p.status IN (\(ParticipantStatus.active.rawValue),
        \(ParticipantStatus.completed.rawValue))
      AND coalesce(e.state, 1) <> \(EventEntryState.didNotStart.rawValue)
    """)
  /// What entries lack in the rounds after the first.
  private static let laterCounts = Query(
    """
    SELECT count(CASE WHEN l.round IS NULL THEN 1 END),
      count(CASE WHEN coalesce(l.target, 0) = 0 THEN 1 END)
    FROM participant p JOIN round r ON r.participant_id = p.id
    JOIN format_part f ON f.format_id = r.format_id AND f.number > 1
    LEFT JOIN event_round_place l ON l.participant_id = p.id AND l.round = f.number
    LEFT JOIN event_entry e ON e.id = p.id
    WHERE p.session_id = ?1 AND p.status IN (\(ParticipantStatus.active.rawValue),
        \(ParticipantStatus.completed.rawValue))
      AND coalesce(e.state, 1) NOT IN (\(EventEntryState.didNotStart.rawValue),
        \(EventEntryState.didNotFinish.rawValue))
    """)
  private static let sessionCount = Query(
    "SELECT count(*) FROM event_session WHERE event_id = ?1")

  private static let disputeCount = Query(
    """
    SELECT count(*) FROM event_card_end
    WHERE event_id = ?1 AND state = \(CardEndState.disputed.rawValue)
    """)
  /// What those who have shot lack of second cards and confirmations, and whether anybody has them.
  /// A card with a part that is typed from a paper needs no second one.
  private static let cardCounts = Query(
    """
    SELECT count(CASE WHEN p.typed_passes = 0 AND coalesce(c.ends, 0) < coalesce(c.end_count, 1)
        THEN 1 END),
      count(CASE WHEN coalesce(c.confirmations, 0) <> \(bothRoles) THEN 1 END),
      coalesce(max(c.ends), 0), coalesce(max(c.confirmations), 0)
    FROM participant p LEFT JOIN event_entry e ON e.id = p.id
    LEFT JOIN event_card c ON c.participant_id = p.id
    WHERE p.session_id = ?1 AND p.arrow_count > 0
      AND p.status IN (\(ParticipantStatus.active.rawValue),
        \(ParticipantStatus.completed.rawValue))
      AND coalesce(e.state, 1) NOT IN (\(EventEntryState.didNotStart.rawValue),
        \(EventEntryState.didNotFinish.rawValue))
    """)
  private static let bothRoles = CardRole.bits(of: Set(CardRole.allCases))
  private static let stageCount = Query(
    "SELECT count(*) FROM event_stage WHERE event_id = ?1 AND kind = \(eliminationKind)")
  private static let openMatchCount = Query(
    """
    SELECT count(*) FROM event_match
    WHERE event_id = ?1 AND is_bye = 0
      AND confirmations <> \(MatchSide.bits(of: Set(MatchSide.allCases)))
    """)

  /// The steps of an event that the principal may see, with what is missing.
  ///
  /// Sessions, places and check-in are needed only where the event uses them: an event without a
  /// session can be shot as before there were any. So are the cut and the matches.
  package func progress(event: Int64, principal: Int64) throws(StoreError) -> EventProgress {
    try progress(of: try visibleTournament(id: event, principal: principal))
  }

  /// The steps of these kinds that are not done. Without an elimination there are no matches.
  func openSteps(
    _ kinds: Set<EventProgress.Kind>, of head: TournamentHead
  ) throws(StoreError) -> [EventProgress.Step] {
    let steps = try progress(of: head).steps
    let hasMatches = steps.contains { $0.kind == .cut && $0.isDone }
    return steps.filter { step in
      kinds.contains(step.kind) && !step.isDone && (step.kind != .matches || hasMatches)
    }
  }

  /// The steps of these kinds that are not done although the event is finalised; empty before.
  package func unfinishedSteps(
    _ kinds: Set<EventProgress.Kind>, of head: TournamentHead
  ) throws(StoreError) -> [EventProgress.Step] {
    head.status == .completed ? try openSteps(kinds, of: head) : []
  }

  private func progress(of head: TournamentHead) throws(StoreError) -> EventProgress {
    let event = head.id
    let counts = try first(Self.counts, .integer(event)) { row in
      (
        entries: row.int64(0), withoutSession: row.int64(1), withoutPlace: row.int64(2),
        notCheckedIn: row.int64(3), shooting: row.int64(4)
      )
    }
    guard let counts else { throw StoreError(.internalError, "a count gave no row") }
    let sessions = try first(Self.sessionCount, .integer(event)) { row in row.int64(0) } ?? 0
    let later =
      try first(Self.laterCounts, .integer(event)) { row in
        (withoutSession: row.int64(0), withoutPlace: row.int64(1))
      } ?? (0, 0)
    func missing(_ count: Int64, _ text: String) -> String {
      count == 0 ? "" : "\(count) \(text)"
    }
    func missing(_ count: Int64, _ laterCount: Int64, _ noun: String) -> String {
      [
        missing(count, "entries have no \(noun)"),
        missing(laterCount, "of the later rounds of entries have no \(noun)"),
      ].filter { !$0.isEmpty }.joined(separator: ", ")
    }
    let pauses = try self.pauses(event: event)
    var shooting = missing(counts.shooting, "entries have not shot all arrows")
    if let pause = pauses.first(where: { $0.id == head.pause }), !shooting.isEmpty {
      shooting += "; the shooting is paused: \(pause.reason)"
    }
    let disputes = try first(Self.disputeCount, .integer(event)) { row in row.int64(0) } ?? 0
    let cards = try cardsMissing(event)
    let stages = try first(Self.stageCount, .integer(event)) { row in row.int64(0) } ?? 0
    let openMatches = try first(Self.openMatchCount, .integer(event)) { row in row.int64(0) } ?? 0
    let hasSessions = sessions > 0
    let isStarted = head.startedAtMilliseconds != nil
    let texts: [EventProgress.Kind: String] = [
      .entries: counts.entries > 0 ? "" : "nobody has entered",
      .sessions: hasSessions
        ? missing(counts.withoutSession, later.withoutSession, "session")
        : "there is no session",
      .draw: hasSessions
        ? missing(counts.withoutPlace, later.withoutPlace, "target") : "there is no session",
      .checkIn: missing(counts.notCheckedIn, "entries are not checked in"),
      .start: isStarted ? "" : "the event is not started",
      .qualification: isStarted ? shooting : "the event is not started",
      .secondCards: missing(cards.second, "archers have no second card with all ends"),
      .disputes: missing(disputes, "ends on which two cards differ need a ruling"),
      .confirmations: missing(cards.confirmed, "cards are not confirmed by archer and scorer"),
      .typedCounts: missing(
        try tiedByPapers(head), "archers share ranks because a paper lacks a count"),
      .cut: stages > 0 ? "" : "no category has an elimination",
      .matches: stages > 0
        ? missing(openMatches, "matches are not confirmed") : "no category has an elimination",
      .lateOperations: missing(head.lateCount, "late operations wait for a decision"),
      .finalise: head.status == .completed ? "" : "the event is not finalised",
    ]
    return EventProgress(
      steps: EventProgress.Kind.allCases.map {
        EventProgress.Step(kind: $0, missing: texts[$0] ?? "")
      }, pauses: pauses)
  }

  /// How many of those who have shot lack a second card, and both confirmations; 0 where nobody has
  /// one.
  private func cardsMissing(
    _ event: Int64
  ) throws(StoreError) -> (second: Int64, confirmed: Int64) {
    try first(Self.cardCounts, .integer(event)) { row in
      (
        second: row.int64(2) > 0 ? row.int64(0) : 0,
        confirmed: row.int64(3) > 0 ? row.int64(1) : 0
      )
    } ?? (0, 0)
  }
}
