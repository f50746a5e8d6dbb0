import QuiverRules

/// The rights of principals in an event. Rights are read in the transaction that uses them.
extension Snapshot {
  private static let role = Query(
    "SELECT role FROM event_official WHERE event_id = ?1 AND principal_id = ?2")
  private static let officials = Query(
    """
    SELECT o.principal_id, p.display_name, o.role
    FROM event_official o LEFT JOIN principal p ON p.id = o.principal_id
    WHERE o.event_id = ?1 ORDER BY o.principal_id
    """)

  /// The role of a principal in an event; nil if it has none.
  func role(of principal: Int64, in head: TournamentHead) throws(StoreError) -> EventRole? {
    if head.organiser == principal { return .organiser }
    return try storedRole(of: principal, in: head.id)
  }

  /// The role that was given to a principal; nil if none was.
  func storedRole(of principal: Int64, in event: Int64) throws(StoreError) -> EventRole? {
    let number = try first(Self.role, .integer(event), .integer(principal)) { row in row.int32(0) }
    return number.flatMap(EventRole.init(rawValue:))
  }

  /// Whether a principal scores all first cards of an event: who made it, and its scorers.
  package func scoresAll(
    of event: Int64, organiser: Int64, principal: Int64
  ) throws(StoreError) -> Bool {
    if organiser == principal { return true }
    return try storedRole(of: principal, in: event) == .scorer
  }

  /// Whether the principal organises an event or has a role in it.
  package func isOfficial(_ principal: Int64, of event: Int64) throws(StoreError) -> Bool {
    guard let head = try tournamentHead(id: event) else { return false }
    return try role(of: principal, in: head) != nil
  }

  /// The officials of an event that the principal may see, without the organiser who created it.
  package func officials(
    event: Int64, principal: Int64
  ) throws(StoreError) -> [EventOfficialRecord] {
    _ = try visibleTournament(id: event, principal: principal)
    return try all(Self.officials, .integer(event)) { (row) throws(StoreError) in
      guard let role = EventRole(rawValue: row.int32(2)) else {
        throw StoreError(.dataLoss, "a stored role is none")
      }
      let name = row.text(1)
      return EventOfficialRecord(
        event: event, principal: row.int64(0),
        displayName: name.isEmpty ? "Archer \(row.int64(0))" : name, role: role,
        device: try device(principal: row.int64(0)))
    }
  }
}

extension Transaction {
  /// An event in which the caller has one of the roles; the organiser always has.
  ///
  /// Throws `notFound` if the caller may not see it, `permissionDenied` if it has another role.
  func event(
    _ id: Int64, for roles: Set<EventRole> = [], field: String = "tournament_id"
  ) throws(StoreError) -> TournamentHead {
    let head = try snapshot.visibleTournament(id: id, principal: caller.principal, field: field)
    let role = try snapshot.role(of: caller.principal, in: head)
    guard let role, role == .organiser || roles.contains(role) else {
      let others = roles.map(\.label).sorted().map { ", or a \($0)," }.joined()
      throw StoreError(
        .permissionDenied, "only an organiser\(others) of the event may", field: field)
    }
    return head
  }

  /// Records in the journal that a principal got or lost a role or a lease in an event, so that
  /// watches of the event check who may see it.
  func recordAccess(of principal: Int64, in head: TournamentHead) throws(StoreError) {
    try record(
      .updated, of: .eventOfficial, id: principal, principal: head.organiser, topic: head.id)
  }
}

extension Transaction {
  private static let put = Query(
    """
    INSERT INTO event_official (event_id, principal_id, role) VALUES (?1, ?2, ?3)
    ON CONFLICT (event_id, principal_id) DO UPDATE SET role = ?3
    """)
  private static let remove = Query(
    "DELETE FROM event_official WHERE event_id = ?1 AND principal_id = ?2")
  private static let count = Query("SELECT count(*) FROM event_official WHERE event_id = ?1")

  /// A role gives more than the grant of a service, and without its end.
  func checkChangesRoles() throws(StoreError) {
    guard caller.actor == caller.principal else {
      throw StoreError(
        .permissionDenied, "a service that acts for a user changes no roles",
        field: "tournament_id")
    }
  }

