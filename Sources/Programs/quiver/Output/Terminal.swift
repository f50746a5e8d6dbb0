import Glibc

/// Standard output for results, standard error for everything else.
///
/// Every command writes through it: a write error on standard output ends the command, and text
/// that others wrote cannot control the terminal.
enum Terminal {
  /// Writes a result and ends its line. Characters that control a terminal are escaped.
  static func print(_ text: String) throws(Failure) {
    let text = escaped(text)
    try write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes a table: aligned columns with a bold heading where there is colour, or CSV.
  static func print(table rows: [[String]], hasHeading: Bool = true) throws(Failure) {
    guard !rows.isEmpty else { return }
    guard !OutputStyle.current.isCSV else { return try write(Table.csv(rows) + "\n") }
    var lines = Table.text(rows).split(separator: "\n", omittingEmptySubsequences: false).map {
      escaped(String($0))
    }
    if hasHeading, OutputStyle.hasColour(STDOUT_FILENO) {
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

  /// Writes an error to standard error, its first line in red where there is colour.
  static func printFailure(_ lines: [String]) {
    for (index, line) in lines.enumerated() {
      let isRed = index == 0 && OutputStyle.hasColour(STDERR_FILENO)
      printErrorText((isRed ? "\u{1B}[31m\(escaped(line))\u{1B}[0m" : escaped(line)) + "\n")
    }
  }

  /// Writes to standard output as it is, control sequences included.
  static func write(_ text: String) throws(Failure) {
    if let code = write(text, to: STDOUT_FILENO) { throw writeFailure(code) }
  }

  /// Writes one line to standard error. Characters that control a terminal are escaped.
  static func printError(_ line: String) {
    _ = write(escaped(line) + "\n", to: STDERR_FILENO)
  }

  /// Writes to standard error as it is, without ending the line.
  static func printErrorText(_ text: String) {
    _ = write(text, to: STDERR_FILENO)
  }

  /// The failure of a write to standard output; `code` is its `errno`.
  static func writeFailure(_ code: Int32) -> Failure {
    .input("cannot write standard output: \(String(cString: strerror(code)))")
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

  /// The exit code that a shell reports for a process that SIGPIPE ended.
  private static let brokenPipeCode: Int32 = 128 + SIGPIPE

  /// Writes everything, and returns the `errno` of a write that failed.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      // The reader has closed the pipe: `quiver tournament watch 1
      // head` ends.
      if count < 0, errno == EPIPE, descriptor == STDOUT_FILENO { _exit(brokenPipeCode) }
      guard count > 0 else { return count < 0 ? errno : EIO }
      start += count
    }
    return nil
  }
}
