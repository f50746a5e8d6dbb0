public import QuiverAPI
import QuiverRules

/// A round of a bracket: matches that are shot at the same time.
public struct BracketRound: Sendable, Equatable {
  /// How many sides the round has: 8 is the quarterfinals, 2 the medal matches.
  public let size: UInt32
  /// The name by the number of matches, as in `1/16`; with exempt seeds `1/48`, then `1/24`. Empty
  /// for the medal matches, which have names of their own.
  public let name: String
  /// The matches from the top of the chart; the match for gold before that for bronze. With exempt
  /// seeds the first round has 48 matches at 48 of 64 indices.
  public let matches: [EliminationMatch]

  /// The rounds of a bracket, the first one first; none for groups.
  static func rounds(of stage: EliminationStage?, _ matches: [EliminationMatch]) -> [BracketRound] {
    guard let stage, stage.groupCount == 0 else { return [] }
    let exempt = ExemptSeeds.of(Int(stage.exemptSeeds), onDay: stage.ruleDay)
    return Dictionary(grouping: matches, by: \.roundSize).sorted { $0.key > $1.key }
      .map { size, matches in
        let plain = size > 2 ? "1/\(size / 2)" : ""
        return BracketRound(
          size: size, name: exempt?.roundName(size: Int(size)) ?? plain,
          matches: matches.sorted { $0.index < $1.index })
      }
  }
}
