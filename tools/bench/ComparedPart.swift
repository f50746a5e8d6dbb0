import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverService
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
  /// Answers the whole call again and again, without inference.
  case plain
  /// Answers it with inference.
  case inferred

  /// Runs the part so many times on a new store.
  func run(count: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try Store(.unlimited(folder.path))
    defer { store.close() }
    let (principal, setups) = try ComparisonArchers.fillRecent(store)
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
      case .plain, .inferred:
        let request = Self.request(setups, infers: self == .inferred)
        _ = try answer(request, of: principal, in: store).serializedBytes()
      }
    }
  }

  private static func request(_ setups: [Int64], infers: Bool) -> CompareRequest {
    var request = CompareRequest()
    request.setups = setups.map { id in .with { $0.id = id } }
    request.range = .with { $0.range = .ninetyDays }
    request.asOfMilliseconds = ComparisonArchers.asOf
    request.method = infers ? .welch : .none
    return request
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
