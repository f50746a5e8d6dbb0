import Glibc

/// How one line of the log is written.
enum LogLine {
  /// The line with its end, in UTF-8.
  static func text(
    level: String, event: String, _ fields: KeyValuePairs<String, String>
  ) -> [UInt8] {
    var line = "time=\(timestamp()) level=\(level) event=\(event)"
    for (key, value) in fields { line += " \(key)=\(quoted(value))" }
    return Array(line.utf8) + [UInt8(ascii: "\n")]
  }

  /// Words as they are; everything else in quotes, with nothing in it that could end the line.
  static func quoted(_ value: String) -> String {
    let isWord =
      !value.isEmpty
      && value.unicodeScalars.allSatisfy { scalar in
        scalar.value > 0x20 && scalar.value < 0x7F && scalar != "\"" && scalar != "="
          && scalar != "\\"
      }
    guard !isWord else { return value }
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// UTC with milliseconds, as in RFC 3339.
  private static func timestamp() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var day = tm()
    gmtime_r(&now.tv_sec, &day)
    func digits(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let date = "\(digits(Int(day.tm_year) + 1900, 4))-\(digits(Int(day.tm_mon) + 1, 2))"
    let time = "\(digits(Int(day.tm_hour), 2)):\(digits(Int(day.tm_min), 2))"
    let seconds = "\(digits(Int(day.tm_sec), 2)).\(digits(now.tv_nsec / 1_000_000, 3))"
    return "\(date)-\(digits(Int(day.tm_mday), 2))T\(time):\(seconds)Z"
  }
}
