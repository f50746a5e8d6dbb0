import QuiverCrypto
import QuiverRules

/// Creates a weight entry.
///
/// If the `client_id` was used before for the same content, returns the entry that was created
/// then, in its current state.
package struct CreateWeightEntry: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

  private let draft: WeightEntryDraft
  private let clientID: [UInt8]
  private let prefix: String
  private let dayOfInstant: DayOfInstant

  /// Validates the content; `prefix` is the path of the entry in the request.
  package init(
    _ draft: WeightEntryDraft, clientID: [UInt8] = [], prefix: String = "weight_entry",
    dayOfInstant: @escaping DayOfInstant = { _, _ in nil }
  ) throws(StoreError) {
    self.draft = try draft.checked(prefix: prefix)
    self.clientID = clientID
    self.prefix = prefix
    self.dayOfInstant = dayOfInstant
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> WeightEntryRecord {
    let principal = transaction.caller.principal
    let made = try transaction.made(
      clientID: clientID, kind: .weightEntry, contentHash: contentHash, field: prefix + ".client_id"
    ) { (snapshot, id) throws(StoreError) in
      try snapshot.weightEntry(id: id, principal: principal)
    }
    if let made { return made }
    let now = transaction.nowMilliseconds
    let isAhead = draft.measuredAtMilliseconds > now + WeightEntryDraft.aheadMilliseconds
    let isStated = draft.measuredAtMilliseconds != 0 && !isAhead
    let instant = isStated ? draft.measuredAtMilliseconds : now
    let content = draft.content(day: try day(of: instant, transaction))
    try transaction.countWeightEntries(adding: 1)
    let id = try transaction.insertWeightEntry(
      content, clientID: clientID, measuredAtMilliseconds: instant, isClockAhead: isAhead)
    if !clientID.isEmpty {
      try transaction.keep(
        clientID: clientID, kind: .weightEntry, id: id, contentHash: contentHash)
    }
    try transaction.record(.created, of: .weightEntry, id: id, principal: principal)
    return try transaction.weightEntry(id: id)
  }

  private func day(
    of instant: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Int32 {
    if let day = draft.day { return day }
    var zone = draft.timeZone
    if zone.isEmpty {
      zone = try transaction.snapshot.principal(id: transaction.caller.principal).timeZone
    }
    guard !zone.isEmpty else {
      throw .invalid(
        prefix + ".day", "must be given, or a time_zone, since the profile has none")
    }
    guard let day = dayOfInstant(zone, instant) else {
      throw .invalid("time_zone", "there is no time zone of this name; use an IANA name")
    }
    guard CivilDate.dayRange.contains(day) else {
      throw .invalid(prefix + ".measured_at_ms", "is of no day of the years 1 to 9999 in the zone")
    }
    return day
  }

  private var contentHash: [UInt8] { SHA256.hash(draft.canonicalBytes) }
}

extension Transaction {
  private static let insertEntry = Query(
    """
    INSERT INTO weight_entry (principal_id, client_id, revision, created_at_ms, updated_at_ms, day,
      measured_at_ms, clock_ahead, thousandths, unit, has_note, note, body_fat)
    VALUES (?1, ?2, 1, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """, key: "id")
  private static let changeCount = Query(
    """
    INSERT INTO weight_entry_count (principal_id, entries) VALUES (?1, ?2)
    ON CONFLICT (principal_id) DO UPDATE SET entries = weight_entry_count.entries + ?2
    """)
  private static let count = Query(
    "SELECT entries FROM weight_entry_count WHERE principal_id = ?1")

  func insertWeightEntry(
    _ content: WeightEntryContent, clientID: [UInt8] = [], measuredAtMilliseconds: Int64,
    isClockAhead: Bool = false
  ) throws(StoreError) -> Int64 {
    try insert(
      Self.insertEntry, .integer(caller.principal), clientID.isEmpty ? .null : .blob(clientID),
      .integer(nowMilliseconds), .integer(Int64(content.day)), .integer(measuredAtMilliseconds),
      .integer(isClockAhead ? 1 : 0), .integer(content.thousandths),
      .integer(Int64(content.unit?.rawValue ?? 0)), .integer(content.hasNote ? 1 : 0),
      .text(content.note), content.bodyFatPercent.map(SQLValue.real) ?? .null)
  }

  /// Adds to the count of entries, or throws `resourceExhausted`; deleted entries count until they
  /// expire.
  func countWeightEntries(adding added: Int64) throws(StoreError) {
    try checkWeightEntryCount(adding: added)
    try addToWeightEntryCount(added)
  }

  /// Throws `resourceExhausted` if there is no place for so many more entries.
  func checkWeightEntryCount(adding added: Int64) throws(StoreError) {
    let count = try snapshot.first(Self.count, .integer(caller.principal)) { row in row.int64(0) }
    guard (count ?? 0) + added <= StoreLimits.weightEntriesPerPrincipal else {
      throw StoreError.reached(
        .weightEntriesPerPrincipal,
        "an account may have \(StoreLimits.weightEntriesPerPrincipal) weight entries")
    }
  }

  /// Adds to the count of entries without a check.
  func addToWeightEntryCount(_ added: Int64) throws(StoreError) {
    try run(Self.changeCount, .integer(caller.principal), .integer(added))
  }

  /// An entry of the caller that must exist.
  func weightEntry(id: Int64) throws(StoreError) -> WeightEntryRecord {
    guard let entry = try snapshot.weightEntry(id: id, principal: caller.principal) else {
      throw StoreError(.internalError, "a weight entry was deleted while it was changed")
    }
    return entry
  }
}
