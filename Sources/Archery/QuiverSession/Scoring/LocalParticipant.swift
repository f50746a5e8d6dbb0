import QuiverAPI
import QuiverProtobuf
import QuiverSQLite

/// A participant of an event, from the server or created on this device.
struct LocalParticipant {
  var key: Int64 = 0
  let eventKey: Int64
  var isOnServer: Bool
  /// Whether this user may score it.
  var mayScore: Bool
  /// The message; its ids are 0 until the server assigns them.
  var message: Participant
}

extension LocalTransaction {
  private static let columns = "key, event_key, is_on_server, may_score, message"
  private static let byKey = SQLText("SELECT \(columns) FROM participant WHERE key = ?1")
  /// The server's participants by id, then those created on this device.
  private static let ofEvent = SQLText(
    """
    SELECT \(columns) FROM participant WHERE event_key = ?1
    ORDER BY server_id IS NULL, server_id, key
    """)
  private static let keys = SQLText(
    "SELECT key, server_id, client_id FROM participant WHERE event_key = ?1")
  private static let byServerID = SQLText(
    "SELECT \(columns) FROM participant WHERE server_id = ?1 AND event_key = ?2")
  private static let eventOfParticipant = SQLText(
    "SELECT event_key FROM participant WHERE key = ?1")
  private static let count = SQLText("SELECT count(*) FROM participant WHERE event_key = ?1")
  private static let insert = SQLText(
    """
    INSERT INTO participant(event_key, client_id, server_id, is_on_server, may_score, message)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """)
  private static let update = SQLText(
    """
    UPDATE participant SET event_key = ?1, client_id = ?2, server_id = ?3, is_on_server = ?4,
      may_score = ?5, message = ?6 WHERE key = ?7
    """)
  private static let deletions = [
    SQLText("DELETE FROM outbox WHERE participant_key = ?1"),
    SQLText("DELETE FROM scoring_step WHERE participant_key = ?1"),
    SQLText("DELETE FROM slot WHERE participant_key = ?1"),
    SQLText("DELETE FROM participant WHERE key = ?1"),
  ]

  func participant(_ key: Int64) throws(SessionError) -> LocalParticipant? {
    try first(Self.byKey, .integer(key), map: Self.participant) ?? nil
  }

  /// The participant of an event with this server id.
  func participant(
    serverID: Int64, of event: Int64
  ) throws(SessionError) -> LocalParticipant? {
    try first(Self.byServerID, .integer(serverID), .integer(event), map: Self.participant) ?? nil
  }

  /// The participants of an event: by server id, then in the order of their creation here.
  func participants(of event: Int64) throws(SessionError) -> [LocalParticipant] {
    try all(Self.ofEvent, .integer(event), map: Self.participant).compactMap(\.self)
  }

  func eventKey(ofParticipant key: Int64) throws(SessionError) -> Int64? {
    try first(Self.eventOfParticipant, .integer(key)) { $0.int64(0) }
  }

  func participantCount(of event: Int64) throws(SessionError) -> Int {
    Int(clamping: try first(Self.count, .integer(event)) { $0.int64(0) } ?? 0)
  }

  func save(_ participant: inout LocalParticipant) throws(SessionError) {
    let message = participant.message
    let values: [LocalValue] = [
      .integer(participant.eventKey), .key(message.clientID),
      message.id == 0 ? .null : .integer(message.id), .flag(participant.isOnServer),
      .flag(participant.mayScore), .blob(message.serializedBytes()),
    ]
    guard participant.key == 0 else {
      note(
        .participant(
          LocalID(rawValue: participant.key), in: LocalID(rawValue: participant.eventKey)))
      return try run(Self.update, values + [.integer(participant.key)])
    }
    try run(Self.insert, values)
    participant.key = connection.lastInsertedRowID
    note(.event(LocalID(rawValue: participant.eventKey)))
  }

  /// Deletes a participant with its arrows and rows.
  func deleteParticipant(_ key: Int64) throws(SessionError) {
    if let event = try eventKey(ofParticipant: key) { note(.event(LocalID(rawValue: event))) }
    note(.outbox)
    for text in Self.deletions { try run(text, .integer(key)) }
  }

  /// Stores the server's participants of an event, by their ids. If `isComplete`, deletes those
  /// that are missing in it and have no pending rows.
  func take(
    _ seen: [Participant], of event: Int64, isComplete: Bool
  ) throws(SessionError) {
    var byServerID: [Int64: Int64] = [:]
    var byClientID: [[UInt8]: Int64] = [:]
    let known = try all(Self.keys, .integer(event)) { ($0.int64(0), $0.int64(1), $0.bytes(2)) }
    for (key, serverID, clientID) in known {
      if serverID != 0 { byServerID[serverID] = key }
      if !clientID.isEmpty { byClientID[clientID] = key }
    }
    var missing = Set(known.map(\.0))
    for message in seen {
      let key = byServerID[message.id] ?? byClientID[message.clientID] ?? 0
      var participant = LocalParticipant(
        key: key, eventKey: event, isOnServer: true, mayScore: message.mayScore, message: message)
      try save(&participant)
      missing.remove(key)
    }
    guard isComplete else { return }
    for key in missing {
      let participant = try participant(key)
      guard participant?.isOnServer == true, try outboxRows(ofParticipant: key).isEmpty else {
        continue
      }
      try deleteParticipant(key)
    }
  }

  private static func participant(_ row: Statement) -> LocalParticipant? {
    guard let message = try? Participant(serializedBytes: row.bytes(4)) else { return nil }
    return LocalParticipant(
      key: row.int64(0), eventKey: row.int64(1), isOnServer: row.int64(2) != 0,
      mayScore: row.int64(3) != 0, message: message)
  }
}
