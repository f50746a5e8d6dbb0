import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverSQLite

/// A match of the local file: as the server last sent it, and the changes that wait.
struct LocalMatch: Sendable {
  var message: EliminationMatch
  /// When the server sent it, in milliseconds.
  var fetchedAt: Int64
  /// The outbox rows of the match that record ends, in sending order.
  var rows: [MatchRow]
  /// Its rows that confirm cards.
  var confirmations: [Confirmation] = []

  /// A row with its operation.
  struct MatchRow: Sendable {
    let row: OutboxRow
    let operation: MatchOperation
  }

  /// A row that confirms a card.
  struct Confirmation: Sendable {
    let row: OutboxRow
    /// 1 or 2.
    let side: UInt32
  }
}

extension OutboxRow {
  /// The object key of the rows of a match: no object has a negative one.
  static func objectKey(ofMatch id: Int64) -> Int64 { -id }

  /// The match of a row that records an end of it, or confirms a card; nil for other rows.
  var match: Int64? {
    action == .matchEnd || action == .matchConfirmation ? -objectKey : nil
  }

  /// The operation of a row that records an end.
  func matchOperation() throws(SessionError) -> MatchOperation {
    do throws(DecodeError) {
      return try MatchOperation(serializedBytes: request)
    } catch {
      throw SessionError(.unusableFile, "a stored change cannot be read: \(error)")
    }
  }

  /// The request of a row that confirms a card, without the revision.
  func confirmRequest() throws(SessionError) -> ConfirmMatchCardRequest {
    do throws(DecodeError) {
      return try ConfirmMatchCardRequest(serializedBytes: request)
    } catch {
      throw SessionError(.unusableFile, "a stored change cannot be read: \(error)")
    }
  }
}

extension LocalTransaction {
  private static let select = SQLText(
    "SELECT message, fetched_at_ms FROM elimination_match WHERE server_id = ?1")
  private static let put = SQLText(
    """
    INSERT INTO elimination_match(server_id, message, fetched_at_ms) VALUES (?1, ?2, ?3)
    ON CONFLICT(server_id) DO UPDATE SET message = ?2, fetched_at_ms = ?3
    """)
  /// Those without waiting changes, above a number, that the server sent longest ago.
  private static let removeOld = SQLText(
    """
    DELETE FROM elimination_match WHERE server_id IN (
      SELECT server_id FROM elimination_match m
      WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.object_key = -m.server_id)
      ORDER BY fetched_at_ms DESC, server_id DESC LIMIT -1 OFFSET ?1)
    """)

  /// A match with its waiting changes; nil if this device never had it.
  func match(_ id: Int64) throws(SessionError) -> LocalMatch? {
    let found = try first(Self.select, .integer(id)) { row in
      (bytes: row.bytes(0), fetchedAt: row.int64(1))
    }
    guard let found, let message = try? EliminationMatch(serializedBytes: found.bytes) else {
      return nil
    }
    var match = LocalMatch(message: message, fetchedAt: found.fetchedAt, rows: [])
    for row in try outboxRows(of: OutboxRow.objectKey(ofMatch: id)) {
      if row.action == .matchEnd {
        match.rows.append(LocalMatch.MatchRow(row: row, operation: try row.matchOperation()))
      } else {
        let side = try row.confirmRequest().side
        match.confirmations.append(LocalMatch.Confirmation(row: row, side: side))
      }
    }
    return match
  }

  /// The outbox rows of a match that record ends, in sending order.
  func matchEndRows(of key: Int64) throws(SessionError) -> [OutboxRow] {
    try outboxRows(of: key).filter { $0.action == .matchEnd }
  }

  /// Stores the server's match. A reply that does not state who may score leaves the stored value.
  func take(
    _ match: EliminationMatch, saysWhoMayScore: Bool, fetchedAt: Int64, limits: SessionLimits
  ) throws(SessionError) {
    guard match.id > 0 else { return }
    var match = match
    let known = try self.match(match.id)?.message
    // An older reply may come after a newer message of the watch.
    if let known, known.revision > match.revision { return }
    if !saysWhoMayScore {
      for side in match.sides.indices {
        let former = known.flatMap { $0.sides.indices.contains(side) ? $0.sides[side] : nil }
        guard let former, former.participantID == match.sides[side].participantID,
          former.seed == match.sides[side].seed
        else { continue }
        match.sides[side].mayScore = former.mayScore
      }
    }
    try run(
      Self.put, .integer(match.id), .blob(match.serializedBytes()), .integer(fetchedAt))
    if known == nil { try run(Self.removeOld, .integer(limits.maxMatches)) }
    note(.match(match.id))
  }

  /// Stores the server's match, as a reply to a change has it, if the match is here.
  func takeChanged(_ match: EliminationMatch, limits: SessionLimits) throws(SessionError) {
    guard try self.match(match.id) != nil else { return }
    try take(
      match, saysWhoMayScore: false, fetchedAt: WallClock.nowMilliseconds(), limits: limits)
  }
}

extension LocalTransaction {
  /// What a row that confirms a card does, for display, as in `Robin, confirmed`.
  func shownMatchConfirmation(_ row: OutboxRow) throws(SessionError) -> String {
    let request = try row.confirmRequest()
    let sides = try match(request.matchID)?.message.sides ?? []
    let index = Int(request.side) - 1
    let name = sides.indices.contains(index) ? sides[index].displayName : ""
    return "\(name.isEmpty ? "side \(request.side)" : name), confirmed"
  }

  /// What a row of a match does, for display, as in `Robin, end 2: X 10 9`.
  func shownMatchEnd(_ row: OutboxRow) throws(SessionError) -> String {
    let operation = try row.matchOperation()
    let match = try match(operation.matchID)?.message
    let name =
      match.flatMap { match in
        match.hasArcher(of: operation)
          ? match.sides[Int(operation.side) - 1].displayName : nil
      } ?? "side \(operation.side)"
    guard let entry = operation.entry else { return name }
    let place = entry.shootOff ? "shoot-off \(entry.index + 1)" : "end \(entry.index + 1)"
    let arrows = entry.arrows.map { "\(ArrowScore(value: Int($0.value), isX: $0.isX))" }
    return "\(name), \(place): \(arrows.isEmpty ? "none" : arrows.joined(separator: " "))"
  }
}
