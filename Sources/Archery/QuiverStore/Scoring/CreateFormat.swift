import QuiverCrypto
package import QuiverRules

/// Creates a format of the caller's own.
///
/// If the `client_id` was used before for the same content, returns the format that was
/// created then.
package struct CreateFormat: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

  private let format: RoundFormat
  private let clientID: [UInt8]
  private let prefix: String

  /// Checks the format; `prefix` is its path in the request.
  package init(
    _ format: RoundFormat, clientID: [UInt8] = [], prefix: String = "format"
  ) throws(StoreError) {
    var own = try validating { () throws(RuleViolation) in try format.validated(prefix: prefix) }
    own.codename = ""
    own.family = ""
    self.format = own
    self.clientID = clientID
    self.prefix = prefix
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> RoundFormatRecord {
    let field = prefix + ".client_id"
    if !clientID.isEmpty,
      let id = try transaction.object(
        clientID: clientID, kind: .roundFormat, contentHash: hash, field: field)
    {
      return try transaction.snapshot.format(id: id)
    }
    try transaction.countScoring(.formats, by: 1)
    let id = try transaction.insert(
      format, owner: transaction.caller.principal, clientID: clientID, isListed: true)
    if !clientID.isEmpty {
      try transaction.keep(clientID: clientID, kind: .roundFormat, id: id, contentHash: hash)
    }
    try transaction.record(
      .created, of: .roundFormat, id: id, principal: transaction.caller.principal)
    return try transaction.snapshot.format(id: id)
  }

  private var hash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text(format.name))
    encoding.append(.integer(Int64(format.location.rawValue)))
    encoding.append(.text(format.body))
    for pass in format.passes {
      for value in [pass.arrowCount, pass.arrowsPerEnd] { encoding.append(.integer(Int64(value))) }
      encoding.append(.real(pass.distance))
      encoding.append(.integer(Int64(pass.unit.rawValue)))
      encoding.append(.integer(Int64(pass.face.rawValue)))
      encoding.append(.real(pass.diameterCentimetres))
    }
    return SHA256.hash(encoding.bytes)
  }
}

/// Removes one of the caller's formats from the list; rounds that use it keep it.
package struct DeleteFormat: Command {
  package static var storesContent: Bool { false }

  private let reference: ObjectReference

  private static let unlist = Query(
    """
    UPDATE round_format SET is_listed = 0 WHERE id = ?1 AND principal_id = ?2 AND is_listed = 1
    """)

  package init(_ reference: ObjectReference) { self.reference = reference }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let owner = transaction.caller.principal
    let id = try transaction.snapshot.objectID(reference, kind: .roundFormat, principal: owner)
    guard let id,
      try transaction.runCounting(Self.unlist, .integer(id), .integer(owner)) == 1
    else {
      throw StoreError(.notFound, "there is no such format of your own")
    }
    try transaction.countScoring(.formats, by: -1)
    try transaction.record(.deleted, of: .roundFormat, id: id, principal: owner)
  }
}

extension Transaction {
  private static let insertFormat = Query(
    """
    INSERT INTO round_format (principal_id, client_id, is_listed, codename, arrow_limit, name,
      location, body, created_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """, key: "id")
  private static let insertPass = Query(
    """
    INSERT INTO format_pass (format_id, pass_index, arrow_count, arrows_per_end, distance, unit,
      face, diameter_cm)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """)

  private static let insertPart = Query(
    """
    INSERT INTO format_part (format_id, number, first_pass, first_end, end_count)
    VALUES (?1, ?2, ?3, ?4, ?5)
    """)

  /// Stores a format of several rounds that are shot one after another; answers its id.
  func keep(
    _ rounds: [[RoundPass]], as before: RoundFormat, field: String
  ) throws(StoreError) -> Int64 {
    var format = before
    (format.codename, format.family, format.passes) = ("", "", Array(rounds.joined()))
    let count = rounds.count == 1 ? "1 round" : "\(rounds.count) rounds"
    format.name = "\(count), \(format.arrowCount) arrows"
    let checked: RoundFormat
    do throws(RuleViolation) {
      checked = try format.validated(prefix: field)
    } catch {
      throw StoreError(
        .failedPrecondition, "the rounds together \(error.message)", field: field)
    }
    let id = try insert(checked, owner: caller.principal, clientID: [], isListed: false)
    guard rounds.count > 1 else { return id }
    for round in QualificationRound.list(rounds) {
      try run(
        Self.insertPart, .integer(id), .integer(Int64(round.number)),
        .integer(Int64(round.firstPass)), .integer(Int64(round.firstEnd)),
        .integer(Int64(round.endCount)))
    }
    return id
  }

  /// The stored format that a request names, or its first `arrowLimit` arrows if that is above 0.
  func keptFormat(
    _ reference: FormatChoice, arrowLimit: UInt32
  ) throws(StoreError) -> RoundFormatRecord {
    let record = try snapshot.format(reference, principal: caller.principal)
    let isCut = arrowLimit > 0 && Int(arrowLimit) < record.format.arrowCount
    if record.id != 0, !isCut { return record }
    let limit = isCut ? Int64(arrowLimit) : 0
    let format = isCut ? record.format.cut(toArrows: Int(arrowLimit)) : record.format
    let isOfLibrary = !format.codename.isEmpty
    if isOfLibrary, let id = try snapshot.formatID(codename: format.codename, arrowLimit: limit) {
      return try snapshot.format(id: id)
    }
    let id = try insert(
      format, owner: isOfLibrary ? 0 : caller.principal, clientID: [], isListed: false,
      arrowLimit: limit)
    return try snapshot.format(id: id)
  }

  fileprivate func insert(
    _ format: RoundFormat, owner: Int64, clientID: [UInt8], isListed: Bool, arrowLimit: Int64 = 0
  ) throws(StoreError) -> Int64 {
    let id = try insert(
      Self.insertFormat, .integer(owner), clientID.isEmpty ? .null : .blob(clientID),
      .integer(isListed ? 1 : 0), .text(format.codename), .integer(arrowLimit),
      .text(format.name), .integer(Int64(format.location.rawValue)), .text(format.body),
      .integer(nowMilliseconds))
    // SQLite assigns the id of a format again if the transaction that inserted it is rolled back.
    snapshot.session.forgetPasses()
    for (index, pass) in format.passes.enumerated() {
      try run(
        Self.insertPass, .integer(id), .integer(Int64(index)), .integer(Int64(pass.arrowCount)),
        .integer(Int64(pass.arrowsPerEnd)), .real(pass.distance),
        .integer(Int64(pass.unit.rawValue)), .integer(Int64(pass.face.rawValue)),
        .real(pass.diameterCentimetres))
    }
    return id
  }
}
