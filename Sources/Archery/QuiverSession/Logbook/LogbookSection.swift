public import QuiverAPI
public import QuiverRules

/// The rows of one calendar month, newest first.
public struct LogbookSection: Sendable, Equatable, Identifiable {
  /// The month.
  public let month: CivilMonth
  /// The rows, newest first.
  public let rows: [LogbookRow]

  public var id: Int32 { month.index }

  static func all(
    of weights: [LocalWeight], _ plan: MilestonePlan?, in unit: QuiverRules.WeightUnit,
    _ filter: WeightFilter
  ) -> [LogbookSection] {
    let entries = weights.compactMap(\.weighIn).sorted(by: WeighIn.isBefore)
    let rows = WeightRow.all(
      of: entries, in: unit, average: .exponential(span: MovingAverage.logbookSpan))
    let reached = filter.milestones ? plan?.crossings(entries).compactMap { $0.entry?.id } : []
    let byKey = Dictionary(weights.map { ($0.id.rawValue, $0) }) { first, _ in first }
    return QuiverRules.WeightSection.all(
      of: rows, filter, milestoneEntries: Set(reached ?? [])
    ).map { section in
      LogbookSection(
        month: section.month,
        rows: section.rows.compactMap { row in
          byKey[row.entry.id].map {
            LogbookRow(id: $0.id, entry: $0.entry, row: row, mark: $0.mark)
          }
        })
    }
  }
}

/// One entry with the values that are computed over all entries.
public struct LogbookRow: Sendable, Equatable, Identifiable {
  /// The id of the entry on this device.
  public let id: LocalID
  /// The entry as it was made.
  public let entry: WeightEntry
  /// The computed values: moving average, weekly rate and direction.
  public let row: WeightRow
  /// Whether the server has the entry.
  public let mark: SyncMark
}
