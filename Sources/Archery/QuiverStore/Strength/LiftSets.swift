import QuiverCrypto
package import QuiverRules

/// Creates a set.
///
/// If the `client_id` was used before for the same content, returns the set that was made
/// then, in its current state.
package struct CreateLiftSet: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

  /// What a set counts for the rate at which its principal may write: as one of an import, whose
  /// sets count while they arrive.
  static let byteCount: Int64 = 64

  private let set: LiftSet
  private let clientID: [UInt8]
  private let prefix: String

  /// Checks the content; `prefix` is the path of the set in the request.
  package init(
    _ set: LiftSet, clientID: [UInt8] = [], prefix: String = "set"
  ) throws(StoreError) {
    self.set = try validating { () throws(RuleViolation) in try set.validated(prefix: prefix) }
    self.clientID = clientID
    self.prefix = prefix
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> LiftSetRecord {
    let principal = transaction.caller.principal
    try transaction.checkNoImportEnds()
    let made = try transaction.made(
      clientID: clientID, kind: .liftSet, contentHash: contentHash, field: prefix + ".client_id"
    ) { (snapshot, id) throws(StoreError) in
      try snapshot.liftSet(id: id, principal: principal)
    }
    if let made { return made }
    try transaction.countSets(adding: 1)
    let series = try transaction.seriesID(of: try transaction.exerciseID(set.exercise))
    let id = try transaction.insertSet(set, in: series, clientID: clientID)
    try transaction.include(id, set, in: series)
    try transaction.countWritten(CreateLiftSet.byteCount)
    if !clientID.isEmpty {
      try transaction.keep(clientID: clientID, kind: .liftSet, id: id, contentHash: contentHash)
    }
    try transaction.record(.created, of: .liftSet, id: id, principal: principal)
    return try transaction.liftSet(id: id)
  }

  private var contentHash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.integer(Int64(set.day)))
    encoding.append(.text(set.exercise.text))
    encoding.append(.integer(Int64(set.sets)))
    encoding.append(.integer(Int64(set.repetitions)))
    encoding.append(.real(set.weight))
    encoding.append(.integer(Int64(set.unit.rawValue)))
    return SHA256.hash(encoding.bytes)
  }
}

/// Changes the fields that the mask names, if the revision is still current.
///
/// If nothing differs, nothing is written and the revision stays.
package struct UpdateLiftSet: Command {
  private let set: LiftSet
  private let reference: ObjectReference
  private let revision: UInt64
  private let mask: UpdateMask
  private let prefix: String

  /// The fields that a mask may name.
  package static let fields: Set<String> = [
    "day", "exercise", "sets", "repetitions", "weight", "unit",
  ]

  private static let update = Query(
    """
    UPDATE lift_set SET revision = revision + 1, updated_at_ms = ?2, series_id = ?3, day = ?4,
      sets = ?5, repetitions = ?6, weight = ?7, unit = ?8, one_rep_max_lb = ?9
    WHERE id = ?1
    """)

  /// Checks mask and revision; `prefix` is the path of the set in the request.
  package init(
    _ set: LiftSet, of reference: ObjectReference, revision: UInt64, mask: [String],
    prefix: String = "set"
  ) throws(StoreError) {
    self.mask = try UpdateMask(
      mask, revision: revision, prefix: prefix, isField: Self.fields.contains)
    self.set = set
    self.reference = reference
    self.revision = revision
    self.prefix = prefix
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> LiftSetRecord {
    let principal = transaction.caller.principal
    try transaction.checkNoImportEnds()
    let current = try transaction.snapshot.liftSet(reference, principal: principal)
    guard current.revision == revision else {
      throw .stale(revision, now: current.revision, .liftSet(current))
    }
    let wanted = try wantedSet(current.set)
    guard wanted != current.set else { return current }
    let before = try transaction.series(ofSet: current.id)
    let after =
      wanted.exercise == current.set.exercise
      ? before : try transaction.seriesID(of: try transaction.exerciseID(wanted.exercise))
    try transaction.run(
      Self.update, .integer(current.id), .integer(transaction.nowMilliseconds), .integer(after),
      .integer(Int64(wanted.day)), .integer(Int64(wanted.sets)),
      .integer(Int64(wanted.repetitions)), .real(wanted.weight),
      .integer(Int64(wanted.unit.rawValue)),
      wanted.oneRepMax(.brzycki, in: .pound).map(SQLValue.real) ?? .null)
    try transaction.exclude(current.id, from: before)
    try transaction.include(current.id, wanted, in: after)
    if before != after { try transaction.forgetIfEmpty(before) }
    try transaction.countWritten(CreateLiftSet.byteCount)
    try transaction.record(.updated, of: .liftSet, id: current.id, principal: principal)
    return try transaction.liftSet(id: current.id)
  }

  private func wantedSet(_ current: LiftSet) throws(StoreError) -> LiftSet {
    var wanted = current
    if mask.contains("day") { wanted.day = set.day }
    if mask.contains("exercise") { wanted.exercise = set.exercise }
    if mask.contains("sets") { wanted.sets = set.sets }
    if mask.contains("repetitions") { wanted.repetitions = set.repetitions }
    if mask.contains("weight") { wanted.weight = set.weight }
    if mask.contains("unit") { wanted.unit = set.unit }
    return try validating { [wanted] () throws(RuleViolation) in
      try wanted.validated(prefix: prefix)
    }
  }
}

/// Deletes a set; revision 0 matches any revision.
package struct DeleteLiftSet: Command {
  package static var storesContent: Bool { false }

  private let reference: ObjectReference
  private let revision: UInt64

  private static let delete = Query("DELETE FROM lift_set WHERE id = ?1")

  package init(_ reference: ObjectReference, revision: UInt64 = 0) {
    self.reference = reference
    self.revision = revision
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let principal = transaction.caller.principal
    try transaction.checkNoImportEnds()
    let current = try transaction.snapshot.liftSet(reference, principal: principal)
    try transaction.check(revision, of: current.revision, .liftSet(current))
    let series = try transaction.series(ofSet: current.id)
    try transaction.run(Self.delete, .integer(current.id))
    try transaction.forgetContent(of: .liftSet, id: current.id, clientID: current.clientID)
    try transaction.exclude(current.id, from: series)
    try transaction.forgetIfEmpty(series)
    try transaction.countSets(adding: -1)
    try transaction.record(.deleted, of: .liftSet, id: current.id, principal: principal)
  }
}

extension Transaction {
  private static let seriesOfSet = Query("SELECT series_id FROM lift_set WHERE id = ?1")

  func series(ofSet id: Int64) throws(StoreError) -> Int64 {
    let found = try snapshot.first(Self.seriesOfSet, .integer(id)) { row in row.int64(0) }
    guard let found else { throw StoreError(.internalError, "a set went while it was changed") }
    return found
  }

  /// A set of the caller that must exist.
  func liftSet(id: Int64) throws(StoreError) -> LiftSetRecord {
    guard let set = try snapshot.liftSet(id: id, principal: caller.principal) else {
      throw StoreError(.internalError, "a set went while it was changed")
    }
    return set
  }
}
