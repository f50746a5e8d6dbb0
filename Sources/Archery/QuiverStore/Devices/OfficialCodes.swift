import QuiverCrypto
import QuiverRules

/// The code by which an official signs in: ``OfficialCode/prefix`` and the code of an invite, so
/// that no invite has the same.
package enum OfficialCode {
  package static let prefix = "U-"

  /// The stored form; nil for a text that is none.
  static func hash(_ text: String) -> [UInt8]? {
    let letters = text.drop { $0 == " " }
    guard letters.first == "U" || letters.first == "u",
      let spelling = InviteCode.spelling(String(letters.dropFirst())),
      spelling.utf8.count == InviteCode.characterCount
    else { return nil }
    return SHA256.hash(Array((prefix + spelling).utf8))
  }
}

/// An official of an event, whose token is for that event alone, with the code to sign in.
package struct CodedOfficial: Sendable {
  package let record: EventOfficialRecord
  /// Shown once.
  package let code: String
}

/// Appoints somebody who needs no account: a principal that signs in by a code, is bound to the
/// event as scoring devices are, and may do what its role permits.
package struct CreateOfficial: Command {
  package static var keepsReply: Bool { false }

  private let event: Int64
  private let role: EventRole
  private let name: String
  private let code: String

  private static let insert = Query(
    """
    INSERT INTO event_device (id, event_id, secret_hash, joined_at_ms, last_call_at_ms,
      ended_at_ms, ended_by, reported_at_ms, waiting_operations, waiting_since_ms,
      battery_percent, device, page_version)
    VALUES (?1, ?2, ?3, 0, ?4, 0, 0, 0, 0, 0, -1, '', '')
    """)

  /// Validates the name, and draws the code before the command is queued.
  package init(event: Int64, role: EventRole, name: String) throws(StoreError) {
    self.event = event
    self.role = role
    self.name = try DisplayName.stored(name, mayBeEmpty: false, field: "display_name")
    code = OfficialCode.prefix + InviteCode.grouped(try InviteCode.make())
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> CodedOfficial {
    let head = try transaction.event(event)
    try transaction.checkChangesRoles()
    guard let hash = OfficialCode.hash(code) else {
      throw StoreError(.internalError, "the code of an official has no hash", notProcessed: true)
    }
    try transaction.checkOfficialCount(of: event)
    try transaction.checkDeviceCount(of: event)
    let principal = try transaction.makePrincipal(.device, name: name)
    try transaction.run(
      Self.insert, .integer(principal.id), .integer(event), .blob(hash),
      .integer(transaction.nowMilliseconds))
    try transaction.setRole(of: principal.id, to: role, in: head, before: nil)
    return CodedOfficial(
      record: try transaction.snapshot.official(principal.id, of: event, role), code: code)
  }
}

/// Gives the official of a code the secret that the caller has made.
///
/// It needs no caller: it runs as principal 0. The reply is not stored, since it would be stored
/// under no principal.
package struct SignInOfficial: Command {
  package static var keepsReply: Bool { false }

  private let code: String
  private let secret: DeviceSecret

  private static let set = Query(
    """
    UPDATE event_device SET secret_hash = ?2, joined_at_ms = ?3, last_call_at_ms = ?3 WHERE id = ?1
    """)

  package init(code: String, secret: DeviceSecret) {
    self.code = code
    self.secret = secret
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventOfficialRecord {
    if let known = try transaction.snapshot.device(secret) { return try again(known, transaction) }
    let found = try transaction.snapshot.official(code: code)
    guard let role = found.role, let head = try transaction.snapshot.tournamentHead(id: found.event)
    else { throw Snapshot.noOfficialCode }
    let now = transaction.nowMilliseconds
    guard found.end(in: head) > now else {
      throw StoreError(
        .failedPrecondition, "the code has expired; ask an organiser for another", field: "code",
        notProcessed: true)
    }
    try transaction.run(
      Self.set, .integer(found.principal), .blob(secret.hash), .integer(now))
    try transaction.recordAccess(of: found.principal, in: head)
    try transaction.auditEvent(head.id, "event.official-signed-in", after: "\(found.principal)")
    return try transaction.snapshot.official(found.principal, of: head.id, role)
  }

  /// Who has signed in with this secret before, and may have lost the reply.
  private func again(
    _ known: EventDeviceRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventOfficialRecord {
    guard let role = known.role else { throw Snapshot.noOfficialCode }
    return try transaction.snapshot.official(known.principal, of: known.event, role)
  }
}

extension Snapshot {
  static let noOfficialCode = StoreError(
    .notFound, "no official has this code, or it was used; ask an organiser for another",
    field: "code", notProcessed: true)

  /// The official of a code that was not used; throws `notFound`.
  func official(code: String) throws(StoreError) -> EventDeviceRecord {
    guard let hash = OfficialCode.hash(code), let found = try device(secretHash: hash) else {
      throw Self.noOfficialCode
    }
    return found
  }

  /// Throws `notFound` for a code that signs nobody in, where the secret has not signed in before,
  /// and `permissionDenied` if others can read the secret (`isRead`) and the role is not for that.
  package func checkOfficialCode(
    _ code: String, _ secret: DeviceSecret, isRead: Bool
  ) throws(StoreError) {
    var found = try device(secret)
    if found == nil { found = try official(code: code) }
    guard isRead, found?.role?.mayBeRead != true else { return }
    throw StoreError(
      .permissionDenied,
      "this address is not encrypted: only judges and helpers at check-in sign in here; use an"
        + " address with https, and another code, for others may have read this one",
      field: "code", notProcessed: true)
  }

  /// An official as it is listed.
  func official(
    _ principal: Int64, of event: Int64, _ role: EventRole
  ) throws(StoreError) -> EventOfficialRecord {
    EventOfficialRecord(
      event: event, principal: principal,
      displayName: try self.principal(id: principal).shownName, role: role,
      device: try device(principal: principal))
  }
}

extension Transaction {
  private static let forget = Query("UPDATE event_device SET secret_hash = ?2 WHERE id = ?1")
  private static let deviceCount = Query("SELECT count(*) FROM event_device WHERE event_id = ?1")

  func checkDeviceCount(of event: Int64) throws(StoreError) {
    let count = try snapshot.first(Self.deviceCount, .integer(event)) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.devicesPerEvent else {
      throw StoreError.reached(
        .devicesPerEvent,
        "one event may have \(StoreLimits.devicesPerEvent) devices and officials with codes;"
          + " remove officials who are not needed")
    }
  }

  /// Throws for a caller who is bound to another event: the code of a target there is for others.
  func checkIsNotBound(toOtherThan head: TournamentHead) throws(StoreError) {
    guard let device = try snapshot.device(principal: caller.principal), device.event != head.id
    else { return }
    throw StoreError(
      .permissionDenied, "this sign-in is bound to another event", field: "code")
  }

  /// Ends the token of an official whose role was removed. No token has the hash that is left.
  func endSignIn(of device: EventDeviceRecord, _ head: TournamentHead) throws(StoreError) {
    try end(device, by: caller.principal, head)
    try run(
      Self.forget, .integer(device.principal),
      .blob(SHA256.hash(Array("removed \(device.principal)".utf8))))
  }
}
