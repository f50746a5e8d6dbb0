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

  /// The first key that tells two tallies apart; nil if there is none. A count that is missing
  /// tells nobody apart, nor do the keys behind it.
  public func firstDifference(_ left: ScoreTally, _ right: ScoreTally) -> RankCriterion? {
    let key = keys.first { key in
      key.isMissing(in: left) || key.isMissing(in: right)
        || key.value(in: left) != key.value(in: right)
    }
    guard let key, !key.isMissing(in: left), !key.isMissing(in: right) else { return nil }
    return key
  }

  /// The count of one of two tallies that is missing, so that they are equal; nil if there is none.
  public func missingKey(_ left: ScoreTally, _ right: ScoreTally) -> RankCriterion? {
    guard firstDifference(left, right) == nil else { return nil }
    return keys.first { $0.isMissing(in: left) || $0.isMissing(in: right) }
  }

  /// Whether the left one is listed before the right one: by standing, by the keys, then by id.
  public func isBefore(_ left: Contender, _ right: Contender) -> Bool {
    guard left.standing == right.standing else { return left.standing < right.standing }
    for key in keys {
      let (leftValue, rightValue) = (key.listed(in: left.tally), key.listed(in: right.tally))
      if leftValue != rightValue { return leftValue > rightValue }
    }
    return left.id < right.id
  }

  /// The contenders in their order, with their ranks.
  public func ranked(_ contenders: [Contender]) -> [RankedContender] {
    let ordered = contenders.sorted(by: isBefore)
    return zip(ordered, places(ofOrdered: ordered)).map {
      RankedContender(contender: $0, rank: $1.rank, missing: $1.missing)
    }
  }

  /// The ranks of contenders that are in order: full ties share one (1, 2, 2, 4), and a contender
  /// without a rank has 0.
  public func ranks(ofOrdered contenders: [Contender]) -> [Int] {
    places(ofOrdered: contenders).map(\.rank)
  }

  /// The rank of a contender, and the count that is missing where it shares its rank for that.
  package typealias Place = (rank: Int, missing: RankCriterion?)

  /// The places of contenders that are in order.
  ///
  /// Those with equal keys share a rank. Where one of them lacks the count of the next key, all of
  /// them do: whom it would stand above is not known.
  package func places(ofOrdered contenders: [Contender]) -> [Place] {
    var places = [Place](repeating: (0, nil), count: contenders.count)
    let ranked = contenders.firstIndex { $0.standing != .ranked } ?? contenders.count
    place(contenders[0..<ranked], keys[...], in: &places)
    return places
  }

  /// Places contenders that are equal in all keys but these.
  private func place(
    _ equal: ArraySlice<Contender>, _ keys: ArraySlice<RankCriterion>, in places: inout [Place]
  ) {
    // The missing counts of a key are listed last.
    let missing = keys.first.flatMap { key in
      equal.count > 1 && equal.last.map { key.isMissing(in: $0.tally) } == true ? key : nil
    }
    guard let key = keys.first, equal.count > 1, missing == nil else {
      for index in equal.indices { places[index] = (equal.startIndex + 1, missing) }
      return
    }
    var first = equal.startIndex
    while first < equal.endIndex {
      let value = key.value(in: equal[first].tally)
      var end = first + 1
      while end < equal.endIndex, key.value(in: equal[end].tally) == value { end += 1 }
      place(equal[first..<end], keys.dropFirst(), in: &places)
      first = end
    }
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
      return RankExplanation(
        order: 0, key: nil, value: 0, otherValue: 0,
        missing: missingKey(one.tally, other.tally))
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

  /// The count that is missing in one of those who share the rank, so that it does not tell them
  /// apart; nil if none is.
  public let missing: RankCriterion?

  /// Creates a value; each parameter is the property of its name.
  public init(contender: Ranking.Contender, rank: Int, missing: RankCriterion? = nil) {
    self.contender = contender
    self.rank = rank
    self.missing = missing
  }
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
  /// The count that is missing, so that they share a place; nil if none is.
  public let missing: RankCriterion?

  package init(
    order: Int, key: RankCriterion?, value: Int, otherValue: Int, missing: RankCriterion? = nil
  ) {
    self.order = order
    self.key = key
    self.value = value
    self.otherValue = otherValue
    self.missing = missing
  }

  /// In English, of "the first" and "the other" by their names.
  public func text(_ name: String, _ otherName: String) -> String {
    guard let key else {
      guard order != 0 else {
        let cause = missing.map { "\($0.label) of one with equal keys is not known" }
        return "\(name) and \(otherName) share a place: \(cause ?? "every key is equal")"
      }
      let (above, below) = order < 0 ? (name, otherName) : (otherName, name)
      return "\(above) is above \(below), who is out of the ranking"
    }
    let (above, below) = order < 0 ? (name, otherName) : (otherName, name)
    let (more, fewer) = order < 0 ? (value, otherValue) : (otherValue, value)
    return "\(above) is above \(below) by \(key.label): \(more) against \(fewer)"
  }
}
