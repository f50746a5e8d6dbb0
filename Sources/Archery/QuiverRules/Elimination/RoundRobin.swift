/// A group in which each entrant meets each other entrant once.
package enum RoundRobin {
  /// The numbers of members that a group may have.
  package static let sizes = 2...16

  /// The pairs of each round, as indices from 0; with an odd number one has a bye in each round.
  ///
  /// The circle method: one member stays and the others move on by one place.
  package static func rounds(of count: Int) -> [[(first: Int, second: Int)]] {
    guard count > 1 else { return [] }
    let size = count + count % 2
    var circle = Array(0..<size)
    return (1..<size).map { _ in
      defer { circle.insert(circle.removeLast(), at: 1) }
      return (0..<size / 2).compactMap { place in
        let pair = (first: circle[place], second: circle[size - 1 - place])
        return pair.first < count && pair.second < count ? pair : nil
      }
    }
  }

  /// The seeds from 1 to `count` by group: each next row of seeds goes back through the groups, so
  /// that with three groups 1 and 6 meet, 2 and 5, 3 and 4.
  package static func groups(of count: Int, _ groupCount: Int) -> [[Int]] {
    guard groupCount > 0 else { return [] }
    var groups = Array(repeating: [Int](), count: groupCount)
    for index in 0..<max(0, count) {
      let (row, place) = (index / groupCount, index % groupCount)
      groups[row.isMultiple(of: 2) ? place : groupCount - 1 - place].append(index + 1)
    }
    return groups
  }

  /// A match of a group that is decided.
  package struct Match: Sendable, Hashable {
    /// The indices of the members.
    package let members: [Int]
    /// The result.
    package let result: BracketResult

    /// Creates a value; each parameter is the property of its name.
    package init(_ first: Int, _ second: Int, _ result: BracketResult) {
      members = [first, second]
      self.result = result
    }
  }

  /// One member's row of the table.
  package struct Row: Sendable, Hashable {
    /// The index of the member.
    package let member: Int
    /// The matches that were decided, and those that the member won.
    package fileprivate(set) var played = 0
    package fileprivate(set) var won = 0
    /// ``pointsForWin`` for each match won.
    package fileprivate(set) var points = 0
    /// The set points of all matches together.
    package fileprivate(set) var setPoints = 0
    /// The sum of the arrows of all matches.
    package fileprivate(set) var total = 0
    /// From 1; equal members share a rank.
    package fileprivate(set) var rank = 0
    /// The points in the matches among those with equal points.
    fileprivate var directPoints = 0

    fileprivate var keys: [Int] { [points, directPoints, setPoints, total] }
  }

  /// The points for a match won; a match has no draw.
  package static let pointsForWin = 2

  /// The table, best first: by points, then the points in the matches among those who are equal,
  /// then set points, then the sum of the arrows. Full ties share a rank and stand by index.
  package static func table(of count: Int, _ matches: [Match]) -> [Row] {
    var rows = (0..<count).map { Row(member: $0) }
    for match in matches {
      for side in MatchSide.allCases {
        let member = match.members[side.rawValue]
        rows[member].played += 1
        rows[member].setPoints += match.result.setPoints[side.rawValue]
        rows[member].total += match.result.totals[side.rawValue]
        guard match.result.winner == side else { continue }
        rows[member].won += 1
        rows[member].points += pointsForWin
      }
    }
    let points = rows.map(\.points)
    for match in matches {
      guard let winner = match.result.winner, points[match.members[0]] == points[match.members[1]]
      else { continue }
      rows[match.members[winner.rawValue]].directPoints += pointsForWin
    }
    let ordered = rows.sorted { left, right in
      left.keys == right.keys
        ? left.member < right.member : right.keys.lexicographicallyPrecedes(left.keys)
    }
    return ordered.enumerated().map { place, row in
      var row = row
      row.rank = (ordered.firstIndex { $0.keys == row.keys } ?? place) + 1
      return row
    }
  }
}
