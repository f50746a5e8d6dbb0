/// The order of contenders by a policy.
public struct Ranking: Sendable, Hashable {
  /// Compared one after the other, more first.
  public let keys: [RankCriterion]

  /// While an event is in progress, ends completed are the last key.
  public init(_ form: TiePolicyForm, inProgress: Bool) {
    keys = form.keys + (inProgress ? [.endsCompleted] : [])
  }

  /// One participant as a ranking sees it.
  public struct Contender: Sendable, Hashable {
    /// The number that identifies the contender; of full ties the lower one is listed first.
    public var id: Int64
    /// Whether the contender is ranked.
    public var standing: Standing
    /// The sums of the arrows.
    public var tally: ScoreTally

    /// Creates a value; each parameter is the property of its name.
    public init(id: Int64, standing: Standing = .ranked, tally: ScoreTally) {
      self.id = id
      self.standing = standing
      self.tally = tally
    }
  }

  /// Whether a participant is ranked, in the order in which they are listed.
  public enum Standing: Int, Sendable, Hashable, Comparable {
    /// The contender is ranked.
    case ranked = 0
    /// The contender withdrew and is listed after the ranked ones.
    case withdrawn = 1
    /// The contender was disqualified and is listed last.
    case disqualified = 2

    public static func < (left: Standing, right: Standing) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The first key that tells two tallies apart; nil if there is none.
  public func firstDifference(_ left: ScoreTally, _ right: ScoreTally) -> RankCriterion? {
    keys.first { $0.value(in: left) != $0.value(in: right) }
  }

  /// Whether the left one is listed before the right one: by standing, by the keys, then by id.
  public func isBefore(_ left: Contender, _ right: Contender) -> Bool {
    guard left.standing == right.standing else { return left.standing < right.standing }
    for key in keys {
      let (leftValue, rightValue) = (key.value(in: left.tally), key.value(in: right.tally))
      if leftValue != rightValue { return leftValue > rightValue }
    }
    return left.id < right.id
  }

  /// The contenders in their order, with their ranks.
  public func ranked(_ contenders: [Contender]) -> [RankedContender] {
    let ordered = contenders.sorted(by: isBefore)
    return zip(ordered, ranks(ofOrdered: ordered)).map {
      RankedContender(contender: $0, rank: $1)
    }
  }

  /// The ranks of contenders that are in order: full ties share one (1, 2, 2, 4), and a contender
  /// without a rank has 0.
  public func ranks(ofOrdered contenders: [Contender]) -> [Int] {
    var ranks: [Int] = []
    ranks.reserveCapacity(contenders.count)
    for (index, contender) in contenders.enumerated() {
      if contender.standing != .ranked {
        ranks.append(0)
      } else if index > 0,
        firstDifference(contenders[index - 1].tally, contender.tally) == nil
      {
        ranks.append(ranks[index - 1])
      } else {
        ranks.append(index + 1)
      }
    }
    return ranks
  }

  /// Those whose rank is another than under `before`, in this ranking's order.
  public func moves(_ contenders: [Contender], from before: Ranking) -> [RankChange] {
    let old = Dictionary(
      uniqueKeysWithValues: before.ranked(contenders).map { ($0.contender.id, $0.rank) })
    return ranked(contenders).compactMap { row in
      let rankBefore = old[row.contender.id] ?? 0
      guard rankBefore != row.rank else { return nil }
      return RankChange(contender: row.contender, rankBefore: rankBefore, rank: row.rank)
    }
  }

  /// The points of the first row minus those of another row, or 0 if the row has no rank: a
  /// withdrawn or disqualified participant may have more points than the first.
  public static func difference(rank: Int, total: Int, firstTotal: Int) -> Int {
    rank == 0 ? 0 : firstTotal - total
  }

  /// Why one is above the other.
  public func explain(_ one: Contender, over other: Contender) -> RankExplanation {
    guard one.standing == .ranked, other.standing == .ranked else {
      let order = one.standing == other.standing ? 0 : (one.standing < other.standing ? -1 : 1)
      return RankExplanation(order: order, key: nil, value: 0, otherValue: 0)
    }
    guard let key = firstDifference(one.tally, other.tally) else {
      return RankExplanation(order: 0, key: nil, value: 0, otherValue: 0)
    }
    let (value, otherValue) = (key.value(in: one.tally), key.value(in: other.tally))
    return RankExplanation(
      order: value > otherValue ? -1 : 1, key: key, value: value, otherValue: otherValue)
  }
}

/// One row of a ranking.
public struct RankedContender: Sendable, Hashable {
  /// The contender.
  public let contender: Ranking.Contender

  /// From 1; 0: not ranked.
  public let rank: Int
}

/// One row whose rank is another under another policy.
public struct RankChange: Sendable, Hashable {
  /// The contender.
  public let contender: Ranking.Contender
  /// The rank under the first policy.
  public let rankBefore: Int
  /// The rank under the second policy.
  public let rank: Int
}

/// Why one row is above another.
public struct RankExplanation: Sendable, Hashable {
  /// -1: above, 1: below, 0: neither.
  public let order: Int

  /// The first that differs; nil if there is none, or one of them is not ranked.
  public let key: RankCriterion?
  /// The first contender's count for the key.
  public let value: Int
  /// The other contender's count for the key.
  public let otherValue: Int

  /// In English, of "the first" and "the other" by their names.
  public func text(_ name: String, _ otherName: String) -> String {
    guard let key else {
      guard order != 0 else { return "\(name) and \(otherName) share a place: every key is equal" }
      let (above, below) = order < 0 ? (name, otherName) : (otherName, name)
      return "\(above) is above \(below), who is out of the ranking"
    }
    let (above, below) = order < 0 ? (name, otherName) : (otherName, name)
    let (more, fewer) = order < 0 ? (value, otherValue) : (otherValue, value)
    return "\(above) is above \(below) by \(key.label): \(more) against \(fewer)"
  }
}
