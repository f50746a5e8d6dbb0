import QuiverRules

/// A short text for those who take part in an event.
package struct EventNoticeRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let content: EventNoticeContent
  package let authorRole: EventRole
  package let sentAtMilliseconds: Int64
}

/// The fields of a notice that its author sets.
package struct EventNoticeContent: Sendable, Equatable {
  package var text = ""
  /// Whether everybody who sees the event sees it.
  package var isPublic = false
  /// For whom it is; 0: for all.
  package var session: Int64 = 0
  /// 0: all targets of the session.
  package var firstTarget: UInt32 = 0
  package var lastTarget: UInt32 = 0

  package init() {}
}

/// Reads notices.
extension Snapshot {
  private static let columns = """
    n.id, n.event_id, n.author_role, n.is_public, n.session_id, n.first_target, n.last_target,
    n.sent_at_ms, n.message
    """
  private static let ofEvent = Query(
    "SELECT \(columns) FROM event_notice n WHERE n.event_id = ?1 ORDER BY n.id DESC LIMIT ?2")
  private static let byID = Query(
    "SELECT \(columns) FROM event_notice n WHERE n.id = ?2 AND n.event_id = ?1")
  private static let ofAuthor = Query(
    """
    SELECT \(columns) FROM event_notice n
    WHERE n.author_id = ?1 AND n.id > ?2 ORDER BY n.id LIMIT ?3
    """)

  /// The notices of an event that the principal may see, nil for a spectator, newest first; throws
  /// `notFound`.
  package func notices(
    event: Int64, principal: Int64?
  ) throws(StoreError) -> [EventNoticeRecord] {
    let head = try visibleTournament(id: event, principal: principal)
    let kept = try all(
      Self.ofEvent, .integer(event), .integer(StoreLimits.noticesPerEvent)
    ) { (row) throws(StoreError) in try EventNoticeRecord(row) }
    return try shown(kept, head, principal: principal)
  }

  /// Those of some notices of an event that are still kept and that the principal may see, newest
  /// first; throws `notFound`.
  package func notices(
    _ ids: Set<Int64>, event: Int64, principal: Int64?
  ) throws(StoreError) -> [EventNoticeRecord] {
    let head = try visibleTournament(id: event, principal: principal)
    var found: [EventNoticeRecord] = []
    for id in ids.sorted(by: >) {
      let notice = try first(Self.byID, .integer(event), .integer(id)) {
        (row) throws(StoreError) in try EventNoticeRecord(row)
      }
      if let notice { found.append(notice) }
    }
    return try shown(found, head, principal: principal)
  }

  /// Those who have a part in the event see all of them, others the public ones.
  private func shown(
    _ notices: [EventNoticeRecord], _ head: TournamentHead, principal: Int64?
  ) throws(StoreError) -> [EventNoticeRecord] {
    guard notices.contains(where: { !$0.content.isPublic }) else { return notices }
    if let principal,
      try hasPart(in: head.id, organiser: head.organiser, principal: principal)
    {
      return notices
    }
    return notices.filter(\.content.isPublic)
  }

  /// The notices that a principal has written, by id.
  func notices(
    ofAuthor principal: Int64, after id: Int64, limit: Int64
  ) throws(StoreError) -> [EventNoticeRecord] {
    try all(Self.ofAuthor, .integer(principal), .integer(id), .integer(limit)) {
      (row) throws(StoreError) in try EventNoticeRecord(row)
    }
  }
}

extension EventNoticeRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let role = EventRole(rawValue: row.int32(2)) else {
      throw StoreError(.dataLoss, "a stored role is none")
    }
    id = row.int64(0)
    event = row.int64(1)
    authorRole = role
    var content = EventNoticeContent()
    content.isPublic = row.bool(3)
    content.session = row.int64(4)
    content.firstTarget = UInt32(clamping: row.int64(5))
    content.lastTarget = UInt32(clamping: row.int64(6))
    content.text = row.text(8)
    self.content = content
    sentAtMilliseconds = row.int64(7)
  }
}

