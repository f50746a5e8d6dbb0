import QuiverRules

/// Demands leases of scoring devices in an event, or does not.
package struct DemandLeases: Command {
  /// An organiser whose quota is full can still turn them off.
  package static var storesContent: Bool { false }

  private let event: Int64
  private let isDemanded: Bool
  private let makesNewCodes: Bool

  private static let set = Query("UPDATE tournament SET lease_serial = ?2 WHERE id = ?1")
  private static let remove = Query("DELETE FROM event_lease WHERE event_id = ?1")

  /// With `makesNewCodes` the codes so far are not valid any more.
  package init(event: Int64, isDemanded: Bool, makesNewCodes: Bool) {
    self.event = event
    self.isDemanded = isDemanded
    self.makesNewCodes = makesNewCodes
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress, .completed], field: "tournament_id")
    let before = try transaction.snapshot.leaseSerial(event: event)
    // The serial stays when leases are turned off, so that old codes never come back.
    let last = abs(before)
    let serial =
      isDemanded ? (before > 0 && !makesNewCodes ? before : last + 1) : min(before, -last)
    guard serial != before else { return }
    try transaction.run(Self.set, .integer(event), .integer(serial))
    if !isDemanded { try transaction.run(Self.remove, .integer(event)) }
    try transaction.recordEvent(event, organiser: head.organiser, .updated)
    try transaction.auditEvent(event, "event.leases", before: "\(before)", after: "\(serial)")
  }
}

