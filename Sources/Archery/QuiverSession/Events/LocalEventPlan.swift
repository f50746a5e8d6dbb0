import QuiverAPI
import QuiverProtobuf
import QuiverSQLite

/// The categories, sessions and entries of a tournament, as the server last sent them.
struct LocalEventPlan: Sendable {
  var categories: [EventCategory] = []
  /// By their start.
  var sessions: [EventSession] = []
  /// By the id of their participant.
  var entries: [EventEntry] = []
  /// Whether the entries are all that the event has; else those that are stored stay.
  var hasAllEntries = false
}

/// What a row of a plan is.
private enum EventPart: Int64 {
  case category = 1
  case session = 2
  case entry = 3
}

extension LocalTransaction {
  private static let fetched = SQLText(
    "SELECT fetched_at_ms FROM event_plan WHERE tournament_id = ?1")
  private static let parts = SQLText(
    "SELECT message FROM event_part WHERE tournament_id = ?1 AND kind = ?2 ORDER BY id")
  private static let clear = SQLText("DELETE FROM event_part WHERE tournament_id = ?1")
  private static let clearStructure = SQLText(
    "DELETE FROM event_part WHERE tournament_id = ?1 AND kind < 3")
  private static let put = SQLText(
    "INSERT OR REPLACE INTO event_part(tournament_id, kind, id, message) VALUES (?1, ?2, ?3, ?4)")
  private static let putPlan = SQLText(
    "INSERT OR REPLACE INTO event_plan(tournament_id, fetched_at_ms) VALUES (?1, ?2)")
  /// Those of events that are not on this device, above a number, that the server sent longest ago.
  private static let superfluous = SQLText(
    """
    SELECT tournament_id FROM event_plan
    WHERE tournament_id NOT IN (SELECT server_id FROM event WHERE server_id IS NOT NULL)
    ORDER BY fetched_at_ms DESC, tournament_id DESC LIMIT -1 OFFSET ?1
    """)
  private static let forget = SQLText("DELETE FROM event_plan WHERE tournament_id = ?1")

  /// The plan of a tournament; nil if the server never sent it.
  func eventPlan(_ tournament: Int64) throws(SessionError) -> (LocalEventPlan, fetchedAt: Int64)? {
    guard let fetchedAt = try first(Self.fetched, .integer(tournament), map: { $0.int64(0) })
    else { return nil }
    var plan = LocalEventPlan()
    plan.categories = try parts(.category, of: tournament)
    plan.sessions = try parts(.session, of: tournament)
    plan.sessions.sort { $0.turnKey < $1.turnKey }
    plan.entries = try parts(.entry, of: tournament)
    return (plan, fetchedAt)
  }

  /// Replaces the plan of a tournament; without all entries, the stored ones stay.
  func take(
    _ plan: LocalEventPlan, of tournament: Int64, fetchedAt: Int64, limits: SessionLimits
  ) throws(SessionError) {
    try run(plan.hasAllEntries ? Self.clear : Self.clearStructure, .integer(tournament))
    for category in plan.categories { try put(.category, tournament, category.id, category) }
    for session in plan.sessions { try put(.session, tournament, session.id, session) }
    for entry in plan.entries { try put(.entry, tournament, entry.participantID, entry) }
    try run(Self.putPlan, .integer(tournament), .integer(fetchedAt))
    for old in try all(Self.superfluous, .integer(limits.maxEvents), map: { $0.int64(0) }) {
      try run(Self.clear, .integer(old))
      try run(Self.forget, .integer(old))
    }
    note(.eventPlan(tournament))
    if let event = try event(serverID: tournament) { note(.event(LocalID(rawValue: event.key))) }
  }

  private func parts<Part: Message>(
    _ kind: EventPart, of tournament: Int64
  ) throws(SessionError) -> [Part] {
    try all(Self.parts, .integer(tournament), .integer(kind.rawValue)) { row in
      try? Part(serializedBytes: row.bytes(0))
    }.compactMap(\.self)
  }

  private func put(
    _ kind: EventPart, _ tournament: Int64, _ id: Int64, _ part: some Message
  ) throws(SessionError) {
    try run(
      Self.put, .integer(tournament), .integer(kind.rawValue), .integer(id),
      .blob(part.serializedBytes()))
  }
}

extension EventSession {
  /// The order in which a scorer goes from one session to the next.
  var turnKey: (UInt32, Int64, Int64) { (max(1, round), startsAtMilliseconds, id) }
}
