/// Totals of archers in a text file: comma-separated values with a line of column names, or the
/// file that ianseo writes by "Export Text File" of its qualification.
///
/// Source, for facts of ianseo's format: `Qualification/ExportTSV.php` of ianseo 2026-03-01, read
/// 2026-11-23 in commit 681f0c0 of github.com/diewindowsdie/ianseo_improvements, and of 2019-05-04
/// in github.com/ecelis/ianseo. The first line has names of columns, which are English in every
/// language of ianseo: WaID, Local Bib, FamilyName, GivenName, DoB, Gender, Session, Target, Noc,
/// Country, Division, Class, SubClass; for each distance D1 Score, two columns that the competition
/// names (as in `D1 X` and `D1 10`), and D1 Arrows; then Score, Hits, the same two names, and
/// ranks. The version of 2019 has neither Local Bib and SubClass nor the ranks. Semicolons separate
/// the columns, nothing is quoted, and Hits counts the arrows that were shot.
package struct ResultList: Sendable, Equatable {
  /// The totals in the order of their lines.
  package private(set) var rows: [Row] = []
  /// The names of columns that are not known, which are skipped; at most 60 characters of each.
  package private(set) var unknownColumns: [String] = []
  /// The number of lines without a result, which are skipped.
  package private(set) var emptyCount = 0

  /// A total.
  package struct Row: Sendable, Equatable {
    /// The number of the line, from 1.
    package let line: Int
    /// The bib; of ianseo the archer's code, which it calls WaID.
    package let code: String
    /// The bib of ianseo that holds for the competition only; empty: none.
    package let localBib: String
    /// The division and the class of ianseo, as in `RM`; empty in other files.
    package let category: String
    /// At most ``maximumTotal``.
    package let total: Int
    /// The distances of ianseo, in their order; empty in other files.
    package let distances: [Distance]
    /// The counts of the columns beside the total, by their names in lower case.
    package var counts: [String: Int] = [:]
  }

  /// What an archer shot at a distance.
  package struct Distance: Sendable, Equatable {
    package let score: Int
    /// As ianseo prints them, with commas; an empty slot is nothing between two.
    package let arrows: String
    /// The counts of the columns behind the score, by their names in lower case.
    package var counts: [String: Int] = [:]

    /// Whether it has neither points nor arrows.
    package var isEmpty: Bool { score == 0 && arrows.allSatisfy { $0 == "," || $0.isWhitespace } }
  }

  /// Sums with the counts of a file, for faces with one top value.
  ///
  /// ianseo counts X and 10 without X, or 10 with X; other files have golds, or a column for each
  /// value, where 10 is with X. Hits of ianseo are arrows, and are not read.
  package static func score(
    _ total: Int, _ counts: [String: Int], top: Int, _ format: Format
  ) -> TypedScore {
    var score = TypedScore(total: total, xCount: counts["x"])
    switch format {
    case .csv:
      score.hits = counts["hits"]
      score.golds = counts["golds"] ?? counts["\(top)"]
    case .ianseo:
      let tens = top == 10 ? counts["10+x"] ?? counts["10"].map { $0 + (counts["x"] ?? 0) } : nil
      score.golds = counts["golds"] ?? tens ?? (top == 10 ? nil : counts["\(top)"])
    }
    return score
  }

  /// What a file is.
  package enum Format: String, CaseIterable, Sendable {
    /// Comma-separated values (RFC 4180) with the columns bib and total. Those of the export of
    /// standings are known too.
    case csv
    /// ianseo's "Export Text File" of the qualification.
    case ianseo
  }

  /// The most columns of a file.
  package static let maximumColumnCount = 500
  /// The most lines with a result.
  package static let maximumRowCount = 20_000
  /// The most characters of a bib or a code.
  package static let maximumCodeLength = 100
  /// No total is higher.
  package static let maximumTotal = 99_999

  /// Throws for a file without its columns, and for the first line that is not valid: nothing is
  /// guessed. Blank lines are skipped.
  package init(_ bytes: [UInt8], _ format: Format) throws(RuleViolation) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw RuleViolation(field: "file", message: "is not UTF-8")
    }
    switch format {
    case .csv: try readCSV(bytes)
    case .ianseo: try readIanseo(bytes)
    }
  }

  private mutating func add(_ row: Row, _ lines: inout [[String]: Int]) throws(RuleViolation) {
    guard rows.count < Self.maximumRowCount else {
      throw RuleViolation(
        field: "file", message: "has more than \(Self.maximumRowCount) lines with a result")
    }
    for text in [row.code, row.localBib, row.category]
    where text.utf8.count > 4 * Self.maximumCodeLength || text.count > Self.maximumCodeLength {
      throw RuleViolation(
        field: "line \(row.line)",
        message: "has a code of more than \(Self.maximumCodeLength) characters")
    }
    if let other = lines.updateValue(row.line, forKey: [row.code, row.category]) {
      throw RuleViolation(field: "line \(row.line)", message: "has the bib of line \(other)")
    }
    rows.append(row)
  }

  private static func number(
    _ text: String, _ column: String, _ path: String
  ) throws(RuleViolation) -> Int {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = Int(text)
    else {
      throw RuleViolation(
        field: path, message: "must have a number from 0 to \(maximumTotal) in \(column)")
    }
    return number
  }

  private static func checkCount(_ count: Int) throws(RuleViolation) {
    guard count <= maximumColumnCount else {
      throw RuleViolation(
        field: "line 1", message: "has \(count) columns, and may have \(maximumColumnCount)")
    }
  }
}

