import Foundation
import QuiverRules
import QuiverStore

/// A part of a comparison of two setups with 20 rounds each, for callgrind.
enum ComparedPart: String {
  /// Reads the rounds of both setups with their handicaps.
  case rounds
  /// Reads the positions of both setups.
  case shots
  /// Computes the statistics of both setups.
  case statistics
  /// Computes how sure their differences are.
  case inference

  /// Runs the part so many times on a new store.
  func run(count: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try Store(.unlimited(folder.path))
    defer { store.close() }
    let setups = try ComparisonArchers.fillRecent(store).setups
    let span = ShotSpan(start: ComparisonArchers.asOf - 90 * 86_400_000, end: .max)
    let rounds = try read(store, setups, span)
    let sides = rounds.map { ComparedSide(name: "setup", rounds: $0) }
    for _ in 0..<count {
      switch self {
      case .rounds: _ = try read(store, setups, span)
      case .shots:
        for setup in setups {
          try store.read { (snapshot) throws(StoreError) in
            _ = try snapshot.placedShots(
              .setup(setup, version: 0), span, includesUnfinished: false, limit: 20_000)
          }
        }
      case .statistics: for side in rounds { _ = ComparedSide(name: "setup", rounds: side) }
      case .inference: _ = DifferenceInference(sides[0], sides[1]).overall
      }
    }
  }

  private func read(
    _ store: Store, _ setups: [Int64], _ span: ShotSpan
  ) throws -> [[ComparedRound]] {
    try store.read { (snapshot) throws(StoreError) in
      var sides: [[ComparedRound]] = []
      for setup in setups {
        sides.append(
          try snapshot.comparedRounds(
            .setup(setup, version: 0), span, includesUnfinished: false, withHandicaps: true))
      }
      return sides
    }
  }
}
