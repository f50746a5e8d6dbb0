package import QuiverRules

/// Entries in the order of a ranking; a changed entry moves to its new place.
package struct LeaderboardOrder: Sendable {
  package let ranking: Ranking
  private var entries: [LeaderboardEntry] = []
  /// The index in `entries` by participant.
  private var places: [Int64: Int] = [:]
  /// Indexes in `entries`, in ranking order.
  private var order: [Int32] = []
  /// How many entries lack a count: without one, two neighbours tell whether they share a rank.
  private var incompleteCount = 0
  /// How many entries have another name for who has no part in the event.
  private var hiddenNameCount = 0

  package init(ranking: Ranking, _ entries: [LeaderboardEntry] = []) {
    self.ranking = ranking
    self.entries = entries
    for (place, entry) in entries.enumerated() { places[entry.id] = place }
    incompleteCount = entries.count(where: \.isIncomplete)
    hiddenNameCount = entries.count { !$0.publicName.isEmpty }
    order = entries.indices.map { Int32(truncatingIfNeeded: $0) }.sorted {
      ranking.isBefore(entries[Int($0)].contender, entries[Int($1)].contender)
    }
  }

  package var count: Int { order.count }

  /// Whether an entry has another name for who has no part in the event.
  package var hidesNames: Bool { hiddenNameCount > 0 }

  /// The entry of a participant; nil if there is none.
  package func entry(_ participant: Int64) -> LeaderboardEntry? {
    places[participant].map { entries[$0] }
  }

  /// The index of a participant in the order; nil if there is none.
  package func index(of participant: Int64) -> Int? {
    guard let entry = entry(participant) else { return nil }
    let index = firstIndex { !ranking.isBefore($0.contender, entry.contender) }
    return index < order.count && self[index].id == participant ? index : nil
  }

  /// Replaces a participant's entry and moves it to its place; nil removes it.
  package mutating func put(_ entry: LeaderboardEntry?, id: Int64) {
    var place = places[id]
    if place.map({ entries[$0].isIncomplete }) == true { incompleteCount -= 1 }
    if entry?.isIncomplete == true { incompleteCount += 1 }
    if place.map({ entries[$0].publicName.isEmpty }) == false { hiddenNameCount -= 1 }
    if entry?.publicName.isEmpty == false { hiddenNameCount += 1 }
    if let index = index(of: id) { order.remove(at: index) }
    guard let entry else {
      places[id] = nil
      return
    }
    if let place {
      entries[place] = entry
    } else {
      place = entries.count
      entries.append(entry)
      places[id] = place
    }
    let index = firstIndex { ranking.isBefore(entry.contender, $0.contender) }
    order.insert(Int32(truncatingIfNeeded: place ?? 0), at: index)
  }

  /// At most `limit` rows from an index of the order on.
  package func rows(from offset: Int, limit: Int) -> LeaderboardRows {
    let first = min(max(0, offset), order.count)
    let last = min(order.count, first + max(0, limit))
    let shown = (first..<last).map { self[$0] }
    var ranks = ranking.ranks(ofOrdered: shown.map(\.contender))
    // Ranks are those of the whole order: the first row may share its rank with earlier ones.
    let firstRank = shown.first.map { rank(of: $0.contender) } ?? 0
    if incompleteCount > 0 {
      ranks = shown.map { rank(of: $0.contender) }
    } else {
      for (index, rank) in ranks.enumerated() where rank > 0 {
        ranks[index] = rank == 1 ? firstRank : rank + first
      }
    }
    return LeaderboardRows(
      entries: shown, ranks: ranks, offset: first,
      firstTotal: order.isEmpty ? 0 : self[0].contender.tally.total, count: order.count)
  }

  /// The index of the first row after the key, where a page continues.
  package func index(after key: LeaderboardKey) -> Int {
    firstIndex { key.isBefore(LeaderboardKey($0.contender, by: ranking)) }
  }

  /// The rank of a contender in the order; 0 if it is not ranked.
  package func rank(of contender: Ranking.Contender) -> Int {
    guard contender.standing == .ranked else { return 0 }
    if incompleteCount > 0 { return sharedPlace(of: contender).rank }
    return 1
      + firstIndex { other in
        other.contender.standing != .ranked || !isAbove(other.contender.tally, contender.tally)
      }
  }

  /// The rank of a ranked contender, and the count that is missing in one of those who share it.
  func sharedPlace(of contender: Ranking.Contender) -> Ranking.Place {
    var low = 0
    var high = firstIndex { $0.contender.standing != .ranked }
    for key in ranking.keys where high - low > 1 {
      // Those from `low` are equal so far; the missing counts of a key are listed last.
      guard !key.isMissing(in: self[high - 1].contender.tally) else { return (low + 1, key) }
      let value = key.listed(in: contender.tally)
      let range = low..<high
      low = firstIndex(in: range) { key.listed(in: $0.contender.tally) <= value }
      high = firstIndex(in: range) { key.listed(in: $0.contender.tally) < value }
    }
    return (low + 1, nil)
  }

  /// All contenders, in no particular order.
  package var contenders: [Ranking.Contender] { order.map { entries[Int($0)].contender } }

  private func isAbove(_ left: ScoreTally, _ right: ScoreTally) -> Bool {
    guard let key = ranking.firstDifference(left, right) else { return false }
    return key.value(in: left) > key.value(in: right)
  }

  private subscript(index: Int) -> LeaderboardEntry { entries[Int(order[index])] }

  /// The first index at which `isReached` is true; it is true for all later ones too.
  private func firstIndex(
    in range: Range<Int>? = nil, _ isReached: (LeaderboardEntry) -> Bool
  ) -> Int {
    var low = range?.lowerBound ?? 0
    var high = range?.upperBound ?? order.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The sort key of a row, so that a page continues after it wherever the row has moved.
package struct LeaderboardKey: Sendable, Equatable {
  let standing: Int
  let values: [Int]
  let id: Int64

  init(_ contender: Ranking.Contender, by ranking: Ranking) {
    standing = contender.standing.rawValue
    values = ranking.keys.map { $0.listed(in: contender.tally) }
    id = contender.id
  }

  /// The key in a page token; nil if the token is not valid.
  init?(text: String, id: Int64) {
    let numbers = text.split(separator: ".").map { Int($0) }
    guard let standing = numbers.first ?? nil, !numbers.contains(nil) else { return nil }
    self.standing = standing
    values = numbers.dropFirst().compactMap(\.self)
    self.id = id
  }

  var text: String { ([standing] + values).map { "\($0)" }.joined(separator: ".") }

  func isBefore(_ other: LeaderboardKey) -> Bool {
    if standing != other.standing { return standing < other.standing }
    for (left, right) in zip(values, other.values) where left != right { return left > right }
    return id < other.id
  }
}
