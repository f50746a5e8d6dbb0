import QuiverCrypto
package import QuiverRules

/// Creates an item of equipment.
///
/// If the `client_id` was used before for the same content, returns the item that was created then,
/// in its current state.
package struct CreateEquipment: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

  private let content: EquipmentContent
  private let contentHash: [UInt8]
  private let clientID: [UInt8]
  private let prefix: String

  private static let insert = Query(
    """
    INSERT INTO equipment (principal_id, type, client_id, revision, archived, created_at_ms,
      updated_at_ms, display_brand, display_model, brand, model, notes)
    VALUES (?1, ?2, ?3, 1, 0, ?4, ?4, ?5, ?6, ?7, ?8, ?9)
    """, key: "id")

  /// Validates the content by the rules of its type; `prefix` is the path of the item in the
  /// request.
  ///
  /// An empty `clientID` stands for none.
  package init(
    _ content: EquipmentContent, clientID: [UInt8] = [], prefix: String? = nil
  ) throws(StoreError) {
    let prefix = prefix ?? content.kind.name
    self.prefix = prefix
    self.clientID = clientID
    self.content = try content.withDefaults().stored(prefix: prefix)
    // It identifies a repeated creation with the same client_id.
    contentHash = clientID.isEmpty ? [] : self.content.hash
    guard clientID.isEmpty || UUIDv7.isValid(clientID) else {
      throw .invalid(prefix + ".client_id", "must be a UUIDv7 of 16 bytes")
    }
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EquipmentRecord {
    let owner = transaction.caller.principal
    let made = try transaction.made(
      clientID: clientID, kind: .equipment, contentHash: contentHash, field: prefix + ".client_id"
    ) { (snapshot, id) throws(StoreError) in
      try snapshot.equipment(content.type, id: id, principal: owner)
    }
    if let made { return made }
    try transaction.checkRoomForEquipment()
    let now = transaction.nowMilliseconds
    var values: [SQLValue] = []
    values.reserveCapacity(6 + EquipmentKind.commonFieldCount)
    values.append(.integer(owner))
    values.append(.integer(Int64(content.type.rawValue)))
    values.append(clientID.isEmpty ? .null : .blob(clientID))
    values.append(.integer(now))
    values.append(.text(content.displayBrand))
    values.append(.text(content.displayModel))
    for value in content.values.prefix(EquipmentKind.commonFieldCount) {
      values.append(SQLValue(value))
    }
    let id = try transaction.insert(Self.insert, values: values, countedAs: .equipmentRows)
    let queries = EquipmentQueries.of(content.type)
    let own = queries.ownValues(id: id, content)
    try transaction.run(queries.insertOwn, values: own)
    transaction.count(rows: 0, bytes: 0, textsOf: own)
    try transaction.countEquipment(content.type, active: 1)
    if !clientID.isEmpty {
      try transaction.keep(
        clientID: clientID, kind: .equipment, id: id, contentHash: contentHash)
    }
    try transaction.record(.created, of: .equipment, id: id, principal: owner)
    return EquipmentRecord(
      id: id, clientID: clientID, revision: 1, isArchived: false, createdAtMilliseconds: now,
      updatedAtMilliseconds: now, setupUseCount: 0, content: content)
  }
}

extension EquipmentContent {
  /// The stored form, or the violated rule as an error of the store.
  func stored(prefix: String) throws(StoreError) -> EquipmentContent {
    try validating { () throws(RuleViolation) in try validated(prefix: prefix) }
  }

  /// SHA-256 of the type and of every value by its field's name, so that fields of later versions
  /// change no hash if they are absent.
  var hash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.integer(Int64(type.rawValue)))
    for (field, value) in zip(kind.fields, values) where value != .absent {
      encoding.append(.text(field.name))
      encoding.append(SQLValue(value))
    }
    return SHA256.hash(encoding.bytes)
  }
}

extension Transaction {
  private static let count = Query(
    """
    INSERT INTO equipment_count (principal_id, type, active, archived) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (principal_id, type) DO UPDATE SET active = equipment_count.active + ?3,
      archived = equipment_count.archived + ?4
    """)
  private static let total = Query(
    "SELECT coalesce(sum(active + archived), 0) FROM equipment_count WHERE principal_id = ?1")

  /// Updates the counts of the hub.
  func countEquipment(
    _ type: EquipmentType, active: Int64 = 0, archived: Int64 = 0
  ) throws(StoreError) {
    try run(
      Self.count, .integer(caller.principal), .integer(Int64(type.rawValue)), .integer(active),
      .integer(archived))
  }

  fileprivate func checkRoomForEquipment() throws(StoreError) {
    let count = try snapshot.first(Self.total, .integer(caller.principal)) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.equipmentPerPrincipal else {
      throw StoreError.reached(
        .equipmentPerPrincipal,
        "one principal may have \(StoreLimits.equipmentPerPrincipal) items of equipment")
    }
  }
}
