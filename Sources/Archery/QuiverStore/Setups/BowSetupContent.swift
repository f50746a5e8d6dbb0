import QuiverRules

/// The fields of a stored setup that its owner sets.
struct BowSetupContent: Equatable {
  var name: String
  var notes: String
  var isActive: Bool
  var isDefault: Bool
  var parts: SetupParts
}

extension BowSetupRecord {
  /// The content of the version in this record.
  ///
  /// Throws `dataLoss` if the stored parts are not valid.
  func content() throws(StoreError) -> BowSetupContent {
    let parts: SetupParts
    do throws(RuleViolation) {
      parts = try SetupParts(components.map(\.part), path: "components")
    } catch {
      throw StoreError(.dataLoss, "a stored bow setup breaks the rules of setups")
    }
    return BowSetupContent(
      name: name, notes: notes, isActive: isActive, isDefault: isDefault, parts: parts)
  }
}

extension Transaction {
  private static let insertSetup = Query(
    """
    INSERT INTO bow_setup (principal_id, client_id, revision, version, is_active, is_default,
      created_at_ms, updated_at_ms, name, sort_name, notes)
    VALUES (?1, ?2, 1, 1, ?3, ?4, ?5, ?5, ?6, ?7, ?8)
    """, key: "id")
  private static let updateSetup = Query(
    """
    UPDATE bow_setup SET revision = revision + 1, version = ?2, is_active = ?3, is_default = ?4,
      updated_at_ms = ?5, name = ?6, sort_name = ?7, notes = ?8
    WHERE id = ?1
    """)
  private static let insertVersion = Query(
    "INSERT INTO bow_setup_version (setup_id, version, made_at_ms) VALUES (?1, ?2, ?3)")
  private static let insertComponent = Query(
    """
    INSERT INTO bow_setup_component (setup_id, version, place, equipment_id, quantity)
    VALUES (?1, ?2, ?3, ?4, ?5)
    """)
  private static let countUse = Query(
    "UPDATE equipment SET setup_use_count = setup_use_count + ?2 WHERE id = ?1")
  private static let count = Query(
    """
    INSERT INTO bow_setup_count (principal_id, active, inactive) VALUES (?1, ?2, ?3)
    ON CONFLICT (principal_id) DO UPDATE SET active = bow_setup_count.active + ?2,
      inactive = bow_setup_count.inactive + ?3
    """)

  /// Stores a new setup of the caller; returns its id.
  func insert(_ content: BowSetupContent, clientID: [UInt8]) throws(StoreError) -> Int64 {
    try checkRoomForSetup()
    let id = try insert(
      Self.insertSetup, .integer(caller.principal), clientID.isEmpty ? .null : .blob(clientID),
      .integer(content.isActive ? 1 : 0), .integer(content.isDefault ? 1 : 0),
      .integer(nowMilliseconds), .text(content.name),
      .text(BowSetupText.sortKey(content.name)), .text(content.notes))
    try insertVersion(1, of: id, content.parts)
    try countUses(from: SetupParts(), to: content.parts)
    try countSetups(isActive: content.isActive, by: 1)
    try record(.created, of: .bowSetup, id: id, principal: caller.principal)
    return id
  }

  /// Stores the next revision of a setup, and a new version if the parts differ.
  ///
  /// If nothing differs, nothing is written.
  func replace(
    _ current: BowSetupRecord, with content: BowSetupContent
  ) throws(StoreError) -> BowSetupRecord {
    let before = try current.content()
    guard content != before else { return current }
    var version = current.latestVersion
    if content.parts != before.parts {
      version = try nextVersion(of: current)
      try insertVersion(version, of: current.id, content.parts)
      try countUses(from: before.parts, to: content.parts)
    }
    if content.isActive != before.isActive {
      try countSetups(isActive: before.isActive, by: -1)
      try countSetups(isActive: content.isActive, by: 1)
    }
    try run(
      Self.updateSetup, .integer(current.id), .integer(version),
      .integer(content.isActive ? 1 : 0), .integer(content.isDefault ? 1 : 0),
      .integer(nowMilliseconds), .text(content.name),
      .text(BowSetupText.sortKey(content.name)), .text(content.notes))
    try record(.updated, of: .bowSetup, id: current.id, principal: caller.principal)
    return try setup(id: current.id)
  }

  /// A setup of the caller that must exist.
  func setup(id: Int64) throws(StoreError) -> BowSetupRecord {
    guard let setup = try snapshot.bowSetup(id: id, principal: caller.principal) else {
      throw StoreError(.internalError, "a bow setup was deleted while it was changed")
    }
    return setup
  }

  /// Updates `setup_use_count` for a change of the latest version's parts.
  func countUses(from before: SetupParts, to after: SetupParts) throws(StoreError) {
    let old = Set(before.list.map(\.equipmentID))
    let new = Set(after.list.map(\.equipmentID))
    for id in new.symmetricDifference(old).sorted() {
      try run(Self.countUse, .integer(id), .integer(new.contains(id) ? 1 : -1))
      // Watches of the item need no notice, but cached copies of it are stale.
      effects.note(.updated, of: .equipment, id: id)
    }
  }

  /// Updates the counts of the equipment hub.
  func countSetups(isActive: Bool, by step: Int64) throws(StoreError) {
    try run(
      Self.count, .integer(caller.principal), .integer(isActive ? step : 0),
      .integer(isActive ? 0 : step))
  }

  private func insertVersion(
    _ version: Int64, of id: Int64, _ parts: SetupParts
  ) throws(StoreError) {
    try run(Self.insertVersion, .integer(id), .integer(version), .integer(nowMilliseconds))
    for (place, part) in parts.list.enumerated() {
      try run(
        Self.insertComponent, .integer(id), .integer(version), .integer(Int64(place)),
        .integer(part.equipmentID), .integer(Int64(part.quantity)))
    }
  }

  private func nextVersion(of setup: BowSetupRecord) throws(StoreError) -> Int64 {
    guard setup.latestVersion < StoreLimits.versionsPerBowSetup else {
      throw StoreError.reached(
        .versionsPerBowSetup,
        "\"\(BowSetupText.displayName(setup.name))\" has its \(StoreLimits.versionsPerBowSetup) "
          + "versions; continue with a copy of it")
    }
    return setup.latestVersion + 1
  }

  private func checkRoomForSetup() throws(StoreError) {
    let count = try snapshot.bowSetupCount(principal: caller.principal)
    guard count.active + count.inactive < StoreLimits.bowSetupsPerPrincipal else {
      throw StoreError.reached(
        .bowSetupsPerPrincipal,
        "one principal may have \(StoreLimits.bowSetupsPerPrincipal) bow setups")
    }
  }
}
