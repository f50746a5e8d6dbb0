import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverSQLite

/// Creates sessions of rounds, guests and entries on this device, in the caller's transaction.
struct EventEdits {
  let transaction: LocalTransaction
  let limits: SessionLimits
  let nowMilliseconds: Int64

  /// The maximum number of guests of a session without a tournament.
  static let maximumGuestCount = 3
  /// The maximum number of entries of one call.
  static let maximumEntryCount = 1_000

  /// The format and the setup of a session of rounds.
  struct RoundsDraft {
    let reference: FormatReference
    let format: QuiverRules.RoundFormat
    let guests: [String]
    let setup: LocalObject?
    let ownName: String
    let conditions: SessionConditions?
  }

  /// Begins a session with rounds of the user and its guests; returns its key.
  func start(_ draft: RoundsDraft) throws(SessionError) -> Int64 {
    guard draft.guests.count <= Self.maximumGuestCount else {
      throw SessionError(
        .invalid, "must be at most \(Self.maximumGuestCount)", field: "guests")
    }
    var session = ShootingSession()
    session.clientID = newID()
    session.format = draft.format.message
    session.createdAtMilliseconds = nowMilliseconds
    var own = Round()
    own.setupID = draft.setup?.serverID ?? 0
    session.rounds = [own]
    session.conditions = try draft.conditions.map(Self.checked)
    var request = CreateSessionRequest()
    request.clientID = session.clientID
    request.format = draft.reference
    request.participantClientID = newID()
    request.conditions = session.conditions
    if let setup = draft.setup {
      request.setupID = setup.serverID
      if setup.serverID == 0 { request.setupClientID = setup.clientID }
    }
    for (index, name) in draft.guests.enumerated() {
      var guest = SessionGuest()
      guest.clientID = newID()
      guest.name = try Self.checked(name, path: "guests[\(index)].name")
      request.guests.append(guest)
    }
    var event = LocalEvent(content: .rounds(session), isOnServer: false)
    event.clientID = session.clientID
    try transaction.save(&event, limits: limits)
    try add(draft.ownName, .user, request.participantClientID, to: event)
    for guest in request.guests { try add(guest.name, .guest, guest.clientID, to: event) }
    try keep(.startRounds, Rounds.createSession.info, request.serializedBytes(), event.key)
    return event.key
  }

  /// Replaces the conditions of a session of rounds; nil: they are unknown. Does nothing if they
  /// are the same.
  ///
  /// Conditions that were not sent yet are replaced in the outbox.
  func setConditions(
    _ conditions: SessionConditions?, of event: LocalEvent
  ) throws(SessionError) {
    guard case .rounds(var session) = event.content else {
      throw SessionError(.notPossible, "the conditions of a tournament are its organiser's")
    }
    let checked = try conditions.map(Self.checked)
    guard checked != session.conditions else { return }
    session.conditions = checked
    var changed = event
    changed.content = .rounds(session)
    try transaction.save(&changed, limits: limits)
    var request = SetSessionConditionsRequest()
    request.clientID = event.clientID
    if event.clientID.isEmpty { request.id = event.serverID }
    request.conditions = checked
    if var row = try transaction.conditionRows(of: event.key).last, row.state != .sent {
      row.request = request.serializedBytes()
      row.idempotencyKey = IdempotencyKey.random().bytes
      row.release()
      return try transaction.save(&row)
    }
    try keep(
      .setConditions, Rounds.setSessionConditions.info, request.serializedBytes(), event.key)
  }

