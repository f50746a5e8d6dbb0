/// The sums of a part of a card as a paper has them, without the arrows.
public struct TypedScore: Sendable, Hashable {
  /// The sum of the arrows.
  public var total: Int
  /// Arrows above 0; nil: not known.
  public var hits: Int?
  /// Arrows of the face's top value, X included; nil: not known.
  public var golds: Int?
  /// The number of X; nil: not known.
  public var xCount: Int?

  /// Creates a value; each parameter is the property of its name.
  public init(total: Int, hits: Int? = nil, golds: Int? = nil, xCount: Int? = nil) {
    self.total = total
    self.hits = hits
    self.golds = golds
    self.xCount = xCount
  }

  /// The same with the counts that follow from the others, or the first rule that it breaks.
  ///
  /// The rules are those of sums that some arrows on these passes can have. The paths of fields are
  /// `total`, `hits`, `golds` and `x_count`.
  public func validated(for passes: [PassDefinition]) throws(RuleViolation) -> TypedScore {
    try checkNumbers(for: passes)
    let bounds = Bounds(passes)
    var score = self
    if total == 0 { (score.hits, score.golds) = (hits ?? 0, golds ?? 0) }
    if golds == bounds.arrows { score.hits = bounds.arrows }
    if score.golds == 0 || bounds.xArrows == 0 { score.xCount = xCount ?? 0 }
    try score.checkNumbers(for: passes)
    try score.check(bounds)
    return score
  }

  /// Throws where one of the numbers, or of two counts, cannot be that of arrows on these passes.
  /// The total need not be the sum that the counts allow: somebody added it up on a paper.
  package func checkNumbers(for passes: [PassDefinition]) throws(RuleViolation) {
    let bounds = Bounds(passes)
    guard (0...bounds.maximum).contains(total) else {
      throw RuleViolation(field: "total", message: "must be from 0 to \(bounds.maximum)")
    }
    for (count, field) in [(hits, "hits"), (golds, "golds"), (xCount, "x_count")] {
      guard (0...bounds.arrows).contains(count ?? 0) else {
        throw RuleViolation(field: field, message: "must be from 0 to \(bounds.arrows) arrows")
      }
    }
    if let golds, let hits, golds > hits {
      throw RuleViolation(field: "golds", message: "must be at most the \(hits) hits")
    }
    let most = min(bounds.xArrows, golds ?? hits ?? bounds.arrows)
    guard xCount ?? 0 <= most else {
      throw RuleViolation(
        field: "x_count",
        message: bounds.xArrows == 0
          ? "must be 0, for these faces have no X ring" : "must be at most \(most)")
    }
  }

  private func check(_ bounds: Bounds) throws(RuleViolation) {
    let top = golds ?? xCount ?? 0
    let least = top * bounds.leastTop + max(0, (hits ?? top) - top) * bounds.leastValue
    guard total >= least else {
      throw RuleViolation(
        field: "total", message: "must be at least \(least), which the counts have")
    }
    let other = (hits ?? bounds.arrows) - (golds ?? 0)
    let greatest =
      golds.map { $0 * bounds.greatestTop + other * bounds.greatestSecond }
      ?? (hits ?? bounds.arrows) * bounds.greatestTop
    guard total <= greatest else {
      throw RuleViolation(
        field: "total", message: "must be at most \(greatest), which the counts allow")
    }
  }

  /// The counts of these passes that it does not have.
  func missing(of passes: [PassDefinition]) -> MissingCounts {
    var missing: MissingCounts = []
    if xCount == nil, passes.contains(where: { $0.face.specification.xRing != nil }) {
      missing.insert(.x)
    }
    if hits == nil { missing.insert(.of(value: 0)) }
    if golds == nil { missing.insert(.golds) }
    let tops = Set(passes.map(\.face.specification.topValue))
    // Where all hits are golds of one value, the other values have none.
    guard golds == nil || tops.count > 1 || hits != golds else { return missing }
    for value in Set(passes.flatMap(\.face.specification.values))
    where golds == nil || tops != [value] {
      missing.insert(.of(value: value))
    }
    return missing
  }

  /// What the arrows of some passes can have.
  private struct Bounds {
    let arrows: Int
    /// Those on faces with an X ring.
    let xArrows: Int
    let maximum: Int
    let leastTop: Int
    let greatestTop: Int
    let greatestSecond: Int
    let leastValue: Int

    init(_ passes: [PassDefinition]) {
      let faces = passes.map(\.face.specification)
      arrows = passes.reduce(0) { $0 + $1.arrowCount }
      xArrows = passes.reduce(0) {
        $0 + ($1.face.specification.xRing == nil ? 0 : $1.arrowCount)
      }
      maximum = passes.reduce(0) { $0 + $1.arrowCount * $1.face.specification.topValue }
      leastTop = faces.map(\.topValue).min() ?? 0
      greatestTop = faces.map(\.topValue).max() ?? 0
      greatestSecond = faces.map(\.secondValue).max() ?? 0
      leastValue = faces.compactMap(\.values.last).min() ?? 0
    }
  }
}

/// Counts of arrows that nobody knows. The bits are those of `quiver.v1.LeaderboardRow`, and are
/// stored.
public struct MissingCounts: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32

  /// Creates a value of bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Arrows of exactly one value, from 0 to 11; of 0 also hits.
  public static func of(value: Int) -> MissingCounts {
    (0...ArrowScore.maximumValue).contains(value) ? MissingCounts(rawValue: 1 << value) : []
  }

  /// The number of X.
  public static let x = MissingCounts(rawValue: 1 << 12)
  /// Arrows of the face's top value.
  public static let golds = MissingCounts(rawValue: 1 << 13)
}

/// Some passes of a round. The bits are stored: a round has at most 32 passes.
public struct PassSet: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32

  /// Creates a value of bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The passes of some indexes, from 0.
  public init(passes indexes: some Sequence<Int>) {
    self.init(
      rawValue: indexes.reduce(0) { bits, index in
        RoundDefinition.passRange.contains(index + 1) ? bits | 1 << UInt32(index) : bits
      })
  }

  /// Whether it has the pass of an index, from 0.
  public func contains(pass index: Int) -> Bool { !isDisjoint(with: PassSet(passes: [index])) }
}