extension ResultList {
  /// The columns of the export of standings that are no totals.
  private static let readOver: Set<String> = [
    "category", "rank", "name", "club", "country", "8", "7", "5", "4", "3", "2", "1", "miss",
    "state", "rounds", "typed",
  ]
  /// The columns of counts, and of the counts of the export that are not known.
  private static let counted: Set<String> = ["x", "hits", "golds", "11", "10", "9", "6"]
  private static let unknown = "unknown"

  private mutating func readCSV(_ bytes: [UInt8]) throws(RuleViolation) {
    var records = CSVRecords(bytes)
    guard let head = records.next(), !head.isBlank else {
      throw RuleViolation(field: "line 1", message: "must have the names of the columns")
    }
    try Self.checkCount(head.fields.count)
    var columns: [String: Int] = [:]
    for (index, bytes) in head.fields.enumerated() {
      let name = String(decoding: bytes, as: UTF8.self).trimmingWhitespace
      guard
        ["bib", "total", "ends", Self.unknown].contains(name.lowercased())
          || Self.counted.contains(name.lowercased())
      else {
        if !Self.readOver.contains(name.lowercased()) {
          unknownColumns.append(String(name.prefix(60)))
        }
        continue
      }
      guard columns.updateValue(index, forKey: name.lowercased()) == nil else {
        throw RuleViolation(field: "line 1", message: "has the column \(name) twice")
      }
    }
    guard let bib = columns["bib"], let total = columns["total"] else {
      let missing = columns["bib"] == nil ? "bib" : "total"
      throw RuleViolation(field: "line 1", message: "has no column \(missing)")
    }
    var lines: [[String]: Int] = [:]
    while let record = records.next() {
      if record.isBlank { continue }
      let path = "line \(record.line)"
      guard !record.isBroken else {
        throw RuleViolation(field: path, message: "has a quote without its end")
      }
      guard record.fields.count == head.fields.count else {
        throw RuleViolation(
          field: path,
          message: "has \(record.fields.count) fields, and the first line \(head.fields.count)")
      }
      func value(_ index: Int) -> String {
        String(decoding: record.fields[index], as: UTF8.self).trimmingWhitespace
      }
      let code = EntryCSV.withoutApostrophe(value(bib))
      let text = value(total)
      // The export of standings has 0 for who has not shot, and then no ends.
      guard !text.isEmpty, text != "0" || columns["ends"].map(value) != "0" else {
        emptyCount += 1
        continue
      }
      guard !code.isEmpty else { throw RuleViolation(field: path, message: "has no bib") }
      var row = Row(
        line: record.line, code: code, localBib: "", category: "",
        total: try Self.number(text, "total", path), distances: [])
      let unknown = columns[Self.unknown].map { value($0).split(separator: " ") } ?? []
      for (name, index) in columns where Self.counted.contains(name) {
        guard !value(index).isEmpty, !unknown.contains(Substring(name)) else { continue }
        row.counts[name] = try Self.number(value(index), name, path)
      }
      try add(row, &lines)
    }
  }
}

extension ResultList {
  /// The columns of ianseo with names of their own.
  private static let ianseoColumns: Set<String> = [
    "waid", "local bib", "familyname", "givenname", "dob", "gender", "session", "target", "noc",
    "country", "division", "class", "subclass", "score", "hits", "category rank", "event",
    "qual rank", "final rank", "category drops", "qualification drops", "elimination drops",
    "email",
  ]

  private struct IanseoColumns {
    var named: [String: Int] = [:]
    /// Of each distance by its number.
    var scores: [Int: Int] = [:]
    var arrows: [Int: Int] = [:]
    /// The other columns of each distance by their names, and those behind Hits.
    var counts: [Int: [String: Int]] = [:]
    var totals: [String: Int] = [:]
    var count = 0
  }

