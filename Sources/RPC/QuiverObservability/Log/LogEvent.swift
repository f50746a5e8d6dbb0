/// A kind of line in the log: its name, its level and what it means.
package struct LogEvent: Sendable, Hashable {
  /// A few words of a-z, joined by hyphens; it never changes its meaning.
  package let name: String
  package let level: LogLevel

  package init(_ name: String, _ level: LogLevel) {
    self.name = name
    self.level = level
  }
}

/// How much a line of the log matters.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case error, warning, info, debug

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// How a line of the log is written.
package enum LogFormat: String, Sendable, CaseIterable {
  /// `time=… level=info event=serving key=value`.
  case logfmt
  /// One JSON object; all values are strings.
  case json
}
