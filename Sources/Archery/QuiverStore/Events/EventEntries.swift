import QuiverRules

/// Reads the entries of events: every participant is one.
extension Snapshot {
  private static let columns = columns(place: "e")

  /// The session, the target and the letter are those of a row of the table.
  private static func columns(place: String) -> String {
    """
    p.id, p.session_id, p.display_name, p.principal_id, p.client_id, p.status,
      p.arrow_count, coalesce(e.bib, ''), coalesce(e.club, ''), coalesce(e.country, ''),
      coalesce(e.licence, ''), c.id, c.code, coalesce(\(place).session_id, 0),
      coalesce(\(place).target, 0), coalesce(\(place).letter, 0), coalesce(e.state, 1),
      p.public_name, coalesce(e.bowstyle, 0), coalesce(e.gender, 0), coalesce(e.age_group, 0),
      coalesce(e.face_layout, 0), coalesce(e.public_name, 0), coalesce(e.is_fixed, 0),
      coalesce(e.uses_wheelchair, 0), coalesce(e.session_id, 0), coalesce(e.target, 0),
      coalesce(e.letter, 0)
    """
  }
  private static let select = """
    SELECT \(columns)
    FROM participant p LEFT JOIN event_entry e ON e.id = p.id
    JOIN event_category c ON c.id = coalesce(e.category_id, (
      SELECT id FROM event_category f WHERE f.event_id = p.session_id AND f.is_first = 1))
    """
  private static let byID = Query("\(select) WHERE p.id = ?1")
  private static let ofEvent = Query(
    """
    \(select)
    WHERE p.session_id = ?1 AND p.id > ?2 AND (?4 = 0 OR c.id = ?4)
      AND (?5 = 0 OR e.session_id = ?5) AND (?6 = '' OR e.club = ?6)
    ORDER BY p.id LIMIT ?3
    """)
  /// An entry of a session has its own row.
  private static let ofSession = Query(
    joiningInOrder: """
      SELECT \(columns)
      FROM event_entry e CROSS JOIN participant p ON p.id = e.id
      CROSS JOIN event_category c ON c.id = e.category_id
      WHERE e.event_id = ?1 AND e.session_id = ?5 AND e.id > ?2 AND (?4 = 0 OR c.id = ?4)
        AND (?6 = '' OR e.club = ?6)
      ORDER BY e.id LIMIT ?3
      """)
  private static let ofLaterSession = Query(
    joiningInOrder: """
      SELECT \(columns(place: "l"))
      FROM event_round_place l CROSS JOIN participant p ON p.id = l.participant_id
      LEFT JOIN event_entry e ON e.id = p.id
      JOIN event_category c ON c.id = coalesce(e.category_id, (
        SELECT id FROM event_category f WHERE f.event_id = p.session_id AND f.is_first = 1))
      WHERE l.event_id = ?1 AND l.session_id = ?5 AND l.participant_id > ?2
        AND (?4 = 0 OR c.id = ?4) AND (?6 = '' OR e.club = ?6)
      ORDER BY l.participant_id LIMIT ?3
      """)
  private static let roundOfSession = Query(
    "SELECT round FROM event_session WHERE id = ?1 AND event_id = ?2")
  private static let idByBib = Query(
    "SELECT id FROM event_entry WHERE event_id = ?1 AND bib = ?2 AND bib <> ''")
  private static let idByPlace = Query(
    """
    SELECT id FROM event_entry
    WHERE session_id = ?1 AND target = ?2 AND letter = ?3 AND target > 0
    UNION ALL SELECT participant_id FROM event_round_place
    WHERE session_id = ?1 AND target = ?2 AND letter = ?3 AND target > 0
    """)

  /// Which entries of an event a list has.
  package struct EntryFilter: Sendable, Hashable {
    /// 0: all.
    package var category: Int64 = 0
    package var session: Int64 = 0
    /// Empty: all.
    package var club = ""

    package init() {}

    var values: [SQLValue] { [.integer(category), .integer(session), .text(club)] }
  }

  /// An entry; nil if there is no such participant of an event.
  package func eventEntry(id: Int64) throws(StoreError) -> EventEntryRecord? {
    let found = try first(Self.byID, .integer(id)) {
      (row) throws(StoreError) in try EventEntryRecord(row)
    }
    guard var found else { return nil }
    found.laterPlaces = try laterPlaces(event: found.event, id, id)[id] ?? []
    return found
  }

