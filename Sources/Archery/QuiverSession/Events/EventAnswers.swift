import QuiverProtobuf
import QuiverSQLite

/// Standings, brackets and lists of disputes, as the server last sent them.
extension LocalTransaction {
  private static let select = SQLText(
    "SELECT message, fetched_at_ms FROM event_answer WHERE name = ?1")
  private static let put = SQLText(
    "INSERT OR REPLACE INTO event_answer(name, message, fetched_at_ms) VALUES (?1, ?2, ?3)")
  private static let removeOld = SQLText(
    """
    DELETE FROM event_answer WHERE name IN (
      SELECT name FROM event_answer ORDER BY fetched_at_ms DESC, name LIMIT -1 OFFSET ?1)
    """)
  private static let remove = SQLText("DELETE FROM event_answer WHERE name = ?1")

  /// The last answer of a name; nil if there is none.
  func eventAnswer<Answer: Message>(
    _ name: String
  ) throws(SessionError) -> (answer: Answer, fetchedAt: Int64)? {
    let found = try first(Self.select, .text(name)) { row in
      (bytes: row.bytes(0), fetchedAt: row.int64(1))
    }
    guard let found, let answer = try? Answer(serializedBytes: found.bytes) else { return nil }
    return (answer, found.fetchedAt)
  }

  /// Stores an answer, and removes the oldest ones above the limit.
  func keepEventAnswer(
    _ name: String, _ answer: some Message, limits: SessionLimits
  ) throws(SessionError) {
    try run(
      Self.put, .text(name), .blob(answer.serializedBytes()),
      .integer(WallClock.nowMilliseconds()))
    try run(Self.removeOld, .integer(limits.maxEventAnswers))
    note(.eventAnswer(name))
  }

  /// Removes the answer of a name.
  func removeEventAnswer(_ name: String) throws(SessionError) {
    try run(Self.remove, .text(name))
    note(.eventAnswer(name))
  }
}
