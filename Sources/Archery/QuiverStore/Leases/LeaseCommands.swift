import QuiverRules

/// Demands leases of scoring devices in an event, or does not.
package struct DemandLeases: Command {
  /// New codes end the devices that joined with the old ones.
  package static var endsPermissions: Bool { true }

  /// An organiser whose quota is full can still turn them off.
  package static var storesContent: Bool { false }

  private let event: Int64
  private let isDemanded: Bool
  private let makesNewCodes: Bool
  private let expected: UInt64

  private static let set = Query("UPDATE tournament SET lease_serial = ?2 WHERE id = ?1")
  private static let remove = Query(
    """
    DELETE FROM event_lease WHERE event_id = ?1
      AND principal_id NOT IN (SELECT id FROM event_device WHERE event_id = ?1)
    """)

  /// With `makesNewCodes` the codes so far are not valid any more. `expected` is the revision that
  /// was read; 0: any.
  package init(event: Int64, isDemanded: Bool, makesNewCodes: Bool, expected: UInt64 = 0) {
    self.expected = expected
    self.event = event
    self.isDemanded = isDemanded
    self.makesNewCodes = makesNewCodes
  }

  /// Whether leases are demanded, and the number of the codes, as one number; not 0.
  static func revision(ofSerial serial: Int64) -> UInt64 {
    serial.magnitude * 2 + (serial > 0 ? 2 : 1)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress, .completed], field: "tournament_id")
    let before = try transaction.snapshot.leaseSerial(event: event)
    // The codes stay whether leases are demanded or not, until there are new ones.
    let last = abs(before)
    let number = last == 0 ? (isDemanded ? 1 : 0) : makesNewCodes ? last + 1 : last
    let serial = isDemanded ? number : -number
    guard serial != before else { return }
    guard expected == 0 || expected == Self.revision(ofSerial: before) else {
      throw .changed(since: "expected_revision", "whether codes are demanded, or the codes,")
    }
    try transaction.run(Self.set, .integer(event), .integer(serial))
    if !isDemanded { try transaction.run(Self.remove, .integer(event)) }
    if number != last { try transaction.endDevices(of: head) }
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
  private let chosenSession: Int64
  private let chosenMatch: Int64

  private static let count = Query("SELECT count(*) FROM event_lease WHERE event_id = ?1")

  /// With `takesOver` an organiser replaces another device. The choices are those of a plate.
  package init(
    code: String, _ card: LeasedCard?, device: String, takesOver: Bool, session: Int64 = 0,
    match: Int64 = 0
  ) throws(StoreError) {
    guard let card else { throw .invalid("card", "must be 1 or 2") }
    self.code = code
    self.card = card
    self.device = try Self.checkedName(device)
    self.takesOver = takesOver
    chosenSession = session
    chosenMatch = match
  }

  /// The name of a device as it is stored.
  static func checkedName(_ device: String) throws(StoreError) -> String {
    let text = try EventText.checked(device, length: TextLimits.nameLength, field: "device")
    guard !text.isEmpty else { throw .invalid("device", "must not be blank") }
    return text
  }

  static var oldCode: StoreError {
    StoreError(
      .failedPrecondition, "the code is not valid any more; the organiser has new ones",
      field: "code")
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> JoinedTarget {
    guard let code = ScannedCode(self.code, key: transaction.snapshot.pageTokenKey),
      let head = try transaction.snapshot.tournamentHead(id: code.event)
    else { throw ScannedCode.unknown }
    guard head.leaseSerial == code.serial, code.serial > 0 else { throw Self.oldCode }
    try transaction.check(head, [.open, .inProgress, .completed], field: "code")
    try transaction.checkIsNotBound(toOtherThan: head)
    let (session, choices) = try transaction.snapshot.session(
      of: code, chosenSession: chosenSession, chosenMatch: chosenMatch)
    guard let session else { return JoinedTarget(choices: choices) }
    try Self.checkTarget(code.target, in: session, of: code.event, transaction)
    let now = transaction.nowMilliseconds
    let place = LeasePlace(event: code.event, session: session, target: code.target, card: card)
    let before = try transaction.snapshot.lease(
      event: code.event, session: session, target: code.target, card: card)
    let caller = transaction.caller.principal
    let isRenewed = before?.isHeld(by: caller, device) == true
    var isTakenOver = false
    if let before, !isRenewed, before.expiresAtMilliseconds > now {
      guard takesOver, try transaction.snapshot.role(of: caller, in: head) == .organiser else {
        throw StoreError(
          .failedPrecondition,
          "another device scores target \(code.target); an organiser may take it over",
          field: "code")
      }
      isTakenOver = true
    }
    if before == nil { try Self.checkCount(code.event, transaction) }
    if let before, !isRenewed { try transaction.keepPastScorer(before) }
    try transaction.putLease(
      place, of: caller, device, lasting: StoreLimits.leaseMilliseconds,
      joinedAt: isRenewed ? before?.joinedAtMilliseconds : nil,
      takenOver: isTakenOver ? before?.principal : isRenewed ? nil : 0)
    if let before, before.principal != caller {
      try transaction.recordAccess(of: before.principal, in: head)
    }
    if !isRenewed {
      try transaction.recordAccess(of: caller, in: head)
      try transaction.auditEvent(
        code.event, before == nil ? "lease.join" : "lease.replace",
        before: before.map { "\($0.principal)" } ?? "",
        after: "\(session) \(code.target) \(card.rawValue) \(caller)")
    }
    return try transaction.joined(place)
  }

  /// Throws unless a session has a target.
  static func checkTarget(
    _ target: UInt32, in session: Int64, of event: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard session > 0 else { return }
    let line = try transaction.snapshot.eventSessionContent(id: session, of: event, field: "code")
    guard line.firstTarget...line.lastTarget ~= target else {
      throw StoreError(
        .failedPrecondition, "the session has no target \(target) any more", field: "code")
    }
  }

  /// Throws if an event has as many leases as it may.
  static func checkCount(
    _ event: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let count = try transaction.snapshot.first(Self.count, .integer(event)) { row in
      row.int64(0)
    }
    guard count ?? 0 < StoreLimits.leasesPerEvent else {
      throw StoreError.reached(
        .leasesPerEvent, "one event may have \(StoreLimits.leasesPerEvent) leases")
    }
  }
}