  /// Entries by the id of their participant, without an access check. Those of a session have their
  /// place in it.
  func eventEntries(
    event: Int64, _ filter: EntryFilter = EntryFilter(), after id: Int64 = 0, limit: Int64
  ) throws(StoreError) -> [EventEntryRecord] {
    var entries: [EventEntryRecord] = []
    let values: [SQLValue] = [.integer(event), .integer(id), .integer(limit)] + filter.values
    try session.forEach(try query(filter, event), values) { (row) throws(StoreError) in
      entries.append(try EventEntryRecord(row))
    }
    guard let first = entries.first, let last = entries.last else { return [] }
    let later = try laterPlaces(event: event, first.participant, last.participant)
    guard !later.isEmpty else { return entries }
    for index in entries.indices {
      entries[index].laterPlaces = later[entries[index].participant] ?? []
    }
    return entries
  }

  private func query(_ filter: EntryFilter, _ event: Int64) throws(StoreError) -> Query {
    guard filter.session != 0 else { return Self.ofEvent }
    let round = try first(Self.roundOfSession, .integer(filter.session), .integer(event)) { row in
      row.int64(0)
    }
    return round ?? 1 > 1 ? Self.ofLaterSession : Self.ofSession
  }

  /// A page of the entries of an event that the principal may see.
  package func eventEntryPage(
    event: Int64, _ filter: EntryFilter, principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<EventEntryRecord> {
    let reader = try nameReader(
      of: try visibleTournament(id: event, principal: principal), principal: principal)
    let token = PageToken(
      scope: [.text("event entries"), .integer(principal), .integer(event)] + filter.values)
    let after = try token.position(in: pageToken, key: pageTokenKey) ?? 0
    let size = StoreLimits.pageSize(pageSize)
    let rows = try eventEntries(event: event, filter, after: after, limit: size + 1)
      .map { $0.shown(to: reader) }
    return token.page(rows, size: size, key: pageTokenKey) { $0.participant }
  }

  /// The entry with a bib; nil if there is none.
  func entryID(bib: String, of event: Int64) throws(StoreError) -> Int64? {
    try first(Self.idByBib, .integer(event), .text(bib)) { row in row.int64(0) }
  }

  /// The entry at a place; nil if it is free.
  func entryID(at place: TargetDraw.Place, session: Int64) throws(StoreError) -> Int64? {
    try first(
      Self.idByPlace, .integer(session), .integer(Int64(place.target)),
      .integer(Int64(place.letter))
    ) { row in row.int64(0) }
  }
}

extension EventEntryRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let status = ParticipantStatus(rawValue: row.int32(5)),
      let stored = EventEntryState(rawValue: row.int32(16))
    else { throw StoreError(.dataLoss, "a stored entry is none") }
    participant = row.int64(0)
    event = row.int64(1)
    displayName = row.text(2)
    publicName = row.text(17)
    principal = row.int64(3)
    clientID = row.bytes(4)
    self.status = status
    arrowCount = row.int64(6)
    var content = EventEntryContent()
    content.bib = row.text(7)
    content.club = row.text(8)
    content.country = row.text(9)
    content.licence = row.text(10)
    content.category = row.int64(11)
    content.bow = row.int32(18)
    content.gender = row.int32(19)
    content.age = row.int32(20)
    content.faceLayout = FaceLayout(rawValue: row.int32(21))
    content.publicName = PublicName(rawValue: row.int32(22))
    content.isFixed = row.bool(23)
    content.usesWheelchair = row.bool(24)
    self.content = content
    categoryCode = row.text(12)
    session = row.int64(13)
    place = TargetDraw.Place(target: row.int64(14), letter: row.int64(15))
    firstPlace = EventRoundPlace(
      round: 1, session: row.int64(25),
      place: TargetDraw.Place(target: row.int64(26), letter: row.int64(27)))
    self.stored = stored
  }
}

extension EventEntryContent {
  /// The content in its stored form; `path` is before the names of the fields.
  func validated(path: String) throws(StoreError) -> EventEntryContent {
    var content = self
    content.bib = try EventText.checked(
      bib, length: StoreLimits.eventCodeLength, field: path + "bib")
    content.club = try EventText.checked(
      club, length: StoreLimits.entryTextLength, field: path + "club")
    content.country = try EventText.checked(
      country, length: StoreLimits.entryTextLength, field: path + "country")
    content.licence = try EventText.checked(
      licence, length: StoreLimits.entryTextLength, field: path + "licence")
    guard bow == 0 || BowDivision(rawValue: bow) != nil else {
      throw .invalid(path + "bowstyle", "must be one of the bowstyles, or 0")
    }
    guard gender == 0 || GenderDivision(rawValue: gender) != nil else {
      throw .invalid(path + "gender", "must be open or female, or 0")
    }
    guard age == 0 || AgeDivision(rawValue: age) != nil else {
      throw .invalid(path + "age_group", "must be one of the age groups, or 0")
    }
    return content
  }
}

