/// Which rows of the weight log are shown: those that every chosen filter lets through.
public struct WeightFilter: Sendable, Equatable {
  /// Only rows with a note.
  public var withNotes: Bool
  /// Only rows at which a milestone was reached.
  public var milestones: Bool
  /// Only these, from 1, Sunday, to 7, Saturday; empty is all.
  public var weekdays: Set<Int32>

  /// Creates a value; each parameter is the property of its name.
  public init(withNotes: Bool = false, milestones: Bool = false, weekdays: Set<Int32> = []) {
    self.withNotes = withNotes
    self.milestones = milestones
    self.weekdays = weekdays
  }

  /// Whether it lets everything through.
  public var isEmpty: Bool { self == WeightFilter() }

  /// Whether a row is shown; `milestoneEntries` are the ids of the entries that reached one.
  public func shows(_ row: WeightRow, milestoneEntries: Set<Int64>) -> Bool {
    (!withNotes || row.entry.hasNote)
      && (!milestones || milestoneEntries.contains(row.entry.id))
      && (weekdays.isEmpty || weekdays.contains(row.weekday))
  }
}

/// The rows of one calendar month, newest first.
public struct WeightMonth: Sendable, Equatable {
  /// The month.
  public let month: CivilMonth
  /// The rows, newest first.
  public let rows: [WeightRow]

  /// The months that have rows which the filter shows, newest first.
  ///
  /// The rows come oldest first, computed over all entries: what a filter hides still counts.
  public static func all(
    of rows: [WeightRow], _ filter: WeightFilter = WeightFilter(),
    milestoneEntries: Set<Int64> = []
  ) -> [WeightMonth] {
    var sections: [WeightMonth] = []
    var month: CivilMonth?
    var shown: [WeightRow] = []
    for row in rows.reversed() where filter.shows(row, milestoneEntries: milestoneEntries) {
      let own = CivilMonth(containing: row.entry.day)
      if let month, month != own {
        sections.append(WeightMonth(month: month, rows: shown))
        shown = []
      }
      month = own
      shown.append(row)
    }
    if let month { sections.append(WeightMonth(month: month, rows: shown)) }
    return sections
  }
}
