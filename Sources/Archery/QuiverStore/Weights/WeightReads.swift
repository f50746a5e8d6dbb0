import QuiverRules

/// Reads one principal's weight entries. Entries of other principals are not found.
extension Snapshot {
  private static let columns = """
    SELECT id, client_id, revision, created_at_ms, updated_at_ms, measured_at_ms, clock_ahead, day,
      thousandths, unit, note, body_fat, coalesce(deleted_at_ms, 0) FROM weight_entry
    """
  private static let byID = Query("\(columns) WHERE id = ?1 AND principal_id = ?2")
  private static let newest = Query(
    """
    \(columns) WHERE principal_id = ?1 AND deleted_at_ms IS NULL
      AND (day, measured_at_ms, id) < (?2, ?3, ?4)
    ORDER BY day DESC, measured_at_ms DESC, id DESC LIMIT ?5
    """)
  private static let newestDeleted = Query(
    """
    \(columns) WHERE principal_id = ?1 AND deleted_at_ms IS NOT NULL
      AND (day, measured_at_ms, id) < (?2, ?3, ?4)
    ORDER BY day DESC, measured_at_ms DESC, id DESC LIMIT ?5
    """)
  private static let oldest = Query(
    """
    \(columns) WHERE principal_id = ?1 AND deleted_at_ms IS NULL
      AND (day, measured_at_ms, id) > (?2, ?3, ?4)
    ORDER BY day, measured_at_ms, id LIMIT ?5
    """)
  private static let ofDays = Query(
    "\(columns) WHERE principal_id = ?1 AND deleted_at_ms IS NULL AND day BETWEEN ?2 AND ?3")

  /// One entry, deleted or not; throws `notFound`.
  package func weightEntry(
    _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> WeightEntryRecord {
    let id = try objectID(reference, kind: .weightEntry, principal: principal)
    guard let id, let entry = try weightEntry(id: id, principal: principal) else {
      throw StoreError(.notFound, "there is no such weight entry")
    }
    return entry
  }

  /// The same by id; nil if the principal has no such entry.
  package func weightEntry(
    id: Int64, principal: Int64
  ) throws(StoreError) -> WeightEntryRecord? {
    try first(Self.byID, .integer(id), .integer(principal), map: WeightEntryRecord.init(row:))
  }

  /// A page of entries, newest first; deleted ones instead of the others if `isDeleted`.
  package func weightEntries(
    principal: Int64, isDeleted: Bool = false, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<WeightEntryRecord> {
    let token = PageToken(
      scope: [.text("weight_entries"), .integer(principal), .integer(isDeleted ? 1 : 0)])
    let place = try WeightPlace(token.textPlace(in: pageToken, key: pageTokenKey), at: .last)
    return try page(
      isDeleted ? Self.newestDeleted : Self.newest, from: place,
      size: StoreLimits.pageSize(pageSize), token, principal: principal)
  }

  /// A page of entries, oldest first, for an export.
  package func weightEntriesForExport(
    principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<WeightEntryRecord> {
    let token = PageToken(scope: [.text("weight_export"), .integer(principal)])
    let place = try WeightPlace(token.textPlace(in: pageToken, key: pageTokenKey), at: .first)
    return try page(
      Self.oldest, from: place, size: StoreLimits.pageSize(pageSize), token, principal: principal)
  }

  /// Passes the complete entries of some days with these ids to `body`.
  func forEachWeightEntry(
    of ids: Set<Int64>, in days: ClosedRange<Int32>, principal: Int64,
    _ body: (WeightEntryRecord) throws(StoreError) -> Void
  ) throws(StoreError) {
    try session.forEach(
      Self.ofDays,
      [
        .integer(principal), .integer(Int64(days.lowerBound)), .integer(Int64(days.upperBound)),
      ]
    ) { (row) throws(StoreError) -> Void in
      if ids.contains(row.int64(0)) { try body(try WeightEntryRecord(row: row)) }
    }
  }

  /// A page of a query that starts at `place`: at least one entry if there is one, fewer than
  /// `size` if their notes exceed `StoreLimits.exportPageByteCount`.
  private func page(
    _ query: Query, from place: WeightPlace, size: Int64, _ token: PageToken, principal: Int64
  ) throws(StoreError) -> Page<WeightEntryRecord> {
    var rows: [WeightEntryRecord] = []
    var byteCount = 0
    var size = size
    try session.walk(
      query,
      [
        .integer(principal), .integer(Int64(place.day)), .integer(place.instant),
        .integer(place.id), .integer(size + 1),
      ]
    ) { (row) throws(StoreError) in
      let record = try WeightEntryRecord(row: row)
      byteCount += record.byteCount
      // The entry above the size shows, like one beyond the page, that there are more.
      if !rows.isEmpty, byteCount > StoreLimits.exportPageByteCount { size = Int64(rows.count) }
      rows.append(record)
      return rows.count <= size
    }
    return token.page(rows, size: size, key: pageTokenKey) { WeightPlace($0).bytes }
  }
}

/// The position of a list of entries.
struct WeightPlace {
  let day: Int32
  let instant: Int64
  let id: Int64

  enum End { case first, last }

  init(_ record: WeightEntryRecord) {
    day = record.content.day
    instant = record.measuredAtMilliseconds
    id = record.id
  }

  /// The position in a token; without a token, one end of the list.
  init(_ place: (text: String, id: Int64)?, at end: End) throws(StoreError) {
    guard let place else {
      day = end == .first ? .min : .max
      instant = end == .first ? .min : .max
      id = end == .first ? .min : .max
      return
    }
    let parts = place.text.split(separator: ":")
    guard parts.count == 2, let day = Int32(parts[0]), let instant = Int64(parts[1]) else {
      throw .invalid("page_token", "belongs to another list; begin again without it")
    }
    self.day = day
    self.instant = instant
    id = place.id
  }

  var bytes: [UInt8] { PageToken.place("\(day):\(instant)", id: id) }
}

extension WeightEntryRecord {
  init(row: Row) throws(StoreError) {
    guard let unit = WeightUnit(rawValue: row.int32(9)) else {
      throw StoreError(.dataLoss, "a weight entry has an unknown unit")
    }
    self.init(
      id: row.int64(0), clientID: row.bytes(1), revision: row.uint64(2),
      createdAtMilliseconds: row.int64(3), updatedAtMilliseconds: row.int64(4),
      measuredAtMilliseconds: row.int64(5), isClockAhead: row.bool(6),
      content: WeightEntryContent(
        day: row.int32(7), thousandths: row.int64(8), unit: unit, note: row.text(10),
        bodyFatPercent: row.isNull(11) ? nil : row.double(11)),
      deletedAtMilliseconds: row.int64(12))
  }
}
