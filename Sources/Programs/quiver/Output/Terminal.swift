import Glibc
import QuiverCommandLine

/// Standard output for results, standard error for everything else.
///
/// Every command writes through it: a write error on standard output ends the command, and text
/// that others wrote cannot control the terminal.
enum Terminal {
  /// The columns and lines of standard output; nil: it is no terminal, or one that does not say.
  static var size: (width: Int, height: Int)? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The columns of standard output; nil: it is no terminal.
  static var width: Int? { size?.width }

  /// Writes a result and ends its line. Characters that control a terminal are escaped.
  static func print(_ text: String) throws(Failure) {
    let text = escaped(text)
    try write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes a table: aligned columns with a bold heading where there is colour, or CSV.
  static func print(table rows: [[String]], hasHeading: Bool = true) throws(Failure) {
    guard !rows.isEmpty else { return }
    let style = OutputStyle.current
    guard !style.isCSV else {
      let end = style.hasCRLF ? "\r\n" : "\n"
      return try write(Table.csv(rows, hasCRLF: style.hasCRLF) + end)
    }
    let text = Table.text(rows, hasHeading: hasHeading, within: width)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let isTable = hasHeading && lines[0].hasPrefix(escaped(rows[0].first ?? ""))
    if isTable, OutputStyle.hasColour(STDOUT_FILENO) {
      lines[0] = "\u{1B}[1m\(lines[0])\u{1B}[0m"
    }
    try write(lines.joined(separator: "\n") + "\n")
  }

  /// Writes what a command has done; nothing with `--quiet`.
  static func confirm(_ sentence: String) throws(Failure) {
    if !OutputStyle.current.isQuiet { try print(sentence) }
  }

  /// Writes a line beside the result to standard error; nothing with `--quiet`.
  static func notice(_ line: String) {
    if !OutputStyle.current.isQuiet { printError(line) }
  }

  /// The number and length of the names in a notice.
  private static let (shownNames, shownCharacters) = (5, 40)

  /// Writes one line about the columns of a file that are skipped; nothing if there are none.
  static func notice(unknownColumns names: [String]) {
    guard let first = names.first else { return }
    func cut(_ name: String) -> String {
      let start = oneLine(
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(shownCharacters))))
      return name.unicodeScalars.count > shownCharacters ? start + "…" : start
    }
    guard names.count > 1 else {
      return notice("the column \(cut(first)) is not known and is skipped")
    }
    let shown = names.prefix(shownNames).map(cut).joined(separator: ", ")
    let rest = names.count - shownNames
    notice(
      "\(names.count) columns are not known and are skipped: \(shown)"
        + (rest > 0 ? " and \(rest) more" : ""))
  }

  /// Writes an error to standard error, its first line in red where there is colour.
  static func printFailure(_ lines: [String]) {
    for (index, line) in lines.enumerated() {
      let isRed = index == 0 && OutputStyle.hasColour(STDERR_FILENO)
      printErrorText((isRed ? "\u{1B}[31m\(escaped(line))\u{1B}[0m" : escaped(line)) + "\n")
    }
  }

  /// Writes to standard output as it is, control sequences included.
  static func write(_ text: String) throws(Failure) {
    try write(Array(text.utf8))
  }

  /// Writes bytes to standard output as they are.
  static func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(OutputError) {
      try StandardOutput.write(bytes)
    } catch {
      throw .output(error)
    }
  }

  /// Writes one line to standard error. Characters that control a terminal are escaped.
  static func printError(_ line: String) {
    StandardError.write(escaped(line) + "\n")
  }

  /// Writes to standard error as it is, without ending the line.
  static func printErrorText(_ text: String) {
    StandardError.write(text)
  }

  /// Text of other users on one line: control and format characters are removed or become spaces.
  static func oneLine(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result += " "
      case .format: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text with `\\uXXXX` for each character that controls a terminal or the order of the text:
  /// C0 (but line feed and tab), DEL, C1, separators of lines and paragraphs, and bidirectional
  /// marks, overrides and isolates. JSON keeps its value, since these stand in its strings alone.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: controlsTerminal) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      guard controlsTerminal(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return result
  }

  private static func controlsTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
