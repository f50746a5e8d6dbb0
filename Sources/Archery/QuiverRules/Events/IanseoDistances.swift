/// How the arrows of a card are divided into the distances of ianseo.
package struct IanseoDistances: Sendable, Equatable {
  /// ianseo has no more.
  package static let maximumCount = 8

  /// The slots of each distance, counted through the whole card.
  package let ranges: [Range<Int>]
  /// The first slot of each end.
  private let endStarts: [Int]
  /// The highest value of the face at each slot.
  private let topValues: [Int]

  /// A pass of the card.
  package struct Pass: Sendable {
    package let arrowCount: Int
    package let arrowsPerEnd: Int
    /// The highest value of its face.
    package let topValue: Int

    package init(arrowCount: Int, arrowsPerEnd: Int, topValue: Int = 10) {
      self.arrowCount = arrowCount
      self.arrowsPerEnd = arrowsPerEnd
      self.topValue = topValue
    }
  }

  /// Divides a card into its passes, or into `count` parts of equal length that begin with an end.
  /// Throws if that is not possible, or if there are more than ``maximumCount``.
  package init(_ passes: [Pass], count: Int? = nil) throws(RuleViolation) {
    var (starts, ranges): ([Int], [Range<Int>]) = ([], [])
    var next = 0
    for pass in passes {
      guard pass.arrowCount > 0, pass.arrowsPerEnd > 0 else {
        throw RuleViolation(field: "passes", message: "must have arrows and ends")
      }
      starts += stride(from: next, to: next + pass.arrowCount, by: pass.arrowsPerEnd)
      ranges.append(next..<next + pass.arrowCount)
      next += pass.arrowCount
    }
    if let count, count != ranges.count {
      guard count > 0, next.isMultiple(of: count) else {
        throw RuleViolation(
          field: "distances", message: "cannot be \(count) equal ones for \(next) arrows")
      }
      let length = next / count
      ranges = (0..<count).map { $0 * length..<($0 + 1) * length }
      guard Set(starts).isSuperset(of: ranges.map(\.lowerBound)) else {
        throw RuleViolation(
          field: "distances", message: "cannot be \(count), for ends would be divided")
      }
    }
    guard ranges.count <= Self.maximumCount else {
      throw RuleViolation(
        field: "distances",
        message: "are \(ranges.count), and ianseo has at most \(Self.maximumCount)")
    }
    self.ranges = ranges
    endStarts = starts
    topValues = passes.flatMap { Array(repeating: $0.topValue, count: $0.arrowCount) }
  }

  /// Divides the cards of some archers of one round, whose rows are of one file: into the passes if
  /// no row has anything behind as many distances, for a file has as many for each archer as the
  /// longest round of the competition; else into as many equal distances as the file has.
  ///
  /// Throws as ``init(_:count:)``, and where the rows fit both and have other slots by each.
  package init(of rows: [ResultList.Row], _ passes: [Pass]) throws(RuleViolation) {
    let count = rows.map(\.distances.count).max() ?? 0
    let isShort = rows.allSatisfy { $0.distances.dropFirst(passes.count).allSatisfy(\.isEmpty) }
    guard isShort, count > passes.count else {
      self = try Self(passes, count: count)
      return
    }
    let whole = try Self(passes)
    func slots(_ division: Self) -> [[PlacedArrow]]? {
      var slots: [[PlacedArrow]] = []
      for row in rows {
        guard let placed = try? division.placed(row) else { return nil }
        slots.append(placed)
      }
      return slots
    }
    guard let equal = try? Self(passes, count: count), let others = slots(equal) else {
      self = whole
      return
    }
    guard let own = slots(whole) else {
      self = equal
      return
    }
    guard own == others else {
      throw RuleViolation(
        field: "distances",
        message: "may be the \(passes.count) of the round or \(count) equal ones, and its archers"
          + " have too few arrows to tell")
    }
    self = whole
  }

  /// The arrows of each distance; what is behind the last slot is left out.
  package func divided(_ arrows: [PlacedArrow]) -> [[ArrowScore?]] {
    var slots = [ArrowScore?](repeating: nil, count: ranges.last?.upperBound ?? 0)
    for entry in arrows where endStarts.indices.contains(entry.end) {
      let slot = endStarts[entry.end] + entry.arrow
      if slots.indices.contains(slot) { slots[slot] = entry.score }
    }
    return ranges.map { Array(slots[$0]) }
  }

  /// An arrow in its slot of the card.
  package struct PlacedArrow: Sendable, Equatable {
    /// From 0, through all passes.
    package let end: Int
    /// From 0, within the end.
    package let arrow: Int
    package let score: ArrowScore

    package init(end: Int, arrow: Int, score: ArrowScore) {
      self.end = end
      self.arrow = arrow
      self.score = score
    }
  }

  /// The arrows of a line of ianseo's results. An X has the highest value of its face. Throws
  /// unless the line has these distances, empty ones behind them at most, with as many arrows at
  /// most, and scores that are their sums.
  package func placed(_ row: ResultList.Row) throws(RuleViolation) -> [PlacedArrow] {
    let path = "line \(row.line)"
    guard row.distances.count >= ranges.count,
      row.distances.dropFirst(ranges.count).allSatisfy(\.isEmpty)
    else {
      throw RuleViolation(
        field: path,
        message: "has \(row.distances.count) distances, and the card \(ranges.count)")
    }
    var placed: [PlacedArrow] = []
    for (number, range) in ranges.enumerated() {
      let distance = row.distances[number]
      let texts = distance.arrows.split(separator: ",", omittingEmptySubsequences: false)
      guard texts.count <= max(1, range.count) else {
        throw RuleViolation(
          field: path,
          message: "has \(texts.count) arrows at distance \(number + 1), of \(range.count)")
      }
      var sum = 0
      for (slot, text) in zip(range, texts.map { String($0).trimmingWhitespace })
      where !text.isEmpty {
        guard let read = ArrowScore(sheet: text) else {
          throw RuleViolation(
            field: path,
            message: "has the arrow \(text.prefix(20)) at distance \(number + 1), which is none of"
              + " X, M and 1 to 11")
        }
        let score = read.isX ? ArrowScore(value: topValues[slot], isX: true) : read
        let end = (endStarts.firstIndex { $0 > slot } ?? endStarts.count) - 1
        placed.append(PlacedArrow(end: end, arrow: slot - endStarts[end], score: score))
        sum += score.value
      }
      guard sum == distance.score else {
        throw RuleViolation(
          field: path,
          message: "has \(distance.score) at distance \(number + 1), and its arrows \(sum)")
      }
    }
    return placed
  }
}
