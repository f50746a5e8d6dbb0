public import QuiverAPI
public import QuiverRules

/// The rows of one calendar month, newest first.
public struct LogbookSection: Sendable, Equatable, Identifiable {
  public let month: CivilMonth
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
  public let id: LocalID
  public let entry: WeightEntry
  public let row: WeightRow
  public let mark: SyncMark
}
