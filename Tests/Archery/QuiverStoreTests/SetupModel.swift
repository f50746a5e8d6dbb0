import QuiverRules
import QuiverStore

/// Items and setups as plain values: what the store must agree with.
struct SetupModel {
  var items: [Int64: Item] = [:]
  var setups: [Int64: Setup] = [:]

  struct Item {
    var owner: Int64
    var type: EquipmentType
    var isDeleted = false
  }

  struct Setup {
    var owner: Int64
    var name: String
    var isActive: Bool
    var isDefault: Bool
    var revision: UInt64 = 1
    var versions: [[SetupPart]]

    var parts: [SetupPart] { versions.last ?? [] }
  }

  mutating func delete(_ id: Int64, detaches: Bool, by owner: Int64) -> StoreError.Code? {
    guard let item = items[id], item.owner == owner, !item.isDeleted else { return .notFound }
    let holders = setups.filter { $0.value.parts.contains { $0.equipmentID == id } }.keys
    guard detaches || holders.isEmpty else { return .failedPrecondition }
    for holder in holders {
      guard let setup = setups[holder] else { continue }
      change(holder, to: setup, setup.parts.filter { $0.equipmentID != id })
    }
    items[id]?.isDeleted = true
    sweep()
    return nil
  }

  mutating func create(
    _ draft: BowSetupDraft, _ given: [SetupPart], id: Int64, made: Bool, by owner: Int64
  ) -> StoreError.Code? {
    let (parts, refusal) = typed(given, owner)
    if let refusal { return refusal }
    if draft.isDefault && (!draft.isActive || defaultID(owner) != nil) {
      return .failedPrecondition
    }
    if made {
      setups[id] = Setup(
        owner: owner, name: draft.name, isActive: draft.isActive, isDefault: draft.isDefault,
        versions: [parts])
    }
    return nil
  }

  mutating func update(
    _ id: Int64, _ draft: BowSetupDraft, _ given: [SetupPart], mask: Set<String>, isStale: Bool,
    by owner: Int64
  ) -> StoreError.Code? {
    guard let setup = setups[id], setup.owner == owner else { return .notFound }
    guard !isStale else { return .aborted }
    var wanted = setup
    if mask.contains("name") { wanted.name = draft.name }
    if mask.contains("is_active") { wanted.isActive = draft.isActive }
    if mask.contains("is_default") { wanted.isDefault = draft.isDefault }
    if !wanted.isActive && !mask.contains("is_default") { wanted.isDefault = false }
    var parts = setup.parts
    if mask.contains("components") {
      let (named, refusal) = typed(given, owner)
      if let refusal { return refusal }
      parts = named
    }
    if wanted.isDefault {
      guard wanted.isActive, defaultID(owner) ?? id == id else { return .failedPrecondition }
    }
    change(id, to: wanted, parts)
    return nil
  }

  mutating func add(
    _ item: Int64, _ quantity: UInt32, to id: Int64, by owner: Int64
  ) -> StoreError.Code? {
    guard let setup = setups[id], setup.owner == owner else { return .notFound }
    let given = SetupPart(equipmentID: item, type: .riser, quantity: quantity)
    let (parts, refusal) = typed([given], owner)
    guard let part = parts.first else { return refusal }
    var list = setup.parts
    let place = list.firstIndex {
      $0.equipmentID == item || ($0.type == part.type && part.type != .weight)
    }
    if let place { list[place] = part } else { list.append(part) }
    change(id, to: setup, Self.ordered(list))
    return nil
  }

  mutating func remove(_ item: Int64, from id: Int64, by owner: Int64) -> StoreError.Code? {
    guard let setup = setups[id], setup.owner == owner,
      setup.parts.contains(where: { $0.equipmentID == item })
    else { return .notFound }
    change(id, to: setup, setup.parts.filter { $0.equipmentID != item })
    return nil
  }

  mutating func setDefault(_ id: Int64, by owner: Int64) -> StoreError.Code? {
    guard var setup = setups[id], setup.owner == owner else { return .notFound }
    guard setup.isActive else { return .failedPrecondition }
    if let other = defaultID(owner), other != id, var old = setups[other] {
      old.isDefault = false
      change(other, to: old, old.parts)
    }
    setup.isDefault = true
    change(id, to: setup, setup.parts)
    return nil
  }

  mutating func activate(_ id: Int64, _ isActive: Bool, by owner: Int64) -> StoreError.Code? {
    guard var setup = setups[id], setup.owner == owner else { return .notFound }
    setup.isActive = isActive
    setup.isDefault = setup.isDefault && isActive
    change(id, to: setup, setup.parts)
    return nil
  }

  mutating func deleteSetup(_ id: Int64, by owner: Int64) -> StoreError.Code? {
    guard setups[id]?.owner == owner else { return .notFound }
    setups[id] = nil
    sweep()
    return nil
  }