  /// Adds a guest; returns its key.
  func addGuest(_ name: String, to event: LocalEvent) throws(SessionError) -> Int64 {
    let name = try Self.checked(name, path: "name")
    let clientID = newID()
    let method: MethodInfo
    let bytes: [UInt8]
    switch event.content {
    case .tournament(let tournament):
      var request = AddGuestRequest()
      request.tournamentID = tournament.id
      request.clientID = clientID
      request.name = name
      (method, bytes) = (Tournament.addGuest.info, request.serializedBytes())
    case .rounds:
      let guests = try transaction.participants(of: event.key).count { $0.message.kind == .guest }
      guard guests < Self.maximumGuestCount else {
        throw SessionError(
          .notPossible,
          "a session without a tournament has at most \(Self.maximumGuestCount) guests")
      }
      var request = AddSessionGuestRequest()
      request.clientID = event.clientID
      if event.clientID.isEmpty { request.id = event.serverID }
      var guest = SessionGuest()
      guest.clientID = clientID
      guest.name = name
      request.guest = guest
      (method, bytes) = (Rounds.addSessionGuest.info, request.serializedBytes())
    }
    let key = try add(name, .guest, clientID, to: event)
    try keep(.addGuest, method, bytes, event.key, participant: key)
    return key
  }

  /// Adds entries without an account in one call; returns their keys.
  func addEntries(_ names: [String], to event: LocalEvent) throws(SessionError) -> [Int64] {
    guard case .tournament(let tournament) = event.content else {
      throw SessionError(.notPossible, "only tournaments take entries; add a guest")
    }
    guard (1...Self.maximumEntryCount).contains(names.count) else {
      throw SessionError(
        .invalid, "must be from 1 to \(Self.maximumEntryCount)", field: "entries")
    }
    var request = AddEntriesRequest()
    request.tournamentID = tournament.id
    var keys: [Int64] = []
    for (index, name) in names.enumerated() {
      var entry = EntryDraft()
      entry.clientID = newID()
      entry.name = try Self.checked(name, path: "entries[\(index)].name")
      request.entries.append(entry)
      keys.append(try add(entry.name, .entry, entry.clientID, to: event))
    }
    try keep(.addEntries, Tournament.addEntries.info, request.serializedBytes(), event.key)
    return keys
  }

  @discardableResult
  private func add(
    _ name: String, _ kind: ParticipantKind, _ clientID: [UInt8], to event: LocalEvent
  ) throws(SessionError) -> Int64 {
    guard try transaction.participantCount(of: event.key) < limits.maxParticipants else {
      throw SessionError(
        .full, "this device keeps at most \(limits.maxParticipants) participants of an event")
    }
    var message = Participant()
    message.clientID = clientID
    message.displayName = name
    message.kind = kind
    message.status = .active
    message.mayScore = true
    var participant = LocalParticipant(
      eventKey: event.key, isOnServer: false, mayScore: true, message: message)
    try transaction.save(&participant)
    return participant.key
  }

  private func keep(
    _ action: OutboxAction, _ method: MethodInfo, _ request: [UInt8], _ event: Int64,
    participant: Int64? = nil
  ) throws(SessionError) {
    var row = OutboxRow(
      objectKey: 0, action: action, method: method, request: request, draft: nil,
      idempotencyKey: IdempotencyKey.random().bytes, baseRevision: 0,
      createdAtMilliseconds: nowMilliseconds)
    row.eventKey = event
    row.participantKey = participant
    try transaction.keep(&row, limits: limits)
  }

  private func newID() -> [UInt8] { ClientIDMaker.shared.make(at: nowMilliseconds) }

  private static func checked(
    _ conditions: SessionConditions
  ) throws(SessionError) -> SessionConditions {
    var checked = conditions
    do throws(RuleViolation) {
      checked.place = try TextLimits.checked(
        conditions.place, length: TextLimits.nameLength, path: "conditions.place")
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    return checked
  }

  private static func checked(_ name: String, path: String) throws(SessionError) -> String {
    do throws(RuleViolation) {
      let name = try TextLimits.checked(
        name, length: TextLimits.displayNameLength, path: path)
      guard !name.isEmpty else { throw RuleViolation(field: path, message: "must not be blank") }
      return name
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
  }
}
