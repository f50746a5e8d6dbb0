import QuiverCrypto
import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct EquipmentTests {
  @Test("An item of every type is read as it was created", arguments: EquipmentType.allCases)
  func everyType(type: EquipmentType) throws {
    let store = try TemporaryDirectory().open()
    var content = EquipmentContent(type: type)
    for field in EquipmentKind.of(type).fields { content.set(field.name, Self.example(field)) }
    let made = try store.perform(CreateEquipment(content), .of(1))
    #expect(made.content == content && made.revision == 1)
    #expect(try get(store, type, .id(made.id)) == made)
    content.set("notes", .absent)
    let changed = try store.perform(
      UpdateEquipment(content, of: .id(made.id), revision: 1, mask: ["notes"]), .of(1))
    #expect(changed.content == content && changed.revision == 2)
    #expect(try get(store, type, .id(made.id)) == changed)
  }

  @Test("An item with only the required fields is stored", arguments: EquipmentType.allCases)
  func bareMinimum(type: EquipmentType) throws {
    let store = try TemporaryDirectory().open()
    var content = EquipmentContent(type: type)
    for field in EquipmentKind.of(type).fields where field.isRequired {
      content.set(field.name, Self.example(field))
    }
    let made = try store.perform(CreateEquipment(content), .of(1))
    #expect(made.content == content.withDefaults())
    #expect(try get(store, type, .id(made.id)) == made)
  }

  @Test("Creating with a used client_id and the same content returns the item in its current state")
  func clientID() throws {
    let store = try TemporaryDirectory().open()
    let clientID = try UUIDv7.make(unixMilliseconds: 1)
    let create = try CreateEquipment(.riser(), clientID: clientID)
    let made = try store.perform(create, .of(1))
    #expect(try store.perform(create, .of(1)) == made)
    #expect(try get(store, .riser, .clientID(clientID)) == made)
    let changed = try store.perform(
      UpdateEquipment(.riser("Gillo"), of: .clientID(clientID), revision: 1, mask: ["brand"]),
      .of(1))
    #expect(try store.perform(create, .of(1)) == changed)

    let other = #expect(throws: StoreError.self) {
      try store.perform(CreateEquipment(.riser("Fivics"), clientID: clientID), .of(1))
    }
    #expect(other?.code == .alreadyExists && other?.field == "riser.client_id")
    #expect(try store.perform(create, .of(2)).id != made.id)

    try store.perform(DeleteEquipment(.riser, .clientID(clientID)), .of(1))
    let gone = #expect(throws: StoreError.self) { try store.perform(create, .of(1)) }
    #expect(gone?.code == .failedPrecondition)
    let missing = #expect(throws: StoreError.self) { try get(store, .riser, .clientID(clientID)) }
    #expect(missing?.code == .notFound)
  }

  @Test("A client_id that is not a UUIDv7 is refused")
  func badClientID() {
    let error = #expect(throws: StoreError.self) {
      try CreateEquipment(.riser(), clientID: [1, 2, 3])
    }
    #expect(error?.code == .invalidArgument && error?.field == "riser.client_id")
  }

  @Test("A stale revision fails with ABORTED and the current item, and changes nothing")
  func staleRevision() throws {
    let store = try TemporaryDirectory().open()
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    let update = try UpdateEquipment(
      .riser("Gillo"), of: .id(made.id), revision: 1, mask: ["brand"])
    let changed = try store.perform(update, .of(1))
    let error = #expect(throws: StoreError.self) { try store.perform(update, .of(1)) }
    #expect(error?.code == .aborted)
    #expect(error?.current == .equipment(changed))
    let deletion = #expect(throws: StoreError.self) {
      try store.perform(DeleteEquipment(.riser, .id(made.id), revision: 1), .of(1))
    }
    #expect(deletion?.code == .aborted)
    #expect(try get(store, .riser, .id(made.id)) == changed)
  }

  @Test("Revision 0, an empty mask and read-only fields are refused with their field")
  func badUpdates() {
    let cases: [(revision: UInt64, mask: [String], field: String)] = [
      (0, ["brand"], "riser.revision"), (1, [], "update_mask"),
      (1, ["brand", "id"], "update_mask"),
      (1, ["client_id"], "update_mask"), (1, ["nonsense"], "update_mask"),
    ]
    for (revision, mask, field) in cases {
      let error = #expect(throws: StoreError.self) {
        try UpdateEquipment(.riser(), of: .id(1), revision: revision, mask: mask)
      }
      #expect(error?.code == .invalidArgument && error?.field == field)
    }
  }

  @Test("An update changes the fields in its mask and nothing else")
  func mask() throws {
    let store = try TemporaryDirectory().open()
    var content = EquipmentContent.riser()
    content.set("weight_g", .real(1_200))
    content.set("material", .text("carbon"))
    let made = try store.perform(CreateEquipment(content), .of(1))
    let other = EquipmentContent.riser("Gillo", "GT")
    let changed = try store.perform(
      UpdateEquipment(other, of: .id(made.id), revision: 1, mask: ["model", "weight_g"]), .of(1))
    content.set("model", .text("GT"))
    content.set("weight_g", .absent)
    #expect(changed.content == content)
    let error = #expect(throws: StoreError.self) {
      try store.perform(
        UpdateEquipment(
          EquipmentContent(type: .riser), of: .id(made.id), revision: 2, mask: ["brand"]), .of(1))
    }
    #expect(error?.code == .invalidArgument && error?.field == "riser.brand")
    #expect(try get(store, .riser, .id(made.id)) == changed)
  }

  @Test("An update without a change keeps the revision and writes nothing")
  func sameAgain() throws {
    let store = try TemporaryDirectory().open()
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    let same = try store.perform(
      UpdateEquipment(.riser(), of: .id(made.id), revision: 1, mask: ["brand", "model"]), .of(1))
    #expect(same == made)
    #expect(try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() } == 1)
  }

  @Test("No method finds another principal's item or one of another type")
  func ownership() throws {
    let store = try TemporaryDirectory().open()
    let clientID = try UUIDv7.make(unixMilliseconds: 1)
    let made = try store.perform(CreateEquipment(.riser(), clientID: clientID), .of(1))
    for reference in [ObjectReference.id(made.id), .clientID(clientID)] {
      for (type, principal) in [(.riser, 2), (.limbs, 1)] as [(EquipmentType, Int64)] {
        let errors = [
          #expect(throws: StoreError.self) { try get(store, type, reference, principal) },
          #expect(throws: StoreError.self) {
            try store.perform(DeleteEquipment(type, reference), .of(principal))
          },
          #expect(throws: StoreError.self) {
            try store.perform(ArchiveEquipment(type, reference), .of(principal))
          },
        ]
        #expect(errors.map { $0?.code } == [.notFound, .notFound, .notFound])
      }
    }
    #expect(try get(store, .riser, .id(made.id)) == made)
  }

  @Test("An id is never used twice")
  func freshIDs() throws {
    let store = try TemporaryDirectory().open()
    let first = try store.perform(CreateEquipment(.riser()), .of(1))
    try store.perform(DeleteEquipment(.riser, .id(first.id)), .of(1))
    #expect(try store.perform(CreateEquipment(.riser()), .of(1)).id > first.id)
  }

  @Test("Counts follow creating, archiving, restoring and deleting")
  func counts() throws {
    let store = try TemporaryDirectory().open()
    let made = try (0..<3).map { _ in try store.perform(CreateEquipment(.riser()), .of(1)) }
    _ = try store.perform(ArchiveEquipment(.riser, .id(made[0].id)), .of(1))
    _ = try store.perform(ArchiveEquipment(.riser, .id(made[1].id)), .of(1))
    _ = try store.perform(ArchiveEquipment(.riser, .id(made[1].id), isArchived: false), .of(1))
    try store.perform(DeleteEquipment(.riser, .id(made[2].id)), .of(1))
    let counts = try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: 1)
    }
    #expect(counts.count == 10)
    #expect(counts.map(\.type) == EquipmentType.allCases)
    #expect(counts.map(\.active) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(counts.map(\.archived) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  private func get(
    _ store: Store, _ type: EquipmentType, _ reference: ObjectReference, _ principal: Int64 = 1
  ) throws -> EquipmentRecord {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipment(type, reference, principal: principal)
    }
  }

  private static func example(_ field: EquipmentField) -> EquipmentValue {
    switch field.content {
    case .text: .text("\(field.name) é🏹")
    case .real(let range, _): .real(range.upperBound - 0.1)
    case .integer(let range): .integer(range.upperBound)
    case .enumeration(let labels): .integer(Int64(labels.count))
    case .day: .integer(-1)
    }
  }
}