  private mutating func readIanseo(_ bytes: [UInt8]) throws(RuleViolation) {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let lines = bytes.dropFirst(hasMark ? 3 : 0)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var columns: IanseoColumns?
    var codes: [[String]: Int] = [:]
    for (index, line) in lines.enumerated() {
      let path = "line \(index + 1)"
      guard !String(decoding: line, as: UTF8.self).trimmingWhitespace.isEmpty else { continue }
      // Its page "List load" takes tabs for semicolons too.
      let fields = line.split(omittingEmptySubsequences: false) {
        $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\t")
      }
      guard let columns else {
        columns = try ianseoHead(fields)
        continue
      }
      guard fields.count == columns.count else {
        throw RuleViolation(
          field: path, message: "has \(fields.count) fields, and the first line \(columns.count)")
      }
      let row = try Self.ianseoRow(fields, columns, index + 1)
      guard let row else {
        emptyCount += 1
        continue
      }
      try add(row, &codes)
    }
    guard columns != nil else {
      throw RuleViolation(field: "line 1", message: "must have the names of the columns")
    }
  }

  private mutating func ianseoHead(
    _ fields: [ArraySlice<UInt8>]
  ) throws(RuleViolation) -> IanseoColumns {
    try Self.checkCount(fields.count)
    let names = fields.map { String(decoding: $0, as: UTF8.self).trimmingWhitespace }
    var columns = IanseoColumns()
    columns.count = names.count
    // The two columns behind Hits have names that the competition chooses.
    let hits = names.firstIndex { $0.lowercased() == "hits" }
    for (index, name) in names.enumerated() {
      let word = name.lowercased()
      if let hits, index == hits + 1 || index == hits + 2 {
        columns.totals[word] = index
        continue
      }
      if let (number, rest) = Self.distancePart(word) {
        if rest == "score" { columns.scores[number] = index }
        if rest == "arrows" { columns.arrows[number] = index }
        if !["score", "arrows"].contains(rest) {
          columns.counts[number, default: [:]][String(rest)] = index
        }
        continue
      }
      guard Self.ianseoColumns.contains(word) else {
        unknownColumns.append(String(name.prefix(60)))
        continue
      }
      guard columns.named.updateValue(index, forKey: word) == nil else {
        throw RuleViolation(field: "line 1", message: "has the column \(name) twice")
      }
    }
    for (word, name) in [("waid", "WaID"), ("score", "Score"), ("hits", "Hits")]
    where columns.named[word] == nil {
      throw RuleViolation(
        field: "line 1",
        message: "has no column \(name); ianseo writes it by Export Text File of the qualification")
    }
    return columns
  }

  /// The number of a distance and what is behind it, as `score` in `d1 score`; nil for other names.
  private static func distancePart(_ word: String) -> (Int, Substring)? {
    guard word.first == "d" else { return nil }
    let digits = word.dropFirst().prefix { $0.isASCII && $0.isNumber }
    let rest = word.dropFirst(1 + digits.count)
    guard let number = Int(digits), rest.first == " " else { return nil }
    return (number, rest.dropFirst())
  }

  /// The row of a line; nil if nothing was shot.
  private static func ianseoRow(
    _ fields: [ArraySlice<UInt8>], _ columns: IanseoColumns, _ line: Int
  ) throws(RuleViolation) -> Row? {
    let path = "line \(line)"
    func value(_ index: Int?) -> String {
      index.map { String(decoding: fields[$0], as: UTF8.self).trimmingWhitespace } ?? ""
    }
    // A count that is no number is none that can be compared.
    func counts(_ columns: [String: Int]) -> [String: Int] {
      columns.compactMapValues { try? number(value($0), "", path) }
    }
    let total = try number(value(columns.named["score"]), "Score", path)
    let hits = try number(value(columns.named["hits"]), "Hits", path)
    guard total > 0 || hits > 0 else { return nil }
    let code = value(columns.named["waid"])
    guard !code.isEmpty else { throw RuleViolation(field: path, message: "has no WaID") }
    var distances: [Distance] = []
    for (number, index) in columns.scores.sorted(by: { $0.key < $1.key }) {
      let score = try Self.number(value(index), "the score of a distance", path)
      distances.append(
        Distance(
          score: score, arrows: value(columns.arrows[number]),
          counts: counts(columns.counts[number] ?? [:])))
    }
    let sum = distances.reduce(0) { $0 + $1.score }
    guard distances.isEmpty || total <= sum else {
      throw RuleViolation(
        field: path, message: "has \(total) in Score, and its distances have \(sum) together")
    }
    return Row(
      line: line, code: code, localBib: value(columns.named["local bib"]),
      category: value(columns.named["division"]) + value(columns.named["class"]), total: total,
      distances: distances, counts: counts(columns.totals))
  }
}
