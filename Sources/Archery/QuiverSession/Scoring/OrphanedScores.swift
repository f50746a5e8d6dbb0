import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// The changes of an event in the file of another database.
struct OrphanedEvent: Sendable {
  let event: LocalEvent
  let participants: [LocalParticipant]
  let rows: [OutboxRow]
  /// The client_id of the setup with which a session was begun; empty: there is none.
  var setupClientID: [UInt8] = []
  /// Whether the other database had the rows.
  var isAcknowledged = false

  /// Whether the rows begin the session.
  var isNew: Bool { rows.contains { $0.action == .startRounds } }
}

extension LocalTransaction {
  /// The events with pending or refused changes.
  func orphanedEvents() throws(SessionError) -> [OrphanedEvent] {
    try orphanedEvents(of: outboxRows(), areAcknowledged: false)
  }

  /// The events of these rows.
  func orphanedEvents(
    of all: [OutboxRow], areAcknowledged: Bool
  ) throws(SessionError) -> [OrphanedEvent] {
    var rows: [Int64: [OutboxRow]] = [:]
    for row in all {
      if let event = row.eventKey { rows[event, default: []].append(row) }
    }
    var found: [OrphanedEvent] = []
    for key in rows.keys.sorted() {
      guard let event = try event(key), let rows = rows[key] else { continue }
      var orphan = OrphanedEvent(
        event: event, participants: try participants(of: key), rows: rows,
        isAcknowledged: areAcknowledged)
      if let setup = orphan.setupID, let kind = CachedKind.numbered(CachedKind.setupNumber) {
        orphan.setupClientID = try object(kind, serverID: setup, clientID: [])?.clientID ?? []
      }
      found.append(orphan)
    }
    return found
  }
}

extension OfflineSession {
  /// Loads an event that the other database had, if the current one has it.
  func fetchOrphaned(_ orphan: OrphanedEvent, _ store: LocalStore) async throws(SessionError) {
    guard !orphan.isNew || orphan.isAcknowledged else { return }
    do throws(SessionError) {
      if orphan.event.isTournament {
        try await fetchTournament(orphan.event.serverID, store)
      } else if !orphan.event.clientID.isEmpty {
        var request = GetSessionRequest()
        request.clientID = orphan.event.clientID
        try await fetchRounds(request, store)
      }
    } catch {
      // What the current database does not have stays orphaned.
      guard [.call(.notFound), .call(.permissionDenied)].contains(error.code) else { throw error }
    }
  }
}

extension Edits {
  /// Adds the changes of an event of another database to the outbox; returns those that were added.
  ///
  /// Acknowledged changes that this database has are not sent again.
  func adopt(_ orphan: OrphanedEvent) throws(SessionError) -> [OutboxRow] {
    guard let event = try counterpart(of: orphan), let rounds = try transaction.rounds(of: event)
    else { return [] }
    let known = orphan.isAcknowledged ? try knownRows(of: orphan, in: event) : []
    var moved: [OutboxRow] = []
    for row in orphan.rows {
      let isKnown = known.contains(row.sequence)
      let former = orphan.participants.first { $0.key == row.participantKey }
      switch row.action {
      case .startRounds where isKnown:
        try adopt(row, row.request, of: event, participant: nil, isKnown: true)
      case .startRounds: try adoptStart(row, orphan, event)
      case .setConditions: guard try adoptConditions(row, of: event) else { continue }
      case .addGuest, .addEntries:
        for participant in orphan.participants where try row.makes(participant) {
          try adopt(participant, in: event)
        }
        let key = try former.flatMap { (former) throws(SessionError) in
          try counterpart(of: former, in: event)?.key
        }
        try adopt(row, row.request, of: event, participant: key, isKnown: isKnown)
      default:
        guard let former, let participant = try counterpart(of: former, in: event) else { continue }
        if orphan.isAcknowledged {
          let operation = addressed(try row.operation(), to: participant)
          try adopt(
            row, operation.serializedBytes(), of: event, participant: participant.key,
            isKnown: isKnown)
        } else if let format = rounds.format(of: participant) {
          try adoptArrow(row, of: participant, in: event, format)
        } else {
          continue
        }
      }
      moved.append(row)
    }
    return moved
  }

  /// The acknowledged rows whose effect this database has: the event and participants that it has,
  /// and of each slot the current arrow with those before it.
  private func knownRows(
    of orphan: OrphanedEvent, in event: LocalEvent
  ) throws(SessionError) -> Set<Int64> {
    var heads: [Int64: [ArrowSlot: [UInt8]]] = [:]
    for former in orphan.participants {
      guard let participant = try counterpart(of: former, in: event), participant.isOnServer else {
        continue
      }
      let slots = try transaction.slots(of: participant.key)
      heads[former.key] = Dictionary(
        slots.map { ($0.slot, $0.head.clientID) }, uniquingKeysWith: { first, _ in first })
    }
    var known: Set<Int64> = []
    var reached: [Int64: Set<ArrowSlot>] = [:]
    for row in orphan.rows.reversed() {
      switch row.action {
      case .startRounds: if event.isOnServer { known.insert(row.sequence) }
      case .addGuest, .addEntries:
        var isKnown = true
        for former in orphan.participants where try row.makes(former) {
          if heads[former.key] == nil { isKnown = false }
        }
        if isKnown { known.insert(row.sequence) }
      case .score:
        guard let key = row.participantKey, let slots = heads[key] else { continue }
        let operation = try row.operation()
        guard
          slots[operation.slot] == operation.clientID
            || reached[key]?.contains(operation.slot) == true
        else { continue }
        reached[key, default: []].insert(operation.slot)
        known.insert(row.sequence)
      default: continue
      }
    }
    return known
  }

