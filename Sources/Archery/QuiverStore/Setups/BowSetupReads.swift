import QuiverRules

/// Reads one principal's bow setups. Setups of other principals are not found.
extension Snapshot {
  private static let byID = Query(
    """
    SELECT id, client_id, revision, name, notes, is_active, is_default, created_at_ms,
      updated_at_ms, version
    FROM bow_setup WHERE id = ?1 AND principal_id = ?2
    """)
  private static let versionMadeAt = Query(
    "SELECT made_at_ms FROM bow_setup_version WHERE setup_id = ?1 AND version = ?2")
  private static let components = Query(
    """
    SELECT c.equipment_id, e.type, c.quantity, e.client_id, e.display_brand, e.display_model,
      e.deleted_at_ms IS NOT NULL
    FROM bow_setup_component c JOIN equipment e ON e.id = c.equipment_id
    WHERE c.setup_id = ?1 AND c.version = ?2 ORDER BY c.place
    """)
  private static let holders = Query(
    """
    SELECT DISTINCT s.id, s.name
    FROM bow_setup_component c JOIN bow_setup s ON s.id = c.setup_id AND s.version = c.version
    WHERE c.equipment_id = ?1 ORDER BY s.id
    """)
  private static let counts = Query(
    "SELECT active, inactive FROM bow_setup_count WHERE principal_id = ?1")
  private static let defaultID = Query(
    "SELECT id FROM bow_setup WHERE principal_id = ?1 AND is_default = 1")

  /// A setup in its latest version, or in `version` if that is not 0; throws `notFound`.
  package func bowSetup(
    _ reference: ObjectReference, version: Int64 = 0, principal: Int64
  ) throws(StoreError) -> BowSetupRecord {
    let id = try objectID(reference, kind: .bowSetup, principal: principal)
    guard let id, let setup = try bowSetup(id: id, version: version, principal: principal) else {
      throw StoreError(.notFound, "there is no such bow setup")
    }
    return setup
  }

  /// The same by id; nil if the principal has no such setup.
  func bowSetup(
    id: Int64, version: Int64 = 0, principal: Int64
  ) throws(StoreError) -> BowSetupRecord? {
    let head = try first(Self.byID, .integer(id), .integer(principal)) { row in
      SetupHead(row)
    }
    guard let head else { return nil }
    let shown = version == 0 ? head.version : version
    let madeAt = try first(Self.versionMadeAt, .integer(id), .integer(shown)) { row in
      row.int64(0)
    }
    guard let madeAt else {
      throw StoreError(
        .notFound, "the setup has no such version; its latest is \(head.version)",
        field: "version")
    }
    let components = try all(Self.components, .integer(id), .integer(shown)) {
      (row) throws(StoreError) in try SetupComponentRecord(row)
    }
    return head.record(version: shown, madeAtMilliseconds: madeAt, components)
  }

  /// The principal's default setup; nil if there is none.
  func defaultBowSetup(principal: Int64) throws(StoreError) -> BowSetupRecord? {
    let id = try first(Self.defaultID, .integer(principal)) { row in row.int64(0) }
    guard let id else { return nil }
    return try bowSetup(id: id, principal: principal)
  }

  /// All setups whose latest version has the item, by id.
  func bowSetups(holding equipmentID: Int64) throws(StoreError) -> [HoldingSetup] {
    try all(Self.holders, .integer(equipmentID)) { row in
      HoldingSetup(id: row.int64(0), name: row.text(1))
    }
  }

  /// The number of the principal's setups; a constant cost.
  package func bowSetupCount(principal: Int64) throws(StoreError) -> BowSetupCount {
    try first(Self.counts, .integer(principal)) { row in
      BowSetupCount(active: row.int64(0), inactive: row.int64(1))
    } ?? BowSetupCount(active: 0, inactive: 0)
  }
}

/// A setup without its components.
private struct SetupHead {
  let id: Int64
  let clientID: [UInt8]
  let revision: UInt64
  let name: String
  let notes: String
  let isActive: Bool
  let isDefault: Bool
  let createdAtMilliseconds: Int64
  let updatedAtMilliseconds: Int64
  let version: Int64

  init(_ row: Row) {
    id = row.int64(0)
    clientID = row.bytes(1)
    revision = row.uint64(2)
    name = row.text(3)
    notes = row.text(4)
    isActive = row.bool(5)
    isDefault = row.bool(6)
    createdAtMilliseconds = row.int64(7)
    updatedAtMilliseconds = row.int64(8)
    version = row.int64(9)
  }

  func record(
    version shown: Int64, madeAtMilliseconds: Int64, _ components: [SetupComponentRecord]
  ) -> BowSetupRecord {
    BowSetupRecord(
      id: id, clientID: clientID, revision: revision, name: name, notes: notes,
      isActive: isActive, isDefault: isDefault, createdAtMilliseconds: createdAtMilliseconds,
      updatedAtMilliseconds: updatedAtMilliseconds, latestVersion: version, version: shown,
      versionMadeAtMilliseconds: madeAtMilliseconds, components: components)
  }
}

extension SetupComponentRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let type = EquipmentType(rawValue: row.int32(1)) else {
      throw StoreError(.dataLoss, "an item of equipment has an unknown type")
    }
    self.init(
      part: SetupPart(
        equipmentID: row.int64(0), type: type, quantity: UInt32(clamping: row.int64(2))),
      clientID: row.bytes(3), displayBrand: row.text(4), displayModel: row.text(5),
      isDeleted: row.bool(6))
  }
}
