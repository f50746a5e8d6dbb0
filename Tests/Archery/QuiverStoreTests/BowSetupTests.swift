import QuiverCrypto
import QuiverRules
import QuiverStore
import Testing

@Suite(.timeLimit(.minutes(5))) struct BowSetupTests {
  @Test("A setup is created, read, updated and deleted")
  func life() throws {
    let bench = try SetupBench()
    let riser = try bench.item(.riser)
    let sight = try bench.item(.sight)
    let made = try bench.setup("Indoor", [sight, riser])
    #expect(made.version == 1 && made.revision == 1 && made.isActive && !made.isDefault)
    #expect(made.components.map(\.part.equipmentID) == [riser, sight])
    #expect(made.components.map(\.displayBrand) == ["Hoyt", "Hoyt"])
    #expect(try bench.read(made.id) == made)

    var draft = BowSetupDraft()
    draft.name = " Indoor 18 m "
    draft.notes = "not named"
    let renamed = try bench.perform(
      UpdateBowSetup(draft, of: .id(made.id), revision: 1, mask: ["name"]))
    #expect(renamed.name == "Indoor 18 m" && renamed.notes == "" && renamed.revision == 2)
    #expect(renamed.version == 1 && renamed.components == made.components)

    try bench.perform(DeleteBowSetup(.id(made.id), revision: 2))
    #expect(bench.code { try bench.read(made.id) } == .notFound)
    #expect(try bench.useCount(riser, .riser) == 0)
  }

  @Test("Different components create a version, and the old version stays unchanged")
  func versions() throws {
    let bench = try SetupBench()
    let items = try (0..<3).map { _ in try bench.item(.weight) }
    let made = try bench.setup("Field", [items[0], items[1]])
    var draft = BowSetupDraft()
    draft.components = [.init(.id(items[2]), quantity: 4), .init(.id(items[0]))]
    let changed = try bench.perform(
      UpdateBowSetup(draft, of: .id(made.id), revision: 1, mask: ["components"]))
    #expect(changed.version == 2 && changed.latestVersion == 2 && changed.revision == 2)
    #expect(changed.components.map(\.part.quantity) == [4, 1])
    let old = try bench.read(made.id, version: 1)
    #expect(old.components == made.components && old.version == 1 && old.latestVersion == 2)
    #expect(try items.map { try bench.useCount($0, .weight) } == [1, 0, 1])

    let same = try bench.perform(
      UpdateBowSetup(draft, of: .id(made.id), revision: 2, mask: ["components"]))
    #expect(same == changed)
    #expect(bench.code { try bench.read(made.id, version: 3) } == .notFound)
  }

  @Test(
    "Adding an item of a single type replaces the current one, and each change creates a version"
  )
  func components() throws {
    let bench = try SetupBench()
    let first = try bench.item(.riser)
    let second = try bench.item(.riser)
    let made = try bench.setup("Barebow", [first])
    let replaced = try bench.perform(AddSetupComponent(.init(.id(second)), to: .id(made.id)))
    #expect(replaced.components.map(\.part.equipmentID) == [second] && replaced.version == 2)
    #expect(try bench.useCount(first, .riser) == 0)
    #expect(
      bench.code { try bench.perform(RemoveSetupComponent(.id(first), from: .id(made.id))) }
        == .notFound)
    let empty = try bench.perform(RemoveSetupComponent(.id(second), from: .id(made.id)))
    #expect(empty.components.isEmpty && empty.version == 3)
    #expect(try bench.read(made.id, version: 2).components == replaced.components)
  }

  @Test("An item in a setup cannot be deleted, and the error names the setups")
  func held() throws {
    let bench = try SetupBench()
    let riser = try bench.item(.riser)
    for number in 1...7 { _ = try bench.setup("Setup \(number)", [riser]) }
    let error = #expect(throws: StoreError.self) {
      try bench.perform(DeleteEquipment(.riser, .id(riser)))
    }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("\"Setup 1\", \"Setup 2\"") == true)
    #expect(error?.message.contains("\"Setup 5\" and 2 more") == true)
    #expect(error?.current?.holdingSetupCount == 7)
    #expect(try bench.useCount(riser, .riser) == 7)
  }

  @Test("Detaching creates versions without the item, and old versions keep it")
  func tombstone() throws {
    let bench = try SetupBench()
    let riser = try bench.item(.riser)
    let sight = try bench.item(.sight)
    let first = try bench.setup("One", [riser, sight])
    let second = try bench.setup("Two", [riser])
    try bench.perform(DeleteEquipment(.riser, .id(riser), detaches: true))
    for setup in [first, second] {
      let now = try bench.read(setup.id)
      #expect(now.version == 2 && now.revision == 2)
      #expect(now.components.allSatisfy { $0.part.equipmentID == sight })
      let old = try bench.read(setup.id, version: 1)
      #expect(old.components.first?.isDeleted == true)
      #expect(old.components.first?.displayModel == "Formula")
    }
    #expect(bench.code { try bench.useCount(riser, .riser) } == .notFound)
    #expect(try bench.itemIDs() == [sight])
    #expect(try bench.activeCount(.riser) == 0)
    #expect(
      bench.code { try bench.perform(AddSetupComponent(.init(.id(riser)), to: .id(first.id))) }
        == .notFound)

    #expect(try bench.rows("equipment") == 2 && bench.rows("riser") == 1)
    try bench.perform(DeleteBowSetup(.id(first.id)))
    #expect(try bench.rows("equipment") == 2)
    try bench.perform(DeleteBowSetup(.id(second.id)))
    #expect(try bench.rows("equipment") == 1 && bench.rows("riser") == 0)
    #expect(
      try bench.rows("bow_setup_version") == 0 && bench.rows("bow_setup_component") == 0)
  }

  @Test("At most one setup is the default, and it is active")
  func defaults() throws {
    let bench = try SetupBench()
    let first = try bench.setup("One", [])
    let second = try bench.setup("Two", [])
    #expect(try bench.perform(SetDefaultBowSetup(.id(first.id))).isDefault)
    var draft = BowSetupDraft()
    draft.isDefault = true
    let refused = #expect(throws: StoreError.self) {
      try bench.perform(CreateBowSetup(draft))
    }
    #expect(refused?.code == .failedPrecondition && refused?.field == "bow_setup.is_default")
    let update = try UpdateBowSetup(
      draft, of: .id(second.id), revision: 1, mask: ["is_default"])
    #expect(bench.code { try bench.perform(update) } == .failedPrecondition)

    #expect(try bench.perform(SetDefaultBowSetup(.id(second.id))).revision == 2)
    let moved = try bench.read(first.id)
    #expect(!moved.isDefault && moved.revision == 3)
    let away = try bench.perform(ActivateBowSetup(.id(second.id), isActive: false))
    #expect(!away.isDefault && !away.isActive)
    #expect(
      bench.code { try bench.perform(SetDefaultBowSetup(.id(second.id))) }
        == .failedPrecondition)
    #expect(try bench.perform(CreateBowSetup(draft)).isDefault)
  }

  @Test("A copy has the original's components and sight marks, and its own name")
  func copies() throws {
    let bench = try SetupBench()
    let riser = try bench.item(.riser)
    let sight = try bench.item(.sight)
    let made = try bench.setup("Indoor", [riser, sight])
    _ = try bench.perform(SetDefaultBowSetup(.id(made.id)))
    let content = SightMarkContent(distance: 18, unit: .metre, markValue: 3.5)
    _ = try bench.perform(CreateSightMark(content, of: .setup(.id(made.id))))
    try bench.perform(DeleteEquipment(.riser, .id(riser), detaches: true))

    let copy = try bench.perform(CopyBowSetup(.id(made.id), version: 1))
    #expect(copy.name == "Indoor (copy)" && copy.version == 1 && !copy.isDefault)
    #expect(copy.components.map(\.part.equipmentID) == [sight])
    #expect(try bench.marks(.setup(.id(copy.id))).map(\.content) == [content])
    #expect(try bench.useCount(sight, .sight) == 2)
    #expect(try bench.perform(CopyBowSetup(.id(made.id), name: "Other")).name == "Other")
  }

  @Test("Creating with a used client_id and the same content returns the same setup")
  func clientIDs() throws {
    let bench = try SetupBench()
    let clientID = try UUIDv7.make(unixMilliseconds: 1)
    var draft = BowSetupDraft()
    draft.name = "Indoor"
    let made = try bench.perform(CreateBowSetup(draft, clientID: clientID))
    #expect(try bench.perform(CreateBowSetup(draft, clientID: clientID)) == made)
    #expect(try bench.perform(SetDefaultBowSetup(.clientID(clientID))).id == made.id)
    draft.name = "Outdoor"
    #expect(
      bench.code { try bench.perform(CreateBowSetup(draft, clientID: clientID)) }
        == .alreadyExists)
    try bench.perform(DeleteBowSetup(.clientID(clientID)))
    draft.name = "Indoor"
    #expect(
      bench.code { try bench.perform(CreateBowSetup(draft, clientID: clientID)) }
        == .failedPrecondition)
  }

  @Test("Setups are listed by name case-insensitively, in pages, with inactive ones on request")
  func lists() throws {
    let bench = try SetupBench()
    for name in ["beta", "Alpha", "", "alpha", "Gamma"] { _ = try bench.setup(name, []) }
    let ids = try bench.list(pageSize: 2)
    #expect(ids == [2, 4, 1, 5, 3])
    _ = try bench.perform(ActivateBowSetup(.id(4), isActive: false))
    #expect(try bench.list(pageSize: 2) == [2, 1, 5, 3])
    #expect(try bench.list(pageSize: 3, includesInactive: true) == [2, 4, 1, 5, 3])
  }
}

