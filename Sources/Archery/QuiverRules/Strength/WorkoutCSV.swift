/// A file that another app exported, as the sets of a strength log.
///
/// Columns are found by their names in any case and order; those that are not known are named. A
/// row is one set. Nothing is guessed: a file without a unit needs one, and a row that is no set of
/// repetitions with a weight is counted and left out.
package struct WorkoutCSV: Sendable {
  /// The sets in the order of their rows.
  package private(set) var sets: [StrengthSet] = []
  /// The unit of all weights.
  package let unit: MassUnit
  /// The names of columns that are not known, which are skipped.
  package private(set) var unknownColumns: [String] = []
  /// Rows without repetitions or without a weight: times, distances and rests.
  package private(set) var skippedCount = 0
  /// Rows that cannot be read.
  package private(set) var badLines = BadLines()

  /// An app whose exports are known.
  ///
  /// Sources, for facts of the formats: the header and rows of exports of Strong in the tests and
  /// the description of github.com/AlexandrosKyriakakis/StrongAppAnalytics and of its copies
  /// (`Date,Workout Name,Duration,Exercise Name,Set
  /// Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE`, dates as in `2022-05-11
  /// 04:20:50`), and of Android, which has semicolons and a column `Weight Unit`
  /// (github.com/mtanzim/vis-strong-go, README); the columns of Hevy in
  /// github.com/Jake-Leicht/Hevy-Dashboard-App (`weight_lbs` or `weight_kg` by the user's unit,
  /// dates as in `22 Dec 2025, 08:00`).
  package enum App: String, CaseIterable, Sendable {
    case strong
    case hevy
  }

  private enum Column: Hashable {
    case date, exercise, setOrder, weight, weightUnit, repetitions, other
  }

  /// Reads a whole file. `unit` is that of a file that names none; a file that names another one,
  /// or several, is refused.
  package init(_ bytes: [UInt8], from app: App, unit: MassUnit?) throws(RuleViolation) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw RuleViolation(field: "file", message: "is not UTF-8")
    }
    let head = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let separator = [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: ",")].max { left, right in
      head.count { $0 == left } < head.count { $0 == right }
    }
    var records = CSVRecords(bytes, separator: separator ?? UInt8(ascii: ","))
    guard let names = records.next(), !names.isBlank else {
      throw RuleViolation(field: "line 1", message: "must have the names of the columns")
    }
    var columns: [Column] = []
    var found: MassUnit?
    for name in names.fields {
      let text = String(decoding: name, as: UTF8.self).trimmingWhitespace
      let (column, unit) = Self.column(text, of: app)
      if column == nil { unknownColumns.append(text) }
      if let column, column != .other, columns.contains(column) {
        throw RuleViolation(field: "line 1", message: "has the column \(text) twice")
      }
      columns.append(column ?? .other)
      found = found ?? unit
    }
    for (column, name) in Self.needed(app) where !columns.contains(column) {
      throw RuleViolation(field: "line 1", message: "has no column \(name)")
    }
    var rows: [CSVRecords.Record] = []
    while let record = records.next() {
      guard !record.isBlank else { continue }
      rows.append(record)
      guard let index = columns.firstIndex(of: .weightUnit), index < record.fields.count else {
        continue
      }
      let text = Self.text(record.fields[index])
      guard !text.isEmpty else { continue }
      guard let own = Self.unit(text) else {
        throw RuleViolation(field: "line \(record.line)", message: "has no unit lb or kg")
      }
      guard found == nil || found == own else {
        throw RuleViolation(
          field: "line \(record.line)", message: "has another unit than the rows before")
      }
      found = own
    }
    guard let used = found ?? unit else {
      throw RuleViolation(field: "unit", message: "is not in the file; name it")
    }
    guard unit == nil || unit == used else {
      throw RuleViolation(field: "unit", message: "is \(used.symbol) in the file")
    }
    self.unit = used
    for row in rows { add(row, columns) }
  }

  private mutating func add(_ record: CSVRecords.Record, _ columns: [Column]) {
    func value(_ column: Column) -> String {
      guard let index = columns.firstIndex(of: column), index < record.fields.count else {
        return ""
      }
      return Self.text(record.fields[index])
    }
    do throws(BadLine.Reason) {
      guard !record.isBroken else { throw .quote }
      guard record.fields.count == columns.count else { throw .fieldCount(record.fields.count) }
      let (weight, repetitions) = (value(.weight), value(.repetitions))
      guard value(.setOrder).lowercased() != "rest timer", !weight.isEmpty,
        !repetitions.isEmpty, PlainDecimal.value(repetitions) != 0
      else {
        skippedCount += 1
        return
      }
      guard let day = Self.day(value(.date)) else { throw .date }
      guard let exercise = ExerciseName(value(.exercise)) else { throw .name }
      guard let count = PlainDecimal.value(repetitions).flatMap({ Int32(exactly: $0) }),
        StrengthSet.repetitionsRange.contains(count)
      else { throw .repetitions }
      guard let number = PlainDecimal.value(weight), unit.liftRange.contains(number) else {
        throw .weight
      }
      sets.append(
        StrengthSet(
          day: day, exercise: exercise, sets: 1, repetitions: count, weight: number, unit: unit))
    } catch {
      badLines.add(BadLine(number: Int64(record.line), reason: error))
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingWhitespace
  }

  private static func unit(_ text: String) -> MassUnit? {
    text.lowercased() == "lbs" ? .pound : MassUnit(symbol: text)
  }

  private static func needed(_ app: App) -> [(Column, String)] {
    switch app {
    case .strong:
      [
        (.date, "Date"), (.exercise, "Exercise Name"), (.weight, "Weight"), (.repetitions, "Reps"),
      ]
    case .hevy:
      [
        (.date, "start_time"), (.exercise, "exercise_title"),
        (.weight, "weight_kg or weight_lbs"), (.repetitions, "reps"),
      ]
    }
  }

  /// What a column has, and the unit in its name; nil for a name that is not known.
  private static func column(_ name: String, of app: App) -> (Column?, MassUnit?) {
    let name = name.lowercased()
    switch (app, name) {
    case (.strong, "date"), (.hevy, "start_time"): return (.date, nil)
    case (.strong, "exercise name"), (.hevy, "exercise_title"): return (.exercise, nil)
    case (.strong, "set order"): return (.setOrder, nil)
    case (.strong, "weight"): return (.weight, nil)
    case (.strong, "weight (kg)"), (.hevy, "weight_kg"): return (.weight, .kilogram)
    case (.strong, "weight (lb)"), (.strong, "weight (lbs)"), (.hevy, "weight_lbs"):
      return (.weight, .pound)
    case (.strong, "weight unit"): return (.weightUnit, nil)
    case (_, "reps"): return (.repetitions, nil)
    case (.strong, _): return (strongColumns.contains(name) ? .other : nil, nil)
    case (.hevy, _): return (hevyColumns.contains(name) ? .other : nil, nil)
    }
  }

  /// Columns that are known and hold nothing of a strength log.
  private static let strongColumns: Set = [
    "workout name", "duration", "workout duration", "distance", "distance unit", "seconds", "notes",
    "workout notes", "rpe", "workout #", "duration (sec)", "distance (meters)",
  ]
  private static let hevyColumns: Set = [
    "title", "end_time", "description", "superset_id", "exercise_notes", "set_index", "set_type",
    "distance_km", "distance_miles", "duration_seconds", "rpe",
  ]

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// The day of `2022-05-11`, `2022-05-11 04:20:50`, `2022-05-11T04:20:50`,
  /// `2022-05-11 4:20:50 PM`, `22 Dec 2025, 08:00` or `Dec 22, 2025 at 8:00 PM`. Devices write
  /// different spaces before AM and PM.
  private static func day(_ text: String) -> Int32? {
    var words = text.split(whereSeparator: { $0.isWhitespace || $0 == "," })
    if words.count > 1, ["am", "pm"].contains(words.last?.lowercased()) { words.removeLast() }
    guard let first = words.first else { return nil }
    let parts = first.prefix { $0 != "T" }.split(
      separator: "-", omittingEmptySubsequences: false)
    if parts.count == 3, parts[0].count == 4, words.count <= 2 {
      return day(year: parts[0], month: Int32(parts[1]), day: parts[2])
    }
    if words.count == 5, words[3].lowercased() == "at" { words.remove(at: 3) }
    guard (3...4).contains(words.count) else { return nil }
    // The month has a name, so that its place is known.
    guard let leading = month(words[0]) else {
      return day(year: words[2], month: month(words[1]), day: words[0])
    }
    return day(year: words[2], month: leading, day: words[1])
  }

  /// The number of a month by its English name or the first three letters of it.
  private static func month(_ text: Substring) -> Int32? {
    let text = text.lowercased()
    return months.firstIndex { text == $0 || text == $0.prefix(3) }.map { Int32($0) + 1 }
  }

  private static func day(year: Substring, month: Int32?, day: Substring) -> Int32? {
    guard year.utf8.count == 4, (1...2).contains(day.utf8.count),
      (year + day).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let year = Int32(year), let month, let day = Int32(day)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)?.dayNumber
  }
}
