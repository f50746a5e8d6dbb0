/// A list of entries as comma-separated values (RFC 4180) with a line of column names.
package struct EntryCSV: Sendable, Equatable {
  /// The entries in the order of their lines.
  package private(set) var entries: [Entry] = []
  /// The names of columns that are not known, which are skipped.
  package private(set) var unknownColumns: [String] = []

  /// One line.
  package struct Entry: Sendable, Equatable {
    /// The number of the line, from 1.
    package let line: Int
    /// The values by column; a column that the list does not have is empty.
    package let values: [Column: String]

    package subscript(_ column: Column) -> String { values[column] ?? "" }
  }

  /// The columns, by the names that the first line has in any case. `name` and `bib` are required.
  package enum Column: String, CaseIterable, Sendable {
    case bib
    case name
    case club
    case country
    case licence
    /// The code of a category.
    case category
    /// The name of a session or the beginning of it, or its id; whoever reads the list finds it.
    case session
    /// A place of the session, as in `4` and `B`.
    case target
    case letter
    /// A word of `quiver.v1.Bowstyle`, of `ArcherGender`, and of `AgeGroup`, as in `under-18`.
    case bow
    case gender
    case age
    /// `single` or `triple`.
    case face
    /// How the name is shown in public: `full`, `initials` or `bib`.
    case shown
    /// `yes`: draws leave its place to it.
    case fixed
    /// `yes`: it is drawn to a target for wheelchairs first.
    case wheelchair
  }

  /// Throws for a list without its columns, and for the first line that is not valid: nothing is
  /// guessed. Blank lines are skipped.
  package init(_ bytes: [UInt8]) throws(RuleViolation) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw RuleViolation(field: "file", message: "is not UTF-8")
    }
    var records = CSVRecords(bytes)
    guard let head = records.next(), !head.isBlank else {
      throw RuleViolation(field: "line 1", message: "must have the names of the columns")
    }
    let columns = try named(head)
    var bibs: [String: Int] = [:]
    while let record = records.next() {
      if record.isBlank { continue }
      let field = "line \(record.line)"
      guard !record.isBroken else {
        throw RuleViolation(field: field, message: "has a quote without its end")
      }
      guard record.fields.count == head.fields.count else {
        throw RuleViolation(
          field: field,
          message: "has \(record.fields.count) fields, and the first line \(head.fields.count)")
      }
      var values: [Column: String] = [:]
      for (column, bytes) in zip(columns, record.fields) {
        guard let column else { continue }
        let text = String(decoding: bytes, as: UTF8.self).trimmingWhitespace
        values[column] = Self.withoutApostrophe(text)
      }
      let entry = Entry(line: record.line, values: values)
      for column in [Column.bib, .name] where entry[column].isEmpty {
        throw RuleViolation(field: field, message: "has no \(column)")
      }
      if let other = bibs.updateValue(record.line, forKey: entry[.bib]) {
        throw RuleViolation(field: field, message: "has the bib of line \(other)")
      }
      guard entry[.target].isEmpty || UInt32(entry[.target]) != nil else {
        throw RuleViolation(field: field, message: "must have a number in target")
      }
      for column in [Column.fixed, .wheelchair]
      where !["", "no", "yes"].contains(entry[column].lowercased()) {
        throw RuleViolation(field: field, message: "must have yes, no or nothing in \(column)")
      }
      entries.append(entry)
    }
  }

  /// A text without the apostrophe that keeps spreadsheets from calculating it, as the export of
  /// entries writes it.
  static func withoutApostrophe(_ text: String) -> String {
    let rest = text.unicodeScalars.drop { $0 == "'" }
    let formulas: [Unicode.Scalar] = [
      "=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
    guard text.hasPrefix("'"), let first = rest.first, formulas.contains(first) else {
      return text
    }
    return String(text.dropFirst())
  }

  private mutating func named(
    _ head: CSVRecords.Record
  ) throws(RuleViolation) -> [Column?] {
    var columns: [Column?] = []
    for bytes in head.fields {
      let name = String(decoding: bytes, as: UTF8.self).trimmingWhitespace
      let column = Column(rawValue: name.lowercased())
      if column == nil { unknownColumns.append(name) }
      if column != nil, columns.contains(column) {
        throw RuleViolation(field: "line 1", message: "has the column \(name) twice")
      }
      columns.append(column)
    }
    for column in [Column.bib, .name] where !columns.contains(column) {
      throw RuleViolation(field: "line 1", message: "has no column \(column)")
    }
    return columns
  }
}
