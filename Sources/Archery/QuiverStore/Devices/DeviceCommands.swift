import QuiverRules

/// Ends a device of an event; by an organiser.
package struct EndDevice: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  private let event: Int64
  private let principal: Int64

  package init(_ principal: Int64, of event: Int64) {
    self.principal = principal
    self.event = event
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event)
    guard let device = try transaction.snapshot.device(principal: principal),
      device.event == event, device.role == nil
    else {
      throw StoreError(
        .notFound, "the event has no such device", field: "principal_id")
    }
    guard device.endedBy == 0 else { return }
    try transaction.end(device, by: transaction.caller.principal, head)
    try transaction.auditEvent(event, "device.end", before: "\(principal)")
  }
}

/// Stores what the calling device says of itself.
package struct ReportDevice: Command {
  private let report: EventDeviceRecord.Report

  private static let set = Query(
    """
    UPDATE event_device SET reported_at_ms = ?2, waiting_operations = ?3, waiting_since_ms = ?4,
      battery_percent = ?5, page_version = ?6
    WHERE id = ?1
    """)

  /// Validates the report.
  package init(_ report: EventDeviceRecord.Report) throws(StoreError) {
    var report = report
    report.pageVersion = try EventText.checked(
      report.pageVersion, length: StoreLimits.pageVersionLength, field: "report.page_version")
    if let battery = report.batteryPercent, battery > 100 {
      throw .invalid("report.battery_percent", "must be at most 100")
    }
    guard report.waitingSinceMilliseconds >= 0 else {
      throw .invalid("report.waiting_since_ms", "must not be negative")
    }
    self.report = report
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let principal = transaction.caller.principal
    guard let device = try transaction.snapshot.device(principal: principal),
      let head = try transaction.snapshot.tournamentHead(id: device.event)
    else { throw StoreError(.permissionDenied, "only a device reports itself") }
    guard device.end(in: head) > transaction.nowMilliseconds else {
      throw StoreError(.permissionDenied, "this device has ended")
    }
    guard
      device.report != report || device.reportedAtMilliseconds == 0
        || transaction.nowMilliseconds - device.reportedAtMilliseconds
          >= StoreLimits.takeoverSilenceMilliseconds
    else { return }
    try transaction.run(
      Self.set, .integer(principal), .integer(transaction.nowMilliseconds),
      .integer(Int64(report.waitingOperations)), .integer(report.waitingSinceMilliseconds),
      .integer(report.batteryPercent.map { Int64($0) } ?? -1), .text(report.pageVersion))
    try transaction.recordAccess(of: principal, in: head)
  }
}

/// Notes that the calling device has called, so that it does not end.
package struct TouchDevice: Command {
  package static var storesContent: Bool { false }

  private static let touch = Query(
    """
    UPDATE event_device SET last_call_at_ms = ?2
    WHERE id = ?1 AND ended_at_ms = 0 AND last_call_at_ms < ?2
      AND (last_call_at_ms > ?3 OR EXISTS (
        SELECT 1 FROM event_official o
        WHERE o.event_id = event_device.event_id AND o.principal_id = ?1))
    """)

  package init() {}

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let now = transaction.nowMilliseconds
    let device = transaction.caller.principal
    let changed = try transaction.runCounting(
      Self.touch, .integer(device), .integer(now),
      .integer(now - StoreLimits.deviceLifeMilliseconds))
    if changed == 1 { try transaction.extendLeases(ofDevice: device) }
  }
}

extension Transaction {
  private static let end = Query(
    "UPDATE event_device SET ended_at_ms = ?2, ended_by = ?3 WHERE id = ?1")
  private static let removeLeases = Query(
    "DELETE FROM event_lease WHERE principal_id = ?1 AND event_id = ?2")
  private static let extend = Query(
    "UPDATE event_lease SET expires_at_ms = ?2 WHERE principal_id = ?1")

  /// Ends a device with its leases. Its connections are closed after the commit: what it may call
  /// has changed.
  func end(
    _ device: EventDeviceRecord, by organiser: Int64, _ head: TournamentHead
  ) throws(StoreError) {
    for lease in try snapshot.leases(ofPrincipal: device.principal, from: head.id)
    where lease.event == head.id {
      try keepPastScorer(lease)
    }
    try run(Self.removeLeases, .integer(device.principal), .integer(head.id))
    try run(
      Self.end, .integer(device.principal), .integer(nowMilliseconds), .integer(organiser))
    try recordAccess(of: device.principal, in: head)
    effects.note(.deleted, of: .principal, id: device.principal)
  }

  /// Ends all devices of an event whose codes are not valid any more.
  func endDevices(of head: TournamentHead) throws(StoreError) {
    for device in try snapshot.devices(event: head.id)
    where device.endedAtMilliseconds == 0 && device.role == nil {
      try end(device, by: 0, head)
    }
  }

  /// The leases of a device last as long as it does.
  func extendLeases(ofDevice principal: Int64) throws(StoreError) {
    try run(
      Self.extend, .integer(principal),
      .integer(nowMilliseconds + StoreLimits.deviceLifeMilliseconds))
  }
}
