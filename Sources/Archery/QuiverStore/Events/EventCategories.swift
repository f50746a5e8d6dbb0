import QuiverRules

/// Reads the categories of events.
extension Snapshot {
  private static let columns = """
    c.id, c.event_id, c.revision, c.is_first, c.bowstyle, c.gender, c.age_group, c.format_id,
    c.tie_policy, c.code, c.name, s.format_id,
    (SELECT count(*) FROM event_entry e WHERE e.event_id = c.event_id AND e.category_id = c.id)
      + CASE c.is_first WHEN 1 THEN t.participant_count
          - (SELECT count(*) FROM event_entry e WHERE e.event_id = c.event_id) ELSE 0 END
    """
  private static let tables = """
    event_category c JOIN tournament t ON t.id = c.event_id
    JOIN shooting_session s ON s.id = c.event_id
    """
  private static let byID = Query("SELECT \(columns) FROM \(tables) WHERE c.id = ?1")
  private static let ofEvent = Query(
    "SELECT \(columns) FROM \(tables) WHERE c.event_id = ?1 ORDER BY c.id")
  private static let idByCode = Query(
    "SELECT id FROM event_category WHERE event_id = ?1 AND code = ?2")
  private static let round = Query(
    """
    SELECT c.id, CASE c.format_id WHEN 0 THEN s.format_id ELSE c.format_id END
    FROM event_category c JOIN shooting_session s ON s.id = c.event_id
    WHERE c.event_id = ?1 AND (c.code = ?2 OR (?2 = '' AND c.is_first = 1))
    """)
  private static let policy = Query(
    "SELECT tie_policy, tie_policy_day FROM event_category WHERE id = ?1")

  /// A category; nil if there is none with this id.
  func category(id: Int64) throws(StoreError) -> EventCategoryRecord? {
    let found = try first(Self.byID, .integer(id)) { row in StoredCategory(row) }
    guard let found else { return nil }
    return try record(found)
  }

  /// A category of an event; throws `notFound`.
  func category(
    id: Int64, of event: Int64, field: String = "category_id"
  ) throws(StoreError) -> EventCategoryRecord {
    guard let found = try category(id: id), found.event == event else {
      throw StoreError(.notFound, "there is no such category of this event", field: field)
    }
    return found
  }

  /// The categories of an event that the principal may see, in the order in which they were made;
  /// nil is a spectator.
  package func categories(
    event: Int64, principal: Int64?
  ) throws(StoreError) -> [EventCategoryRecord] {
    _ = try visibleTournament(id: event, principal: principal)
    let stored = try all(Self.ofEvent, .integer(event)) { row in StoredCategory(row) }
    var records: [EventCategoryRecord] = []
    for category in stored { records.append(try record(category)) }
    return records
  }

  /// The category of an event with that code; nil if there is none.
  func categoryID(code: String, of event: Int64) throws(StoreError) -> Int64? {
    try first(Self.idByCode, .integer(event), .text(code)) { row in row.int64(0) }
  }

  /// The category of an event with that code and its format; an empty code is the first one.
  func categoryRound(
    code: String, of event: Int64
  ) throws(StoreError) -> (id: Int64, format: Int64)? {
    try first(Self.round, .integer(event), .text(code)) { row in
      (id: row.int64(0), format: row.int64(1))
    }
  }

  /// The order of the rows of a category, under its own policy or the event's.
  func ranking(
    of category: Int64, in head: TournamentHead
  ) throws(StoreError) -> (form: TiePolicyForm, ranking: Ranking) {
    let stored = try first(Self.policy, .integer(category)) { row in
      (policy: TiePolicy(rawValue: row.int32(0)), day: row.int32(1))
    }
    let form =
      stored?.policy.map { TiePolicyForm.of($0, onDay: stored?.day ?? 0) }
      ?? head.form(of: head.tiePolicy)
    return (form, Ranking(form, inProgress: head.status == .inProgress))
  }

  private func record(_ stored: StoredCategory) throws(StoreError) -> EventCategoryRecord {
    let own = stored.format != 0
    let format = try format(id: own ? stored.format : stored.eventFormat)
    return EventCategoryRecord(
      id: stored.id, event: stored.event, revision: stored.revision, isFirst: stored.isFirst,
      content: stored.content, format: format, hasOwnFormat: own,
      rounds: try rounds(ofFormat: format.id, format.format), entryCount: stored.entryCount)
  }
}

private struct StoredCategory {
  let id: Int64
  let event: Int64
  let revision: UInt64
  let isFirst: Bool
  var content = EventCategoryContent()
  let format: Int64
  let eventFormat: Int64
  let entryCount: Int64

