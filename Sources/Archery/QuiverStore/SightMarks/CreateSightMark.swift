import QuiverCrypto
package import QuiverRules

/// Creates a sight mark of a sight or a setup.
///
/// If the `client_id` was used before for the same content, returns the sight mark that was created
/// then, in its current state.
package struct CreateSightMark: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

  private let content: SightMarkContent
  private let owner: SightMarkOwner
  private let clientID: [UInt8]
  private let prefix: String

  private static let insert = Query(
    """
    INSERT INTO sight_mark (principal_id, client_id, revision, created_at_ms, updated_at_ms,
      sight_id, setup_id, distance, unit, mark_value, notes)
    VALUES (?1, ?2, 1, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """, key: "id")
  private static let countOfSight = Query("SELECT count(*) FROM sight_mark WHERE sight_id = ?1")
  private static let countOfSetup = Query("SELECT count(*) FROM sight_mark WHERE setup_id = ?1")

  /// Validates the content; `prefix` is the path of the mark in the request.
  package init(
    _ content: SightMarkContent, of owner: SightMarkOwner, clientID: [UInt8] = [],
    prefix: String = "sight_mark"
  ) throws(StoreError) {
    self.content = try validating { () throws(RuleViolation) in
      try content.validated(prefix: prefix)
    }
    self.owner = owner
    self.clientID = clientID
    self.prefix = prefix
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> SightMarkRecord {
    let principal = transaction.caller.principal
    let made = try transaction.made(
      clientID: clientID, kind: .sightMark, contentHash: hash, field: prefix + ".client_id"
    ) { (snapshot, id) throws(StoreError) in
      try snapshot.sightMark(id: id, principal: principal)
    }
    if let made { return made }
    let (kind, ownerID) = try transaction.snapshot.sightMarkOwner(
      owner, principal: principal, prefix: prefix + ".")
    try checkRoom(kind, ownerID, transaction)
    let id = try transaction.insert(
      Self.insert, .integer(principal), clientID.isEmpty ? .null : .blob(clientID),
      .integer(transaction.nowMilliseconds), kind == .sight ? .integer(ownerID) : .null,
      kind == .setup ? .integer(ownerID) : .null, .real(content.distance),
      .integer(Int64(content.unit?.rawValue ?? 0)), .real(content.markValue),
      .text(content.notes))
    if !clientID.isEmpty {
      try transaction.keep(clientID: clientID, kind: .sightMark, id: id, contentHash: hash)
    }
    try transaction.record(.created, of: .sightMark, id: id, principal: principal)
    return try transaction.sightMark(id: id)
  }

  private func checkRoom(
    _ kind: SightMarkRecord.Owner, _ id: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let query = kind == .sight ? Self.countOfSight : Self.countOfSetup
    let count = try transaction.snapshot.first(query, .integer(id)) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.sightMarksPerOwner else {
      throw StoreError.reached(
        .sightMarksPerOwner,
        "one sight or setup may have \(StoreLimits.sightMarksPerOwner) sight marks")
    }
  }

  private var hash: [UInt8] {
    var encoding = CanonicalBytes()
    let reference: ObjectReference
    switch owner {
    case .sight(let sight):
      encoding.append(.text("sight"))
      reference = sight
    case .setup(let setup):
      encoding.append(.text("setup"))
      reference = setup
    }
    switch reference {
    case .id(let id): encoding.append(.integer(id))
    case .clientID(let clientID): encoding.append(.blob(clientID))
    }
    encoding.append(.real(content.distance))
    encoding.append(.integer(Int64(content.unit?.rawValue ?? 0)))
    encoding.append(.real(content.markValue))
    encoding.append(.text(content.notes))
    return SHA256.hash(encoding.bytes)
  }
}

extension Transaction {
  private static let deleteOfSight = Query("DELETE FROM sight_mark WHERE sight_id = ?1")
  private static let deleteOfSetup = Query("DELETE FROM sight_mark WHERE setup_id = ?1")

  /// A mark of the caller that must exist.
  func sightMark(id: Int64) throws(StoreError) -> SightMarkRecord {
    guard let mark = try snapshot.sightMark(id: id, principal: caller.principal) else {
      throw StoreError(.internalError, "a sight mark was deleted while it was changed")
    }
    return mark
  }

  /// Deletes the marks of a deleted owner; only the owner's deletion has a journal row.
  func deleteSightMarks(of owner: SightMarkRecord.Owner, id: Int64) throws(StoreError) {
    try run(owner == .sight ? Self.deleteOfSight : Self.deleteOfSetup, .integer(id))
  }
}
