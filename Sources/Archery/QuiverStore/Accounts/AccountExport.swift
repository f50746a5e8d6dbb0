import QuiverRules

/// Reads all data of a principal, one page at a time.
///
/// In this order: the profile, preferences by id, items of equipment by id, each version of each
/// setup by id, sight marks by id, own formats by id, sessions and events by id, rounds by
/// participant, rulings by event, then the logbook, and the structure, roles, entries, matches,
/// compared cards, leases, decided ties, notices and pauses of events. New rows do not move the
/// others.
extension Snapshot {
  private static let items = Query(
    """
    SELECT id, type FROM equipment
    WHERE principal_id = ?1 AND id > ?2 AND deleted_at_ms IS NULL ORDER BY id LIMIT ?3
    """)
  private static let versions = Query(
    """
    SELECT v.setup_id, v.version FROM bow_setup s JOIN bow_setup_version v ON v.setup_id = s.id
    WHERE s.principal_id = ?1 AND s.id >= ?2 AND (s.id > ?2 OR v.version > ?3)
    ORDER BY s.id, v.version LIMIT ?4
    """)
  private static let cards = Query(
    """
    SELECT id FROM participant
    WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3
    """)
  private static let history = Query(
    """
    SELECT \(operationColumns) FROM scoring_operation o
    WHERE o.participant_id = ?1 AND o.id > ?2 ORDER BY o.id
    """)
  private static let marks = Query(
    "SELECT id FROM sight_mark WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3")

