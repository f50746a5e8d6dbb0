import QuiverRules

/// The owner of a sight mark, as a request names it.
package enum SightMarkOwner: Sendable, Equatable {
  case sight(ObjectReference)
  case setup(ObjectReference)
}

/// Reads one principal's sight marks. Marks of other principals are not found.
extension Snapshot {
  private static let columns = """
    SELECT m.id, m.client_id, m.revision, m.created_at_ms, m.updated_at_ms, m.sight_id, m.setup_id,
      coalesce(e.client_id, s.client_id), m.distance, m.unit, m.mark_value, m.notes
    FROM sight_mark m LEFT JOIN equipment e ON e.id = m.sight_id
      LEFT JOIN bow_setup s ON s.id = m.setup_id
    """
  private static let nearestFirst = """
    ORDER BY m.distance * CASE m.unit WHEN 2 THEN \(DistanceUnit.yard.metres) ELSE 1.0 END, m.id
    """
  private static let byID = Query("\(columns) WHERE m.id = ?1 AND m.principal_id = ?2")
  private static let ofSight = Query("\(columns) WHERE m.sight_id = ?1 \(nearestFirst)")
  private static let ofSetup = Query("\(columns) WHERE m.setup_id = ?1 \(nearestFirst)")

  /// All marks of one owner, nearest first, then by id; throws `notFound` for the owner.
  package func sightMarks(
    of owner: SightMarkOwner, principal: Int64
  ) throws(StoreError) -> [SightMarkRecord] {
    let (kind, id) = try sightMarkOwner(owner, principal: principal)
    switch kind {
    case .sight: return try all(Self.ofSight, .integer(id), map: SightMarkRecord.init(row:))
    case .setup: return try all(Self.ofSetup, .integer(id), map: SightMarkRecord.init(row:))
    }
  }

  /// One mark; throws `notFound`.
  package func sightMark(
    _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> SightMarkRecord {
    let id = try objectID(reference, kind: .sightMark, principal: principal)
    guard let id, let mark = try sightMark(id: id, principal: principal) else {
      throw StoreError(.notFound, "there is no such sight mark")
    }
    return mark
  }

  /// The same by id; nil if the principal has no such mark.
  func sightMark(id: Int64, principal: Int64) throws(StoreError) -> SightMarkRecord? {
    try first(
      Self.byID, .integer(id), .integer(principal), map: SightMarkRecord.init(row:))
  }

  /// The owner's kind and id; `prefix` is the path before its fields in the request.
  func sightMarkOwner(
    _ owner: SightMarkOwner, principal: Int64, prefix: String = ""
  ) throws(StoreError) -> (SightMarkRecord.Owner, Int64) {
    switch owner {
    case .sight(let reference):
      let id = try objectID(reference, kind: .equipment, principal: principal)
      guard let id, try equipment(.sight, id: id, principal: principal) != nil else {
        throw StoreError(
          .notFound, "there is no such sight", field: reference.field(prefix + "sight"))
      }
      return (.sight, id)
    case .setup(let reference):
      let id = try objectID(reference, kind: .bowSetup, principal: principal)
      guard let id, try bowSetup(id: id, principal: principal) != nil else {
        throw StoreError(
          .notFound, "there is no such bow setup", field: reference.field(prefix + "setup"))
      }
      return (.setup, id)
    }
  }
}

extension ObjectReference {
  /// The name of the field for the kind of id.
  fileprivate func field(_ stem: String) -> String {
    switch self {
    case .id: stem + "_id"
    case .clientID: stem + "_client_id"
    }
  }
}

extension SightMarkRecord {
  init(row: Row) throws(StoreError) {
    guard let unit = DistanceUnit(rawValue: row.int32(9)) else {
      throw StoreError(.dataLoss, "a sight mark has an unknown unit")
    }
    let isOfSight = !row.isNull(5)
    self.init(
      id: row.int64(0), clientID: row.bytes(1), revision: row.uint64(2),
      createdAtMilliseconds: row.int64(3), updatedAtMilliseconds: row.int64(4),
      owner: isOfSight ? .sight : .setup, ownerID: row.int64(isOfSight ? 5 : 6),
      ownerClientID: row.bytes(7),
      content: SightMarkContent(
        distance: row.double(8), unit: unit, markValue: row.double(10), notes: row.text(11)))
  }
}
