package import QuiverRules

/// Which teams of an event are ranked.
package struct TeamScope: Sendable, Hashable {
  package var event: Int64 = 0
  package var category: Int64 = 0
  /// Of mixed teams the category of the other gender; 0: none.
  package var secondCategory: Int64 = 0

  package init() {}
}

/// The teams of clubs or countries by the sums of their qualification.
package struct TeamStandings: Sendable {
  /// Best first.
  package let rows: [Row]
  package let form: TiePolicyForm
  /// The category of the faces and rules of a match.
  let category: EventCategoryRecord
  let head: TournamentHead
  /// The changes of the event that it includes (``Leaderboard/partRevision``); 0: not known.
  fileprivate(set) var revision: UInt64 = 0

  /// A team with the names of its members.
  package struct Row: Sendable {
    package let team: TeamSelection.Team
    package let members: [TeamMemberRecord]
    /// Whether a part of a member's card is typed from a paper.
    package let isTyped: Bool
  }
}

/// Who shoots for a team.
package struct TeamMemberRecord: Sendable, Equatable {
  package let participant: Int64
  package internal(set) var displayName: String
  package let principal: Int64
  package let scorer: Int64
  package let kind: ParticipantRecord.Kind
  /// What is shown to who has no part in the event; empty: the name itself.
  package let publicName: String
}

/// The kinds of teams that are ranked, with their size.
package struct TeamForm: Sendable, Hashable {
  package let system: MatchSystem
  package let group: TeamGroup

  /// Throws for a system without teams.
  package init(_ system: MatchSystem?, _ group: TeamGroup?) throws(StoreError) {
    guard let system, system.sides != .archers else {
      throw .invalid("system", "must be one of teams or mixed teams")
    }
    guard let group else { throw .invalid("group", "must be club or country") }
    self.system = system
    self.group = group
  }

  /// Throws unless mixed teams have two categories, and others one.
  func check(_ scope: TeamScope) throws(StoreError) {
    switch system.sides {
    case .mixedTeams:
      guard scope.secondCategory != 0, scope.secondCategory != scope.category else {
        throw .invalid("second_category_id", "must be the category of the other gender")
      }
    case .teams, .archers:
      guard scope.secondCategory == 0 else {
        throw .invalid("second_category_id", "must be 0 unless teams are mixed")
      }
    }
  }
}

extension Store {
  /// The teams of an event that the principal may see; nil is a spectator.
  package func teamStandings(
    _ scope: TeamScope, _ form: TeamForm, principal: Int64?
  ) throws(StoreError) -> TeamStandings {
    let revision = try knownLeaderboard(scope.event).partRevision
    var standings = try read { (snapshot) throws(StoreError) in
      try snapshot.teamStandings(scope, form, principal: principal)
    }
    standings.revision = revision
    return standings
  }
}

extension Transaction {
  /// The teams of an event in their order; throws while somebody of their categories shoots.
  func teams(
    _ scope: TeamScope, _ form: TeamForm, in head: TournamentHead
  ) throws(StoreError) -> TeamStandings {
    let teams = try snapshot.teams(scope, form, in: head)
    for (id, field) in [
      (scope.category, "category_id"), (scope.secondCategory, "second_category_id"),
    ]
    where id != 0 {
      let category = try snapshot.category(id: id, of: head.id, field: field)
      try checkShot(
        try contenders(of: category, in: head), of: category, in: head, field: field)
    }
    return teams
  }
}

extension Snapshot {
  /// The teams of an event that the principal may see; nil is a spectator.
  package func teamStandings(
    _ scope: TeamScope, _ form: TeamForm, principal: Int64?
  ) throws(StoreError) -> TeamStandings {
    let head = try visibleTournament(id: scope.event, principal: principal)
    let reader = try nameReader(of: head, principal: principal)
    let found = try teams(scope, form, in: head)
    guard reader == .everybody else { return found }
    return TeamStandings(
      rows: found.rows.map { row in
        TeamStandings.Row(
          team: row.team, members: row.members.map { $0.shown(to: reader) },
          isTyped: row.isTyped)
      }, form: found.form, category: found.category, head: head)
  }

  func teams(
    _ scope: TeamScope, _ form: TeamForm, in head: TournamentHead
  ) throws(StoreError) -> TeamStandings {
    try form.check(scope)
    let category = try category(id: scope.category, of: head.id)
    var candidates: [TeamSelection.Candidate] = []
    var members: [Int64: ParticipantRecord] = [:]
    let policy = try ranking(of: category.id, in: head).form
    try add(category, form, &candidates, &members)
    if scope.secondCategory != 0 {
      let field = "second_category_id"
      let second = try self.category(id: scope.secondCategory, of: head.id, field: field)
      guard Set([category.content.gender, second.content.gender]) == TeamForm.genders else {
        throw StoreError(
          .failedPrecondition, "a mixed team needs a category of gender female and one of open",
          field: field)
      }
      guard try ranking(of: second.id, in: head).form == policy,
        second.format.format.passes.last?.face == category.format.format.passes.last?.face
      else {
        throw StoreError(
          .failedPrecondition, "has another policy, or another face, than the first category",
          field: field)
      }
      try add(second, form, &candidates, &members)
    }
    let kind: TeamSelection.Kind =
      form.system.sides == .mixedTeams
      ? .mixed : .best(size: MatchForm.of(form.system, onDay: .max).archersPerSide)
    let found = TeamSelection.teams(candidates, kind, Ranking(policy, inProgress: false))
    return TeamStandings(
      rows: found.map { team in
        let chosen = team.members.compactMap { members[$0] }
        return TeamStandings.Row(
          team: team, members: chosen.map(TeamMemberRecord.init),
          isTyped: chosen.contains { !$0.typedPasses.isEmpty })
      }, form: policy, category: category, head: head)
  }

  private func add(
    _ category: EventCategoryRecord, _ form: TeamForm,
    _ candidates: inout [TeamSelection.Candidate], _ members: inout [Int64: ParticipantRecord]
  ) throws(StoreError) {
    var filter = EntryFilter()
    filter.category = category.id
    let gender: TeamSelection.Gender =
      switch GenderDivision(rawValue: category.content.gender) {
      case .female: .women
      case .open: .men
      case nil: .unspecified
      }
    for entry in try eventEntries(event: category.event, filter, limit: .max) {
      let name = form.group.name(of: entry)
      guard !name.isEmpty, entry.isRanked,
        let participant = try participant(id: entry.participant)
      else { continue }
      candidates.append(
        TeamSelection.Candidate(
          id: participant.id, group: name, gender: gender, tally: participant.tally))
      members[participant.id] = participant
    }
  }
}

extension TeamForm {
  /// The genders of the categories of a mixed team.
  fileprivate static let genders: Set<Int32> = [
    GenderDivision.female.rawValue, GenderDivision.open.rawValue,
  ]
}

extension TeamMemberRecord {
  init(_ record: ParticipantRecord) {
    participant = record.id
    displayName = record.displayName
    principal = record.principal
    scorer = record.scorer
    kind = record.kind
    publicName = record.publicName
  }
}
