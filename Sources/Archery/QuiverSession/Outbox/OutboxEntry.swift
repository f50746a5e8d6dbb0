public import FoundationEssentials
public import QuiverProtobuf
import QuiverSQLite
public import QuiverWire

/// A pending or refused change, for display.
public struct OutboxEntry: Sendable, Equatable, Identifiable {
  /// Its position in sending order.
  public let id: Int64
  /// 0 for a change of an event.
  public let object: LocalID
  /// Nil unless the change concerns an event.
  public let event: LocalID?
  /// The participant of an arrow, or the guest.
  public let participant: LocalID?
  public let change: Change
  /// The kind of object, for example "Riser".
  public let kind: String
  /// The object's title in lists.
  public let title: String
  public let createdAt: Date
  public let attempts: Int64
  public let mark: SyncMark
  /// The status of the server's refusal; nil if it was not refused.
  public let statusCode: StatusCode?
  /// The server's message; empty if there is none.
  public let verdict: String
  let serverObject: [UInt8]?

  /// What a change does.
  public enum Change: Sendable, Hashable {
    case create, update, delete, archive, restore, makeDefault, copy
    case startRounds, addGuest, addEntries, score
  }

  /// The server's object if it refused the change because of it; nil if it has another type or the
  /// reply had none.
  public func serverObject<Object: Message>(_: Object.Type) -> Object? {
    serverObject.flatMap { try? Object(serializedBytes: $0) }
  }
}

/// Changes that were never sent because the server has another database now.
public struct OrphanedChanges: Sendable, Equatable, Identifiable {
  public var id: StoreIdentity { identity }
  public let identity: StoreIdentity
  public let entries: [OutboxEntry]
}

extension LocalTransaction {
  /// The whole outbox in sending order.
  func outboxEntries() throws(SessionError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for row in try outboxRows() { entries.append(try entry(row)) }
    return entries
  }

  private static let waitingOfEvent = SQLText(
    "SELECT count(*) FROM outbox WHERE event_key = ?1 AND state < 2")

  /// The number of an event's pending rows, and its rows that need attention, in sending order.
  func outboxEntries(
    ofEvent key: Int64
  ) throws(SessionError) -> (waiting: Int, needsAttention: [OutboxEntry]) {
    let waiting = try first(Self.waitingOfEvent, .integer(key)) { $0.int64(0) } ?? 0
    var needsAttention: [OutboxEntry] = []
    for row in try rowsNeedingAttention(ofEvent: key) { needsAttention.append(try entry(row)) }
    return (Int(clamping: waiting), needsAttention)
  }

  private func entry(_ row: OutboxRow) throws(SessionError) -> OutboxEntry {
    let (kind, title) = try shown(row)
    return OutboxEntry(
      id: row.sequence, object: LocalID(rawValue: row.objectKey),
      event: row.eventKey.map { LocalID(rawValue: $0) },
      participant: row.participantKey.map { LocalID(rawValue: $0) },
      change: row.action.change, kind: kind, title: title,
      createdAt: WallClock.date(row.createdAtMilliseconds), attempts: row.attempts,
      mark: SyncMark(rawValue: max(row.state.rawValue, 1)) ?? .waiting,
      statusCode: row.needsAttention ? StatusCode(rawValue: UInt32(clamping: row.statusCode)) : nil,
      verdict: row.verdict, serverObject: row.serverObject)
  }

  /// The kind and the title of a row's object.
  private func shown(_ row: OutboxRow) throws(SessionError) -> (kind: String, title: String) {
    if row.action.isScoring { return try shownScoring(row) }
    guard let object = try object(row.objectKey) else { return ("", "") }
    let title = object.subtitle.isEmpty ? object.title : "\(object.title) \(object.subtitle)"
    return (object.kind.label, title)
  }
}

extension OutboxAction {
  fileprivate var change: OutboxEntry.Change {
    switch self {
    case .create: .create
    case .update: .update
    case .delete: .delete
    case .archive: .archive
    case .restore: .restore
    case .makeDefault: .makeDefault
    case .copy: .copy
    case .startRounds: .startRounds
    case .addGuest: .addGuest
    case .addEntries: .addEntries
    case .score: .score
    }
  }
}
