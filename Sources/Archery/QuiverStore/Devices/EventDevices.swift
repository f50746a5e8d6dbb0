import QuiverRules

/// A scoring device that has joined an event with a secret of its own, or an official who has
/// signed in by a code (``CreateOfficial``).
package struct EventDeviceRecord: Sendable, Equatable {
  /// That of the device.
  package let principal: Int64
  package let event: Int64
  /// As it named itself when it joined last.
  package let device: String
  /// 0: an official who has not signed in yet.
  package let joinedAtMilliseconds: Int64
  package let lastCallAtMilliseconds: Int64
  /// 0: neither the organiser nor new codes have ended it.
  let endedAtMilliseconds: Int64
  /// The organiser who ended it; 0: nobody, or new codes did.
  let endedBy: Int64
  /// 0: it has not reported yet.
  package let reportedAtMilliseconds: Int64
  package let report: Report
  package let leaseCount: Int64
  /// Of an official; nil: it is a scoring device.
  package let role: EventRole?

  /// What a device says of itself.
  package struct Report: Sendable, Equatable {
    package var waitingOperations: UInt32 = 0
    package var waitingSinceMilliseconds: Int64 = 0
    package var pageVersion = ""
    /// Nil: not known.
    package var batteryPercent: UInt32?

    package init() {}
  }

  /// When it ends, or has ended, in milliseconds since 1970-01-01, if it does not call again.
  package func end(in head: TournamentHead) -> Int64 {
    var end = lastCallAtMilliseconds + StoreLimits.deviceLifeMilliseconds
    if endedAtMilliseconds > 0 { end = min(end, endedAtMilliseconds) }
    if role != nil { return officialEnd }
    switch head.status {
    case .open, .inProgress: return end
    case .completed: return min(end, head.finalisedAtMilliseconds ?? lastCallAtMilliseconds)
    case .cancelled: return min(end, lastCallAtMilliseconds)
    }
  }
}

extension EventDeviceRecord {
  /// An official is there before the event and behind it.
  package var officialEnd: Int64 {
    lastCallAtMilliseconds
      + (joinedAtMilliseconds == 0
        ? StoreLimits.officialCodeMilliseconds : StoreLimits.officialLifeMilliseconds)
  }
}

/// Whom the token of a device identifies.
package struct DeviceAccess: Sendable {
  package let principal: Int64
  package let displayName: String
  /// It may only deliver what it has recorded.
  package let isEnded: Bool
  /// It does what its role in the event permits, and scores no target by a lease of its own.
  package let isOfficial: Bool
  /// Whether it is an official of a role that may be used where others can read its token.
  package let mayBeRead: Bool
}

extension Snapshot {
  private static let columns = """
    d.id, d.event_id, d.device, d.joined_at_ms, d.last_call_at_ms, d.ended_at_ms, d.ended_by,
    d.reported_at_ms, d.waiting_operations, d.waiting_since_ms, d.battery_percent, d.page_version,
    (SELECT count(*) FROM event_lease l WHERE l.principal_id = d.id AND l.event_id = d.event_id),
    (SELECT role FROM event_official o WHERE o.event_id = d.event_id AND o.principal_id = d.id)
    """
  private static let bySecret = Query(
    "SELECT \(columns) FROM event_device d WHERE d.secret_hash = ?1")
  private static let byPrincipal = Query("SELECT \(columns) FROM event_device d WHERE d.id = ?1")
  private static let ofEvent = Query(
    "SELECT \(columns) FROM event_device d WHERE d.event_id = ?1 ORDER BY d.id")

  func device(_ secret: DeviceSecret) throws(StoreError) -> EventDeviceRecord? {
    try device(secretHash: secret.hash)
  }

  /// The one whose secret has a hash, or the code of an official.
  func device(secretHash: [UInt8]) throws(StoreError) -> EventDeviceRecord? {
    try first(Self.bySecret, .blob(secretHash)) { row in EventDeviceRecord(row) }
  }

  /// The device of a principal; nil if that is of another kind.
  package func device(principal: Int64) throws(StoreError) -> EventDeviceRecord? {
    try first(Self.byPrincipal, .integer(principal)) { row in EventDeviceRecord(row) }
  }

  /// The devices of an event by id, without an access check.
  func devices(event: Int64) throws(StoreError) -> [EventDeviceRecord] {
    try all(Self.ofEvent, .integer(event)) { row in EventDeviceRecord(row) }
  }

  /// The devices of an event, each with its end; for a principal who is one of its officials, else
  /// throws `permissionDenied`.
  package func devices(
    event: Int64, principal: Int64
  ) throws(StoreError) -> [(device: EventDeviceRecord, endedAtMilliseconds: Int64)] {
    let head = try visibleTournament(id: event, principal: principal)
    guard try role(of: principal, in: head) != nil else {
      throw StoreError(
        .permissionDenied, "only an official of the event may", field: "tournament_id")
    }
    let now = wallMilliseconds()
    return try devices(event: event).filter { $0.role == nil }.map { device in
      let end = device.end(in: head)
      return (device, end <= now ? end : 0)
    }
  }
}

extension Store {
  /// Whom the token of a device identifies; nil if none has it, or it has ended for so long that it
  /// may deliver nothing any more.
  package func authenticatedDevice(_ token: [UInt8]) throws(StoreError) -> DeviceAccess? {
    guard let secret = DeviceSecret(token: token) else { return nil }
    let now = time.nowMilliseconds
    return try read { (snapshot) throws(StoreError) in
      guard let device = try snapshot.device(secret),
        let head = try snapshot.tournamentHead(id: device.event)
      else { return nil }
      let end = device.end(in: head)
      let late = device.role == nil ? StoreLimits.lateDeliveryMilliseconds : 0
      guard now < end + late else { return nil }
      let principal = try snapshot.principal(id: device.principal)
      guard principal.isActive else { return nil }
      return DeviceAccess(
        principal: device.principal, displayName: principal.shownName, isEnded: end <= now,
        isOfficial: device.role != nil, mayBeRead: device.role?.mayBeRead ?? false)
    }
  }
}

extension EventDeviceRecord {
  fileprivate init(_ row: Row) {
    principal = row.int64(0)
    event = row.int64(1)
    device = row.text(2)
    joinedAtMilliseconds = row.int64(3)
    lastCallAtMilliseconds = row.int64(4)
    endedAtMilliseconds = row.int64(5)
    endedBy = row.int64(6)
    reportedAtMilliseconds = row.int64(7)
    var report = Report()
    report.waitingOperations = UInt32(clamping: row.int64(8))
    report.waitingSinceMilliseconds = row.int64(9)
    let battery = row.int64(10)
    report.batteryPercent = battery < 0 ? nil : UInt32(clamping: battery)
    report.pageVersion = row.text(11)
    self.report = report
    leaseCount = row.int64(12)
    role = row.optionalInt64(13).flatMap { EventRole(rawValue: Int32(clamping: $0)) }
  }
}
