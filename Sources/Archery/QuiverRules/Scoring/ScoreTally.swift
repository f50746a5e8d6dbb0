/// The sum of a participant's arrows.
///
/// It includes the arrows that count, so that every order of adding and subtracting has the same
/// result.
public struct ScoreTally: Sendable, Hashable {
  /// The sum of the values.
  public private(set) var total = 0
  /// The number of X.
  public private(set) var xCount = 0

  /// Arrows of the face's top value.
  public private(set) var goldCount = 0
  /// The number of arrows.
  public private(set) var arrowCount = 0

  /// Ends with all slots filled.
  public var endsCompleted = 0

  /// Arrows by value; X is in its value's.
  private var counts = SIMD16<UInt16>()

  /// The counts that include a part of which nobody knows them.
  public private(set) var missing = MissingCounts()

  public init() {}

  /// A tally as it was kept; `counts` are those of the values from 0.
  public init(
    total: Int, xCount: Int, goldCount: Int, arrowCount: Int, endsCompleted: Int, counts: [Int],
    missing: MissingCounts = []
  ) {
    self.total = total
    self.xCount = xCount
    self.goldCount = goldCount
    self.arrowCount = arrowCount
    self.endsCompleted = endsCompleted
    self.missing = missing
    for (value, count) in counts.prefix(Self.valueCount).enumerated() {
      self.counts[value] = UInt16(clamping: count)
    }
  }

  /// How many values there are, 0 among them.
  public static let valueCount = ArrowScore.maximumValue + 1

  /// Arrows of exactly that value.
  public func count(of value: Int) -> Int {
    (0..<Self.valueCount).contains(value) ? Int(counts[value]) : 0
  }

  /// Arrows by value, from 0.
  public var countsByValue: [Int] { (0..<Self.valueCount).map { Int(counts[$0]) } }

  /// Arrows of value exactly 10, X included.
  public var tenCount: Int { count(of: 10) }

  /// Arrows above 0.
  public var hitCount: Int { arrowCount - count(of: 0) }

  /// Puts an arrow on that face.
  public mutating func add(_ score: ArrowScore, on face: TargetFace) {
    change(score, on: face, by: 1)
  }

  /// Subtracts what does not count of these passes, because a paper has less. Golds are also
  /// subtracted from the arrows of their value where that is the same on all passes.
  package mutating func deduct(_ lower: SumDeduction, of passes: [PassDefinition]) {
    total -= lower.points
    xCount -= lower.xCount
    goldCount -= lower.golds
    count(lower.hits, of: 0)
    let tops = Set(passes.map(\.face.specification.topValue))
    if tops.count == 1, let top = tops.first { count(-lower.golds, of: top) }
  }

  /// Adds the sums of passes that have no arrows here, with all of their ends. Counts that the sums
  /// do not have become ``missing``.
  public mutating func add(_ typed: TypedScore, for passes: [PassDefinition]) {
    let arrows = passes.reduce(0) { $0 + $1.arrowCount }
    total += typed.total
    arrowCount += arrows
    endsCompleted += passes.reduce(0) { $0 + $1.endCount }
    xCount += typed.xCount ?? 0
    goldCount += typed.golds ?? 0
    if let hits = typed.hits { count(arrows - hits, of: 0) }
    let tops = Set(passes.map(\.face.specification.topValue))
    if let golds = typed.golds, tops.count == 1, let top = tops.first { count(golds, of: top) }
    missing.formUnion(typed.missing(of: passes))
  }

  private mutating func count(_ step: Int, of value: Int) {
    counts[value] = UInt16(clamping: Int(counts[value]) + step)
  }

  /// Subtracts an arrow that was added.
  public mutating func remove(_ score: ArrowScore, on face: TargetFace) {
    change(score, on: face, by: -1)
  }

  private mutating func change(_ score: ArrowScore, on face: TargetFace, by step: Int) {
    guard (0..<Self.valueCount).contains(score.value) else { return }
    total += step * score.value
    arrowCount += step
    if score.isX { xCount += step }
    if score.value == face.specification.topValue { goldCount += step }
    count(step, of: score.value)
  }
}
