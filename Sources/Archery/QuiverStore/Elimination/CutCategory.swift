package import QuiverRules

/// Cuts a category and draws the bracket of its elimination.
package struct CutCategory: Command {
  private let event: Int64
  private let category: Int64
  private let size: Int
  private let system: MatchSystem
  private let hasBronzeMatch: Bool
  private let exemptSeeds: Int
  private let seed: UInt64

  /// What is cut.
  package struct Scope: Sendable {
    package var event: Int64 = 0
    package var category: Int64 = 0
    package var size: UInt32 = 0
    package var hasBronzeMatch = true
    /// How many of the first seeds start some rounds later; 0: none.
    package var exemptSeeds: UInt32 = 0
    /// 0: a new one.
    package var seed: UInt64 = 0

    package init() {}
  }

  package init(_ scope: Scope, _ system: MatchSystem?) throws(StoreError) {
    guard let system, system == .individualSets || system == .individualCumulative else {
      throw .invalid("system", "must be individual_sets or individual_cumulative")
    }
    guard Cut.sizes.contains(Int(scope.size)) else {
      throw .invalid(
        "size", "must be from \(Cut.sizes.lowerBound) to \(Cut.sizes.upperBound)")
    }
    event = scope.event
    category = scope.category
    size = Int(scope.size)
    hasBronzeMatch = scope.hasBronzeMatch
    exemptSeeds = Int(scope.exemptSeeds)
    self.system = system
    seed = scope.seed == 0 ? try DrawPlaces.randomSeed() : scope.seed
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> BracketRecord {
    let head = try transaction.event(event)
    try transaction.checkNotCancelled(head)
    let record = try transaction.snapshot.category(id: category, of: event)
    try transaction.checkStageCount(of: category, in: event)
    let (exemptSeeds, size) = (self.exemptSeeds, self.size)
    let day = Int32(clamping: transaction.nowMilliseconds / 86_400_000)
    let exempt = try validating { () throws(RuleViolation) in
      try ExemptSeeds.checked(exemptSeeds, entrantCount: size, onDay: day)
    }
    let cut = try transaction.cut(record, size: size, seed: seed, in: head)
    var draft = StageDraft(category: record, system: system, seed: seed)
    draft.hasBronzeMatch = hasBronzeMatch
    draft.exempt = exempt
    draft.entrants = cut.qualified.map { StageDraft.Entrant(participant: $0) }
    return try transaction.draw(draft, in: head)
  }
}

extension Cut {
  /// How many places are left for those who are tied.
  var tiedPlacesText: String {
    tiedPlaces == 1 ? "1 place is left" : "\(tiedPlaces) places are left"
  }

  /// The first ids: a tie may have as many as the event.
  var tiedText: String {
    let shown = tied.prefix(8).map { "\($0)" }.joined(separator: ", ")
    return tied.count > 8 ? shown + " and others" : shown
  }
}

extension Transaction {
  typealias CategoryContender = (
    contender: Ranking.Contender, isShooting: Bool, entry: EventEntryRecord
  )

  /// The best of a category; throws while somebody of it shoots, and for a tie across the cut.
  func cut(
    _ category: EventCategoryRecord, size: Int, seed: UInt64, in head: TournamentHead
  ) throws(StoreError) -> Cut {
    let rows = try rankedRows(of: category, in: head)
    let cut = try validating { () throws(RuleViolation) in
      try Cut(rows, size: size, seed: seed)
    }
    guard cut.tied.isEmpty else {
      throw StoreError(
        .failedPrecondition,
        "\(cut.tied.count) participants, \(cut.tiedText), share the last rank of the cut, and "
          + "\(cut.tiedPlacesText); decide the tie first", field: "size")
    }
    return cut
  }

  /// The ranking of a category by its policy and its decided ties; throws while somebody shoots.
  func rankedRows(
    of category: EventCategoryRecord, in head: TournamentHead
  ) throws(StoreError) -> [Cut.Row] {
    let contenders = try contenders(of: category, in: head)
    try checkShot(contenders, of: category, in: head)
    let form = try snapshot.ranking(of: category.id, in: head).form
    let ranked = Ranking(form, inProgress: false).ranked(contenders.map(\.contender))
    let tallies = Dictionary(
      contenders.map { ($0.contender.id, $0.contender.tally) }, uniquingKeysWith: { $1 })
    let decided = try snapshot.tieDecisions(
      in: head, category: category.id, tally: { tallies[$0] }
    ).ties
    return decided.split(ranked).map { row in
      Cut.Row(id: row.ranked.contender.id, rank: row.ranked.rank)
    }
  }

  /// Throws if somebody of a category has not shot all arrows and has not stopped.
  func checkShot(
    _ contenders: [CategoryContender], of category: EventCategoryRecord, in head: TournamentHead,
    field: String = "category_id"
  ) throws(StoreError) {
    guard head.status != .completed else { return }
    let arrows = category.format.format.arrowCount
    let shooting = contenders.count { $0.isShooting && $0.contender.tally.arrowCount < arrows }
    guard shooting == 0 else {
      throw StoreError(
        .failedPrecondition,
        (shooting == 1 ? "1 entry has" : "\(shooting) entries have")
          + " not shot all arrows; finalise the event, or note that they did not finish",
        field: field)
    }
  }

  /// The entries of a category as its ranking sees them.
  func contenders(
    of category: EventCategoryRecord, in head: TournamentHead
  ) throws(StoreError) -> [CategoryContender] {
    var filter = Snapshot.EntryFilter()
    filter.category = category.id
    var contenders: [CategoryContender] = []
    for entry in try snapshot.eventEntries(event: head.id, filter, limit: .max) {
      let participant = try certain(entry.participant)
      let standing: Ranking.Standing =
        entry.isRanked ? .ranked : max(participant.status.standing, .withdrawn)
      contenders.append(
        (
          Ranking.Contender(
            id: participant.id, standing: standing, tally: participant.tally),
          entry.isRanked && entry.stored != .didNotFinish, entry
        ))
    }
    return contenders
  }

  /// Throws if the event was cancelled.
  func checkNotCancelled(
    _ head: TournamentHead, field: String = "tournament_id"
  ) throws(StoreError) {
    switch head.status {
    case .inProgress, .completed: return
    case .open:
      throw StoreError(.failedPrecondition, "the event has not been started", field: field)
    case .cancelled:
      throw StoreError(.failedPrecondition, "the event was cancelled", field: field)
    }
  }
}
