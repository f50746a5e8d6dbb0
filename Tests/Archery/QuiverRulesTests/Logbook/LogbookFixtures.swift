import Foundation
import QuiverRules

/// Numbers that others have worked out, in `Tests/Fixtures/Logbook`.
enum LogbookFixtures {
  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  static func json(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: name))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// The lines of a table without their head, cut at commas.
  static func table(_ name: String) throws -> [[String]] {
    try text(name).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Fixtures/Logbook")
}

/// Entries of pounds, one a day from day 0, unless the day is named.
func weighIns(_ thousandths: [Int64], unit: WeightUnit = .pound) -> [WeighIn] {
  thousandths.enumerated().map { index, weight in
    weighIn(day: Int32(index), weight, unit: unit)
  }
}

func weighIn(
  day: Int32, _ thousandths: Int64, unit: WeightUnit = .pound, instant: Int64 = 0,
  id: Int64? = nil, hasNote: Bool = false
) -> WeighIn {
  WeighIn(
    id: id ?? Int64(day) * 1_000 + instant % 1_000, day: day, instantMilliseconds: instant,
    weight: BodyWeight(thousandths: thousandths, unit: unit), hasNote: hasNote)
}
