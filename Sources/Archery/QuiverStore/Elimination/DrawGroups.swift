package import QuiverRules

/// Cuts a category into round-robin groups.
package struct DrawGroups: Command {
  private let event: Int64
  private let category: Int64
  private let size: Int
  private let groupCount: Int
  private let system: MatchSystem
  private let seed: UInt64

  /// A `seed` of 0 is a new one.
  package init(
    _ category: Int64, of event: Int64, size: UInt32, groupCount: UInt32, _ system: MatchSystem?,
    seed: UInt64
  ) throws(StoreError) {
    guard let system, system.sides == .archers else {
      throw .invalid("system", "must be individual_sets or individual_cumulative")
    }
    guard Cut.sizes.contains(Int(size)) else {
      throw .invalid(
        "size", "must be from \(Cut.sizes.lowerBound) to \(Cut.sizes.upperBound)")
    }
    let members = RoundRobin.sizes
    guard groupCount > 0, groupCount <= size / UInt32(members.lowerBound),
      Int(size) <= Int(groupCount) * members.upperBound
    else {
      throw .invalid(
        "group_count",
        "must leave from \(members.lowerBound) to \(members.upperBound) archers in each group")
    }
    let matches = RoundRobin.groups(of: Int(size), Int(groupCount))
      .reduce(0) { $0 + $1.count * ($1.count - 1) / 2 }
    guard matches <= StoreLimits.matchesPerStage else {
      throw .invalid(
        "group_count",
        "leaves \(matches) matches; a stage has at most \(StoreLimits.matchesPerStage)")
    }
    self.event = event
    self.category = category
    self.size = Int(size)
    self.groupCount = Int(groupCount)
    self.system = system
    self.seed = seed == 0 ? try DrawPlaces.randomSeed() : seed
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> BracketRecord {
    let head = try transaction.event(event)
    try transaction.checkNotCancelled(head)
    let record = try transaction.snapshot.category(id: category, of: event)
    try transaction.checkStageCount(of: category, in: event)
    let cut = try transaction.cut(record, size: size, seed: seed, in: head)
    var draft = StageDraft(category: record, system: system, seed: seed)
    draft.groupCount = groupCount
    draft.entrants = cut.qualified.map { StageDraft.Entrant(participant: $0) }
    return try transaction.draw(draft, in: head)
  }
}

/// Draws a bracket of the best of each group.
package struct CutGroups: Command {
  private let stage: Int64
  private let countPerGroup: Int
  private let system: MatchSystem
  private let hasBronzeMatch: Bool

  package init(
    _ stage: Int64, perGroup count: UInt32, _ system: MatchSystem?, hasBronzeMatch: Bool
  ) throws(StoreError) {
    guard let system, system.sides == .archers else {
      throw .invalid("system", "must be individual_sets or individual_cumulative")
    }
    guard (1...RoundRobin.sizes.upperBound).contains(Int(count)) else {
      throw .invalid("per_group", "must be from 1 to \(RoundRobin.sizes.upperBound)")
    }
    self.stage = stage
    countPerGroup = Int(count)
    self.system = system
    self.hasBronzeMatch = hasBronzeMatch
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> BracketRecord {
    let groups = try transaction.snapshot.bracket(
      stage: stage, principal: transaction.caller.principal)
    let head = try transaction.event(groups.stage.event, field: "stage_id")
    try transaction.checkNotCancelled(head, field: "stage_id")
    guard groups.stage.groupCount > 0 else {
      throw StoreError(.failedPrecondition, "the stage has no groups", field: "stage_id")
    }
    let open = groups.matches.count { !$0.isConfirmed }
    guard open == 0 else {
      throw StoreError(
        .failedPrecondition,
        "\(open == 1 ? "1 match is" : "\(open) matches are") not confirmed", field: "stage_id")
    }
    try transaction.checkStageCount(of: groups.stage.category, in: head.id)
    let seeds = try qualified(groups)
    var draft = StageDraft(
      category: try transaction.snapshot.category(id: groups.stage.category, of: head.id),
      system: system, seed: groups.stage.seed)
    draft.fromStage = stage
    draft.hasBronzeMatch = hasBronzeMatch
    draft.entrants = seeds.compactMap { seed in
      groups.entrant(seed).map { StageDraft.Entrant(participant: $0.participant) }
    }
    return try transaction.draw(draft, in: head)
  }

  /// The winners of all groups, then the second ones, and so on; among these by points, set points,
  /// the sum of the arrows, and by the seeds of the groups, which also decide full ties in a group.
  private func qualified(_ groups: BracketRecord) throws(StoreError) -> [Int] {
    let stage = groups.stage
    var best: [(key: [Int], seed: Int)] = []
    for seeds in stage.groups {
      guard seeds.count >= countPerGroup else {
        throw StoreError(
          .invalidArgument, "must be at most \(seeds.count), the archers of a group",
          field: "per_group")
      }
      let rows = seeds.compactMap { seed in groups.rows[seed].map { (row: $0, seed: seed) } }
        .sorted { ($0.row.rank, $0.seed) < ($1.row.rank, $1.seed) }
      for (place, entry) in rows.prefix(countPerGroup).enumerated() {
        let row = entry.row
        best.append(([place, -row.points, -row.setPoints, -row.total, entry.seed], entry.seed))
      }
    }
    guard Cut.sizes.contains(best.count) else {
      throw StoreError(
        .invalidArgument,
        "leaves \(best.count) archers; a bracket has from \(Cut.sizes.lowerBound) to "
          + "\(Cut.sizes.upperBound)", field: "per_group")
    }
    return best.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.seed)
  }
}