  /// The same event in this database; nil if it has none. An event that was never sent is copied.
  private func counterpart(of orphan: OrphanedEvent) throws(SessionError) -> LocalEvent? {
    if let former = orphan.event.tournament {
      // The server's ids are used again after a restore.
      let known = try transaction.event(serverID: former.id)
      let isSame =
        known?.tournament?.createdAtMilliseconds == former.createdAtMilliseconds
        && known?.tournament?.clientID == former.clientID
      return isSame ? known : nil
    }
    guard !orphan.event.clientID.isEmpty else { return nil }
    if let known = try transaction.event(clientID: orphan.event.clientID) { return known }
    // Without its start nothing of it could be sent.
    guard orphan.isNew, orphan.start != nil else { return nil }
    var copy = LocalEvent(content: orphan.event.content, isOnServer: false)
    copy.clientID = orphan.event.clientID
    copy.cursorEnd = orphan.event.cursorEnd
    try transaction.save(&copy, limits: limits)
    for participant in orphan.participants { try adopt(participant, in: copy) }
    return copy
  }

  /// The same participant in this database; nil if it has none.
  private func counterpart(
    of former: LocalParticipant, in event: LocalEvent
  ) throws(SessionError) -> LocalParticipant? {
    let known = try transaction.participants(of: event.key)
    guard former.message.clientID.isEmpty else {
      return known.first { $0.message.clientID == former.message.clientID }
    }
    return known.first {
      $0.message.id == former.message.id && $0.message.displayName == former.message.displayName
    }
  }

  private func adopt(_ former: LocalParticipant, in event: LocalEvent) throws(SessionError) {
    guard try counterpart(of: former, in: event) == nil else { return }
    var message = former.message
    message.id = 0
    message.score = nil
    var copy = LocalParticipant(
      eventKey: event.key, isOnServer: false, mayScore: former.mayScore, message: message)
    try transaction.save(&copy)
  }

  private func adoptStart(
    _ row: OutboxRow, _ orphan: OrphanedEvent, _ event: LocalEvent
  ) throws(SessionError) {
    guard !event.isOnServer, var request = orphan.start else { return }
    if !orphan.setupClientID.isEmpty {
      (request.setupID, request.setupClientID) = (0, orphan.setupClientID)
    }
    try adopt(row, request.serializedBytes(), of: event, participant: nil)
  }

  /// Returns whether the conditions were added: their request may not be readable.
  private func adoptConditions(
    _ row: OutboxRow, of event: LocalEvent
  ) throws(SessionError) -> Bool {
    guard case .rounds(var session) = event.content,
      let request = try? SetSessionConditionsRequest(serializedBytes: row.request)
    else { return false }
    session.conditions = request.conditions
    var changed = event
    changed.content = .rounds(session)
    try transaction.save(&changed, limits: limits)
    try adopt(row, row.request, of: event, participant: nil)
    return true
  }

  /// Adds an arrow. A correction of an arrow that this database does not have becomes its record.
  private func adoptArrow(
    _ row: OutboxRow, of participant: LocalParticipant, in event: LocalEvent,
    _ format: QuiverRules.RoundFormat
  ) throws(SessionError) {
    var operation = try row.operation()
    let head = try transaction.card(of: participant.key, format).arrows[operation.slot]?.head
    // It was added before.
    if head?.clientID == operation.clientID { return }
    if operation.kind != .record {
      (operation.replacesID, operation.replacesClientID) = (0, [])
      if let head {
        head.put(into: &operation)
      } else {
        if operation.kind == .retract { return }
        operation.kind = .record
        operation.reason = ""
      }
    }
    let request = addressed(operation, to: participant).serializedBytes()
    try adopt(row, request, of: event, participant: participant.key)
  }

  /// The operation with the names that its participant has in this database.
  private func addressed(
    _ operation: ScoringOperation, to participant: LocalParticipant
  ) -> ScoringOperation {
    var operation = operation
    operation.participantClientID = participant.message.clientID
    operation.participantID = operation.participantClientID.isEmpty ? participant.message.id : 0
    return operation
  }

  /// Adds a row to the outbox, or to what is acknowledged if its effect is known.
  private func adopt(
    _ row: OutboxRow, _ request: [UInt8], of event: LocalEvent, participant: Int64?,
    isKnown: Bool = false
  ) throws(SessionError) {
    var copy = OutboxRow(
      objectKey: 0, action: row.action, method: row.method, request: request, draft: nil,
      idempotencyKey: row.action == .score ? [] : IdempotencyKey.random().bytes, baseRevision: 0,
      createdAtMilliseconds: row.createdAtMilliseconds)
    copy.eventKey = event.key
    copy.participantKey = participant
    guard !isKnown else { return try transaction.acknowledge(copy, limits: limits) }
    try transaction.keep(&copy, limits: limits)
  }
}

extension OrphanedEvent {
  /// The server id of the setup with which the session was begun; nil: there is none.
  fileprivate var setupID: Int64? {
    guard let request = start else { return nil }
    return request.setupID == 0 ? nil : request.setupID
  }

  /// The request that begins the session; nil: there is none that can be read.
  fileprivate var start: CreateSessionRequest? {
    rows.first { $0.action == .startRounds }
      .flatMap { try? CreateSessionRequest(serializedBytes: $0.request) }
  }
}

extension OutboxRow {
  /// Whether it adds this participant to its event.
  fileprivate func makes(_ participant: LocalParticipant) throws(SessionError) -> Bool {
    if action == .addGuest { return participant.key == participantKey }
    let request = try? AddEntriesRequest(serializedBytes: self.request)
    let names = request?.entries.map(\.clientID) ?? []
    return !participant.message.clientID.isEmpty && names.contains(participant.message.clientID)
  }
}
