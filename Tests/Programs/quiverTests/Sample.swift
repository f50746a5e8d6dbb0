import Foundation

/// The score file of the tests, with standings computed independently.
enum Sample {
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/tournament/sample.csv").path

  struct Row {
    let name: String
    let cells: [String]

    /// An X is an X and a 10.
    func count(_ cell: String) -> Int {
      cells.count { $0 == cell || (cell == "10" && $0 == "X") }
    }

    var total: Int { cells.reduce(0) { $0 + ($1 == "X" ? 10 : Int($1) ?? 0) } }
  }

  static func rows() throws -> [Row] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map {
      let cells = $0.split(separator: ",").map(String.init)
      return Row(name: cells[0], cells: Array(cells.dropFirst()))
    }
  }

  /// Lines of `rank archer total x tens`: by total, then by the counts of these cells, then in file
  /// order; archers that are equal in all share a rank.
  static func standings(_ ties: [String]) throws -> [String] {
    func key(_ row: Row) -> [Int] { [row.total] + ties.map(row.count) }
    let rows = try rows().enumerated().sorted { left, right in
      let (one, other) = (key(left.element), key(right.element))
      if one != other { return other.lexicographicallyPrecedes(one) }
      return left.offset < right.offset
    }.map(\.element)
    return rows.map { row in
      let rank = 1 + (rows.firstIndex { key($0) == key(row) } ?? 0)
      return "\(rank) \(row.name) \(row.total) \(row.count("X")) \(row.count("10"))"
    }
  }
}
