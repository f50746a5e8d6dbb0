package import QuiverRules

/// Who sees an event that it has no part in, and how it shows the names of archers to them.
package struct EventVisibility: Sendable, Equatable {
  /// Whether the event is in the list of public events.
  package var isListed = false
  /// Whether everybody may watch it.
  package var isWatchable = false
  /// Whether who sees or knows it may join without its code.
  package var isJoinable = false
  /// How names are shown; nil: in full.
  package var names: PublicName?
  /// How those of archers under 18 are shown, unless `names` shows less; nil: as initials.
  package var juniorNames: PublicName?
  /// The last day of its boards, in days since 1970-01-01; 0: they do not end.
  package var lastBoardDay: Int32 = 0

  package init() {}

  /// As an event that is public as a whole, or not at all.
  package init(isPublic: Bool) { setPublic(isPublic) }

  /// What older clients know: all three together.
  package var isPublic: Bool { isListed && isWatchable && isJoinable }

  package mutating func setPublic(_ isPublic: Bool) {
    (isListed, isWatchable, isJoinable) = (isPublic, isPublic, isPublic)
  }

  /// When the boards end, in milliseconds since 1970-01-01: when the last day has ended everywhere,
  /// 12 hours after it has ended in UTC.
  package var boardsEndMilliseconds: Int64 {
    lastBoardDay == 0 ? .max : (Int64(lastBoardDay) + 1) * 86_400_000 + 12 * 3_600_000
  }

  /// Whether everybody may watch the event now.
  package func isWatchable(at now: Int64) -> Bool { isWatchable && now < boardsEndMilliseconds }

  /// Throws unless the numbers are those of cases, and the day is one.
  package static func checked(
    names: Int32, juniorNames: Int32, lastBoardDay: Int32, prefix: String
  ) throws(StoreError) -> (names: PublicName?, juniorNames: PublicName?, lastBoardDay: Int32) {
    guard (0...CivilDate.dayRange.upperBound).contains(lastBoardDay) else {
      throw .invalid(
        prefix + "last_board_day", "must be a day from 1970-01-02 to 9999-12-31, or 0")
    }
    return (
      try PublicName.checked(names, field: prefix + "public_names"),
      try PublicName.checked(juniorNames, field: prefix + "junior_names"), lastBoardDay
    )
  }
}

/// Who reads the names of an event.
package enum NameReader: Sendable, Hashable {
  /// Who has a part in it: names are in full.
  case member
  /// Who only sees it because everybody may.
  case everybody
}

extension TournamentHead {
  /// Whether this caller sees the event whether or not it takes part in it; nil is a spectator.
  func isOpen(to principal: Int64?, at now: Int64) -> Bool {
    organiser == principal || visibility.isWatchable(at: now)
  }
}

extension ParticipantRecord {
  /// As it is shown to a reader of its event.
  package func shown(to reader: NameReader) -> ParticipantRecord {
    guard reader == .everybody, !publicName.isEmpty else { return self }
    var shown = self
    shown.displayName = publicName
    return shown
  }
}

extension EventEntryRecord {
  package func shown(to reader: NameReader) -> EventEntryRecord {
    guard reader == .everybody else { return self }
    var shown = self
    if !publicName.isEmpty { shown.displayName = publicName }
    // What an entry says of its archer is for classes and records.
    (shown.content.gender, shown.content.age, shown.content.publicName) = (0, 0, nil)
    shown.publicName = ""
    return shown
  }
}

extension RoundRecord {
  func shown(to reader: NameReader) -> RoundRecord {
    var shown = self
    shown.participant = participant.shown(to: reader)
    return shown
  }
}

extension LeaderboardEntry {
  package func shown(to reader: NameReader) -> LeaderboardEntry {
    guard reader == .everybody, !publicName.isEmpty else { return self }
    var shown = self
    shown.displayName = publicName
    return shown
  }
}

extension LeaderboardRows {
  package func shown(to reader: NameReader) -> LeaderboardRows {
    guard reader == .everybody, hidesNames else { return self }
    return LeaderboardRows(
      entries: entries.map { $0.shown(to: reader) }, ranks: ranks, offset: offset,
      firstTotal: firstTotal, count: count)
  }

  /// Whether one of them has another name for who has no part in the event.
  package var hidesNames: Bool { entries.contains { !$0.publicName.isEmpty } }
}

extension TeamMemberRecord {
  func shown(to reader: NameReader) -> TeamMemberRecord {
    guard reader == .everybody, !publicName.isEmpty else { return self }
    var shown = self
    shown.displayName = publicName
    return shown
  }
}

extension EntrantRecord {
  func shown(to reader: NameReader) -> EntrantRecord {
    guard reader == .everybody else { return self }
    return EntrantRecord(
      seed: seed, participant: participant,
      displayName: publicName.isEmpty ? displayName : publicName, principal: principal,
      scorer: scorer, kind: kind, publicName: publicName,
      members: members.map { $0.shown(to: reader) })
  }
}

extension StageEntrants {
  func shown(to reader: NameReader) -> StageEntrants {
    StageEntrants(stage: stage, entrants: entrants.map { $0.shown(to: reader) })
  }
}

