/// Weight entries as text: `date,weight,unit,note,body_fat`, a line an entry.
///
/// Dates as in `2024-02-29`; weights with at most three digits behind the point; `lb` or `kg`; body
/// fat in percent or empty. Fields that hold a comma, a quote or a line end are quoted.
public enum WeightCSV {
  /// The line of column names.
  public static let header = "date,weight,unit,note,body_fat"

  /// Entries that one text may have.
  public static let maximumEntries = 20_000

  /// The content of a text: entries, and the faults of invalid lines.
  public struct Reading: Sendable, Equatable {
    /// The entries in the order of their lines.
    public var entries: [WeightEntryContent] = []
    /// The first ``BadLines/shownCount`` and a count of all.
    public var badLines = BadLines()
  }

  /// Reads a text; blank lines are skipped but counted, and a first line of column names is read
  /// over.
  public static func read(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    var records = CSVRecords(bytes)
    var isFirst = true
    while let record = records.next() {
      if record.isBlank { continue }
      defer { isFirst = false }
      if isFirst, isHeader(record) { continue }
      do throws(BadLine.Reason) {
        guard reading.entries.count < maximumEntries else { throw .tooMany(maximumEntries) }
        reading.entries.append(try entry(record))
      } catch {
        reading.badLines.add(BadLine(number: Int64(record.line), reason: error))
      }
    }
    return reading
  }

  /// One line, with its line end.
  public static func line(_ content: WeightEntryContent) -> String {
    let fields = [
      CivilDate(dayNumber: content.day).text,
      BodyWeight.text(thousandths: content.thousandths),
      content.unit?.symbol ?? "",
      quoted(content.note),
      content.bodyFatPercent.map(PlainDecimal.text) ?? "",
    ]
    return fields.joined(separator: ",") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append("\"") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  private static func isHeader(_ record: CSVRecords.Record) -> Bool {
    guard let name = text(record.fields[0]) else { return false }
    return name.trimmingWhitespace.lowercased() == "date"
  }

  private static func entry(
    _ record: CSVRecords.Record
  ) throws(BadLine.Reason) -> WeightEntryContent {
    guard !record.isBroken else { throw .quote }
    var fields: [String] = []
    for field in record.fields {
      guard let text = text(field) else { throw .notText }
      fields.append(text)
    }
    guard (3...5).contains(fields.count) else { throw .fieldCount(fields.count) }
    let trimmed = fields.map(\.trimmingWhitespace)
    guard let day = CivilDate(text: trimmed[0])?.dayNumber else { throw .date }
    guard let unit = MassUnit(symbol: trimmed[2]) else { throw .unit }
    guard let thousandths = BodyWeight.thousandths(of: trimmed[1]),
      unit.bodyWeightRange.contains(thousandths)
    else { throw .weight }
    var content = WeightEntryContent(day: day, thousandths: thousandths, unit: unit)
    if trimmed.count > 4, !trimmed[4].isEmpty {
      guard let percent = PlainDecimal.value(trimmed[4]),
        WeightEntryContent.bodyFatRange.contains(percent)
      else { throw .bodyFat }
      content.bodyFatPercent = percent
    }
    if trimmed.count > 3 {
      guard trimmed[3].unicodeScalars.count <= TextLimits.notesLength else { throw .note }
      content.note = trimmed[3]
    }
    return content
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}

extension CivilDate {
  /// The date of a text as in `2024-02-29`; nil for any other.
  public init?(text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2 else {
      return nil
    }
    var numbers: [Int32] = []
    for part in parts {
      var number: Int32 = 0
      for byte in part {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = number * 10 + Int32(byte - UInt8(ascii: "0"))
      }
      numbers.append(number)
    }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }
}
