import QuiverCrypto
import QuiverRules

/// Creates a bow setup with its first version.
///
/// If the `client_id` was used before for the same content, returns the setup that was created
/// then, in its current state.
package struct CreateBowSetup: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

  private let draft: BowSetupDraft
  private let clientID: [UInt8]
  private let prefix: String

  /// Validates the texts; `prefix` is the path of the setup in the request.
  package init(
    _ draft: BowSetupDraft, clientID: [UInt8] = [], prefix: String = "bow_setup"
  ) throws(StoreError) {
    self.draft = try draft.checked(prefix: prefix)
    self.clientID = clientID
    self.prefix = prefix
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> BowSetupRecord {
    let field = prefix + ".client_id"
    if let made = try transaction.setupMade(
      clientID: clientID, contentHash: draft.hash, field: field)
    {
      return made
    }
    let parts = try transaction.parts(draft.components, path: prefix + ".components")
    let content = BowSetupContent(
      name: draft.name, notes: draft.notes, isActive: draft.isActive,
      isDefault: draft.isDefault, parts: parts)
    if content.isDefault { try transaction.checkDefault(content, prefix: prefix) }
    return try transaction.makeSetup(content, clientID: clientID, contentHash: draft.hash)
  }
}

/// Creates a copy of a setup with its notes, components and sight marks.
///
/// A copy of an old version omits items that were deleted since. The copy is active and not the
/// default.
package struct CopyBowSetup: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

  private let original: ObjectReference
  private let version: Int64
  private let name: String
  private let clientID: [UInt8]

  private static let copyMarks = Query(
    """
    INSERT INTO sight_mark (principal_id, revision, created_at_ms, updated_at_ms, setup_id,
      distance, unit, mark_value, notes)
    SELECT principal_id, 1, ?3, ?3, ?2, distance, unit, mark_value, notes
    FROM sight_mark WHERE setup_id = ?1 ORDER BY id
    """)

  /// Validates the name; an empty name is derived from the original's. A `version` of 0 is the
  /// latest.
  package init(
    _ original: ObjectReference, version: Int64 = 0, name: String = "", clientID: [UInt8] = []
  ) throws(StoreError) {
    self.original = original
    self.version = version
    self.name = try validating { () throws(RuleViolation) in
      try BowSetupText.name(name, path: "name")
    }
    self.clientID = clientID
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> BowSetupRecord {
    let owner = transaction.caller.principal
    if let made = try transaction.setupMade(
      clientID: clientID, contentHash: hash, field: "copy_client_id")
    {
      return made
    }
    let source = try transaction.snapshot.bowSetup(original, version: version, principal: owner)
    var content = try source.content()
    for component in source.components where component.isDeleted {
      content.parts =
        content.parts.removing(equipmentID: component.part.equipmentID)
        ?? content.parts
    }
    content.name = name.isEmpty ? BowSetupText.copyName(of: source.name) : name
    content.isActive = true
    content.isDefault = false
    let made = try transaction.makeSetup(content, clientID: clientID, contentHash: hash)
    try transaction.run(
      Self.copyMarks, .integer(source.id), .integer(made.id),
      .integer(transaction.nowMilliseconds))
    return made
  }

  private var hash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text("copy"))
    switch original {
    case .id(let id): encoding.append(.integer(id))
    case .clientID(let clientID): encoding.append(.blob(clientID))
    }
    encoding.append(.integer(version))
    encoding.append(.text(name))
    return SHA256.hash(encoding.bytes)
  }
}

extension Transaction {
  /// The setup that was created with this client_id and content; nil if there is none.
  fileprivate func setupMade(
    clientID: [UInt8], contentHash: [UInt8], field: String
  ) throws(StoreError) -> BowSetupRecord? {
    let owner = caller.principal
    return try made(
      clientID: clientID, kind: .bowSetup, contentHash: contentHash, field: field
    ) { (snapshot, id) throws(StoreError) in
      try snapshot.bowSetup(id: id, principal: owner)
    }
  }

  fileprivate func makeSetup(
    _ content: BowSetupContent, clientID: [UInt8], contentHash: [UInt8]
  ) throws(StoreError) -> BowSetupRecord {
    let id = try insert(content, clientID: clientID)
    if !clientID.isEmpty {
      try keep(clientID: clientID, kind: .bowSetup, id: id, contentHash: contentHash)
    }
    return try setup(id: id)
  }

  /// Throws for a second default, and for a default that is archived.
  func checkDefault(_ content: BowSetupContent, prefix: String) throws(StoreError) {
    let field = prefix + ".is_default"
    guard content.isActive else {
      throw StoreError(
        .failedPrecondition, "an inactive setup cannot be the default; activate it", field: field)
    }
    guard let other = try snapshot.defaultBowSetup(principal: caller.principal) else { return }
    throw StoreError(
      .failedPrecondition,
      "\"\(BowSetupText.displayName(other.name))\" is the default already; "
        + "SetDefaultBowSetup moves it", field: field)
  }
}
