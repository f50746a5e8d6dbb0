import QuiverRules

/// An archer at a leased target, with both cards.
package struct WatchedEntryRecord: Sendable {
  /// With its place in the session of the target.
  package let entry: EventEntryRecord
  /// Of all rounds of its card.
  package let format: RoundFormatRecord
  /// The round that is shot in the session.
  package let round: QualificationRound
  package let card: ComparedCardRecord
}

extension Snapshot {
  private static let roundOfSession = Query("SELECT round FROM event_session WHERE id = ?1")

  /// The leases of a principal in an event that have not expired, in the order of the targets.
  package func heldLeases(
    of principal: Int64, in event: Int64
  ) throws(StoreError) -> [TargetLeaseRecord] {
    let now = wallMilliseconds()
    return try leases(ofPrincipal: principal, from: event).filter { lease in
      lease.event == event && lease.expiresAtMilliseconds > now
    }
  }

  /// Who shoots at a target of a session, by letter, with both cards.
  package func watchedEntries(
    session: Int64, target: UInt32
  ) throws(StoreError) -> [WatchedEntryRecord] {
    let number = try first(Self.roundOfSession, .integer(session)) { row in
      Int(clamping: row.int64(0))
    }
    var watched: [WatchedEntryRecord] = []
    for entry in try entries(session: session, target: target) {
      guard let place = try scoringPlace(participant: entry.participant) else { continue }
      let rounds = try rounds(ofFormat: place.formatID, place.format)
      guard let round = rounds.first(where: { $0.number == max(number ?? 1, 1) }) ?? rounds.last
      else { continue }
      watched.append(
        WatchedEntryRecord(
          entry: entry, format: try format(id: place.formatID), round: round,
          card: try comparedCard(participant: entry.participant)))
    }
    return watched
  }

  /// The session of a lease; throws `notFound`.
  package func watchedSession(_ lease: TargetLeaseRecord) throws(StoreError) -> EventSessionRecord {
    try eventSession(id: lease.session, of: lease.event)
  }

  /// An entry of an event that has changed; nil if it is gone.
  package func watchedEntry(_ id: Int64, of event: Int64) throws(StoreError) -> EventEntryRecord? {
    guard let entry = try eventEntry(id: id), entry.event == event else { return nil }
    return entry
  }

  /// A category that has changed; nil if it is gone.
  package func watchedCategory(_ id: Int64) throws(StoreError) -> EventCategoryRecord? {
    try category(id: id)
  }

  /// A session of an event that has changed; nil if it is gone.
  package func watchedSession(
    _ id: Int64, of event: Int64
  ) throws(StoreError) -> EventSessionRecord? {
    do throws(StoreError) {
      return try eventSession(id: id, of: event)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Whether one of some participants shoots at the target of a lease.
  package func isAny(
    of participants: Set<Int64>, at lease: TargetLeaseRecord
  ) throws(StoreError) -> Bool {
    guard !participants.isEmpty, lease.session > 0 else { return false }
    return try self.participants(session: lease.session, target: lease.target)
      .contains { participants.contains($0) }
  }

  /// The matches on a target whose archers are known and that are not confirmed.
  package func openMatches(onTarget target: UInt32, event: Int64) throws(StoreError) -> [Int64] {
    var open: [Int64] = []
    for id in try matches(event: event, target: target) {
      let match = try match(id: id)
      if match.seeds.allSatisfy({ $0 != nil }), !match.isConfirmed { open.append(id) }
    }
    return open
  }
}