  mutating func copy(
    _ id: Int64, version: Int, as copy: Int64, by owner: Int64
  ) -> StoreError.Code? {
    guard let setup = setups[id], setup.owner == owner, version <= setup.versions.count else {
      return .notFound
    }
    let parts = version == 0 ? setup.parts : setup.versions[version - 1]
    let living = parts.filter { items[$0.equipmentID]?.isDeleted == false }
    setups[copy] = Setup(
      owner: owner, name: "copy", isActive: true, isDefault: false, versions: [living])
    return nil
  }

  private func defaultID(_ owner: Int64) -> Int64? {
    setups.first { $0.value.owner == owner && $0.value.isDefault }?.key
  }

  /// The parts with the types of their items, or how the list is refused: items first, then the
  /// rules.
  private func typed(
    _ given: [SetupPart], _ owner: Int64
  ) -> (parts: [SetupPart], refusal: StoreError.Code?) {
    var parts: [SetupPart] = []
    for part in given {
      guard let item = items[part.equipmentID], item.owner == owner, !item.isDeleted else {
        return ([], .notFound)
      }
      parts.append(
        SetupPart(
          equipmentID: part.equipmentID, type: item.type, quantity: part.quantity))
    }
    for (place, part) in parts.enumerated() {
      let isSingle = part.type != .weight
      let isSecond = parts[..<place].contains {
        $0.equipmentID == part.equipmentID || (isSingle && $0.type == part.type)
      }
      if isSecond || part.quantity == 0 || (isSingle && part.quantity != 1) {
        return ([], .invalidArgument)
      }
    }
    return (Self.ordered(parts), nil)
  }

  private static func ordered(_ parts: [SetupPart]) -> [SetupPart] {
    EquipmentType.allCases.flatMap { type in parts.filter { $0.type == type } }
  }

  /// One revision more where anything is different, and one version more where the parts are.
  private mutating func change(_ id: Int64, to wanted: Setup, _ parts: [SetupPart]) {
    guard let setup = setups[id] else { return }
    let isSame =
      setup.name == wanted.name && setup.isActive == wanted.isActive
      && setup.isDefault == wanted.isDefault && setup.parts == parts
    guard !isSame else { return }
    var next = wanted
    next.revision = setup.revision + 1
    if setup.parts != parts { next.versions.append(parts) }
    setups[id] = next
  }

  /// Forgets deleted items that no version holds.
  private mutating func sweep() {
    let held = Set(setups.values.flatMap { $0.versions.flatMap { $0.map(\.equipmentID) } })
    items = items.filter { !$0.value.isDeleted || held.contains($0.key) }
  }
}

extension SetupModel {
  /// What the store says that the model does not; nil where they agree.
  func disagreement(with bench: SetupBench) throws -> String? {
    guard try bench.rows("equipment") == items.count else { return "what is kept of items" }
    return try bench.store.read { (snapshot) throws(StoreError) in
      for owner in [1, 2] as [Int64] {
        if let problem = try itemProblem(owner, snapshot) { return problem }
        if let problem = try setupProblem(owner, snapshot) { return problem }
      }
      return nil
    }
  }

  private func itemProblem(
    _ owner: Int64, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> String? {
    let living = items.filter { $0.value.owner == owner && !$0.value.isDeleted }
    let page = try snapshot.equipmentItems(
      principal: owner, EquipmentFilter(includesArchived: true), pageSize: 500, pageToken: "")
    guard page.items.map(\.id) == living.keys.sorted(by: >) else { return "the list of items" }
    for count in try snapshot.equipmentCounts(principal: owner) {
      let expected = living.values.count { $0.type == count.type }
      guard count.active == expected, count.archived == 0 else { return "the counts" }
    }
    for (id, item) in living {
      let record = try snapshot.equipment(item.type, .id(id), principal: owner)
      let uses = setups.values.count { $0.parts.contains { $0.equipmentID == id } }
      guard record.setupUseCount == uses else { return "the use count of \(id)" }
    }
    return nil
  }

  private func setupProblem(
    _ owner: Int64, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> String? {
    let own = setups.filter { $0.value.owner == owner }
    guard own.values.count(where: \.isDefault) <= 1 else { return "the model's defaults" }
    let page = try snapshot.bowSetups(principal: owner, includesInactive: true, pageSize: 500)
    let sorted = own.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }.map(\.key)
    guard page.items.map(\.id) == sorted else { return "the list of setups" }
    let count = try snapshot.bowSetupCount(principal: owner)
    let active = own.values.count(where: \.isActive)
    guard count.active == active, count.inactive == own.count - active else {
      return "the counts of setups"
    }
    for (id, setup) in own {
      for (index, parts) in setup.versions.enumerated() {
        let record = try snapshot.bowSetup(
          .id(id), version: Int64(index + 1), principal: owner)
        guard record.components.map(\.part) == parts else { return "version \(index + 1) of \(id)" }
        let deleted = parts.map { items[$0.equipmentID]?.isDeleted }
        guard record.components.map(\.isDeleted) == deleted else { return "remains in \(id)" }
        guard record.revision == setup.revision, record.isDefault == setup.isDefault,
          record.isActive == setup.isActive, record.name == setup.name,
          record.latestVersion == setup.versions.count
        else { return "setup \(id)" }
      }
    }
    return nil
  }
}
