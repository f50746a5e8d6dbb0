import QuiverRules

/// Appoints a principal as scorer and assigns participants to it.
package struct AppointScorer: Command {
  private let tournament: Int64
  private let appointee: Appointee
  private var participants: [Int64]
  /// The place of the first participant in its request.
  private var firstPlace = 0
  private var targets: Targets?
  /// The targets of all commands of the call, for the first of them: each must have an entry.
  private var allTargets: Targets?

  package static let maximumCount = 1_000

  /// Targets of a session, whose entries are assigned.
  package struct Targets: Sendable {
    package var session: Int64
    package var numbers: [UInt32]

    package init(session: Int64, numbers: [UInt32]) {
      self.session = session
      self.numbers = numbers
    }
  }

  private static let appoint = Query(
    """
    INSERT INTO tournament_scorer (tournament_id, principal_id, assigned_count) VALUES (?1, ?2, 0)
    ON CONFLICT DO NOTHING
    """)
  private static let count = Query(
    "SELECT count(*) FROM tournament_scorer WHERE tournament_id = ?1")
  private static let assign = Query("UPDATE participant SET scorer_id = ?2 WHERE id = ?1")
  private static let recount = Query(
    """
    UPDATE tournament_scorer SET assigned_count = assigned_count + ?3
    WHERE tournament_id = ?1 AND principal_id = ?2
    """)

  package init(
    _ appointee: Appointee, of tournament: Int64, participants: [Int64]
  ) throws(StoreError) {
    guard participants.count <= Self.maximumCount else {
      throw .invalid("participant_ids", "must be at most \(Self.maximumCount)")
    }
    self.tournament = tournament
    self.appointee = appointee
    self.participants = participants
  }

  /// The commands that assign participants, and the entries on targets, about
  /// ``StoreLimits/operationsPerCommand`` in each.
  package static func slices(
    _ appointee: Appointee, of tournament: Int64, participants: [Int64], on targets: Targets? = nil
  ) throws(StoreError) -> [AppointScorer] {
    let whole = try AppointScorer(appointee, of: tournament, participants: participants)
    var slices: [AppointScorer] = []
    let size = StoreLimits.operationsPerCommand
    for (index, participants) in participants.slices(of: size).enumerated() {
      var slice = whole
      (slice.participants, slice.firstPlace) = (participants, index * size)
      slices.append(slice)
    }
    if let targets {
      try check(targets)
      let numbers = targets.numbers.slices(of: size / TargetDraw.archersPerTarget)
      for numbers in numbers {
        var slice = whole
        slice.participants = []
        slice.targets = Targets(session: targets.session, numbers: numbers)
        slices.append(slice)
      }
    }
    if slices.isEmpty { slices = [whole] }
    slices[0].allTargets = targets
    return slices
  }

  private static func check(_ targets: Targets) throws(StoreError) {
    guard (1...Int(StoreLimits.targetsPerSession)).contains(targets.numbers.count),
      Set(targets.numbers).count == targets.numbers.count
    else {
      throw .invalid(
        "targets", "must be 1 to \(StoreLimits.targetsPerSession) different ones of the session")
    }
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ScorerRecord {
    let head = try transaction.ownTournament(tournament)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let principal = try transaction.snapshot.appointed(
      appointee, by: transaction.caller.principal, nowMilliseconds: transaction.nowMilliseconds
    ).id
    if let allTargets { _ = try entries(on: allTargets, transaction) }
    if try !transaction.snapshot.isScorer(principal, of: head.id) {
      let count = try transaction.snapshot.first(Self.count, .integer(head.id)) { row in
        row.int64(0)
      }
      guard count ?? 0 < StoreLimits.scorersPerTournament else {
        throw StoreError.reached(
          .scorersPerTournament, "one event may have \(StoreLimits.scorersPerTournament) scorers")
      }
      try transaction.run(Self.appoint, .integer(head.id), .integer(principal))
      try transaction.auditEvent(head.id, "scorer.appoint", after: "\(principal)")
    }
    for (index, id) in participants.enumerated() {
      try assign(
        id, to: principal, "participant_ids[\(firstPlace + index)]", of: head, transaction)
    }
    if let targets {
      for id in try entries(on: targets, transaction) {
        try assign(id, to: principal, "targets", of: head, transaction)
      }
    }
    try transaction.recordEvent(head.id, organiser: head.organiser, .updated)
    let all = try transaction.snapshot.scorers(
      tournament: head.id, principal: head.organiser)
    guard let record = all.first(where: { $0.principal == principal }) else {
      throw StoreError(.internalError, "a scorer was deleted while it was appointed")
    }
    return record
  }

  /// The entries on some targets, in their order; throws if a target has none.
  private func entries(
    on targets: Targets, _ transaction: borrowing Transaction
  ) throws(StoreError) -> [Int64] {
    try transaction.snapshot.eventSessionContent(id: targets.session, of: tournament)
    var entries: [Int64] = []
    for number in targets.numbers {
      let found = try transaction.snapshot.participants(session: targets.session, target: number)
      guard !found.isEmpty else {
        throw StoreError(
          .failedPrecondition, "nobody has a place on target \(number)", field: "targets")
      }
      entries += found
    }
    return entries
  }

  private func assign(
    _ id: Int64, to principal: Int64, _ field: String, of head: TournamentHead,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard let participant = try transaction.snapshot.participant(id: id),
      participant.sessionID == head.id
    else {
      throw StoreError(
        .notFound, "there is no such participant of this event", field: field)
    }
    guard participant.scorer != principal else { return }
    try transaction.run(Self.assign, .integer(id), .integer(principal))
    try transaction.run(
      Self.recount, .integer(head.id), .integer(participant.scorer), .integer(-1))
    try transaction.run(Self.recount, .integer(head.id), .integer(principal), .integer(1))
    try transaction.auditEvent(
      head.id, "scorer.assign", participant: id, before: "\(participant.scorer)",
      after: "\(principal)")
  }
}

/// Dismisses a scorer; its participants are no longer assigned.
package struct DismissScorer: Command {
  package static var storesContent: Bool { false }

  private let tournament: Int64
  private let principal: Int64

  private static let dismiss = Query(
    "DELETE FROM tournament_scorer WHERE tournament_id = ?1 AND principal_id = ?2")
  private static let release = Query(
    "UPDATE participant SET scorer_id = 0 WHERE session_id = ?1 AND scorer_id = ?2")

  package init(_ principal: Int64, of tournament: Int64) {
    self.tournament = tournament
    self.principal = principal
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.ownTournament(tournament)
    guard
      try transaction.runCounting(Self.dismiss, .integer(head.id), .integer(principal)) == 1
    else {
      throw StoreError(
        .notFound, "there is no such scorer of this event", field: "principal_id")
    }
    try transaction.run(Self.release, .integer(head.id), .integer(principal))
    try transaction.recordEvent(head.id, organiser: head.organiser, .updated)
    try transaction.auditEvent(head.id, "scorer.dismiss", before: "\(principal)")
  }
}
