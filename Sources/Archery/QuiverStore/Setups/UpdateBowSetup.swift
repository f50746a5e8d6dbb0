import QuiverRules

/// Changes the fields that the mask names, if the revision is still current.
///
/// Different components create a new version. If nothing differs, nothing is written and the
/// revision stays. Deactivating the default setup leaves no default.
package struct UpdateBowSetup: Command {
  private let draft: BowSetupDraft
  private let reference: ObjectReference
  private let revision: UInt64
  private let mask: UpdateMask
  private let prefix: String

  /// The fields that a mask may name.
  package static let fields: Set<String> = [
    "name", "notes", "is_active", "is_default", "components",
  ]

  /// Validates the mask, the revision and the texts; `prefix` is the path of the setup in the
  /// request.
  package init(
    _ draft: BowSetupDraft, of reference: ObjectReference, revision: UInt64, mask: [String],
    prefix: String = "bow_setup"
  ) throws(StoreError) {
    self.mask = try UpdateMask(
      mask, revision: revision, prefix: prefix, isField: Self.fields.contains)
    // Fields that the mask does not name are ignored.
    var named = BowSetupDraft()
    if mask.contains("name") { named.name = draft.name }
    if mask.contains("notes") { named.notes = draft.notes }
    if mask.contains("is_active") { named.isActive = draft.isActive }
    if mask.contains("is_default") { named.isDefault = draft.isDefault }
    if mask.contains("components") { named.components = draft.components }
    self.draft = try named.checked(prefix: prefix)
    self.reference = reference
    self.revision = revision
    self.prefix = prefix
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> BowSetupRecord {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.bowSetup(reference, principal: owner)
    try transaction.check(revision, of: current.revision, .bowSetup(current))
    let before = try current.content()
    var wanted = before
    if mask.contains("name") { wanted.name = draft.name }
    if mask.contains("notes") { wanted.notes = draft.notes }
    if mask.contains("is_active") { wanted.isActive = draft.isActive }
    if mask.contains("is_default") {
      wanted.isDefault = draft.isDefault
    } else if !wanted.isActive {
      wanted.isDefault = false
    }
    if mask.contains("components") {
      wanted.parts = try transaction.parts(draft.components, path: prefix + ".components")
    }
    // A default that stays active was valid before.
    if wanted.isDefault && !(before.isDefault && wanted.isActive) {
      try transaction.checkDefault(wanted, prefix: prefix)
    }
    return try transaction.replace(current, with: wanted)
  }
}

/// Archives or restores a setup; revision 0 matches any revision.
package struct ActivateBowSetup: Command {
  private let reference: ObjectReference
  private let revision: UInt64
  private let isActive: Bool

  package init(_ reference: ObjectReference, revision: UInt64 = 0, isActive: Bool = true) {
    self.reference = reference
    self.revision = revision
    self.isActive = isActive
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> BowSetupRecord {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.bowSetup(reference, principal: owner)
    try transaction.check(revision, of: current.revision, .bowSetup(current))
    var wanted = try current.content()
    wanted.isActive = isActive
    wanted.isDefault = wanted.isDefault && isActive
    return try transaction.replace(current, with: wanted)
  }
}

/// Makes a setup the default in place of the current one; revision 0 matches any revision.
package struct SetDefaultBowSetup: Command {
  private let reference: ObjectReference
  private let revision: UInt64

  package init(_ reference: ObjectReference, revision: UInt64 = 0) {
    self.reference = reference
    self.revision = revision
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> BowSetupRecord {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.bowSetup(reference, principal: owner)
    try transaction.check(revision, of: current.revision, .bowSetup(current))
    guard current.isActive else {
      throw StoreError(
        .failedPrecondition, "an inactive setup cannot be the default; activate it first")
    }
    var wanted = try current.content()
    if let other = try transaction.snapshot.defaultBowSetup(principal: owner),
      other.id != current.id
    {
      var content = try other.content()
      content.isDefault = false
      _ = try transaction.replace(other, with: content)
    }
    wanted.isDefault = true
    return try transaction.replace(current, with: wanted)
  }
}
