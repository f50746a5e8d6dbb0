/// The arrows of one pass of a round, folded: what comparisons read in place of the arrows.
public struct ArrowRollup: Sendable, Equatable {
  /// The highest value that any face has.
  public static let highestValue = 11

  /// How many arrows have each value, from 0 to `highestValue`.
  public private(set) var histogram: [Int]
  /// How many of them are X.
  public private(set) var xCount: Int
  /// The sums of the positions.
  public private(set) var positions: PositionSums
  /// Milliseconds UTC; nil without arrows.
  public private(set) var firstShotAt: Int64?
  /// The time of the last arrow, in milliseconds since 1970-01-01 UTC; nil without arrows.
  public private(set) var lastShotAt: Int64?

  /// Of no arrows.
  public init() {
    histogram = Array(repeating: 0, count: Self.highestValue + 1)
    xCount = 0
    positions = PositionSums()
  }

  /// A rollup as it was kept; missing values of the histogram are 0, further ones are dropped.
  public init(
    histogram: [Int], xCount: Int, positions: PositionSums, firstShotAt: Int64?, lastShotAt: Int64?
  ) {
    let count = Self.highestValue + 1
    self.histogram =
      histogram.count == count
      ? histogram
      : histogram.prefix(count) + Array(repeating: 0, count: max(0, count - histogram.count))
    self.xCount = xCount
    self.positions = positions
    self.firstShotAt = firstShotAt
    self.lastShotAt = lastShotAt
  }

  /// Adds up arrows, in any order.
  public init(_ shots: some Sequence<ShotRecord>) {
    self.init()
    for shot in shots { add(shot) }
  }

  /// The value of the shot is one of a face; another traps.
  public mutating func add(_ shot: ShotRecord) {
    histogram[shot.value] += 1
    if shot.isX { xCount += 1 }
    if let position = shot.position { positions.add(position) }
    firstShotAt = min(firstShotAt ?? shot.scoredAt, shot.scoredAt)
    lastShotAt = max(lastShotAt ?? shot.scoredAt, shot.scoredAt)
  }

  /// Subtracts an arrow; false if it was the first or the last, so that the rest must be folded
  /// again to find the new one.
  public mutating func remove(_ shot: ShotRecord) -> Bool {
    histogram[shot.value] -= 1
    if shot.isX { xCount -= 1 }
    if let position = shot.position { positions.remove(position) }
    guard arrowCount > 0 else {
      firstShotAt = nil
      lastShotAt = nil
      return true
    }
    return shot.scoredAt != firstShotAt && shot.scoredAt != lastShotAt
  }

  /// Puts one arrow in another's place; false as for `remove`.
  public mutating func correct(_ old: ShotRecord, to shot: ShotRecord) -> Bool {
    let isKnown = remove(old)
    add(shot)
    return isKnown || (shot.scoredAt == old.scoredAt)
  }

  /// Adds the sums of other arrows.
  public mutating func merge(_ other: ArrowRollup) {
    for value in histogram.indices { histogram[value] += other.histogram[value] }
    xCount += other.xCount
    positions.merge(other.positions)
    if let first = other.firstShotAt { firstShotAt = min(firstShotAt ?? first, first) }
    if let last = other.lastShotAt { lastShotAt = max(lastShotAt ?? last, last) }
  }

  /// The number of arrows.
  public var arrowCount: Int { histogram.reduce(0, +) }

  /// The sum of all values.
  public var score: Int { histogram.indices.reduce(0) { $0 + $1 * histogram[$1] } }

  /// The number of arrows of value exactly 10, including X.
  public var tenCount: Int { histogram[10] }

  /// The number of misses.
  public var missCount: Int { histogram[0] }

  /// How many arrows have at least that value.
  public func count(from value: Int) -> Int {
    histogram.dropFirst(value).reduce(0, +)
  }

  /// Whether two rollups agree, sums of positions to a billionth.
  public func agrees(with other: ArrowRollup) -> Bool {
    func isClose(_ one: Double, _ two: Double) -> Bool {
      abs(one - two) <= 1e-9 * max(1, abs(one), abs(two))
    }
    let (mine, theirs) = (positions, other.positions)
    return histogram == other.histogram && xCount == other.xCount
      && firstShotAt == other.firstShotAt && lastShotAt == other.lastShotAt
      && mine.count == theirs.count && isClose(mine.x, theirs.x) && isClose(mine.y, theirs.y)
      && isClose(mine.xx, theirs.xx) && isClose(mine.yy, theirs.yy) && isClose(mine.xy, theirs.xy)
  }
}
