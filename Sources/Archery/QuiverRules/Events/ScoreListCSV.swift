/// Rounds of an archer's list as comma-separated values, without arrows.
///
/// The first line has the names of the columns, in any order and case: `date`, `round` and `score`
/// are needed; `hits`, `golds`, `x`, `place`, `status`, `bow` and `notes` may be there. Others are
/// reported and skipped. Dates are as in `2014-06-01`, or with the day first: `01/06/2014`.
package struct ScoreListCSV: Sendable, Equatable {
  /// The rounds in the order of their lines.
  package private(set) var rows: [Row] = []
  /// Lines that cannot be taken, with the reason; the first ``shownCount``.
  package private(set) var badLines: [String] = []
  /// The number of all of them.
  package private(set) var badLineCount = 0
  /// The names of columns that are not known; at most 60 characters of each.
  package private(set) var unknownColumns: [String] = []

  /// A round.
  package struct Row: Sendable, Equatable {
    /// The number of the line, from 1.
    package var line = 0
    /// Days since 1970-01-01.
    package var day: Int32 = 0
    /// The name of the round, or its codename.
    package var round = ""
    package var score = TypedScore(total: 0)
    package var place = ""
    /// As in `club`; empty: not known.
    package var status = ""
    /// As in `recurve`; empty: that of the profile.
    package var bow = ""
    package var notes = ""

    package init() {}
  }

  /// The most rounds of a file.
  package static let maximumRowCount = 50_000
  /// The most bad lines that are named.
  package static let shownCount = 20
  /// The words of a status.
  package static let statuses = ["practice", "club", "open", "record"]
  /// The line of column names of an export.
  package static let header = "date,round,score,hits,golds,x,place,status,bow,notes"

  private static let names: [String: String] = [
    "date": "date", "round": "round", "round name": "round", "score": "score", "total": "score",
    "hits": "hits", "golds": "golds", "x": "x", "xs": "x", "place": "place", "venue": "place",
    "location": "place", "status": "status", "bow": "bow", "bowstyle": "bow", "bow type": "bow",
    "notes": "notes",
  ]

  /// Throws for a file without its columns, or that is too long.
  package init(_ bytes: [UInt8]) throws(RuleViolation) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw RuleViolation(field: "file", message: "is not UTF-8")
    }
    var records = CSVRecords(bytes)
    guard let head = records.next(), !head.isBlank else {
      throw RuleViolation(field: "line 1", message: "must have the names of the columns")
    }
    var columns: [String: Int] = [:]
    for (index, bytes) in head.fields.enumerated() {
      let name = String(decoding: bytes, as: UTF8.self).trimmingWhitespace
      guard let known = Self.names[name.lowercased()] else {
        unknownColumns.append(String(name.prefix(60)))
        continue
      }
      guard columns.updateValue(index, forKey: known) == nil else {
        throw RuleViolation(field: "line 1", message: "has the column \(name) twice")
      }
    }
    for name in ["date", "round", "score"] where columns[name] == nil {
      throw RuleViolation(field: "line 1", message: "has no column \(name)")
    }
    while let record = records.next() {
      if record.isBlank { continue }
      guard rows.count + badLineCount < Self.maximumRowCount else {
        throw RuleViolation(
          field: "file", message: "has more than \(Self.maximumRowCount) rounds")
      }
      do throws(RuleViolation) {
        rows.append(try Self.row(record, columns, count: head.fields.count))
      } catch {
        badLineCount += 1
        if badLines.count < Self.shownCount {
          badLines.append("line \(record.line): \(error.field) \(error.message)")
        }
      }
    }
  }

  private static func row(
    _ record: CSVRecords.Record, _ columns: [String: Int], count: Int
  ) throws(RuleViolation) -> Row {
    guard !record.isBroken else {
      throw RuleViolation(field: "a field", message: "has a quote without its end")
    }
    guard record.fields.count == count else {
      throw RuleViolation(
        field: "the line", message: "has \(record.fields.count) fields, and the first \(count)")
    }
    func value(_ name: String) -> String {
      columns[name].map { String(decoding: record.fields[$0], as: UTF8.self).trimmingWhitespace }
        ?? ""
    }
    func number(_ name: String) throws(RuleViolation) -> Int? {
      let text = value(name)
      guard !text.isEmpty else { return nil }
      guard text.utf8.count <= 5, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
        throw RuleViolation(field: name, message: "must be a whole number")
      }
      return Int(text)
    }
    var row = Row()
    row.line = record.line
    guard let day = day(value("date")) else {
      throw RuleViolation(field: "date", message: "must be as in 2014-06-01 or 01/06/2014")
    }
    row.day = day
    row.round = EntryCSV.withoutApostrophe(value("round"))
    guard !row.round.isEmpty else { throw RuleViolation(field: "round", message: "is empty") }
    guard let total = try number("score") else {
      throw RuleViolation(field: "score", message: "is empty")
    }
    row.score = TypedScore(
      total: total, hits: try number("hits"), golds: try number("golds"), xCount: try number("x"))
    row.status = value("status").lowercased()
    guard row.status.isEmpty || statuses.contains(row.status) else {
      throw RuleViolation(
        field: "status", message: "must be one of " + statuses.joined(separator: ", "))
    }
    row.bow = value("bow").lowercased()
    row.place = EntryCSV.withoutApostrophe(value("place"))
    row.notes = EntryCSV.withoutApostrophe(value("notes"))
    return row
  }

  private static func day(_ text: String) -> Int32? {
    if let date = CivilDate(text: text) { return date.dayNumber }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 2, parts[1].count == 2, parts[2].count == 4 else {
      return nil
    }
    return CivilDate(text: "\(parts[2])-\(parts[1])-\(parts[0])")?.dayNumber
  }
}

extension ScoreListCSV.Row {
  /// The line of an export, with its end.
  package var csvLine: String {
    let counts = [score.hits, score.golds, score.xCount].map { $0.map { "\($0)" } ?? "" }
    let texts = [place, status, bow, notes].map(Self.field)
    return ([CivilDate(dayNumber: day).text, Self.field(round), "\(score.total)"] + counts + texts)
      .joined(separator: ",") + "\r\n"
  }

  /// A field that a spreadsheet does not take for a formula, quoted where it must be.
  private static func field(_ text: String) -> String {
    var shown = text
    if let first = text.first, "=+-@\t\r".contains(first) { shown = "'" + text }
    guard shown.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
      return shown
    }
    return "\"" + shown.replacing("\"", with: "\"\"") + "\""
  }
}
