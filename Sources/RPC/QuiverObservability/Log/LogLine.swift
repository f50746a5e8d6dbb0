import Glibc

/// One line of the log, in UTF-8.
package enum LogLine {
  /// The line with its end. No value can end it or add a field.
  package static func bytes(
    _ event: LogEvent, _ fields: [(key: String, value: String)], _ format: LogFormat
  ) -> [UInt8] {
    let own = [
      ("time", timestamp()), ("level", event.level.rawValue), ("event", event.name),
    ]
    let pairs = own + fields.map { ($0.key, $0.value) }
    let line =
      switch format {
      case .logfmt: pairs.map { "\($0)=\(quoted($1))" }.joined(separator: " ")
      case .json: "{" + pairs.map { "\(json($0)):\(json($1))" }.joined(separator: ",") + "}"
      }
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
      case _ where isControl(scalar): result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A JSON string.
  static func json(_ value: String) -> String {
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case _ where isControl(scalar): result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Whether a terminal or a program that reads lines may take the scalar for a command.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      || scalar.value == 0x2028 || scalar.value == 0x2029
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
