import QuiverAPI
import QuiverProtobuf
import QuiverSQLite

extension LocalTransaction {
  private static let hubName = "hub"
  private static let answerNamed = SQLText(
    "SELECT message, fetched_at_ms FROM answer WHERE name = ?1")
  private static let keepAnswer = SQLText(
    "INSERT OR REPLACE INTO answer(name, message, fetched_at_ms) VALUES (?1, ?2, ?3)")
  private static let pending = SQLText(
    """
    SELECT kind,
      sum(is_visible AND NOT is_put_away) - sum(is_on_server AND NOT is_put_away_on_server),
      sum(is_visible AND is_put_away) - sum(is_on_server AND is_put_away_on_server)
    FROM object WHERE key IN (SELECT object_key FROM outbox) GROUP BY kind
    """)

  /// The message stored under the name, and when it was fetched; nil if there is none.
  func answer(_ name: String) throws(SessionError) -> (message: [UInt8], fetchedAt: Int64)? {
    try first(Self.answerNamed, .text(name)) { ($0.bytes(0), $0.int64(1)) }
  }

  func keepAnswer(
    _ name: String, _ message: [UInt8], fetchedAt: Int64, key: ChangeKey
  ) throws(SessionError) {
    note(key)
    try run(Self.keepAnswer, .text(name), .blob(message), .integer(fetchedAt))
  }

  func keepHub(_ hub: GetHubResponse, fetchedAt: Int64) throws(SessionError) {
    try keepAnswer(Self.hubName, hub.serializedBytes(), fetchedAt: fetchedAt, key: .equipmentCounts)
  }

  /// The server's last hub counts with the outbox's changes; nil if there are none.
  func hub() throws(SessionError) -> (hub: GetHubResponse, fetchedAt: Int64)? {
    guard let (stored, fetchedAt) = try serverHub() else { return nil }
    var hub = stored
    let changes = try all(Self.pending) { ($0.int64(0), $0.int64(1), $0.int64(2)) }
    for (kind, active, archive) in changes {
      hub.count(kind, active: active, archive: archive)
    }
    return (hub, fetchedAt)
  }

  /// Runs `change` on an object and updates the stored counts for its server side.
  func countingHub(
    _ object: inout LocalObject, _ change: (inout LocalObject) throws(SessionError) -> Void
  ) throws(SessionError) {
    let before = (object.isOnServer, object.isArchivedOnServer)
    try change(&object)
    let after = (object.isOnServer, object.isArchivedOnServer)
    guard before != after, let (stored, fetchedAt) = try serverHub() else { return }
    var hub = stored
    for ((isThere, isArchived), step) in [(before, Int64(-1)), (after, 1)] where isThere {
      hub.count(
        object.kind.number, active: isArchived ? 0 : step, archive: isArchived ? step : 0)
    }
    try keepHub(hub, fetchedAt: fetchedAt)
  }

  private func serverHub() throws(SessionError) -> (hub: GetHubResponse, fetchedAt: Int64)? {
    guard let (message, fetchedAt) = try answer(Self.hubName),
      let hub = try? GetHubResponse(serializedBytes: message)
    else { return nil }
    return (hub, fetchedAt)
  }
}

extension GetHubResponse {
  /// Adds to the counts of one kind and to the totals; never below 0.
  fileprivate mutating func count(_ kind: Int64, active: Int64, archive: Int64) {
    guard kind != CachedKind.setupNumber else {
      setupCount.add(active)
      inactiveSetupCount.add(archive)
      return
    }
    guard CachedKind.numbered(kind)?.rules != nil else { return }
    total.add(active)
    archivedTotal.add(archive)
    for group in groups.indices {
      for place in groups[group].counts.indices
      where Int64(groups[group].counts[place].type.rawValue) == kind {
        groups[group].counts[place].count.add(active)
        groups[group].counts[place].archivedCount.add(archive)
        groups[group].total.add(active)
      }
    }
  }
}

extension UInt32 {
  fileprivate mutating func add(_ step: Int64) {
    self = UInt32(clamping: Int64(self) &+ step)
  }
}
