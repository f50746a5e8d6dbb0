import QuiverCrypto
import QuiverRules

/// Takes or renews the lease on a card of a target as a device with a secret of its own.
///
/// It needs no caller: the device is made with its first lease. The reply is not stored, since it
/// would be stored under no principal.
package struct JoinAsDevice: Command {
  package static var keepsReply: Bool { false }

  private let code: String
  private let card: LeasedCard
  private let device: String
  private let who: Who
  private let takesOver: Bool
  private let chosenSession: Int64
  private let chosenMatch: Int64
  private let presence: DevicePresence

  /// How the device is known.
  package enum Who: Sendable {
    case secret(DeviceSecret)
    case principal(Int64)
  }

  private static let insert = Query(
    """
    INSERT INTO event_device (id, event_id, secret_hash, joined_at_ms, last_call_at_ms,
      ended_at_ms, ended_by, reported_at_ms, waiting_operations, waiting_since_ms,
      battery_percent, device, page_version)
    VALUES (?1, ?2, ?3, ?4, ?4, 0, 0, 0, 0, 0, -1, ?5, '')
    """)
  private static let update = Query(
    """
    UPDATE event_device SET last_call_at_ms = ?2, ended_at_ms = 0, device = ?3 WHERE id = ?1
    """)

  /// With `takesOver` it replaces a device that has been silent, as `presence` knows. The choices
  /// are those of a plate.
  package init(
    code: String, _ card: LeasedCard?, device: String, as who: Who, takesOver: Bool,
    session: Int64 = 0, match: Int64 = 0, presence: DevicePresence
  ) throws(StoreError) {
    guard let card else { throw .invalid("card", "must be 1 or 2") }
    self.code = code
    self.card = card
    self.device = try JoinTarget.checkedName(device)
    self.who = who
    self.takesOver = takesOver
    chosenSession = session
    chosenMatch = match
    self.presence = presence
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> JoinedTarget {
    guard let code = ScannedCode(self.code, key: transaction.snapshot.pageTokenKey),
      let head = try transaction.snapshot.tournamentHead(id: code.event)
    else { throw ScannedCode.unknown }
    guard abs(head.leaseSerial) == code.serial, code.serial > 0 else {
      throw JoinTarget.oldCode
    }
    try transaction.check(head, [.open, .inProgress], field: "code")
    let known = try knownDevice(head, transaction)
    let (session, choices) = try transaction.snapshot.session(
      of: code, chosenSession: chosenSession, chosenMatch: chosenMatch)
    guard let session else { return JoinedTarget(choices: choices) }
    try JoinTarget.checkTarget(code.target, in: session, of: head.id, transaction)
    let before = try transaction.snapshot.lease(
      event: head.id, session: session, target: code.target, card: card)
    let isOwn = before != nil && before?.principal == known?.principal
    try checkOtherCard(session, code.target, head, known, transaction)
    var isTakenOver = false
    if let before, !isOwn {
      isTakenOver = try checkFree(before, transaction)
    }
    if before == nil { try JoinTarget.checkCount(head.id, transaction) }
    let principal = try admit(known, head, transaction)
    if let before, !isOwn {
      try transaction.keepPastScorer(before)
      try transaction.recordAccess(of: before.principal, in: head)
    }
    try transaction.putLease(
      LeasePlace(event: head.id, session: session, target: code.target, card: card),
      of: principal, device, lasting: StoreLimits.deviceLifeMilliseconds,
      joinedAt: isOwn ? before?.joinedAtMilliseconds : nil,
      takenOver: isTakenOver ? before?.principal : isOwn ? nil : 0)
    if !isOwn {
      try transaction.recordAccess(of: principal, in: head)
      try transaction.auditEvent(
        head.id,
        isTakenOver ? "lease.take-over" : before == nil ? "lease.join" : "lease.replace",
        before: before.map { "\($0.principal)" } ?? "",
        after: "\(session) \(code.target) \(card.rawValue) \(principal)")
    }
    return try transaction.joined(
      LeasePlace(event: head.id, session: session, target: code.target, card: card))
  }

  /// The device, if it has joined before; throws where it may not join again.
  private func knownDevice(
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventDeviceRecord? {
    let known: EventDeviceRecord?
    switch who {
    case .secret(let secret): known = try transaction.snapshot.device(secret)
    case .principal(let id):
      known = try transaction.snapshot.device(principal: id)
      guard known != nil else {
        throw StoreError(.failedPrecondition, "the device was deleted with its event")
      }
    }
    guard let known else { return nil }
    guard known.event == head.id else {
      throw StoreError(
        .failedPrecondition,
        "the device belongs to another event; make another secret for this one",
        field: "device_secret")
    }
    guard known.endedBy == 0 else {
      throw StoreError(
        .permissionDenied, "an organiser has ended this device; make another secret to join anew",
        field: "device_secret")
    }
    return known
  }

  /// Throws where the device has the other card of the target: one that had both could make them
  /// agree.
  private func checkOtherCard(
    _ session: Int64, _ target: UInt32, _ head: TournamentHead, _ known: EventDeviceRecord?,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard let known else { return }
    for other in LeasedCard.allCases where other != card {
      let lease = try transaction.snapshot.lease(
        event: head.id, session: session, target: target, card: other)
      guard lease?.principal == known.principal else { continue }
      throw StoreError(
        .failedPrecondition,
        "this device has the other card of target \(target); another device keeps this one",
        field: "card")
    }
  }

  /// Whether the lease of another device is taken over; throws where it may not be. One that has
  /// expired, or whose cards are confirmed, is free.
  private func checkFree(
    _ lease: TargetLeaseRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Bool {
    let now = transaction.nowMilliseconds
    guard lease.expiresAtMilliseconds > now else { return false }
    guard try !transaction.snapshot.isConfirmed(lease) else { return false }
    guard let holder = try transaction.snapshot.device(principal: lease.principal) else {
      throw StoreError(
        .failedPrecondition,
        "somebody with a token scores target \(lease.target); an organiser may take it over",
        field: "code")
    }
    let called = max(
      presence.lastCall(of: lease.principal, now: now),
      max(lease.joinedAtMilliseconds, holder.lastCallAtMilliseconds))
    let silence = now - called
    guard silence >= StoreLimits.takeoverSilenceMilliseconds else {
      throw StoreError(
        .failedPrecondition,
        "another device scores target \(lease.target); it may be taken over when it has been"
          + " silent for \(StoreLimits.takeoverSilenceMilliseconds / 60_000) minutes",
        field: "code")
    }
    guard takesOver else {
      throw StoreError(
        .failedPrecondition,
        "another device scores target \(lease.target), and has been silent for"
          + " \(silence / 60_000) minutes; ask to take it over",
        field: "take_over")
    }
    return true
  }

  /// The principal of the device, which is made if it is new.
  private func admit(
    _ known: EventDeviceRecord?, _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Int64 {
    let now = transaction.nowMilliseconds
    if let known {
      try transaction.run(
        Self.update, .integer(known.principal), .integer(now), .text(device))
      try transaction.extendLeases(ofDevice: known.principal)
      return known.principal
    }
    guard case .secret(let secret) = who else {
      throw StoreError(.internalError, "a device without a secret is known")
    }
    try transaction.checkDeviceCount(of: head.id)
    let principal = try transaction.makePrincipal(.device, name: Self.shownName(device))
    try transaction.run(
      Self.insert, .integer(principal.id), .integer(head.id), .blob(secret.hash), .integer(now),
      .text(device))
    return principal.id
  }

  /// The beginning of a name, as long as that of a principal may be.
  private static func shownName(_ device: String) -> String {
    var name = String.UnicodeScalarView()
    name.append(contentsOf: device.unicodeScalars.prefix(TextLimits.displayNameLength))
    return String(name).trimmingWhitespace
  }
}

extension Snapshot {
  /// Whether archer and scorer have confirmed all cards of the target of a lease.
  fileprivate func isConfirmed(_ lease: TargetLeaseRecord) throws(StoreError) -> Bool {
    guard lease.session > 0 else { return false }
    let all = try participants(session: lease.session, target: lease.target)
    for id in all where try scoringPlace(participant: id)?.cardState != .confirmed { return false }
    return !all.isEmpty
  }
}
