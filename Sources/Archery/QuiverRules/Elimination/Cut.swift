/// The rows of a ranking that advance to the next stage.
package struct Cut: Sendable, Hashable {
  /// Those who advance, by their seeds. Those in ``tied`` are not among them.
  package private(set) var qualified: [Int64] = []
  /// Those who share the rank across the cut, whose tie must be decided, for ``tiedPlaces`` places.
  package private(set) var tied: [Int64] = []
  /// The places that are left for ``tied``.
  package private(set) var tiedPlaces = 0
  /// The next ones in order, without those who are tied.
  package private(set) var alternates: [Int64] = []

  /// One row of a ranking.
  package struct Row: Sendable, Hashable {
    /// The number that identifies the archer or team.
    package let id: Int64
    /// From 1; 0: not ranked, and so never among those who advance.
    package let rank: Int

    /// Creates a value; each parameter is the property of its name.
    package init(id: Int64, rank: Int) {
      self.id = id
      self.rank = rank
    }
  }

  /// The numbers of places that a cut may have.
  package static let sizes = 2...128

  /// The cut of a ranking whose rows stand in their order.
  ///
  /// `decisions` are further keys of rows that share a rank, from a shoot-off or a coin toss: the
  /// lower one is before the other; rows without one stand after those with one. Ties that are not
  /// decided and do not cross the cut are broken by a draw with `seed`, because seeds are unique.
  /// Throws if fewer than `size` rows are ranked.
  package init(
    _ rows: [Row], size: Int, decisions: [Int64: Int] = [:], seed: UInt64
  ) throws(RuleViolation) {
    guard Self.sizes.contains(size) else {
      throw RuleViolation(
        field: "size", message: "must be from \(Self.sizes.lowerBound) to \(Self.sizes.upperBound)")
    }
    let ranked = rows.filter { $0.rank > 0 }
    guard ranked.count >= size else {
      throw RuleViolation(
        field: "size", message: "is above the \(ranked.count) who are ranked")
    }
    func key(_ row: Row) -> [Int] { [row.rank, decisions[row.id] ?? Int.max] }
    let ordered = ranked.sorted { left, right in
      let (leftKey, rightKey) = (key(left), key(right))
      if leftKey != rightKey { return leftKey.lexicographicallyPrecedes(rightKey) }
      return Self.lot(left.id, seed) < Self.lot(right.id, seed)
    }
    let last = key(ordered[size - 1])
    let isTied = ordered.count > size && key(ordered[size]) == last
    qualified = ordered.prefix(size).filter { !isTied || key($0) != last }.map(\.id)
    if isTied {
      tied = ordered.filter { key($0) == last }.map(\.id).sorted()
      tiedPlaces = size - qualified.count
    }
    alternates = ordered.dropFirst(size).filter { !isTied || key($0) != last }.map(\.id)
  }

  /// The lot of a row in the draw: it depends only on the seed and the row.
  private static func lot(_ id: Int64, _ seed: UInt64) -> (UInt64, Int64) {
    var generator = SplitMix64(seed: seed ^ UInt64(bitPattern: id))
    return (generator.next(), id)
  }
}
