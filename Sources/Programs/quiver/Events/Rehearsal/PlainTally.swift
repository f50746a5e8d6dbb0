/// The sums of arrows, added up without the rules of the server.
struct PlainTally: Sendable, Hashable {
  private(set) var total = 0
  private(set) var xCount = 0
  /// By value, from 0 to 11.
  private(set) var counts = [Int](repeating: 0, count: 12)
  private(set) var endsCompleted = 0

  var tenCount: Int { counts[10] }
  /// Arrows above 0.
  var hitCount: Int { arrowCount - counts[0] }
  var arrowCount: Int { counts.reduce(0, +) }

  init() {}

  /// The sums of ends.
  init(_ ends: some Sequence<[RehearsalPlan.Arrow]>) {
    for end in ends {
      for arrow in end { add(arrow) }
      if end.count == RehearsalPlan.arrowsPerEnd { endsCompleted += 1 }
    }
  }

  /// The sums of tallies.
  init(sumOf tallies: [PlainTally]) {
    for tally in tallies {
      total += tally.total
      xCount += tally.xCount
      endsCompleted += tally.endsCompleted
      for value in counts.indices { counts[value] += tally.counts[value] }
    }
  }

  /// Lowers the total and the X by what does not count.
  mutating func deduct(_ lower: RehearsalPlan.Deduction) {
    total -= lower.points
    xCount -= lower.xCount
  }

  private mutating func add(_ arrow: RehearsalPlan.Arrow) {
    total += arrow.value
    xCount += arrow.isX ? 1 : 0
    counts[arrow.value] += 1
  }
}

/// What orders archers, best first, written anew for the rehearsal.
enum PlainPolicy: Sendable {
  /// Total, X, 10.
  case xFirst
  /// Total, 10 with X, X.
  case tensFirst

  func keys(_ tally: PlainTally) -> [Int] {
    switch self {
    case .xFirst: [tally.total, tally.xCount, tally.tenCount]
    case .tensFirst: [tally.total, tally.tenCount, tally.xCount]
    }
  }

  /// The rank of one among others: equal ones share it, unless `order` has all of these.
  func rank(
    of tally: PlainTally, _ archer: Int, among others: [(archer: Int, tally: PlainTally)],
    ties: [[Int]] = []
  ) -> Int {
    let own = keys(tally)
    let above = others.count { own.lexicographicallyPrecedes(keys($0.tally)) }
    let sharing = Set(others.filter { keys($0.tally) == own }.map(\.archer))
    let decided = ties.first { $0.contains(archer) && sharing.isSubset(of: Set($0)) }
    let before = decided.map { $0.filter(sharing.contains).firstIndex(of: archer) ?? 0 } ?? 0
    return above + 1 + (sharing.count > 1 ? before : 0)
  }
}
