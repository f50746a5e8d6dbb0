import QuiverRules

/// The logbook: the weight plan, weight entries by id, also those that are deleted and can be
/// restored, and sets by series and id.
extension ExportSection {
  private static let series = Query(
    """
    SELECT id FROM lift_series WHERE principal_id = ?1 AND import_id = 0 AND id >= ?2 ORDER BY id
    """)

  static let weightPlan = ExportSection(number: 24) {
    (snapshot, principal, after, _) throws(StoreError) in
    var rows = ExportRows()
    if after.id == 0, let plan = try snapshot.weightPlan(principal: principal) {
      rows.append(.weightPlan(plan), at: ExportPlace(24, id: principal))
    }
    return rows
  }

  static let weightEntries = ExportSection(25, of: "weight_entry") {
    (snapshot, principal, place) throws(StoreError) in
    try snapshot.weightEntry(id: place.id, principal: principal).map { .weightEntry($0) }
  }

  /// The place of a set is its series and day instead of a version, and its id.
  static let liftSets = ExportSection(number: 26) {
    (snapshot, principal, after, limit) throws(StoreError) in
    let start = after.version >> dayBits
    let found = try snapshot.all(series, .integer(principal), .integer(start)) { row in
      row.int64(0)
    }
    var rows = ExportRows()
    for one in found {
      let left = limit - Int64(rows.items.count)
      guard left > 0 else { break }
      let isBegun = one == start
      let sets = try snapshot.liftSets(
        ofSeries: one, afterDay: isBegun ? (after.version & dayMask) - dayOffset : .min,
        id: isBegun ? after.id : .min, limit: left)
      for record in sets {
        let version = one << dayBits | (Int64(record.set.day) + dayOffset)
        rows.append(.liftSet(record), at: ExportPlace(26, id: record.id, version: version))
      }
    }
    return rows
  }

  // The number of a day in the years 1 to 9999 has 23 bits and a sign.
  private static let dayBits: Int64 = 24
  private static let dayOffset: Int64 = 1 << 23
  private static let dayMask: Int64 = (1 << 24) - 1
}
