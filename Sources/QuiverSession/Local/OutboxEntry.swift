public import FoundationEssentials
public import QuiverProtobuf
public import QuiverWire

/// A change that waits to be sent, or that the server refused, as people see it.
public struct OutboxEntry: Sendable, Equatable, Identifiable {
  /// Its place in the order of sending.
  public let id: Int64
  public let object: LocalID
  public let change: Change
  /// What the object is, as in "Riser".
  public let kind: String
  /// What lists show of it.
  public let title: String
  public let createdAt: Date
  public let attempts: Int64
  public let mark: SyncMark
  /// How the server refused it; nil: it did not.
  public let statusCode: StatusCode?
  /// The server's sentence; empty: none.
  public let verdict: String
  let serverObject: [UInt8]?

  /// What a change does.
  public enum Change: Sendable, Hashable {
    case create, update, delete, putAway, bringBack, makeDefault, copy
  }

  /// The object as the server has it, where it refused the change for that; nil where it is of
  /// another type or did not come.
  public func serverObject<Object: Message>(_: Object.Type) -> Object? {
    serverObject.flatMap { try? Object(serializedBytes: $0) }
  }
}

/// Changes that were never sent because the server has another database by now.
public struct LeftBehind: Sendable, Equatable, Identifiable {
  public var id: StoreIdentity { identity }
  public let identity: StoreIdentity
  public let entries: [OutboxEntry]
}

extension LocalTransaction {
  /// The whole outbox in the order of sending.
  func outboxEntries() throws(SessionError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for row in try outboxRows() {
      let object = try object(row.objectKey)
      let title = object.map { $0.subtitle.isEmpty ? $0.title : "\($0.title) \($0.subtitle)" }
      entries.append(
        OutboxEntry(
          id: row.sequence, object: LocalID(rawValue: row.objectKey), change: row.action.change,
          kind: object?.kind.label ?? "", title: title ?? "",
          createdAt: WallClock.date(row.createdAtMilliseconds), attempts: row.attempts,
          mark: SyncMark(rawValue: max(row.state.rawValue, 1)) ?? .waiting,
          statusCode: row.isHeld ? StatusCode(wire: UInt32(clamping: row.statusCode)) : nil,
          verdict: row.verdict, serverObject: row.serverObject))
    }
    return entries
  }
}

extension OutboxAction {
  fileprivate var change: OutboxEntry.Change {
    switch self {
    case .create: .create
    case .update: .update
    case .delete: .delete
    case .putAway: .putAway
    case .bringBack: .bringBack
    case .makeDefault: .makeDefault
    case .copy: .copy
    }
  }
}