extension BracketRecord {
  func shown(to reader: NameReader) -> BracketRecord {
    guard reader == .everybody else { return self }
    return BracketRecord(
      stage: stage, entrants: entrants.map { $0.shown(to: reader) },
      matches: matches.map { $0.shown(to: reader) }, ranks: ranks, rows: rows)
  }
}

extension CategoryStandings.Row {
  func shown(to reader: NameReader) -> CategoryStandings.Row {
    guard reader == .everybody else { return self }
    return CategoryStandings.Row(
      entry: entry.shown(to: reader), leaderboard: leaderboard.shown(to: reader), rank: rank,
      difference: difference, tie: tie, card: card, rounds: rounds, missing: missing)
  }
}

extension ComparedCardRecord {
  /// Who confirmed it is named to who has a part in the event.
  func shown(to reader: NameReader) -> ComparedCardRecord {
    guard reader == .everybody else { return self }
    return ComparedCardRecord(
      participant: participant.shown(to: reader), revision: revision, arrows: arrows,
      ends: ends.map { $0.shown(to: reader) }, summary: summary,
      confirmations: confirmations.map(\.withoutName), rule: rule, parts: parts, consent: consent,
      owed: owed)
  }
}

extension CardConfirmationRecord {
  fileprivate var withoutName: CardConfirmationRecord {
    CardConfirmationRecord(
      role: role, principal: principal, displayName: "", atMilliseconds: atMilliseconds,
      signature: signature, part: part)
  }
}

extension Snapshot {
  /// How a principal reads the names of an event; nil is a spectator.
  package func nameReader(
    of head: TournamentHead, principal: Int64?
  ) throws(StoreError) -> NameReader {
    guard let principal else { return .everybody }
    let hasPart = try hasPart(in: head.id, organiser: head.organiser, principal: principal)
    return hasPart ? .member : .everybody
  }

  /// The same of an event that the principal sees.
  package func nameReader(
    event: Int64, principal: Int64?
  ) throws(StoreError) -> NameReader {
    guard let principal, let head = try tournamentHead(id: event) else { return .everybody }
    return try nameReader(of: head, principal: principal)
  }

  private static let category = """
    coalesce(e.category_id, (
      SELECT f.id FROM event_category f WHERE f.event_id = p.session_id AND f.is_first = 1))
    """
  private static let named = """
    SELECT p.id, p.display_name, p.public_name, coalesce(e.bib, ''), coalesce(e.public_name, 0),
      coalesce(e.age_group, 0), c.age_group, coalesce(a.age_group, 0), t.public_names,
      t.junior_names
    FROM participant p JOIN tournament t ON t.id = p.session_id
    LEFT JOIN event_entry e ON e.id = p.id
    JOIN event_category c ON c.id = \(category)
    LEFT JOIN principal a ON a.id = p.principal_id
      AND p.kind = \(ParticipantRecord.Kind.user.rawValue)
    """
  private static let name = Query("\(named) WHERE p.id = ?1")
  private static let names = Query(
    "\(named) WHERE p.session_id = ?1 AND (?2 = 0 OR c.id = ?2) ORDER BY p.id")

  /// The participants of an event, or of one of its categories, whose stored public names are not
  /// those that follow from what is stored otherwise.
  fileprivate func outdatedNames(
    event: Int64, category: Int64
  ) throws(StoreError) -> [OutdatedName] {
    try all(Self.names, .integer(event), .integer(category)) { row in OutdatedName(row) }
      .compactMap { $0 }
  }

  fileprivate func outdatedName(participant: Int64) throws(StoreError) -> OutdatedName? {
    try first(Self.name, .integer(participant)) { row in OutdatedName(row) } ?? nil
  }
}

/// A participant with the public name that it should have.
private struct OutdatedName: Sendable {
  let participant: Int64
  let name: String

  /// Nil: the stored one is current.
  init?(_ row: Row) {
    func age(_ column: Int32) -> AgeDivision? { AgeDivision(rawValue: row.int32(column)) }
    let form = PublicName.applying(
      chosen: PublicName(rawValue: row.int32(4)),
      event: PublicName(rawValue: row.int32(8)) ?? .full,
      juniors: PublicName(rawValue: row.int32(9)) ?? .initials,
      isUnder18: (age(5) ?? age(6) ?? age(7))?.isUnder18 ?? false)
    participant = row.int64(0)
    name = form.text(of: row.text(1), bib: row.text(3), id: participant) ?? ""
    if name == row.text(2) { return nil }
  }
}

extension Transaction {
  private static let setPublicName = Query("UPDATE participant SET public_name = ?2 WHERE id = ?1")

  /// Stores the public name of a participant of an event. Returns whether it is another one; the
  /// caller records the change.
  @discardableResult
  func keepPublicName(ofParticipant id: Int64) throws(StoreError) -> Bool {
    guard let outdated = try snapshot.outdatedName(participant: id) else { return false }
    try run(Self.setPublicName, .integer(id), .text(outdated.name))
    return true
  }

  /// The same for all participants of an event, or of one of its categories, with their changes.
  func keepPublicNames(event: Int64, category: Int64 = 0) throws(StoreError) {
    for outdated in try snapshot.outdatedNames(event: event, category: category) {
      try run(Self.setPublicName, .integer(outdated.participant), .text(outdated.name))
      let participant = try certain(outdated.participant)
      try recordScore(of: participant, isTournament: true)
      try recordMembership(of: participant, .updated)
    }
  }
}
