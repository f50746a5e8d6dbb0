/// The ties of a ranking that were decided by a shoot-off or a coin toss.
///
/// A decision orders those who share a rank if it names all of them. If a correction of scores adds
/// somebody to a tie, they share the rank again until it is decided once more.
package struct DecidedTies: Sendable, Hashable {
  /// The places of contenders in the decisions that name them, by their ids.
  package let places: [Int64: Place]

  /// A place in a decision.
  package struct Place: Sendable, Hashable {
    /// The number that identifies the decision.
    package let decision: Int64
    /// From 1: the place among those whom the decision names.
    package let place: Int

    /// Creates a value; each parameter is the property of its name.
    package init(decision: Int64, place: Int) {
      self.decision = decision
      self.place = place
    }
  }

  /// A row of a ranking.
  package struct Row: Sendable, Hashable {
    /// The contender with its rank.
    package let ranked: RankedContender
    /// Whether a decision gave the rank.
    package let isDecided: Bool
  }

  /// Creates a value; each parameter is the property of its name.
  package init(_ places: [Int64: Place]) { self.places = places }

  /// Rows in order; the shared ranks of decided ties are split.
  package func split(_ rows: [RankedContender]) -> [Row] {
    var result: [Row] = []
    result.reserveCapacity(rows.count)
    var first = 0
    while first < rows.count {
      let rank = rows[first].rank
      var end = first + 1
      while rank > 0, end < rows.count, rows[end].rank == rank { end += 1 }
      result += split(sharing: rows[first..<end])
      first = end
    }
    return result
  }

  private func split(sharing rows: ArraySlice<RankedContender>) -> [Row] {
    let decided = rows.compactMap { row in
      places[row.contender.id].map { (row: row, place: $0) }
    }
    guard rows.count > 1, decided.count == rows.count,
      Set(decided.map(\.place.decision)).count == 1
    else { return rows.map { Row(ranked: $0, isDecided: false) } }
    return decided.sorted { $0.place.place < $1.place.place }.enumerated().map { offset, decided in
      Row(
        ranked: RankedContender(
          contender: decided.row.contender, rank: decided.row.rank + offset,
          missing: decided.row.missing),
        isDecided: true)
    }
  }
}
