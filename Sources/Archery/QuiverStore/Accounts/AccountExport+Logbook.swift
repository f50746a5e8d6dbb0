import QuiverRules

/// The logbook's part of an export: the weight plan, weight entries by id, also those that are
/// deleted and can be restored, and sets by series and id.
extension Snapshot {
  private static let weights = Query(
    """
    SELECT id FROM weight_entry
    WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3
    """)
  private static let series = Query(
    """
    SELECT id FROM lift_series WHERE principal_id = ?1 AND import_id = 0 AND id >= ?2 ORDER BY id
    """)
  func exportedPlan(
    _ principal: Int64, after place: ExportPlace
  ) throws(StoreError) -> [ExportRow] {
    guard place.id == 0, let plan = try weightPlan(principal: principal) else { return [] }
    return [ExportRow(place: ExportPlace(.weightPlan, id: principal), item: .weightPlan(plan))]
  }

  func exportedWeights(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.weights, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for id in ids {
      guard let record = try weightEntry(id: id, principal: principal) else { continue }
      rows.append(
        ExportRow(place: ExportPlace(.weightEntries, id: id), item: .weightEntry(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  /// The place of a set is its series and day instead of a version, and its id.
  func exportedSets(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let start = place.version >> Self.dayBits
    let series = try all(Self.series, .integer(principal), .integer(start)) { row in
      row.int64(0)
    }
    var rows: [ExportRow] = []
    for one in series where Int64(rows.count) < limit {
      let isBegun = one == start
      let sets = try liftSets(
        ofSeries: one, afterDay: isBegun ? (place.version & Self.dayMask) - Self.dayOffset : .min,
        id: isBegun ? place.id : .min, limit: limit - Int64(rows.count))
      for record in sets {
        let day = Int64(record.set.day) + Self.dayOffset
        let place = ExportPlace(.liftSets, id: record.id, version: one << Self.dayBits | day)
        rows.append(ExportRow(place: place, item: .liftSet(record)))
      }
    }
    return rows
  }

  // The number of a day in the years 1 to 9999 has 23 bits and a sign.
  private static let dayBits: Int64 = 24
  private static let dayOffset: Int64 = 1 << 23
  private static let dayMask: Int64 = (1 << 24) - 1
}