@Suite(.timeLimit(.minutes(5))) struct BowSetupLimitTests {
  @Test("The number of setups of a principal is limited, and deleting one allows another")
  func setups() throws {
    let bench = try SetupBench()
    for number in 0..<StoreLimits.bowSetupsPerPrincipal {
      _ = try bench.setup("\(number)", [])
    }
    #expect(bench.code { try bench.setup("one more", []) } == .resourceExhausted)
    #expect(bench.code { try bench.setup("of another", [], 2) } == nil)
    #expect(bench.code { try bench.perform(CopyBowSetup(.id(1))) } == .resourceExhausted)
    try bench.perform(DeleteBowSetup(.id(1)))
    #expect(bench.code { try bench.setup("one more", []) } == nil)
  }

  @Test("The number of versions of a setup is limited, and detaching respects the limit")
  func versions() throws {
    let bench = try SetupBench()
    let weight = try bench.item(.weight)
    let made = try bench.setup("Field", [weight])
    for version in 1..<StoreLimits.versionsPerBowSetup {
      let quantity = UInt32(1 + version % 2)
      _ = try bench.perform(
        AddSetupComponent(.init(.id(weight), quantity: quantity), to: .id(made.id)))
    }
    #expect(try bench.read(made.id).version == StoreLimits.versionsPerBowSetup)
    let refused = #expect(throws: StoreError.self) {
      try bench.perform(DeleteEquipment(.weight, .id(weight), detaches: true))
    }
    #expect(refused?.code == .resourceExhausted && refused?.message.contains("Field") == true)
    #expect(try bench.useCount(weight, .weight) == 1)
    #expect(try bench.perform(SetDefaultBowSetup(.id(made.id))).isDefault)
    try bench.perform(DeleteBowSetup(.id(made.id)))
    #expect(try bench.useCount(weight, .weight) == 0)
  }
}