  init(_ row: Row) {
    id = row.int64(0)
    event = row.int64(1)
    revision = row.uint64(2)
    isFirst = row.bool(3)
    content.bow = row.int32(4)
    content.gender = row.int32(5)
    content.age = row.int32(6)
    format = row.int64(7)
    content.tiePolicy = row.int32(8)
    content.code = row.text(9)
    content.name = row.text(10)
    eventFormat = row.int64(11)
    entryCount = row.int64(12)
  }
}

extension EventCategoryContent {
  /// The content in its stored form; throws `invalidArgument`.
  func validated() throws(StoreError) -> EventCategoryContent {
    var content = self
    content.code = try EventText.checked(
      code, length: StoreLimits.eventCodeLength, field: "category.code")
    guard !content.code.isEmpty else { throw .invalid("category.code", "must not be blank") }
    content.name = try EventText.checked(
      name, length: TextLimits.nameLength, field: "category.name")
    guard bow == 0 || BowDivision(rawValue: bow) != nil else {
      throw .invalid("category.bowstyle", "must be one of the bowstyles, or 0")
    }
    guard gender == 0 || GenderDivision(rawValue: gender) != nil else {
      throw .invalid("category.gender", "must be open or female, or 0")
    }
    guard age == 0 || AgeDivision(rawValue: age) != nil else {
      throw .invalid("category.age_group", "must be one of the age groups, or 0")
    }
    guard tiePolicy == 0 || TiePolicy(rawValue: tiePolicy) != nil else {
      throw .invalid(
        "category.tie_policy", "must be one of the policies that ListTiePolicies answers, or 0")
    }
    return content
  }
}

/// Validates texts of the structure of an event.
enum EventText {
  static func checked(_ text: String, length: Int, field: String) throws(StoreError) -> String {
    try validating { () throws(RuleViolation) in
      try TextLimits.checked(text, length: length, path: field)
    }
  }
}

