import QuiverRules

/// Reads formats: everybody sees those of the library, others only their creator.
extension Snapshot {
  private static let columns = """
    id, client_id, codename, name, location, body, created_at_ms
    """
  private static let byID = Query("SELECT \(columns) FROM round_format WHERE id = ?1")
  private static let ownByID = Query(
    "SELECT \(columns) FROM round_format WHERE id = ?1 AND principal_id IN (0, ?2)")
  private static let own = Query(
    """
    SELECT \(columns) FROM round_format WHERE principal_id = ?1 AND is_listed = 1 ORDER BY id
    """)
  private static let passes = Query(
    """
    SELECT arrow_count, arrows_per_end, distance, unit, face, diameter_cm
    FROM format_pass WHERE format_id = ?1 ORDER BY pass_index
    """)
  private static let ofLibrary = Query(
    """
    SELECT id FROM round_format WHERE principal_id = 0 AND codename = ?1 AND arrow_limit = ?2
    """)

  /// The formats that a principal created and did not delete, by id.
  package func ownFormats(principal: Int64) throws(StoreError) -> [RoundFormatRecord] {
    let heads = try all(Self.own, .integer(principal)) { row in FormatHead(row) }
    var formats: [RoundFormatRecord] = []
    for head in heads { formats.append(try record(head)) }
    return formats
  }

  /// The format that a reference names; throws `notFound`.
  package func format(
    _ reference: FormatChoice, principal: Int64
  ) throws(StoreError) -> RoundFormatRecord {
    switch reference {
    case .codename(let codename):
      guard let format = RoundLibrary.format(codename) else { throw Self.unknownFormat }
      let id = try formatID(codename: codename, arrowLimit: 0) ?? 0
      return RoundFormatRecord(id: id, clientID: [], format: format, createdAtMilliseconds: 0)
    case .own(let reference):
      guard let id = try objectID(reference, kind: .roundFormat, principal: principal),
        let head = try first(Self.ownByID, .integer(id), .integer(principal), map: FormatHead.init)
      else { throw Self.unknownFormat }
      return try record(head)
    }
  }

  /// A format that must exist.
  func format(id: Int64) throws(StoreError) -> RoundFormatRecord {
    guard let head = try first(Self.byID, .integer(id), map: FormatHead.init) else {
      throw StoreError(.dataLoss, "a session's format is not there")
    }
    return try record(head)
  }

  /// The passes of a format that must exist. The session keeps them, since they never change.
  func passes(ofFormat id: Int64) throws(StoreError) -> [RoundPass] {
    if let known = session.knownPasses(ofFormat: id) { return known }
    let passes = try all(Self.passes, .integer(id)) { (row) throws(StoreError) in
      guard let unit = DistanceUnit(rawValue: row.int32(3)), let face = Face(rawValue: row.int32(4))
      else { throw StoreError(.dataLoss, "a stored pass is none") }
      return RoundPass(
        arrowCount: Int(row.int64(0)), arrowsPerEnd: max(1, Int(row.int64(1))),
        distance: row.double(2), unit: unit, face: face, diameterCentimetres: row.double(5))
    }
    session.know(passes, ofFormat: id)
    return passes
  }

  /// The row of a library format, or of its first arrows; nil if no round has used it.
  func formatID(codename: String, arrowLimit: Int64) throws(StoreError) -> Int64? {
    try first(Self.ofLibrary, .text(codename), .integer(arrowLimit)) { row in row.int64(0) }
  }

  private func record(_ head: FormatHead) throws(StoreError) -> RoundFormatRecord {
    guard let location = RoundLocation(rawValue: head.location) else {
      throw StoreError(.dataLoss, "a stored format is none")
    }
    let format = RoundFormat(
      codename: head.codename, name: head.name, location: location, body: head.body,
      family: RoundLibrary.format(head.codename)?.family ?? "",
      passes: try passes(ofFormat: head.id))
    return RoundFormatRecord(
      id: head.id, clientID: head.clientID, format: format,
      createdAtMilliseconds: head.codename.isEmpty ? head.createdAt : 0)
  }

  static var unknownFormat: StoreError {
    StoreError(.notFound, "there is no such format", field: "format")
  }
}

/// A format without its passes.
private struct FormatHead {
  let id: Int64
  let clientID: [UInt8]
  let codename: String
  let name: String
  let location: Int32
  let body: String
  let createdAt: Int64

  init(_ row: Row) {
    id = row.int64(0)
    clientID = row.bytes(1)
    codename = row.text(2)
    name = row.text(3)
    location = row.int32(4)
    body = row.text(5)
    createdAt = row.int64(6)
  }
}
