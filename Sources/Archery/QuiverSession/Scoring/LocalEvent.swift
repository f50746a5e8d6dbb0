import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverSQLite

/// A tournament, or a session of rounds without a tournament, on this device.
struct LocalEvent {
  var key: Int64 = 0
  var content: Content
  var isOnServer: Bool
  /// 0 if it is not known.
  var serverID: Int64 = 0
  /// Empty if it has none.
  var clientID: [UInt8] = []
  /// When the server's state was last fetched; nil if never.
  var fetchedAt: Int64?
  /// The participant at the scorer's position; 0 before the first arrow.
  var cursorParticipant: Int64 = 0
  var cursorEnd = 0

  /// The server's message.
  enum Content {
    case tournament(TournamentEvent)
    case rounds(ShootingSession)
  }

  var isTournament: Bool {
    if case .tournament = content { true } else { false }
  }

  var tournament: TournamentEvent? {
    if case .tournament(let event) = content { event } else { nil }
  }

  /// Its format; nil if this version does not know all of it.
  var format: QuiverRules.RoundFormat? {
    switch content {
    case .tournament(let event): event.format.flatMap { QuiverRules.RoundFormat($0) }
    case .rounds(let session): session.format.flatMap { QuiverRules.RoundFormat($0) }
    }
  }

  /// The conditions of a session of rounds; nil if nothing is known of them.
  var conditions: SessionConditions? {
    if case .rounds(let session) = content { session.conditions } else { nil }
  }

  var title: String {
    switch content {
    case .tournament(let event): event.name
    case .rounds(let session): session.format?.name ?? ""
    }
  }
}

extension LocalTransaction {
  private static let columns = """
    key, is_tournament, client_id, server_id, is_on_server, message, fetched_at_ms,
    cursor_participant, cursor_end
    """
  private static let byKey = SQLText("SELECT \(columns) FROM event WHERE key = ?1")
  private static let byServerID = SQLText("SELECT \(columns) FROM event WHERE server_id = ?1")
  private static let byClientID = SQLText("SELECT \(columns) FROM event WHERE client_id = ?1")
  private static let newestFirst = SQLText("SELECT \(columns) FROM event ORDER BY key DESC")
  private static let insert = SQLText(
    """
    INSERT INTO event(is_tournament, client_id, server_id, is_on_server, message, fetched_at_ms,
      cursor_participant, cursor_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """)
  private static let update = SQLText(
    """
    UPDATE event SET is_tournament = ?1, client_id = ?2, server_id = ?3, is_on_server = ?4,
      message = ?5, fetched_at_ms = ?6, cursor_participant = ?7, cursor_end = ?8 WHERE key = ?9
    """)
  private static let moveCursor = SQLText(
    "UPDATE event SET cursor_participant = ?2, cursor_end = ?3 WHERE key = ?1")
  private static let superfluous = SQLText(
    """
    SELECT key FROM event e WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE event_key = e.key)
    ORDER BY key DESC LIMIT -1 OFFSET ?1
    """)

  func event(_ key: Int64) throws(SessionError) -> LocalEvent? {
    try first(Self.byKey, .integer(key), map: Self.event) ?? nil
  }

  func event(serverID: Int64) throws(SessionError) -> LocalEvent? {
    try first(Self.byServerID, .integer(serverID), map: Self.event) ?? nil
  }

  func event(clientID: [UInt8]) throws(SessionError) -> LocalEvent? {
    try first(Self.byClientID, .blob(clientID), map: Self.event) ?? nil
  }

  /// All events on this device, newest first.
  func events() throws(SessionError) -> [LocalEvent] {
    try all(Self.newestFirst, map: Self.event).compactMap(\.self)
  }

  /// Stores an event, and assigns a key to a new one; deletes the oldest events above the limit.
  func save(_ event: inout LocalEvent, limits: SessionLimits) throws(SessionError) {
    let message: [UInt8]
    switch event.content {
    case .tournament(let tournament): message = tournament.serializedBytes()
    case .rounds(let session): message = session.serializedBytes()
    }
    let values: [LocalValue] = [
      .flag(event.isTournament), .key(event.clientID),
      event.serverID == 0 ? .null : .integer(event.serverID), .flag(event.isOnServer),
      .blob(message), .optional(event.fetchedAt), .integer(event.cursorParticipant),
      .integer(Int64(event.cursorEnd)),
    ]
    guard event.key == 0 else {
      note(.event(LocalID(rawValue: event.key)))
      return try run(Self.update, values + [.integer(event.key)])
    }
    let old = try all(Self.superfluous, .integer(max(0, limits.maxEvents - 1))) { $0.int64(0) }
    for key in old { try deleteEvent(key) }
    try run(Self.insert, values)
    event.key = connection.lastInsertedRowID
    note(.event(LocalID(rawValue: event.key)))
  }

  /// Stores the scorer's position.
  func moveCursor(of event: Int64, to participant: Int64, end: Int) throws(SessionError) {
    note(.position(in: LocalID(rawValue: event)))
    try run(Self.moveCursor, .integer(event), .integer(participant), .integer(Int64(end)))
  }

  /// Deletes an event with all its data, including its outbox rows.
  func deleteEvent(_ key: Int64) throws(SessionError) {
    for participant in try participants(of: key) { try deleteParticipant(participant.key) }
    note(.event(LocalID(rawValue: key)))
    note(.outbox)
    for text in Self.deletions { try run(text, .integer(key)) }
  }

  private static let deletions = [
    SQLText("DELETE FROM outbox WHERE event_key = ?1"),
    SQLText("DELETE FROM acknowledged WHERE event_key = ?1"),
    SQLText("DELETE FROM scoring_step WHERE event_key = ?1"),
    SQLText("DELETE FROM event WHERE key = ?1"),
  ]

  private static func event(_ row: Statement) -> LocalEvent? {
    let content: LocalEvent.Content
    if row.int64(1) != 0 {
      guard let event = try? TournamentEvent(serializedBytes: row.bytes(5)) else { return nil }
      content = .tournament(event)
    } else {
      guard let session = try? ShootingSession(serializedBytes: row.bytes(5)) else { return nil }
      content = .rounds(session)
    }
    var event = LocalEvent(content: content, isOnServer: row.int64(4) != 0)
    event.key = row.int64(0)
    event.clientID = row.bytes(2)
    event.serverID = row.int64(3)
    event.fetchedAt = row.isNull(6) ? nil : row.int64(6)
    event.cursorParticipant = row.int64(7)
    event.cursorEnd = Int(clamping: row.int64(8))
    return event
  }
}
