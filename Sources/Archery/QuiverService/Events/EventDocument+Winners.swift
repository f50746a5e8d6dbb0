import QuiverPapers
import QuiverRules
import QuiverStore

/// Medals and diplomas.
extension EventDocument {
  /// The entrants with the first ranks of a category or of a stage of teams.
  struct Winners {
    var title = ""
    /// What the ranks come from.
    var note = ""
    /// By rank.
    var entries: [(rank: Int, entry: PaperEntry)] = []

    /// Those of the first three ranks.
    var medals: PaperMedals {
      var medals = PaperMedals()
      (medals.title, medals.note) = (title, note)
      medals.entries = (1...3).map { rank in
        entries.filter { $0.rank == rank }.map(\.entry)
      }
      return medals
    }
  }

  /// The last stage of each kind of teams of a category. Several groups have no common rank.
  static func finalTeamStages(_ frame: Frame) -> [EliminationStageRecord] {
    let stages = frame.stages.filter { $0.teamGroup != nil && $0.groupCount <= 1 }
    return stages.filter { stage in
      !stages.contains { other in
        other.id > stage.id && other.category == stage.category
          && other.secondCategory == stage.secondCategory
          && other.system.sides == stage.system.sides
      }
    }
  }

  /// From the latest bracket or only group of a category; without a stage from its standings.
  func winners(
    ofCategory category: Int64, _ lastRank: Int, _ frame: Frame
  ) throws(StoreError) -> Winners {
    // Teams have no place among the archers of a category.
    let stages = frame.stages.filter { $0.category == category && $0.teamGroup == nil }
    var winners = Winners()
    if let latest = stages.last(where: { $0.groupCount <= 1 }) {
      return try self.winners(ofStage: latest.id, lastRank, frame)
    }
    if !stages.isEmpty {
      winners.title = title(ofCategory: category, frame)
      winners.note = language("From groups, which have no common ranks")
      return winners
    }
    let found = try ranked(category, frame)
    guard !found.rows.isEmpty else { return winners }
    winners.title = title(ofCategory: category, frame)
    winners.note =
      language("From the standings")
      + (found.isProvisional ? " · " + language("provisional") : "")
    winners.entries = found.rows.filter { (1...lastRank).contains($0.rank) && $0.total > 0 }
      .map { ($0.rank, $0.entry) }
    return winners
  }

  /// From the decided ranks of a bracket or a group.
  func winners(
    ofStage stage: Int64, _ lastRank: Int, _ frame: Frame
  ) throws(StoreError) -> Winners {
    let record = try store.read { (snapshot) throws(StoreError) in
      try snapshot.bracket(stage: stage, principal: scope.principal)
    }
    let entries = try paperEntries(category: record.stage.category, frame)
    let byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
    var winners = Winners()
    winners.title = title(of: record.stage, frame)
    let ranked = record.entrants.compactMap { entrant in
      record.ranks[entrant.seed].map { (rank: $0, entrant: entrant) }
    }
    winners.entries = ranked.filter { (1...lastRank).contains($0.rank) }
      .sorted { ($0.rank, $0.entrant.seed) < ($1.rank, $1.entrant.seed) }
      .map { ($0.rank, PaperEntry($0.entrant, byID)) }
    let isOpen = record.matches.contains { !$0.isConfirmed && !$0.isBye }
    winners.note =
      language(record.stage.groupCount > 0 ? "From the group" : "From the bracket")
      + (isOpen ? ", " + language("not finished") : "")
    return winners
  }

  /// The category of a stage with the kind of its teams.
  func title(of stage: EliminationStageRecord, _ frame: Frame) -> String {
    let category = title(ofCategory: stage.category, frame)
    switch stage.system.sides {
    case .archers: return category
    case .teams: return category + ", " + language("teams")
    case .mixedTeams:
      let second = title(ofCategory: stage.secondCategory, frame)
      return (second.isEmpty ? category : "\(category), \(second)") + ", " + language("mixed teams")
    }
  }

  func diplomas(_ winners: Winners, _ frame: Frame) -> PaperSection {
    let diplomas = winners.entries.map { rank, entry in
      var diploma = DiplomaPaper.Diploma()
      (diploma.entry, diploma.category, diploma.rank) = (entry, winners.title, rank)
      return diploma
    }
    let date = frame.head.startedAtMilliseconds.map { String(time($0).prefix(10)) } ?? ""
    return DiplomaPaper.section(template, event: frame.head.name, date: date, diplomas)
  }
}
