import QuiverRules

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A strength log in a file on this device, read completely.
struct StrengthFile: Sendable {
  let badLines: BadLines
  private let sets: [ExerciseName: [LiftSet]]

  /// The maximum size of a log in bytes.
  static let maximumByteCount = 64 << 20

  private static let chunkByteCount = 64 << 10

  /// Reads a log; skips and reports lines that are not valid.
  @concurrent
  static func read(
    _ path: String, _ unit: WeightUnit
  ) async throws(SessionError) -> StrengthFile {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw SessionError(.notFound, "the file cannot be read")
    }
    guard data.count <= maximumByteCount else {
      throw SessionError(.full, "a log may have \(maximumByteCount) bytes")
    }
    var reader = LiftLineReader(unit: unit)
    var sets: [ExerciseName: [LiftSet]] = [:]
    var found: [LiftSet] = []
    var start = 0
    while start < data.count {
      let end = min(data.count, start + chunkByteCount)
      reader.read(Array(data[(data.startIndex + start)..<(data.startIndex + end)]), into: &found)
      start = end
      for set in found { sets[set.exercise, default: []].append(set) }
      found.removeAll(keepingCapacity: true)
    }
    reader.finish(into: &found)
    for set in found { sets[set.exercise, default: []].append(set) }
    return StrengthFile(badLines: reader.badLines, sets: sets)
  }

  /// By the bytes of their names.
  func exercises(in unit: WeightUnit) -> [StrengthExercise] {
    sets.keys.sorted().map { name in
      let series = series(of: name.text, in: unit)
      return StrengthExercise(
        name: name.text, setCount: Int64(sets[name]?.count ?? 0), record: series.record,
        latest: series.latest)
    }
  }

  func series(of name: String, in unit: WeightUnit) -> LiftSeries {
    LiftSeries(ExerciseName(name).flatMap { sets[$0] } ?? [], in: unit)
  }
}
