import QuiverCrypto
package import QuiverRules

/// Which entries of a file are not stored yet.
///
/// The k-th of identical entries of a day equals the k-th stored one. The comparison is made by
/// ``Store/compareWeights(_:principal:)`` on a reader, and the commands of an import validate on
/// the writer that no entry has changed since.
package struct WeightComparison: Sendable {
  /// An entry to add. Its time is noon UTC of its day, one millisecond later than the time of the
  /// entry of that day before it in the file.
  package struct Missing: Sendable, Equatable {
    package let content: WeightEntryContent
    package let measuredAtMilliseconds: Int64

    /// The bytes that a command counts for the entry.
    var byteCount: Int { content.note.utf8.count + 64 }
  }

  /// What is not stored yet, in the order of the file.
  package let missing: [Missing]
  /// The number of entries that are stored already.
  package let unchangedCount: Int64
  let principal: Int64
  /// The latest change that the comparison includes.
  fileprivate(set) var sequence: Int64

  /// Whether one command can add everything that is missing.
  package var isShort: Bool {
    missing.count <= StoreLimits.weightsPerImportBatch
      && missing.reduce(0) { $0 + $1.byteCount } <= StoreLimits.importBatchByteCount
  }
}

/// The entries of a file, with the number of identical ones that are stored.
private struct FileEntries {
  /// What the index of the stored entries has of an entry.
  struct Weight: Hashable {
    let day: Int32
    let thousandths: Int64
    let unit: Int32
    let hasNote: Bool
  }

  /// What makes two entries identical; the hash of note and body fat in place of both.
  struct Identity: Hashable {
    let weight: Weight
    let hash: [UInt8]

    init(_ weight: Weight, note: String, bodyFat: Double?) {
      self.weight = weight
      guard !note.isEmpty || bodyFat != nil else {
        hash = []
        return
      }
      var bytes = CanonicalBytes()
      bytes.append(.text(note))
      bytes.append(bodyFat.map(SQLValue.real) ?? .null)
      hash = SHA256.hash(bytes.bytes)
    }

    init(_ content: WeightEntryContent) {
      self.init(Weight(content), note: content.note, bodyFat: content.bodyFatPercent)
    }
  }

  let days: [Int32]
  private let weights: Set<Weight>
  private let identities: [Identity]
  private var storedCounts: [Identity: Int]

