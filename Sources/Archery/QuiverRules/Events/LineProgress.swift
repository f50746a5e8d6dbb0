/// How far the targets of a session are: who holds up the line.
public enum LineProgress {
  /// An archer with a place who shoots: not one who did not start, did not finish, has withdrawn or
  /// was disqualified.
  public struct Archer: Sendable, Equatable {
    /// The number of the target, from 1.
    public var target: Int
    /// The letter of the place, A to D.
    public var letter: String
    /// The ends with all arrows entered.
    public var endsCompleted: Int

    /// An archer on a target.
    public init(target: Int, letter: String, endsCompleted: Int) {
      (self.target, self.letter, self.endsCompleted) = (target, letter, endsCompleted)
    }
  }

  /// A target with its slowest archers.
  public struct Target: Sendable, Equatable {
    /// The number of the target, from 1.
    public let target: Int
    /// The ends that all of its archers have completed.
    public let endsCompleted: Int
    /// By how many ends it is behind the target that is the furthest; 0: by none.
    public let endsBehind: Int
    /// The letters of those who have completed no more, in their order.
    public let letters: [String]
  }

  /// The targets of some archers, the one that is furthest behind first, equal ones by their
  /// number.
  public static func targets(of archers: [Archer]) -> [Target] {
    let byTarget = Dictionary(grouping: archers, by: \.target)
    let ends = byTarget.mapValues { $0.map(\.endsCompleted).min() ?? 0 }
    let furthest = ends.values.max() ?? 0
    return byTarget.map { target, archers in
      let completed = ends[target] ?? 0
      return Target(
        target: target, endsCompleted: completed, endsBehind: furthest - completed,
        letters: archers.filter { $0.endsCompleted == completed }.map(\.letter).sorted())
    }.sorted { ($0.endsCompleted, $0.target) < ($1.endsCompleted, $1.target) }
  }

  /// By how many ends a target is ahead of what more than half of the others have completed; 0 if
  /// it is not, has no archers, or is alone.
  public static func lead(of target: Int, among archers: [Archer]) -> Int {
    let targets = targets(of: archers)
    guard let own = targets.first(where: { $0.target == target }) else { return 0 }
    let others = targets.filter { $0.target != target }
    // In rising order the others from here on are more than half of them.
    guard let line = others.dropLast(others.count / 2).last else { return 0 }
    return max(0, own.endsCompleted - line.endsCompleted)
  }
}