/// What a lease is on.
struct LeasePlace {
  let event: Int64
  /// 0: the target of matches.
  let session: Int64
  let target: UInt32
  let card: LeasedCard
}

extension Transaction {
  private static let put = Query(
    """
    INSERT INTO event_lease (event_id, session_id, target, card, principal_id, joined_at_ms,
      expires_at_ms, device, taken_over_at_ms, taken_over_from)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (event_id, session_id, target, card) DO UPDATE SET principal_id = ?5,
      joined_at_ms = ?6, expires_at_ms = ?7, device = ?8
    """)
  private static let setTakeover = Query(
    """
    UPDATE event_lease SET taken_over_at_ms = ?5, taken_over_from = ?6
    WHERE event_id = ?1 AND session_id = ?2 AND target = ?3 AND card = ?4
    """)

  /// Stores a lease of a principal, or renews it. `joinedAt` is nil where it joins now;
  /// `takenOver` is from whom it is taken over, 0 from nobody, and nil as it was before.
  func putLease(
    _ place: LeasePlace, of principal: Int64, _ device: String, lasting: Int64, joinedAt: Int64?,
    takenOver: Int64?
  ) throws(StoreError) {
    let now = nowMilliseconds
    let key: [SQLValue] = [
      .integer(place.event), .integer(place.session), .integer(Int64(place.target)),
      .integer(Int64(place.card.rawValue)),
    ]
    try run(
      Self.put,
      values: key + [
        .integer(principal), .integer(joinedAt ?? now), .integer(now + lasting), .text(device),
        .integer(0), .integer(0),
      ])
    guard let takenOver else { return }
    try run(
      Self.setTakeover,
      values: key + [.integer(takenOver == 0 ? 0 : now), .integer(takenOver)])
  }

  /// A lease that was stored, with the archers on its target.
  func joined(_ place: LeasePlace) throws(StoreError) -> JoinedTarget {
    let lease = try snapshot.lease(
      event: place.event, session: place.session, target: place.target, card: place.card)
    guard let lease else { throw StoreError(.internalError, "a new lease was deleted") }
    return JoinedTarget(
      lease: lease,
      entries: try snapshot.entries(session: place.session, target: place.target))
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
    if lease?.principal != caller, try hasLeft(lease, transaction) { return }
    guard let lease, let head = try transaction.snapshot.tournamentHead(id: event) else { return }
    try transaction.keepPastScorer(lease)
    try transaction.run(
      Self.remove, .integer(event), .integer(session), .integer(Int64(target)),
      .integer(Int64(card.rawValue)))
    try transaction.recordAccess(of: lease.principal, in: head)
    try transaction.auditEvent(
      event, "lease.end", before: "\(session) \(target) \(card.rawValue) \(lease.principal)")
  }

  /// Whether a caller that is no organiser has no lease there to end, as after a lost reply: nobody
  /// has one, or the caller has scored there before. Throws for the lease of another one.
  private func hasLeft(
    _ lease: TargetLeaseRecord?, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Bool {
    let caller = transaction.caller.principal
    if let head = try transaction.snapshot.tournamentHead(id: event),
      try transaction.snapshot.role(of: caller, in: head) == .organiser
    {
      return false
    }
    if try transaction.snapshot.hasScored(
      event: event, session: session, target: target, card, principal: caller)
    {
      return true
    }
    _ =
      try lease == nil
      ? transaction.snapshot.visibleTournament(id: event, principal: caller)
      : transaction.event(event)
    return lease == nil
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