  init(_ entries: [WeightEntryContent]) {
    days = Set(entries.map(\.day)).sorted()
    weights = Set(entries.map { Weight($0) })
    identities = entries.map { Identity($0) }
    storedCounts = Dictionary(identities.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the file has an entry of this day, weight and unit.
  func has(_ weight: Weight) -> Bool { weights.contains(weight) }

  /// Counts a stored entry.
  mutating func count(_ stored: Identity) {
    if let count = storedCounts[stored] { storedCounts[stored] = count + 1 }
  }

  /// The entries of the file that are not stored, and the number of the others.
  func missing(
    _ entries: [WeightEntryContent]
  ) -> (missing: [WeightComparison.Missing], unchangedCount: Int64) {
    var counts = storedCounts
    var missing: [WeightComparison.Missing] = []
    var ordinals: [Int32: Int64] = [:]
    for (entry, identity) in zip(entries, identities) {
      ordinals[entry.day, default: 0] += 1
      if let count = counts[identity], count > 0 {
        counts[identity] = count - 1
        continue
      }
      let noon = Int64(entry.day) * 86_400_000 + 43_200_000
      missing.append(
        WeightComparison.Missing(
          content: entry, measuredAtMilliseconds: noon + (ordinals[entry.day] ?? 0)))
    }
    return (missing, Int64(entries.count - missing.count))
  }
}

extension FileEntries.Weight {
  init(_ content: WeightEntryContent) {
    self.init(
      day: content.day, thousandths: content.thousandths, unit: content.unit?.rawValue ?? 0,
      hasNote: content.hasNote)
  }
}

extension Store {
  /// Compares the entries of a file, validated by the rules, with those that are stored.
  ///
  /// It takes several reads, whose notes may be many megabytes: run it on a thread of long reads.
  package func compareWeights(
    _ entries: [WeightEntryContent], principal: Int64
  ) throws(StoreError) -> WeightComparison {
    var file = FileEntries(entries)
    let sequence = try read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
    var days = file.days[...]
    while !days.isEmpty {
      let slice = days.prefix(StoreLimits.weightsPerImportBatch)
      days = days.dropFirst(slice.count)
      file = try read { [file] (snapshot) throws(StoreError) in
        var file = file
        for day in slice { try snapshot.count(&file, day: day, principal: principal) }
        return file
      }
    }
    let (missing, unchangedCount) = file.missing(entries)
    return WeightComparison(
      missing: missing, unchangedCount: unchangedCount, principal: principal, sequence: sequence)
  }

  /// Whether no weight entry of the principal has changed since the comparison, which includes all
  /// changes until now if so.
  package func isCurrent(_ comparison: inout WeightComparison) throws(StoreError) -> Bool {
    while true {
      let sequence = comparison.sequence
      let principal = comparison.principal
      let changes = try read { (snapshot) throws(StoreError) in
        try snapshot.weightChanges(after: sequence, principal: principal)
      }
      guard !changes.hasOwn else { return false }
      comparison.sequence = changes.last
      if !changes.isCut { return true }
      guard changes.last > sequence else { return false }
    }
  }
}

extension Snapshot {
  private static let index = Query(
    """
    SELECT id, thousandths, unit, has_note FROM weight_entry
    WHERE principal_id = ?1 AND deleted_at_ms IS NULL AND day = ?2
    """)
  private static let details = Query("SELECT note, body_fat FROM weight_entry WHERE id = ?1")
  private static let changes = Query(
    """
    SELECT count(*), coalesce(max(sequence), ?1),
      sum(CASE WHEN principal_id = ?2 AND kind = \(ObjectKind.weightEntry.rawValue)
        THEN 1 ELSE 0 END)
    FROM (
      SELECT sequence, principal_id, kind FROM journal WHERE sequence > ?1
      ORDER BY sequence LIMIT \(StoreLimits.comparedChanges)
    ) AS changed
    """)

  /// Counts the stored entries of a day that equal entries of the file. Of entries with another
  /// weight only the index is read.
  fileprivate func count(
    _ file: inout FileEntries, day: Int32, principal: Int64
  ) throws(StoreError) {
    var candidates: [(id: Int64, weight: FileEntries.Weight)] = []
    try session.forEach(Self.index, [.integer(principal), .integer(Int64(day))]) { row in
      let weight = FileEntries.Weight(
        day: day, thousandths: row.int64(1), unit: row.int32(2), hasNote: row.bool(3))
      if file.has(weight) { candidates.append((row.int64(0), weight)) }
    }
    for (id, weight) in candidates {
      let identity = try first(Self.details, .integer(id)) { row in
        FileEntries.Identity(
          weight, note: row.text(0), bodyFat: row.isNull(1) ? nil : row.double(1))
      }
      if let identity { file.count(identity) }
    }
  }

  /// What the journal has after a sequence: whether a weight entry of the principal changed, and
  /// the sequence behind which the next look begins. It is cut at `StoreLimits.comparedChanges`
  /// rows.
  func weightChanges(
    after sequence: Int64, principal: Int64
  ) throws(StoreError) -> (hasOwn: Bool, last: Int64, isCut: Bool) {
    // The rows after the sequence may have expired, so that nothing is known of them.
    guard try sequence + 1 >= firstSequence() else { return (true, sequence, false) }
    let found = try first(Self.changes, .integer(sequence), .integer(principal)) { row in
      (count: row.int64(0), last: row.int64(1), own: row.int64(2))
    }
    guard let found else { return (false, sequence, false) }
    // In PostgreSQL rows with smaller sequences may still appear before those behind the horizon.
    let last = session.isPostgreSQL ? try min(found.last, lastSequence()) : found.last
    return (found.own > 0, last, found.count >= StoreLimits.comparedChanges)
  }
}

extension Transaction {
  /// Throws `aborted` if a weight entry of the caller has changed since the comparison.
  func check(_ comparison: WeightComparison) throws(StoreError) {
    precondition(comparison.principal == caller.principal, "A comparison is of its caller.")
    let changes = try snapshot.weightChanges(
      after: comparison.sequence, principal: caller.principal)
    guard !changes.hasOwn, !changes.isCut else {
      throw StoreError(
        .aborted, "the weight log was changed during the import; try again", notProcessed: true)
    }
  }
}