/// Takes or renews the lease on a card of a target by its code.
package struct JoinTarget: Command {
  private let code: String
  private let card: LeasedCard
  private let device: String
  private let takesOver: Bool

  private static let put = Query(
    """
    INSERT INTO event_lease (event_id, session_id, target, card, principal_id, joined_at_ms,
      expires_at_ms, device)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (event_id, session_id, target, card) DO UPDATE SET principal_id = ?5,
      joined_at_ms = ?6, expires_at_ms = ?7, device = ?8
    """)
  private static let count = Query("SELECT count(*) FROM event_lease WHERE event_id = ?1")

  /// With `takesOver` an organiser replaces another device.
  package init(
    code: String, _ card: LeasedCard?, device: String, takesOver: Bool
  ) throws(StoreError) {
    guard let card else { throw .invalid("card", "must be 1 or 2") }
    let text = try EventText.checked(device, length: TextLimits.nameLength, field: "device")
    guard !text.isEmpty else { throw .invalid("device", "must not be blank") }
    self.code = code
    self.card = card
    self.device = text
    self.takesOver = takesOver
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> JoinedTarget {
    guard let code = TargetCode(self.code, key: transaction.snapshot.pageTokenKey),
      let head = try transaction.snapshot.tournamentHead(id: code.event)
    else { throw StoreError(.notFound, "no target has this code", field: "code") }
    guard try transaction.snapshot.leaseSerial(event: code.event) == code.serial, code.serial > 0
    else {
      throw StoreError(
        .failedPrecondition, "the code is not valid any more; the organiser has new ones",
        field: "code")
    }
    try transaction.check(head, [.open, .inProgress, .completed], field: "code")
    try Self.checkTarget(code, transaction)
    let now = transaction.nowMilliseconds
    let before = try transaction.snapshot.lease(
      event: code.event, session: code.session, target: code.target, card: card)
    let caller = transaction.caller.principal
    let isRenewed = before?.isHeld(by: caller, device) == true
    if let before, !isRenewed, before.expiresAtMilliseconds > now {
      guard takesOver, try transaction.snapshot.role(of: caller, in: head) == .organiser else {
        throw StoreError(
          .failedPrecondition,
          "another device scores target \(code.target); an organiser may take it over",
          field: "code")
      }
    }
    if before == nil { try Self.checkCount(code.event, transaction) }
    try transaction.run(
      Self.put, .integer(code.event), .integer(code.session), .integer(Int64(code.target)),
      .integer(Int64(card.rawValue)), .integer(caller),
      .integer(isRenewed ? before?.joinedAtMilliseconds ?? now : now),
      .integer(now + StoreLimits.leaseMilliseconds), .text(device))
    if let before, before.principal != caller {
      try transaction.recordAccess(of: before.principal, in: head)
    }
    if !isRenewed {
      try transaction.auditEvent(
        code.event, before == nil ? "lease.join" : "lease.replace",
        before: before.map { "\($0.principal)" } ?? "",
        after: "\(code.session) \(code.target) \(card.rawValue) \(caller)")
    }
    let lease = try transaction.snapshot.lease(
      event: code.event, session: code.session, target: code.target, card: card)
    guard let lease else { throw StoreError(.internalError, "a new lease was deleted") }
    return JoinedTarget(
      lease: lease,
      entries: try transaction.snapshot.entries(session: code.session, target: code.target))
  }

  private static func checkTarget(
    _ code: TargetCode, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard code.session > 0 else { return }
    let line = try transaction.snapshot.eventSessionContent(
      id: code.session, of: code.event, field: "code")
    guard line.firstTarget...line.lastTarget ~= code.target else {
      throw StoreError(
        .failedPrecondition, "the session has no target \(code.target) any more", field: "code")
    }
  }

  private static func checkCount(
    _ event: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let count = try transaction.snapshot.first(Self.count, .integer(event)) { row in
      row.int64(0)
    }
    guard count ?? 0 < StoreLimits.leasesPerEvent else {
      throw StoreError(
        .resourceExhausted, "one event may have \(StoreLimits.leasesPerEvent) leases",
        notProcessed: true)
    }
  }
}

/// Ends the lease on a card of a target; by its holder or an organiser.
package struct LeaveTarget: Command {
  package static var storesContent: Bool { false }

  private let event: Int64
  private let session: Int64
  private let target: UInt32
  private let card: LeasedCard

  private static let remove = Query(
    """
    DELETE FROM event_lease
    WHERE event_id = ?1 AND session_id = ?2 AND target = ?3 AND card = ?4
    """)

  package init(
    event: Int64, session: Int64, target: UInt32, _ card: LeasedCard?
  ) throws(StoreError) {
    guard let card else { throw .invalid("card", "must be 1 or 2") }
    self.event = event
    self.session = session
    self.target = target
    self.card = card
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let caller = transaction.caller.principal
    let lease = try transaction.snapshot.lease(
      event: event, session: session, target: target, card: card)
    // The holder of a lease in a private event may have no other part in it.
    if lease?.principal != caller { _ = try transaction.event(event) }
    guard let lease, let head = try transaction.snapshot.tournamentHead(id: event) else { return }
    try transaction.run(
      Self.remove, .integer(event), .integer(session), .integer(Int64(target)),
      .integer(Int64(card.rawValue)))
    try transaction.recordAccess(of: lease.principal, in: head)
    try transaction.auditEvent(
      event, "lease.end", before: "\(session) \(target) \(card.rawValue) \(lease.principal)")
  }
}

extension Snapshot {
  /// The codes of the targets of a session, or of a range of targets of matches, for an organiser.
  package func targetCodes(
    event: Int64, session: Int64, targets: ClosedRange<UInt32>?, principal: Int64
  ) throws(StoreError) -> [(target: UInt32, code: String)] {
    let head = try visibleTournament(id: event, principal: principal)
    guard try role(of: principal, in: head) == .organiser else {
      throw StoreError(
        .permissionDenied, "only an organiser of the event may", field: "tournament_id")
    }
    let serial = try leaseSerial(event: event)
    guard serial > 0 else {
      throw StoreError(
        .failedPrecondition, "the event demands no leases", field: "tournament_id")
    }
    let asked: ClosedRange<UInt32>
    if session > 0 {
      let line = try eventSessionContent(id: session, of: event)
      asked = line.firstTarget...line.lastTarget
    } else {
      guard let targets, targets.lowerBound > 0, targets.upperBound <= StoreLimits.targetNumber,
        targets.count <= Int(StoreLimits.targetsPerSession)
      else {
        throw .invalid(
          "first_target",
          "with last_target must name 1 to \(StoreLimits.targetsPerSession) targets of matches")
      }
      asked = targets
    }
    return asked.map { target in
      let code = TargetCode(event: event, session: session, target: target, serial: serial)
      return (target: target, code: code.text(key: pageTokenKey))
    }
  }
}