  func checkOfficialCount(of event: Int64) throws(StoreError) {
    let count = try snapshot.first(Self.count, .integer(event)) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.officialsPerEvent else {
      throw StoreError.reached(
        .officialsPerEvent, "one event may have \(StoreLimits.officialsPerEvent) officials")
    }
  }

  /// Stores a role, or removes it.
  func setRole(
    of principal: Int64, to role: EventRole?, in head: TournamentHead, before: EventRole?
  ) throws(StoreError) {
    if let role {
      try run(
        Self.put, .integer(head.id), .integer(principal), .integer(Int64(role.rawValue)))
    } else {
      try run(Self.remove, .integer(head.id), .integer(principal))
    }
    try recordAccess(of: principal, in: head)
    try auditEvent(
      head.id, "event.official", before: before?.label ?? "",
      after: "\(principal) \(role?.label ?? "none")")
  }
}

/// The role that a caller has read of a principal.
package enum ExpectedRole: Sendable {
  case any
  /// Nil: none.
  case role(EventRole?)

  fileprivate func check(_ role: EventRole?) throws(StoreError) {
    guard case .role(let expected) = self, expected != role else { return }
    throw .changed(since: "expected_role", "the role, which is \(role?.label ?? "none") now,")
  }
}

/// Gives a principal a role in an event.
package struct SetOfficial: Command {
  private let event: Int64
  private let appointee: Appointee
  private let role: EventRole
  private let expected: ExpectedRole

  /// `expected` is the role that was read.
  package init(
    _ appointee: Appointee, of event: Int64, role: EventRole, expected: ExpectedRole = .any
  ) {
    self.expected = expected
    self.appointee = appointee
    self.event = event
    self.role = role
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventOfficialRecord {
    let head = try transaction.event(event)
    try transaction.checkChangesRoles()
    let principal = try transaction.snapshot.appointed(
      appointee, by: transaction.caller.principal,
      nowMilliseconds: transaction.nowMilliseconds, event: event
    ).id
    try transaction.checkIsNotOrganiser(principal, head)
    let before = try transaction.snapshot.storedRole(of: principal, in: event)
    if before != role {
      try expected.check(before)
      try transaction.checkMayBeRaised(principal, from: before, to: role, in: event)
      if before == nil { try transaction.checkOfficialCount(of: event) }
      try transaction.setRole(of: principal, to: role, in: head, before: before)
    }
    return try transaction.snapshot.official(principal, of: event, role)
  }
}

/// Removes the role of a principal, with the token of one who signed in by a code.
package struct RemoveOfficial: Command {
  package static var endsPermissions: Bool { true }

  /// An organiser whose quota is full can remove a role.
  package static var storesContent: Bool { false }

  private let event: Int64
  private let principal: Int64
  private let expected: ExpectedRole

  /// `expected` is the role that was read.
  package init(_ principal: Int64, of event: Int64, expected: ExpectedRole = .any) {
    self.event = event
    self.principal = principal
    self.expected = expected
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event)
    try transaction.checkChangesRoles()
    try transaction.checkIsNotOrganiser(principal, head)
    guard let before = try transaction.snapshot.storedRole(of: principal, in: event) else { return }
    try expected.check(before)
    try transaction.setRole(of: principal, to: nil, in: head, before: before)
    if let device = try transaction.snapshot.device(principal: principal), device.event == event {
      try transaction.endSignIn(of: device, head)
    }
  }
}

extension EventRole {
  /// Whether a server may take the token of such an official where others can read it.
  var mayBeRead: Bool { self == .judge || self == .checkIn }
}

extension Transaction {
  /// Throws if a token that others may have read would get more rights.
  fileprivate func checkMayBeRaised(
    _ principal: Int64, from before: EventRole?, to role: EventRole, in event: Int64
  ) throws(StoreError) {
    guard before?.mayBeRead == true, !role.mayBeRead,
      try snapshot.device(principal: principal)?.event == event
    else { return }
    throw StoreError(
      .failedPrecondition,
      "signs in by a code for \(before?.label ?? ""), which may be used where others can read it;"
        + " remove it, and give another code", field: "role")
  }

  fileprivate func checkIsNotOrganiser(
    _ principal: Int64, _ head: TournamentHead
  ) throws(StoreError) {
    guard principal != head.organiser else {
      throw StoreError(
        .failedPrecondition, "created the event and is its organiser", field: "principal_id")
    }
  }
}