extension EventText {
  /// A text that is shown as a line on the phones of others, in its stored form.
  static func line(
    _ text: String, length: Int, field: String
  ) throws(StoreError) -> String {
    let line = try checked(text, length: length, field: field)
    guard !line.isEmpty else { throw .invalid(field, "must not be blank") }
    let separators: [Unicode.GeneralCategory] = [.control, .lineSeparator, .paragraphSeparator]
    guard
      !line.unicodeScalars.contains(where: { separators.contains($0.properties.generalCategory) })
    else {
      throw .invalid(field, "must not contain control characters, such as a line break")
    }
    return line
  }
}

/// Sends a notice to those who take part in an event; by an organiser or a judge.
package struct SendNotice: Command {
  /// An organiser whose quota is full can still speak to the line: the number of notices has a
  /// limit of its own.
  package static var storesContent: Bool { false }

  private let event: Int64
  private let content: EventNoticeContent

  private static let insert = Query(
    """
    INSERT INTO event_notice (event_id, author_id, author_role, is_public, session_id,
      first_target, last_target, sent_at_ms, message)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """, key: "id")
  private static let recent = Query(
    """
    SELECT count(*), coalesce(min(sent_at_ms), 0) FROM event_notice
    WHERE event_id = ?1 AND sent_at_ms > ?2
    """)
  private static let removeOld = Query(
    """
    DELETE FROM event_notice WHERE event_id = ?1 AND id <= (
      SELECT id FROM event_notice WHERE event_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
    """)
  private static let windowMilliseconds: Int64 = 60_000

  /// Validates the text.
  package init(_ content: EventNoticeContent, to event: Int64) throws(StoreError) {
    var content = content
    content.text = try EventText.line(
      content.text, length: StoreLimits.noticeLength, field: "text")
    guard content.session != 0 || (content.firstTarget == 0 && content.lastTarget == 0) else {
      throw .invalid("first_target", "must be given with session_id only")
    }
    if content.lastTarget == 0 { content.lastTarget = content.firstTarget }
    guard content.firstTarget != 0 || content.lastTarget == 0 else {
      throw .invalid("last_target", "must be given with first_target only")
    }
    guard content.firstTarget <= content.lastTarget else {
      throw .invalid("last_target", "must not be below first_target")
    }
    self.event = event
    self.content = content
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventNoticeRecord {
    let head = try transaction.event(event, for: [.judge])
    guard let role = try transaction.snapshot.role(of: transaction.caller.principal, in: head)
    else { throw StoreError(.internalError, "an official has no role") }
    try checkTargets(transaction)
    let now = transaction.nowMilliseconds
    try checkRate(now, transaction)
    let id = try transaction.insert(
      Self.insert,
      values: [
        .integer(event), .integer(transaction.caller.principal), .integer(Int64(role.rawValue)),
        .integer(content.isPublic ? 1 : 0), .integer(content.session),
        .integer(Int64(content.firstTarget)), .integer(Int64(content.lastTarget)), .integer(now),
        .text(content.text),
      ])
    try transaction.run(
      Self.removeOld, .integer(event), .integer(StoreLimits.noticesPerEvent))
    try transaction.record(
      .created, of: .eventNotice, id: id, principal: head.organiser, topic: event)
    try transaction.auditEvent(event, "event.notice", after: "\(id)")
    return EventNoticeRecord(
      id: id, event: event, content: content, authorRole: role, sentAtMilliseconds: now)
  }

  private func checkTargets(_ transaction: borrowing Transaction) throws(StoreError) {
    guard content.session != 0 else { return }
    let line = try transaction.snapshot.eventSessionContent(id: content.session, of: event)
    guard content.firstTarget != 0 else { return }
    let targets = line.firstTarget...line.lastTarget
    guard targets.contains(content.firstTarget), targets.contains(content.lastTarget) else {
      throw .invalid(
        "first_target",
        "and last_target must be of the session, \(line.firstTarget) to \(line.lastTarget)")
    }
  }

  /// More notices are kept than an event may get within a minute, so that they tell how many it
  /// got.
  private func checkRate(
    _ now: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let since = now - Self.windowMilliseconds
    let found = try transaction.snapshot.first(Self.recent, .integer(event), .integer(since)) {
      row in (count: row.int64(0), oldest: row.int64(1))
    }
    guard let found, found.count >= StoreLimits.noticesPerMinute else { return }
    throw StoreError.reached(
      .noticesPerMinute,
      "one event may get \(StoreLimits.noticesPerMinute) notices within a minute",
      retryAfterMilliseconds: Int32(clamping: max(1, found.oldest - since)))
  }
}
