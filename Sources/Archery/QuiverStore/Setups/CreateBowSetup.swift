import QuiverCrypto
import QuiverRules

/// Makes a bow setup in its first version.
///
/// With a `client_id` that was used before for the same content, it answers the setup that was made
/// then, as it is by now.
package struct CreateBowSetup: Command {
  private let draft: BowSetupDraft
  private let clientID: [UInt8]
  private let prefix: String

  /// Checks the texts; `prefix` is the path of the setup in the request.
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

/// Makes another setup with the notes, components and sight marks of one.
///
/// Of an old version, what has been deleted since is left out. The copy is active and not the
/// default.
package struct CopyBowSetup: Command {
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

  /// Checks the name; an empty one is made of the old name. A `version` of 0 is the latest.
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
  /// The setup that was made with this client_id and this content; nil where none was.
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

  /// Refuses a second default and one that is put away.
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
