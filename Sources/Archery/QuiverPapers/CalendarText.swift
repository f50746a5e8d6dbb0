/// Dates of sessions as iCalendar (RFC 5545).
package enum CalendarText {
  /// A session that has a time.
  package struct Entry: Sendable {
    /// The same for the same session, and of printable ASCII.
    package var uid = ""
    package var revision: UInt64 = 0
    package var startsAtMilliseconds: Int64 = 0
    package var summary = ""
    package var description = ""
    package var isCancelled = false

    package init() {}
  }

  /// What is before the entries.
  package static let opening = lines([
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Quiver//Event sessions//EN",
  ])

  /// What is after the entries.
  package static let closing = lines(["END:VCALENDAR"])

  /// An entry; `now` is when it is written. It has no end, because a session has none.
  package static func text(_ entry: Entry, now: Int64) -> String {
    var content = [
      "BEGIN:VEVENT", "UID:\(entry.uid)", "DTSTAMP:\(time(now))",
      "DTSTART:\(time(entry.startsAtMilliseconds))",
      "SEQUENCE:\(min(entry.revision - min(entry.revision, 1), UInt64(Int32.max)))",
      "SUMMARY:\(escaped(entry.summary))",
    ]
    if !entry.description.isEmpty { content.append("DESCRIPTION:\(escaped(entry.description))") }
    if entry.isCancelled { content.append("STATUS:CANCELLED") }
    return lines(content + ["END:VEVENT"])
  }

  private static func lines(_ content: [String]) -> String {
    content.map { folded($0) + "\r\n" }.joined()
  }

  /// A TEXT value: backslash, semicolon, comma and line ends are escaped (section 3.3.11).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in PlainText.shown(text).unicodeScalars {
      if ["\\", ";", ","].contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// A content line in lines of at most 75 octets (section 3.1). No character is cut.
  private static func folded(_ line: String) -> String {
    var result = ""
    var count = 0
    for scalar in line.unicodeScalars {
      let octets = UTF8.width(scalar)
      if count + octets > 75 {
        result += "\r\n "
        count = 1
      }
      result.unicodeScalars.append(scalar)
      count += octets
    }
    return result
  }

  /// An instant in UTC, as in `20260523T081500Z`; the years 1 to 9999.
  private static func time(_ milliseconds: Int64) -> String {
    let time = PaperTime(milliseconds)
    return time.digits(of: time.year, 4) + time.digits(of: time.month, 2)
      + time.digits(of: time.day, 2) + "T" + time.digits(of: time.hour, 2)
      + time.digits(of: time.minute, 2) + time.digits(of: time.second, 2) + "Z"
  }
}
