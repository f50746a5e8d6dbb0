import QuiverRules

extension Snapshot {
  /// A page of the principal's data: at most `pageSize` items (0 stands for 50, values above 500
  /// for 500), fewer if their texts exceed `StoreLimits.exportPageByteCount` or a search has read
  /// `StoreLimits.searchedExportRows`, possibly none before the last page.
  ///
  /// The sections come in the order of their numbers. New rows do not move the others.
  package func export(
    principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> ExportPage {
    let token = PageToken(scope: [.text("export"), .integer(principal)])
    var place = ExportPlace.start
    if let found = try token.textPlace(in: pageToken, key: pageTokenKey) {
      place = try ExportPlace(found)
    }
    let size = Int(clamping: StoreLimits.pageSize(pageSize))
    var rows = ExportRows()
    for section in ExportSection.all where section.number >= place.section {
      let after = section.number == place.section ? place : ExportPlace(section.number, id: 0)
      rows.append(try section.read(self, principal, after, Int64(size + 1 - rows.items.count)))
      if rows.items.count > size || rows.exceedPage || rows.searchedTo != nil { break }
    }
    let count = rows.shownCount(size: size)
    let last = count < rows.items.count ? rows.places[count - 1] : rows.searchedTo
    let next = last.map { last in
      token.text(place: PageToken.place(last.text, id: last.id), key: pageTokenKey)
    }
    return ExportPage(
      items: Array(rows.items.prefix(count)), nextPageToken: next ?? "",
      watermark: try lastSequence())
  }
}

/// Accounts, equipment and setups.
extension ExportSection {
  static let profile = ExportSection(number: 1) {
    (snapshot, principal, after, limit) throws(StoreError) in
    var rows = ExportRows()
    guard after.id == 0 else { return rows }
    let record = try snapshot.principal(id: principal)
    rows.append(.profile(record), at: ExportPlace(1, id: principal))
    return rows
  }

  static let preferences = ExportSection(number: 2) {
    (snapshot, principal, after, limit) throws(StoreError) in
    var rows = ExportRows()
    for record in try snapshot.preferences(principal: principal, after: after.id, limit: limit) {
      rows.append(.preference(record), at: ExportPlace(2, id: record.id))
    }
    return rows
  }

  /// Items that are not deleted. The version of a place is the type.
  static let equipment = ExportSection(
    3,
    Query(
      """
      SELECT type, id FROM equipment
      WHERE principal_id = ?1 AND ?2 >= 0 AND id > ?3 AND deleted_at_ms IS NULL
      ORDER BY id LIMIT ?4
      """)
  ) { (snapshot, principal, place) throws(StoreError) in
    guard let type = EquipmentType(rawValue: Int32(clamping: place.version)),
      let record = try snapshot.equipment(type, id: place.id, principal: principal)
    else { throw StoreError(.dataLoss, "an item of equipment has no fields of its own") }
    return .equipment(record)
  }

  /// Setups in each of their versions.
  static let setups = ExportSection(
    4,
    Query(
      """
      SELECT v.version, v.setup_id FROM bow_setup s JOIN bow_setup_version v ON v.setup_id = s.id
      WHERE s.principal_id = ?1 AND s.id >= ?3 AND (s.id > ?3 OR v.version > ?2)
      ORDER BY s.id, v.version LIMIT ?4
      """)
  ) { (snapshot, principal, place) throws(StoreError) in
    try snapshot.bowSetup(id: place.id, version: place.version, principal: principal).map {
      .bowSetup($0)
    }
  }

  static let sightMarks = ExportSection(5, of: "sight_mark") {
    (snapshot, principal, place) throws(StoreError) in
    try snapshot.sightMark(id: place.id, principal: principal).map { .sightMark($0) }
  }

  /// What administrators made for the principal, and what it made as one: labels without secrets.
  static let tokens = ExportSection(38, of: "token") { (snapshot, _, place) throws(StoreError) in
    .token(try snapshot.token(id: place.id))
  }

  static let certificates = ExportSection(39, of: "certificate_binding") {
    (snapshot, _, place) throws(StoreError) in
    .certificate(try snapshot.certificateBinding(id: place.id))
  }

  static let invites = ExportSection(40, of: "invite", by: "created_by") {
    (snapshot, _, place) throws(StoreError) in
    .invite(try snapshot.invite(id: place.id))
  }
}
