import Foundation
import QuiverRules

/// An event as it was published. Archers are named by their place in the qualification.
struct PublishedEvent {
  let name: String
  /// Whether matches are decided by the sums of their arrows, as those of compounds.
  let isCumulative: Bool
  /// By seed: the first is seed 1.
  let entrants: [Entrant]
  let matches: [Match]

  struct Entrant: Equatable {
    let score: Int
    /// With X.
    let tens: Int
    let xs: Int
    /// The final rank; nil: disqualified.
    var rank: Int?
  }

  struct Match: Equatable {
    /// The round as in `BracketPlace`; 1/48 is 128.
    let roundSize: Int
    /// Of the final round: whether it is for gold.
    let isGold: Bool
    /// From 0: its place among the matches of its round in the file.
    let order: Int
    let line: Int
    /// By side of the chart.
    let seeds: [Int]
    let scores: [Int]
    /// Whether a shoot-off of that side is marked.
    let marks: [Bool]
    /// Nil: both lost.
    let winner: MatchSide?
  }

  private static let rounds = [
    "1/48": 128, "1/32": 64, "1/24": 64, "1/16": 32, "1/8": 16, "1/4": 8, "1/2": 4, "Bronze": 2,
    "Gold": 2,
  ]

  init(_ files: EventFiles) throws {
    try self.init(
      name: files.name,
      qualification: TableFile(
        path: files.qualification,
        columns: ["Rank", "Name", "Country", "Score", "Tens", "Xs"]),
      brackets: TableFile(
        path: files.brackets,
        columns: ["Pass", "A Name", "A Score", "A Win", "B Name", "B Score", "B Win"]),
      final: TableFile(path: files.final, columns: ["Rank", "Name", "Country"]))
  }

  init(name: String, qualification: TableFile, brackets: TableFile, final: TableFile) throws {
    self.name = name
    isCumulative = name.contains("Compound")
    var seeds: [String: Int] = [:]
    var entrants: [Entrant] = []
    for row in qualification.rows {
      let seed = entrants.count + 1
      guard try row.number("Rank", 1...9_999) == seed else {
        throw row.complaint("Rank must be \(seed), one more than that of the line above")
      }
      guard seeds.updateValue(seed, forKey: Self.key(row.text("Name"))) == nil else {
        throw row.complaint("Name is that of another line")
      }
      entrants.append(
        Entrant(
          score: try row.number("Score", 0...1_440), tens: try row.number("Tens", 0...144),
          xs: try row.number("Xs", 0...144)))
    }
    func seed(_ column: String, _ row: TableFile.Row) throws -> Int {
      guard let seed = seeds[Self.key(row.text(column))] else {
        throw row.complaint("\(column) '\(row.text(column))' is not in the qualification")
      }
      return seed
    }
    var ranked: Set<Int> = []
    for row in final.rows {
      let seed = try seed("Name", row)
      guard ranked.insert(seed).inserted else {
        throw row.complaint("Name is that of another line")
      }
      entrants[seed - 1].rank =
        row.text("Rank") == "DSQ" ? nil : try row.number("Rank", 1...9_999)
    }
    if let missing = entrants.indices.first(where: { !ranked.contains($0 + 1) }) {
      throw FileComplaint(
        file: final.path, line: 0, message: "seed \(missing + 1) of the qualification is missing")
    }
    self.entrants = entrants
    let disqualified = Set(entrants.indices.filter { entrants[$0].rank == nil }.map { $0 + 1 })
    var orders: [Int: Int] = [:]
    matches = try brackets.rows.map { row in
      let seeds = [try seed("A Name", row), try seed("B Name", row)]
      return try Self.match(row, seeds, disqualified, &orders)
    }
  }

  private static func match(
    _ row: TableFile.Row, _ seeds: [Int], _ disqualified: Set<Int>, _ orders: inout [Int: Int]
  ) throws -> Match {
    guard let round = rounds[row.text("Pass")] else {
      throw row.complaint("Pass '\(row.text("Pass"))' is not known")
    }
    let isFinal = round == 2
    // The extractor reverses the last column of the chart.
    let sides = isFinal ? ["B", "A"] : ["A", "B"]
    let wins = try sides.map { try row.number("\($0) Win", 0...1) }
    guard wins != [1, 1] else { throw row.complaint("both sides win") }
    let texts = sides.map { row.text("\($0) Score") }
    let scores = try texts.enumerated().map { index, text in
      guard let score = Int(text.hasSuffix("*") ? String(text.dropLast()) : text),
        (0...150).contains(score)
      else {
        throw row.complaint("\(sides[index]) Score '\(text)' is no score from 0 to 150")
      }
      return score
    }
    // Of two who were disqualified, 0 to 0, the extractor names the second one as the winner.
    let isDoubleLoss =
      wins == [0, 0] || scores == [0, 0] && disqualified.isSuperset(of: seeds)
    let order = orders[round, default: 0]
    orders[round] = order + 1
    return Match(
      roundSize: round, isGold: row.text("Pass") == "Gold", order: isFinal ? 0 : order,
      line: row.line, seeds: isFinal ? seeds.reversed() : seeds, scores: scores,
      marks: texts.map { $0.hasSuffix("*") },
      winner: isDoubleLoss ? nil : wins[0] == 1 ? .first : .second)
  }

  /// What two spellings of a name have in common: their words in any order and case. A dotless i is
  /// one with a dot, as the files have both for one archer.
  static func key(_ name: String) -> String {
    let folded = String(
      String.UnicodeScalarView(
        name.lowercased().unicodeScalars.filter { $0 != "\u{307}" }.map {
          $0 == "\u{131}" ? "i" : $0
        }))
    return folded.split(whereSeparator: \.isWhitespace).sorted().joined(separator: " ")
  }
}