/// Adds a category to an event, or changes one.
package struct PutCategory: Command {
  private let id: Int64
  private let event: Int64
  private let revision: UInt64
  private let content: EventCategoryContent
  private let format: FormatChoice?
  private let arrowLimit: UInt32

  private static let insertRow = Query(
    """
    INSERT INTO event_category (event_id, revision, is_first, bowstyle, gender, age_group,
      format_id, tie_policy, tie_policy_day, code, name)
    VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """, key: "id")
  private static let update = Query(
    """
    UPDATE event_category SET revision = revision + 1, bowstyle = ?2, gender = ?3, age_group = ?4,
      format_id = ?5, tie_policy = ?6,
      tie_policy_day = CASE tie_policy WHEN ?6 THEN tie_policy_day ELSE ?7 END, code = ?8,
      name = ?9
    WHERE id = ?1
    """)
  private static let count = Query("SELECT count(*) FROM event_category WHERE event_id = ?1")
  private static let insertStage = Query(
    """
    INSERT INTO event_stage (event_id, category_id, kind, revision, size, entrant_count,
      match_system, rule_day, has_bronze, face, repeats_maximum, seed, created_at_ms)
    VALUES (?1, ?2, 1, 1, 0, 0, 0, ?3, 0, 0, 0, 0, ?4)
    """)

  /// A new category of an event. A `format` of nil is the event's.
  package init(
    _ content: EventCategoryContent, in event: Int64, format: FormatChoice?, arrowLimit: UInt32
  ) throws(StoreError) {
    id = 0
    revision = 0
    self.event = event
    self.content = try content.validated()
    self.format = format
    self.arrowLimit = arrowLimit
  }

  /// All fields of a category at a revision; the format cannot be changed.
  package init(
    _ id: Int64, of event: Int64, revision: UInt64, _ content: EventCategoryContent
  ) throws(StoreError) {
    guard revision > 0 else {
      throw .invalid("category.revision", "must be the revision that was read, from 1")
    }
    self.id = id
    self.event = event
    self.revision = revision
    self.content = try content.validated()
    format = nil
    arrowLimit = 0
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventCategoryRecord {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let same = try transaction.snapshot.categoryID(code: content.code, of: event)
    if id == 0 {
      if let same, let found = try transaction.snapshot.category(id: same) {
        // A repeated call finds what it made.
        guard found.content == content, !found.isFirst, try hasSameRound(found, transaction) else {
          throw Self.taken
        }
        return found
      }
      return try add(head, transaction)
    }
    let before = try transaction.snapshot.category(id: id, of: event, field: "category.id")
    guard before.revision == revision else {
      throw StoreError(
        .aborted,
        "it was changed since revision \(revision); it is at \(before.revision)",
        field: "category.revision")
    }
    guard same == nil || same == id else { throw Self.taken }
    guard before.content != content else { return before }
    let policyChanges = before.content.tiePolicy != content.tiePolicy
    if policyChanges {
      try transaction.check(head, [.open], field: "category.tie_policy")
    }
    try transaction.run(
      Self.update, .integer(id), .integer(Int64(content.bow)), .integer(Int64(content.gender)),
      .integer(Int64(content.age)), .integer(before.hasOwnFormat ? before.format.id : 0),
      .integer(Int64(content.tiePolicy)), .integer(transaction.nowMilliseconds / 86_400_000),
      .text(content.code), .text(content.name))
    if content.age != before.content.age {
      try transaction.keepPublicNames(event: event, category: id)
    }
    return try finish(id, head, .updated, transaction)
  }

  /// Whether a category has the round that this command names.
  private func hasSameRound(
    _ found: EventCategoryRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Bool {
    guard let format else { return !found.hasOwnFormat }
    guard found.hasOwnFormat else { return false }
    var wanted = try transaction.snapshot.format(
      format, principal: transaction.caller.principal
    ).format
    if arrowLimit > 0, Int(arrowLimit) < wanted.arrowCount {
      wanted = wanted.cut(toArrows: Int(arrowLimit))
    }
    let stored = found.format.format
    return stored.codename == wanted.codename && stored.name == wanted.name
      && stored.location == wanted.location && stored.passes == wanted.passes
  }

  private static var taken: StoreError {
    StoreError(
      .alreadyExists, "another category of the event has this code", field: "category.code",
      notProcessed: true)
  }

  private func add(
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventCategoryRecord {
    let count = try transaction.snapshot.first(Self.count, .integer(event)) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.categoriesPerEvent else {
      throw StoreError.reached(
        .categoriesPerEvent, "one event may have \(StoreLimits.categoriesPerEvent) categories")
    }
    var formatID: Int64 = 0
    if let format { formatID = try transaction.keptFormat(format, arrowLimit: arrowLimit).id }
    let id = try Self.insert(content, formatID, isFirst: false, in: event, transaction)
    return try finish(id, head, .created, transaction)
  }

  private func finish(
    _ id: Int64, _ head: TournamentHead, _ change: JournalEntry.Change,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventCategoryRecord {
    try transaction.record(
      change, of: .eventCategory, id: id, principal: head.organiser, topic: event)
    try transaction.auditEvent(event, "event.category", after: "\(id)")
    guard let record = try transaction.snapshot.category(id: id) else {
      throw StoreError(.internalError, "a category was deleted while it was changed")
    }
    return record
  }

  /// The first category of a new event, with its stage.
  static func insertFirst(
    of event: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    var content = EventCategoryContent()
    content.code = "ALL"
    _ = try insert(content, 0, isFirst: true, in: event, transaction)
  }

  private static func insert(
    _ content: EventCategoryContent, _ format: Int64, isFirst: Bool, in event: Int64,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> Int64 {
    let day = transaction.nowMilliseconds / 86_400_000
    let id = try transaction.insert(
      insertRow, .integer(event), .integer(isFirst ? 1 : 0), .integer(Int64(content.bow)),
      .integer(Int64(content.gender)), .integer(Int64(content.age)), .integer(format),
      .integer(Int64(content.tiePolicy)), .integer(day), .text(content.code), .text(content.name))
    try transaction.run(
      insertStage, .integer(event), .integer(id), .integer(day),
      .integer(transaction.nowMilliseconds))
    return id
  }
}

/// Deletes a category without entries; not the first one.
package struct DeleteCategory: Command {
  package static var storesContent: Bool { false }

  private let id: Int64
  private let event: Int64
  private let expected: UInt64

  private static let statements = [
    Query("DELETE FROM event_tie WHERE category_id = ?1 AND event_id = ?2"),
    Query("DELETE FROM event_stage WHERE category_id = ?1 AND event_id = ?2"),
    Query("DELETE FROM event_category WHERE id = ?1 AND event_id = ?2"),
  ]

  /// `expected` is the revision that was read; 0: any.
  package init(_ id: Int64, of event: Int64, expected: UInt64 = 0) {
    self.id = id
    self.event = event
    self.expected = expected
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let category = try transaction.snapshot.category(id: id, of: event)
    guard !category.isFirst else {
      throw StoreError(
        .failedPrecondition, "participants without a category are in it", field: "category_id")
    }
    guard
      try transaction.snapshot.stages(
        event: event, principal: transaction.caller.principal
      ).allSatisfy({ $0.category != id && $0.secondCategory != id })
    else {
      throw StoreError(
        .failedPrecondition, "it has an elimination; delete that first", field: "category_id")
    }
    guard category.entryCount == 0 else {
      throw StoreError(
        .failedPrecondition,
        "it has \(category.entryCount) entries; move them to another category first",
        field: "category_id")
    }
    guard expected == 0 || category.revision == expected else {
      throw .changed(since: "expected_revision", "the category", .category(category))
    }
    for statement in Self.statements {
      try transaction.run(statement, .integer(id), .integer(event))
    }
    try transaction.record(
      .deleted, of: .eventCategory, id: id, principal: head.organiser, topic: event)
    try transaction.auditEvent(event, "event.category", before: "\(id)")
  }
}
