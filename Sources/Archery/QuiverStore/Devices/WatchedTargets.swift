package import QuiverRules

/// An archer at a leased target, with both cards.
package struct WatchedEntryRecord: Sendable {
  /// With its place in the session of the target.
  package let entry: EventEntryRecord
  /// Of all rounds of its card.
  package let format: RoundFormatRecord
  /// The round that is shot in the session.
  package let round: QualificationRound
  package let card: ComparedCardRecord
  /// Whose classes there are for a whole card; nil before its last arrow, and where neither entry
  /// nor category say bowstyle, gender and age group.
  package let category: ArcherCategory?

  /// Whether all arrows of the card are shot.
  package var isComplete: Bool {
    card.participant.tally.arrowCount == format.format.arrowCount
  }
}

extension Snapshot {
  private static let roundOfSession = Query("SELECT round FROM event_session WHERE id = ?1")
  private static let divisions = Query(
    "SELECT bowstyle, gender, age_group FROM event_category WHERE id = ?1")
  private static let lineOfSession = Query(
    """
    SELECT l.target, p.ends_completed FROM (
      SELECT id, target FROM event_entry WHERE session_id = ?1 AND target > 0
      UNION ALL SELECT participant_id, target FROM event_round_place
      WHERE session_id = ?1 AND target > 0) l
    JOIN participant p ON p.id = l.id
    JOIN round r ON r.participant_id = p.id AND r.format_id = ?2
    WHERE p.status IN
      (\(ParticipantStatus.active.rawValue), \(ParticipantStatus.completed.rawValue))
    """)

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
      let format = try format(id: place.formatID)
      let isWhole = place.participant.tally.arrowCount == format.format.arrowCount
      watched.append(
        WatchedEntryRecord(
          entry: entry, format: format, round: round,
          card: try comparedCard(participant: entry.participant),
          category: isWhole ? try archerCategory(entry) : nil))
    }
    return watched
  }

  /// By how many ends a target is ahead of the line, where its archers have shot as many arrows as
  /// each other: at the end of an end. 0 in between, so that an arrow reads no other target.
  package func endsAhead(
    session: Int64, target: UInt32, _ entries: [WatchedEntryRecord]
  ) throws(StoreError) -> Int {
    let shooting = entries.filter { $0.card.participant.status.standing == .ranked }
    let counts = Set(shooting.map(\.card.participant.tally.arrowCount))
    guard let first = shooting.first, counts.count == 1, counts != [0] else { return 0 }
    let line = try all(Self.lineOfSession, .integer(session), .integer(first.format.id)) { row in
      LineProgress.Archer(
        target: Int(clamping: row.int64(0)), letter: "", endsCompleted: Int(clamping: row.int64(1)))
    }
    return LineProgress.lead(of: Int(target), among: line)
  }

  /// The category of an archer for classes: what its entry says, else the category of the event.
  private func archerCategory(_ entry: EventEntryRecord) throws(StoreError) -> ArcherCategory? {
    let own = entry.content
    let event = try first(Self.divisions, .integer(own.category)) { row in
      (bow: row.int32(0), gender: row.int32(1), age: row.int32(2))
    }
    guard let bow = BowDivision(rawValue: own.bow != 0 ? own.bow : event?.bow ?? 0),
      let gender = GenderDivision(rawValue: own.gender != 0 ? own.gender : event?.gender ?? 0),
      let age = AgeDivision(rawValue: own.age != 0 ? own.age : event?.age ?? 0)
    else { return nil }
    return ArcherCategory(bow: bow, gender: gender, age: age)
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