/// Writes entries.
extension Transaction {
  private static let put = Query(
    """
    INSERT INTO event_entry (id, event_id, category_id, session_id, target, letter, state, bib,
      club, country, licence, bowstyle, gender, age_group, face_layout, public_name,
      is_fixed, uses_wheelchair)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
    ON CONFLICT (id) DO UPDATE SET category_id = ?3, session_id = ?4, target = ?5,
      letter = ?6, state = ?7, bib = ?8, club = ?9, country = ?10, licence = ?11, bowstyle = ?12,
      gender = ?13, age_group = ?14, face_layout = ?15, public_name = ?16,
      is_fixed = ?17, uses_wheelchair = ?18
    """)
  private static let setFormat = Query(
    "UPDATE round SET format_id = ?2 WHERE participant_id = ?1")

  /// An entry of an event that must exist; throws `notFound`.
  func entry(_ id: Int64, field: String = "participant_id") throws(StoreError) -> EventEntryRecord {
    guard let entry = try snapshot.eventEntry(id: id) else {
      throw StoreError(.notFound, "there is no such participant of an event", field: field)
    }
    return entry
  }

  /// An entry and its event, in which the caller has one of the roles.
  func entry(
    _ id: Int64, for roles: Set<EventRole>
  ) throws(StoreError) -> (entry: EventEntryRecord, head: TournamentHead) {
    let entry = try entry(id)
    do throws(StoreError) {
      let head = try event(entry.event, for: roles, field: "participant_id")
      try check(head, [.open, .inProgress], field: "participant_id")
      return (entry, head)
    } catch {
      guard error.code == .notFound else { throw error }
      throw StoreError(
        .notFound, "there is no such participant of an event", field: "participant_id")
    }
  }

  /// Throws `aborted` with the entry unless it has a revision; 0 is any.
  func check(
    _ entry: EventEntryRecord, hasRevision expected: UInt64, field: String = "expected_revision"
  ) throws(StoreError) {
    guard expected == 0 || entry.revision == expected else {
      throw .changed(since: field, "the entry", .entry(entry))
    }
  }

  /// Stores an entry.
  func put(
    _ id: Int64, event: Int64, _ content: EventEntryContent, session: Int64,
    place: TargetDraw.Place?, state: EventEntryState
  ) throws(StoreError) {
    try run(
      Self.put, .integer(id), .integer(event), .integer(content.category), .integer(session),
      .integer(Int64(place?.target ?? 0)), .integer(Int64(place?.letter ?? 0)),
      .integer(Int64(state.rawValue)), .text(content.bib), .text(content.club),
      .text(content.country), .text(content.licence), .integer(Int64(content.bow)),
      .integer(Int64(content.gender)), .integer(Int64(content.age)),
      .integer(Int64(content.faceLayout?.rawValue ?? 0)),
      .integer(Int64(content.publicName?.rawValue ?? 0)), .integer(content.isFixed ? 1 : 0),
      .integer(content.usesWheelchair ? 1 : 0))
    try keepTurn(ofParticipant: id)
  }

  /// Stores a changed entry, with its row of the journal and of the audit.
  func replace(
    _ before: EventEntryRecord, content: EventEntryContent? = nil, session: Int64? = nil,
    place: TargetDraw.Place?, state: EventEntryState? = nil, _ action: String, after: String = "",
    reason: String = ""
  ) throws(StoreError) -> EventEntryRecord {
    if place != before.place || session ?? before.session != before.session {
      try keepPastScorers(ofParticipant: before.participant, inRound: 1, event: before.event)
    }
    try put(
      before.participant, event: before.event, content ?? before.content,
      session: session ?? before.session, place: place, state: state ?? before.stored)
    // Another bib, category or age can be another public name.
    if let content, content != before.content,
      try keepPublicName(ofParticipant: before.participant)
    {
      try recordScore(of: try certain(before.participant), isTournament: true)
    }
    try recordMembership(of: try certain(before.participant), .updated)
    try auditEvent(
      before.event, action, participant: before.participant, after: after, reason: reason)
    return try entry(before.participant)
  }

  /// Gives the round of a participant the format of another category.
  func setFormat(_ format: Int64, ofParticipant id: Int64) throws(StoreError) {
    try run(Self.setFormat, .integer(id), .integer(format))
  }
}
