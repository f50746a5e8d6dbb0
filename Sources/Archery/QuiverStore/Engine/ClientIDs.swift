import QuiverCrypto

extension Snapshot {
  private static let named = Query(
    "SELECT object_id FROM client_object WHERE client_id = ?1 AND principal_id = ?2 AND kind = ?3")

  /// The id that a reference names, even if the object was deleted; nil if the principal never
  /// created such an object with this client_id.
  func objectID(
    _ reference: ObjectReference, kind: ObjectKind, principal: Int64
  ) throws(StoreError) -> Int64? {
    switch reference {
    case .id(let id): return id
    case .clientID(let clientID):
      return try first(
        Self.named, .blob(clientID), .integer(principal), .integer(kind.rawValue)
      ) { row in row.int64(0) }
    }
  }
}

extension StoreError {
  /// The error for a client_id whose object was deleted.
  static func madeAndDeleted(_ field: String) -> StoreError {
    StoreError(
      .failedPrecondition,
      "the object with this client_id was deleted; use a new client_id",
      field: field)
  }
}

/// Validates the client_ids of a request.
enum ClientIDs {
  /// Throws if two drafts have one client_id and different content, before anything is stored.
  static func checkRepeated<Draft: Equatable>(
    _ drafts: [Draft], field: String, _ clientID: (Draft) -> [UInt8]
  ) throws(StoreError) {
    var places: [[UInt8]: Int] = [:]
    for (index, draft) in drafts.enumerated() {
      let id = clientID(draft)
      guard !id.isEmpty else { continue }
      guard let other = places[id] else {
        places[id] = index
        continue
      }
      guard drafts[other] == draft else {
        throw .invalid(
          "\(field)[\(index)].client_id", "is also that of \(field)[\(other)], which is another one"
        )
      }
    }
  }
}

/// The client_ids of objects: unique for a principal forever, even after the objects were deleted.
extension Transaction {
  private static let find = Query(
    """
    SELECT kind, object_id, content_hash FROM client_object
    WHERE client_id = ?1 AND principal_id = ?2
    """)
  private static let insertObject = Query(
    """
    INSERT INTO client_object (client_id, principal_id, kind, object_id, content_hash)
    VALUES (?1, ?2, ?3, ?4, ?5)
    """)

  /// The object that was created with this client_id and content; nil if there is none.
  ///
  /// Throws `alreadyExists` if the content differs, `failedPrecondition` if the object was deleted,
  /// `invalidArgument` if it is not a UUIDv7.
  func object(
    clientID: [UInt8], kind: ObjectKind, contentHash: [UInt8], field: String
  ) throws(StoreError) -> Int64? {
    guard UUIDv7.isValid(clientID) else {
      throw .invalid(field, "must be a UUIDv7 of 16 bytes")
    }
    let found = try snapshot.first(
      Self.find, .blob(clientID), .integer(caller.principal)
    ) { row in
      (kind: ObjectKind(rawValue: row.int64(0)), id: row.int64(1), hash: row.bytes(2))
    }
    guard let found else { return nil }
    if found.kind == kind, found.hash.isEmpty { throw .madeAndDeleted(field) }
    guard found.kind == kind, found.hash == contentHash else {
      throw StoreError(
        .alreadyExists, "another object has this client_id", field: field,
        notProcessed: true)
    }
    return found.id
  }

  /// The object that was created with this client_id and content, read by `find`; nil if there is
  /// none, or no client_id.
  ///
  /// Throws as `object` does, and `failedPrecondition` if it was deleted.
  func made<Record>(
    clientID: [UInt8], kind: ObjectKind, contentHash: @autoclosure () -> [UInt8], field: String,
    _ find: (borrowing Snapshot, Int64) throws(StoreError) -> Record?
  ) throws(StoreError) -> Record? {
    guard !clientID.isEmpty else { return nil }
    let id = try object(clientID: clientID, kind: kind, contentHash: contentHash(), field: field)
    guard let id else { return nil }
    guard let record = try find(snapshot, id) else { throw .madeAndDeleted(field) }
    return record
  }

  /// Deletes the content hash of a deleted object; its client_id stays in use.
  func forgetContent(of kind: ObjectKind, id: Int64, clientID: [UInt8]) throws(StoreError) {
    try snapshot.session.forgetContent(of: kind, id: id, clientID: clientID)
  }

  /// Stores the object of a client_id.
  func keep(
    clientID: [UInt8], kind: ObjectKind, id: Int64, contentHash: [UInt8]
  ) throws(StoreError) {
    try run(
      Self.insertObject, .blob(clientID), .integer(caller.principal), .integer(kind.rawValue),
      .integer(id), .blob(contentHash))
    count(rows: 1, bytes: CountedTable.clientObjectRows.fixedBytes, textsOf: [])
  }
}

extension Session {
  private static let forgetContent = Query(
    """
    UPDATE client_object SET content_hash = x''
    WHERE client_id = ?1 AND kind = ?2 AND object_id = ?3
    """,
    postgreSQL: """
      UPDATE client_object SET content_hash = ''
      WHERE client_id = ?1 AND kind = ?2 AND object_id = ?3
      """)

  /// The same for expired rows of any principal.
  func forgetContent(of kind: ObjectKind, id: Int64, clientID: [UInt8]) throws(StoreError) {
    guard !clientID.isEmpty else { return }
    try run(Self.forgetContent, [.blob(clientID), .integer(kind.rawValue), .integer(id)])
  }
}

/// How a request names an object: by the server's id or by the client_id.
package enum ObjectReference: Sendable, Equatable {
  case id(Int64)
  case clientID([UInt8])

  /// The reference in a request's two fields, of which the id takes precedence; `field` is the id's
  /// path.
  package init(id: Int64, clientID: [UInt8], field: String) throws(StoreError) {
    if id != 0 {
      self = .id(id)
    } else if !clientID.isEmpty {
      self = .clientID(clientID)
    } else {
      throw .invalid(field, "must be given, or client_id")
    }
  }
}
