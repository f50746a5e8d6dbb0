/// Compares the two cards of an archer, end by end.
package enum CardComparison {
  /// Whether both ends have the same arrows. The order does not count: scorers write the arrows of
  /// an end from the highest to the lowest, devices as they are entered.
  package static func agrees(_ first: [ArrowScore], _ second: [ArrowScore]) -> Bool {
    first.count == second.count && changes(from: first, to: second).isEmpty
  }

  /// The arrows of an end to replace, by their index, so that it has those of another end with as
  /// many arrows. What both have stays.
  package static func changes(
    from first: [ArrowScore], to other: [ArrowScore]
  ) -> [Int: ArrowScore] {
    var left = other
    var open: [Int] = []
    for (index, score) in first.enumerated() {
      if let found = left.firstIndex(of: score) {
        left.remove(at: found)
      } else {
        open.append(index)
      }
    }
    left.sort { ($0.value, $0.isX ? 1 : 0) > ($1.value, $1.isX ? 1 : 0) }
    return Dictionary(zip(open, left), uniquingKeysWith: { first, _ in first })
  }
}

/// Which of two confirmed cards counts if they differ: data, so that an event keeps the rule of its
/// day.
package struct DoubleScoringRule: Sendable, Hashable {
  /// As in reasons and in the audit.
  package let name: String
  package let choice: Choice

  /// Days since 1970-01-01.
  package let inForceFromDay: Int32

  /// How a total is chosen.
  package enum Choice: Sendable, Hashable {
    case lowestTotal
  }

  /// A card whose total counts.
  package enum Card: Sendable, Hashable {
    case first
    case second
    case paper
  }

  /// All rules. A rule that changes gets another entry with a later day; existing entries are never
  /// edited.
  ///
  /// World Archery, article 14.4.1, as the statement of 2015-07 on the appeal of Copenhagen has it
  /// (worldarchery.sport, news 125065): of a paper and an electronic card the total of the paper
  /// card counts, unless it is above the sum of the arrows, and then the lower one does. In both
  /// cases that is the lower total. The day is that on which the quotation is known to hold; the
  /// first rule also applies before.
  package static let all = [
    DoubleScoringRule(
      name: "World Archery 14.4.1: the lower total counts", choice: .lowestTotal,
      inForceFromDay: 16_644)
  ]

  /// The rule of a day: the latest that began by then, else the first.
  package static func of(day: Int32, among rules: [DoubleScoringRule] = all) -> DoubleScoringRule {
    let sorted = rules.sorted { $0.inForceFromDay < $1.inForceFromDay }
    return sorted.last { $0.inForceFromDay <= day } ?? sorted.first ?? all[0]
  }

  /// The card that counts; of equal totals the first card, then the second one.
  package func counted(first: Int, second: Int?, paper: Int?) -> Card {
    switch choice {
    case .lowestTotal:
      var found = (card: Card.first, total: first)
      if let second, second < found.total { found = (.second, second) }
      if let paper, paper < found.total { found = (.paper, paper) }
      return found.card
    }
  }
}
