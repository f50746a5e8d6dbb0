/// Lines of comma-separated values (RFC 4180) in UTF-8.
package enum CSVText {
  /// A field of a line.
  package enum Field: Sendable {
    /// A text of a user. A spreadsheet would calculate what begins with `=`, `+`, `-`, `@` or a
    /// tab, so an apostrophe comes before it; the import of entries removes it again.
    case text(String)
    /// A number or a word of this program.
    case plain(String)

    /// A number.
    package static func number(_ value: some BinaryInteger) -> Field { .plain("\(value)") }
  }

  /// One line with its end.
  package static func line(_ fields: [Field]) -> String {
    fields.map(Self.text).joined(separator: ",") + "\r\n"
  }

  private static func text(_ field: Field) -> String {
    switch field {
    case .plain(let text): quoted(text)
    case .text(let text): quoted(isFormula(text) ? marked(text) : text)
    }
  }

  /// A text after an apostrophe, so that a spreadsheet does not calculate it.
  package static func marked(_ text: String) -> String {
    // Scalars, because an apostrophe would join a combining mark.
    var scalars = String.UnicodeScalarView("'".unicodeScalars)
    scalars.append(contentsOf: text.unicodeScalars)
    return String(scalars)
  }

  /// Whether a spreadsheet may calculate a text, or reads the apostrophe before one.
  package static func isFormula(_ text: String) -> Bool {
    let start = text.unicodeScalars.drop { $0 == "'" }
    guard let first = start.first else { return false }
    // The wide ones are formulas in spreadsheets of East Asia.
    return ["=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
      .contains(first)
  }

  /// A text in quotation marks if it has a comma, a semicolon, a quotation mark, a line end, or a
  /// space at an end.
  package static func quoted(_ text: String) -> String {
    let separators: Set<UInt8> = [0x22, 0x2C, 0x3B, 0x0A, 0x0D]
    guard
      text.utf8.contains(where: separators.contains) || text.utf8.first == 0x20
        || text.utf8.last == 0x20
    else { return text }
    // Readers of the format compare scalars: a quotation mark before a combining mark is one too.
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
