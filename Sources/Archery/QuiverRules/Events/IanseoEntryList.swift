/// A list of entries as ianseo's page "List load" takes it: a line for each entry, with columns by
/// position that tabs or semicolons separate, and without column names.
///
/// Source, for facts of the format: `src/Partecipants/ListLoad.php` of the copy of ianseo in
/// github.com/brian-nelson/ianseo. The columns are: code, session, division, class, target; whether
/// the archer is in the individual and team qualification and finals and the mixed team; family
/// name, given name, sex, code of the country or club, its name, day of birth, subclass, and the
/// second and third country with their names. The first four are required.
package struct IanseoEntryList: Sendable, Equatable {
  /// The entries in the order of their lines.
  package private(set) var entries: [Entry] = []
  /// Lines of other kinds, as in `##EMAIL##`, which are skipped: their number by kind.
  package private(set) var skipped: [String: Int] = [:]

  /// One line.
  package struct Entry: Sendable, Equatable {
    /// The number of the line, from 1.
    package let line: Int
    /// The number of the licence.
    package let code: String
    /// From 1; 0: none.
    package let session: Int
    /// The division and the class, as in `RM`.
    package let category: String
    /// 0: none.
    package let target: UInt32
    /// A to D; empty: none.
    package let letter: String
    /// Given name, then family name.
    package let name: String
    /// The code and the name of the country or club.
    package let countryCode: String
    package let countryName: String
  }

  private static let columnCount = 21

  /// Throws for the first line that cannot be an entry. Blank lines are skipped.
  package init(_ bytes: [UInt8]) throws(RuleViolation) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RuleViolation(field: "file", message: "is not UTF-8")
    }
    var codes: [String: Int] = [:]
    // CR LF is one character.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      let number = index + 1
      guard !String(line).trimmingWhitespace.isEmpty else { continue }
      let fields = line.split(omittingEmptySubsequences: false) { $0 == "\t" || $0 == ";" }
        .map { String($0).trimmingWhitespace }
      if fields[0].hasPrefix("##"), fields[0].hasSuffix("##"), fields[0].count > 4 {
        skipped[fields[0], default: 0] += 1
        continue
      }
      let entry = try Self.entry(fields, number)
      if let other = codes.updateValue(number, forKey: entry.code) {
        throw RuleViolation(field: "line \(number)", message: "has the code of line \(other)")
      }
      entries.append(entry)
    }
  }

  private static func entry(_ fields: [String], _ number: Int) throws(RuleViolation) -> Entry {
    let path = "line \(number)"
    guard (4...columnCount).contains(fields.count) else {
      throw RuleViolation(
        field: path, message: "has \(fields.count) columns, and must have 4 to \(columnCount)")
    }
    func field(_ index: Int) -> String { index < fields.count ? fields[index] : "" }
    guard !field(0).isEmpty else { throw RuleViolation(field: path, message: "has no code") }
    guard !field(2).isEmpty, !field(3).isEmpty else {
      throw RuleViolation(field: path, message: "has no division or no class")
    }
    guard field(1).isEmpty || Int(field(1)).map({ (0...100).contains($0) }) == true else {
      throw RuleViolation(field: path, message: "has no number of a session in its column 2")
    }
    let name = [field(11), field(10)].filter { !$0.isEmpty }.joined(separator: " ")
    guard !name.isEmpty else { throw RuleViolation(field: path, message: "has no name") }
    let (target, letter) = try place(field(4), path)
    return Entry(
      line: number, code: field(0), session: Int(field(1)) ?? 0, category: field(2) + field(3),
      target: target, letter: letter, name: name, countryCode: field(13), countryName: field(14))
  }

  /// The place of a text as in `12B` or `012B`.
  private static func place(
    _ text: String, _ path: String
  ) throws(RuleViolation) -> (target: UInt32, letter: String) {
    guard !text.isEmpty else { return (0, "") }
    let letter = text.suffix(1).uppercased()
    guard let target = UInt32(text.dropLast()), (1...9_999).contains(target),
      ["A", "B", "C", "D"].contains(letter)
    else {
      throw RuleViolation(
        field: path, message: "has no target with a letter A to D in its column 5")
    }
    return (target, letter)
  }
}

extension IanseoEntryList.Entry {
  /// A line of such a list. The whole name is the family name, for names are not divided here.
  ///
  /// - Parameters:
  ///   - division: as in `R`.
  ///   - ageClass: as in `M`.
  ///   - isFemale: whether the sex is W, else M.
  package static func line(
    code: String, session: Int, division: String, ageClass: String, target: UInt32, letter: String,
    name: String, isFemale: Bool, countryCode: String, countryName: String
  ) -> String {
    let fields = [
      code, session == 0 ? "" : "\(session)", division, ageClass,
      target == 0 ? "" : "\(target)\(letter)", "1", "1", "1", "1", "1", name, "",
      isFemale ? "W" : "M", countryCode, countryName,
    ]
    return fields.map(IanseoResultText.field).joined(separator: "\t")
  }
}