  /// A page of the principal's data: at most `pageSize` items (0 stands for 50, values above 500
  /// for 500), fewer if their texts exceed `StoreLimits.exportPageByteCount`.
  package func export(
    principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> ExportPage {
    let token = PageToken(scope: [.text("export"), .integer(principal)])
    var place = ExportPlace.start
    if let found = try token.textPlace(in: pageToken, key: pageTokenKey) {
      place = try ExportPlace(found)
    }
    let size = Int(clamping: StoreLimits.pageSize(pageSize))
    var rows: [ExportRow] = []
    for section in ExportPlace.Section.allCases where section >= place.section {
      let after = section == place.section ? place : ExportPlace(section, id: 0)
      let limit = Int64(size + 1 - rows.count)
      let more = try exportRows(principal, after: after, limit: limit)
      rows.append(contentsOf: more)
      if rows.count > size || ExportRow.exceedPage(rows) { break }
    }
    let count = Self.shownCount(rows, size: size)
    var nextPageToken = ""
    if count < rows.count, count > 0 {
      let last = rows[count - 1].place
      nextPageToken = token.text(
        place: PageToken.place(last.text, id: last.id), key: pageTokenKey)
    }
    return ExportPage(
      items: rows.prefix(count).map(\.item), nextPageToken: nextPageToken,
      watermark: try lastSequence())
  }

  /// The number of rows that fit a page: at least one if there is one.
  private static func shownCount(_ rows: [ExportRow], size: Int) -> Int {
    var byteCount = 0
    for (index, row) in rows.enumerated() {
      byteCount += row.item.byteCount
      if index == size || (index > 0 && byteCount > StoreLimits.exportPageByteCount) {
        return index
      }
    }
    return rows.count
  }

  private func exportRows(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    switch place.section {
    case .profile:
      guard place.id == 0 else { return [] }
      let record = try self.principal(id: principal)
      return [ExportRow(place: ExportPlace(.profile, id: principal), item: .profile(record))]
    case .preferences:
      return try preferences(principal: principal, after: place.id, limit: limit).map {
        ExportRow(place: ExportPlace(.preferences, id: $0.id), item: .preference($0))
      }
    case .equipment: return try exportedItems(principal, after: place, limit: limit)
    case .setups: return try exportedSetups(principal, after: place, limit: limit)
    case .sightMarks: return try exportedMarks(principal, after: place, limit: limit)
    case .formats:
      return try ownFormats(principal: principal).filter { $0.id > place.id }
        .prefix(Int(clamping: limit))
        .map { ExportRow(place: ExportPlace(.formats, id: $0.id), item: .format($0)) }
    case .sessions: return try exportedSessions(principal, after: place, limit: limit)
    case .tournaments: return try exportedTournaments(principal, after: place, limit: limit)
    case .rulings: return try exportedRulings(principal, after: place, limit: limit)
    case .scorecards: return try exportedCards(principal, after: place, limit: limit)
    case .weightPlan: return try exportedPlan(principal, after: place)
    case .weightEntries: return try exportedWeights(principal, after: place, limit: limit)
    case .liftSets: return try exportedSets(principal, after: place, limit: limit)
    case .categories, .lines, .stages, .roles, .entries, .matches, .cards, .leases, .ties,
      .notices, .pauses:
      return try exportedStructure(principal, after: place, limit: limit)
    }
  }

  private func exportedItems(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.items, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in (id: row.int64(0), type: row.int32(1)) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for (id, rawType) in ids {
      guard let type = EquipmentType(rawValue: rawType),
        let record = try equipment(type, id: id, principal: principal)
      else { throw StoreError(.dataLoss, "an item of equipment has no fields of its own") }
      rows.append(ExportRow(place: ExportPlace(.equipment, id: id), item: .equipment(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  private func exportedSetups(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.versions, .integer(principal), .integer(place.id), .integer(place.version),
      .integer(limit)
    ) { row in (id: row.int64(0), version: row.int64(1)) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for (id, version) in ids {
      guard let record = try bowSetup(id: id, version: version, principal: principal) else {
        continue
      }
      rows.append(
        ExportRow(
          place: ExportPlace(.setups, id: id, version: version), item: .bowSetup(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  private func exportedCards(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.cards, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    // A card whose history continues comes before the next one.
    var (id, operation) = (place.id, place.version)
    var following = ids[...]
    while Int64(rows.count) < limit {
      if operation == 0 {
        guard let next = following.popFirst() else { break }
        id = next
      }
      let row = try exportedCard(id, principal, after: operation)
      rows.append(row)
      operation = row.place.version
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  /// A scorecard with its arrows and the first part of its history, or with the part that follows
  /// an operation. Its place has the last operation of the part instead of a version; 0 after the
  /// last part.
  private func exportedCard(
    _ id: Int64, _ principal: Int64, after operation: Int64
  ) throws(StoreError) -> ExportRow {
    var card = try scorecard(.id(id), principal: principal, withHistory: false)
    card.sequence = 0
    if operation > 0 { card.arrows = [] }
    var byteCount = 0
    var isWhole = true
    var history: [OperationRecord] = []
    try session.walk(Self.history, [.integer(id), .integer(operation)]) {
      (row) throws(StoreError) in
      isWhole = byteCount < StoreLimits.exportedHistoryByteCount
      guard isWhole else { return false }
      let record = try OperationRecord(row)
      byteCount += record.byteCount
      history.append(record)
      return true
    }
    card.history = history
    let last = isWhole ? 0 : history.last?.id ?? 0
    return ExportRow(
      place: ExportPlace(.scorecards, id: id, version: last), item: .scorecard(card))
  }

  private func exportedMarks(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.marks, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for id in ids {
      guard let record = try sightMark(id: id, principal: principal) else { continue }
      rows.append(ExportRow(place: ExportPlace(.sightMarks, id: id), item: .sightMark(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }
}

/// An item with its position in the export.
struct ExportRow {
  let place: ExportPlace
  let item: ExportItem

  /// Whether the last of the rows is beyond the bytes of a page.
  static func exceedPage(_ rows: [ExportRow]) -> Bool {
    rows.count > 1
      && rows.reduce(0) { $0 + $1.item.byteCount } > StoreLimits.exportPageByteCount
  }
}

/// Counts the bytes of rows while they are read, so that a section reads one row beyond a page at
/// most.
struct ExportByteCount {
  private var byteCount = 0

  /// Adds the last of the rows; whether it is beyond the bytes of a page.
  mutating func exceedsPage(with rows: [ExportRow]) -> Bool {
    byteCount += rows.last?.item.byteCount ?? 0
    return rows.count > 1 && byteCount > StoreLimits.exportPageByteCount
  }
}
