import Foundation

/// A published bracket of `Tests/Fixtures/tournament/published_brackets.csv`: its README has the
/// source and the licence.
package struct PublishedBracket: Sendable {
  package let name: String
  package let entrantCount: Int
  /// The published final rank of each seed.
  package private(set) var ranks: [Int: Int] = [:]
  package private(set) var matches: [Match] = []

  /// A match with its two sides, the upper one of the chart first.
  package struct Match: Sendable {
    /// 128 for 1/48, 64 for 1/24, then 32 to 4; 2 for both medal matches.
    package let roundSize: Int
    /// Whether it is the match for bronze.
    package let isBronze: Bool
    package let seeds: [Int]
    /// The sums of 15 arrows, before a shoot-off.
    package let scores: [Int]
    /// The seed that won.
    package let winner: Int
  }

  /// All of the file.
  package static let all: [PublishedBracket] = {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/tournament/published_brackets.csv")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      preconditionFailure("\(url.path) cannot be read")
    }
    var all: [PublishedBracket] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: ",").map(String.init)
      let numbers = fields.dropFirst().compactMap { Int($0) }
      switch fields[0] {
      case "event": all.append(PublishedBracket(name: fields[1], entrantCount: numbers[0]))
      case "ranks":
        for (index, rank) in numbers.enumerated() { all[all.count - 1].ranks[index + 1] = rank }
      case "match":
        all[all.count - 1].matches.append(
          Match(
            roundSize: numbers[0] == 3 ? 2 : numbers[0], isBronze: numbers[0] == 3,
            seeds: [numbers[1], numbers[3]], scores: [numbers[2], numbers[4]],
            winner: numbers[5]))
      default: preconditionFailure("\(url.path) has a line of another kind")
      }
    }
    return all
  }()

  private init(name: String, entrantCount: Int) {
    self.name = name
    self.entrantCount = entrantCount
  }

  /// The match of these seeds in a round.
  package func match(_ roundSize: Int, isBronze: Bool, _ seeds: [Int]) -> Match? {
    matches.first {
      $0.roundSize == roundSize && $0.isBronze == isBronze && Set($0.seeds) == Set(seeds)
    }
  }
}
