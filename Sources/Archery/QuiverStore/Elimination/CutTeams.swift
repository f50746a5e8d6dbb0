import QuiverRules

/// Cuts the teams of clubs or countries and draws the bracket of their elimination.
package struct CutTeams: Command {
  private let scope: TeamScope
  private let form: TeamForm
  private let size: Int
  private let hasBronzeMatch: Bool
  private let seed: UInt64
  private let tie: Tie?

  /// How the tie of teams that share the rank across the cut was decided.
  package struct Tie: Sendable {
    let names: [String]
    let decision: DecideTie.Decision

    /// Nil without names; throws for names without a decision.
    package init?(_ names: [String], _ decision: DecideTie.Decision?) throws(StoreError) {
      guard !names.isEmpty else {
        guard decision == nil else {
          throw .invalid("tie_decision", "must not be given without tie_order")
        }
        return nil
      }
      guard names.count <= Cut.sizes.upperBound, Set(names).count == names.count else {
        throw .invalid("tie_order", "must be at most \(Cut.sizes.upperBound) different ones")
      }
      guard let decision else {
        throw .invalid("tie_decision", "must be shoot_off or coin_toss with tie_order")
      }
      self.names = names
      self.decision = decision
    }
  }

  /// A `seed` of 0 is a new one.
  package init(
    _ scope: TeamScope, _ form: TeamForm, size: UInt32, hasBronzeMatch: Bool, seed: UInt64,
    tie: Tie?
  ) throws(StoreError) {
    guard Cut.sizes.contains(Int(size)) else {
      throw .invalid(
        "size", "must be from \(Cut.sizes.lowerBound) to \(Cut.sizes.upperBound)")
    }
    try form.check(scope)
    self.scope = scope
    self.form = form
    self.size = Int(size)
    self.hasBronzeMatch = hasBronzeMatch
    self.seed = seed == 0 ? try DrawPlaces.randomSeed() : seed
    self.tie = tie
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> BracketRecord {
    let head = try transaction.event(scope.event)
    try transaction.checkNotCancelled(head)
    _ = try transaction.snapshot.category(id: scope.category, of: head.id)
    try transaction.checkStageCount(of: scope.category, in: head.id)
    let teams = try transaction.teams(scope, form, in: head)
    let cut = try cut(teams.rows.map(\.team))
    var draft = StageDraft(category: teams.category, system: form.system, seed: seed)
    draft.secondCategory = scope.secondCategory
    draft.teamGroup = form.group
    draft.hasBronzeMatch = hasBronzeMatch
    draft.entrants = cut.qualified.map { index in
      let team = teams.rows[Int(index)].team
      return StageDraft.Entrant(name: team.group, members: team.members)
    }
    if let tie {
      // The audit keeps no words: a team is named by its first member.
      let firstMembers = tie.names.compactMap { name in
        teams.rows.first { $0.team.group == name }?.team.members.first.map { "\($0)" }
      }
      try transaction.auditEvent(
        head.id, "event.tie",
        after: "\(scope.category) \(tie.decision) " + firstMembers.joined(separator: " "))
    }
    return try transaction.draw(draft, in: head)
  }

  private func cut(_ teams: [TeamSelection.Team]) throws(StoreError) -> Cut {
    let rows = teams.enumerated().map { Cut.Row(id: Int64($0), rank: $1.rank) }
    let open = try cut(rows, [:])
    guard let tie else {
      guard open.tied.isEmpty else {
        throw StoreError(
          .failedPrecondition,
          "\(open.tied.count) teams share the last rank of the cut, and \(open.tiedPlacesText); "
            + "name them in tie_order as they were told apart", field: "size")
      }
      return open
    }
    let places = Dictionary(
      tie.names.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    let tied = open.tied.map { (id: $0, place: places[teams[Int($0)].group]) }
    guard !tied.isEmpty, tied.count == tie.names.count, tied.allSatisfy({ $0.place != nil }) else {
      throw StoreError(
        .failedPrecondition,
        open.tied.isEmpty
          ? "no tie is across the cut"
          : "must be the \(open.tied.count) teams that share the last rank of the cut",
        field: "tie_order")
    }
    let decisions = Dictionary(
      tied.compactMap { team in team.place.map { (team.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    return try cut(rows, decisions)
  }

  private func cut(
    _ rows: [Cut.Row], _ decisions: [Int64: Int]
  ) throws(StoreError) -> Cut {
    let (size, seed) = (self.size, self.seed)
    return try validating { () throws(RuleViolation) in
      try Cut(rows, size: size, decisions: decisions, seed: seed)
    }
  }
}

/// Replaces a member of a team that has not begun to shoot.
package struct SubstituteMember: Command {
  private let stage: Int64
  private let seed: Int
  private let member: Int64
  private let substitute: Int64
  private let reason: String

  private static let replace = Query(
    """
    UPDATE event_team_member SET participant_id = ?4
    WHERE stage_id = ?1 AND seed = ?2 AND participant_id = ?3
    """)

  package init(
    stage: Int64, seed: UInt32, _ member: Int64, by substitute: Int64, reason: String
  ) throws(StoreError) {
    guard member != substitute else {
      throw .invalid("substitute_id", "must be another participant")
    }
    self.stage = stage
    self.seed = Int(seed)
    self.member = member
    self.substitute = substitute
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> BracketRecord {
    let bracket = try transaction.snapshot.bracket(
      stage: stage, principal: transaction.caller.principal)
    let head = try transaction.head(bracket.stage.event)
    try transaction.checkRules(head, field: "stage_id")
    try transaction.checkNotCancelled(head, field: "stage_id")
    guard let group = bracket.stage.teamGroup else {
      throw StoreError(.failedPrecondition, "the stage has no teams", field: "stage_id")
    }
    guard let team = bracket.entrant(seed) else {
      throw StoreError(.notFound, "there is no such team of this stage", field: "seed")
    }
    let replaced = try member(of: team, transaction)
    try checkNotBegun(bracket)
    let entry = try transaction.entry(substitute, field: "substitute_id")
    guard entry.event == head.id else {
      throw StoreError(
        .notFound, "there is no such participant of this event", field: "substitute_id")
    }
    let isEligible =
      entry.isRanked && group.name(of: entry) == team.displayName
      && entry.content.category == replaced.content.category
    guard isEligible else {
      throw StoreError(
        .failedPrecondition,
        "must be ranked, of the same club or country, and of the category of the member",
        field: "substitute_id")
    }
    guard bracket.entrants.allSatisfy({ !$0.members.map(\.participant).contains(substitute) })
    else {
      throw StoreError(.failedPrecondition, "is in a team of this stage", field: "substitute_id")
    }
    try transaction.run(
      Self.replace, .integer(stage), .integer(Int64(seed)), .integer(member), .integer(substitute))
    try transaction.record(
      .updated, of: .eventStage, id: stage, principal: head.organiser, topic: head.id)
    try transaction.auditEvent(
      head.id, "event.substitute", participant: substitute, before: "\(member)",
      after: "\(substitute)", reason: reason)
    return try transaction.snapshot.bracket(stage: stage)
  }

  private func member(
    of team: EntrantRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventEntryRecord {
    guard team.members.contains(where: { $0.participant == member }) else {
      throw StoreError(.notFound, "is no member of this team", field: "participant_id")
    }
    return try transaction.entry(member)
  }

  private func checkNotBegun(_ bracket: BracketRecord) throws(StoreError) {
    let hasBegun = bracket.matches.contains { match in
      match.seeds.contains(seed)
        && (!match.cards.allSatisfy(\.isEmpty) || !match.forfeits.isEmpty
          || !match.confirmations.isEmpty)
    }
    guard !hasBegun else {
      throw StoreError(.failedPrecondition, "the team has begun to shoot", field: "seed")
    }
  }
}
