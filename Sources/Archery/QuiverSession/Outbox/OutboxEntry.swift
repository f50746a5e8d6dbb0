public import QuiverProtobuf
import QuiverSQLite
public import QuiverWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A change that waits to be sent, or that the server refused.
public struct OutboxEntry: Sendable, Equatable, Identifiable {
  /// The number of the change, in the order of sending.
  public let id: Int64
  /// The id on this device of the object that changes; 0 for a change of an event.
  public let object: LocalID
  /// The id on this device of the event that changes; nil for other changes.
  public let event: LocalID?
  /// The id on this device of the participant whose arrow changes, or of the new guest; nil for
  /// other changes.
  public let participant: LocalID?
  /// What the change does.
  public let change: Change
  /// The English name of the object's type, for example "Riser".
  public let kind: String
  /// The text that lists show for the object.
  public let title: String
  /// The time when the change was made on this device.
  public let createdAt: Date
  /// The number of times that the change was sent.
  public let attempts: Int64
  /// Whether the change waits or needs attention.
  public let mark: SyncMark
  /// The status with which the server refused the change; nil: it did not.
  public let statusCode: StatusCode?
  /// The server's reason; empty: none.
  public let verdict: String
  let serverObject: [UInt8]?

  /// What a change does.
  public enum Change: Sendable, Hashable {
    /// Creates an object.
    case create
    /// Changes fields of an object.
    case update
    /// Deletes an object.
    case delete
    /// Archives an item, or deactivates a setup.
    case archive
    /// Restores an archived item, or activates a setup.
    case restore
    /// Makes a setup the default.
    case makeDefault
    /// Copies a setup.
    case copy
    /// Starts a practice session.
    case startRounds
    /// Adds a guest to an event.
    case addGuest
    /// Adds participants without an account to an event.
    case addEntries
    /// Records, corrects or retracts an arrow.
    case score
    /// Replaces the conditions of a practice session.
    case setConditions
    /// Records, corrects or removes an end or a shoot-off of a match.
    case matchEnd
    /// Confirms a card of a match.
    case matchConfirmation
    /// Records, corrects or removes an end of a second card.
    case cardEnd
    /// Confirms the score card of a participant.
    case cardConfirmation
  }

  /// The server's object if it refused the change because of it; nil if it has another type or the
  /// reply had none.
  public func serverObject<Object: Message>(_: Object.Type) -> Object? {
    serverObject.flatMap { try? Object(serializedBytes: $0) }
  }
}

/// Changes for a database that the server no longer has: those that were never sent, and those that
/// it had acknowledged and that the current database has no event for.
public struct OrphanedChanges: Sendable, Equatable, Identifiable {
  /// The ``identity``.
  public var id: StoreIdentity { identity }
  /// The database and the user for which the changes were made.
  public let identity: StoreIdentity
  /// The changes in the order in which they were made.
  public let entries: [OutboxEntry]
}

extension LocalTransaction {
  /// The whole outbox in sending order.
  func outboxEntries() throws(SessionError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for row in try outboxRows() { entries.append(try entry(row)) }
    return entries
  }

  /// The acknowledged changes, whose ids are negative, and the whole outbox.
  func orphanedEntries() throws(SessionError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for var row in try acknowledgedRows() {
      row.sequence.negate()
      entries.append(try entry(row))
    }
    return try entries + outboxEntries()
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

  /// The rows of a match, in sending order.
  func outboxEntries(ofMatch id: Int64) throws(SessionError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for row in try outboxRows(of: OutboxRow.objectKey(ofMatch: id)) {
      entries.append(try entry(row))
    }
    return entries
  }

  /// The rows of a second card, in sending order.
  func outboxEntries(ofCard participant: Int64) throws(SessionError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for row in try outboxRows(of: OutboxRow.objectKey(ofCard: participant)) {
      entries.append(try entry(row))
    }
    return entries
  }

  private func entry(_ row: OutboxRow) throws(SessionError) -> OutboxEntry {
    let (kind, title) = try shown(row)
    return OutboxEntry(
      id: row.sequence, object: LocalID(rawValue: max(0, row.objectKey)),
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
    switch row.action {
    case .matchEnd: return ("Match", try shownMatchEnd(row))
    case .matchConfirmation: return ("Match", try shownMatchConfirmation(row))
    case .cardEnd: return ("Second card", try shownCardEnd(row))
    case .cardConfirmation: return ("Card", try shownCardConfirmation(row))
    default: break
    }
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
    case .setConditions: .setConditions
    case .matchEnd: .matchEnd
    case .matchConfirmation: .matchConfirmation
    case .cardEnd: .cardEnd
    case .cardConfirmation: .cardConfirmation
    }
  }
}
