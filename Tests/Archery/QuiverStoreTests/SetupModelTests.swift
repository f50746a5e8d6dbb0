import QuiverRules
import QuiverStore
import TestSupport
import Testing

/// Random commands on items and setups against a model of them, which must agree at every step.
@Suite(.timeLimit(.minutes(5))) struct SetupModelTests {
  @Test("Random commands change setups and their items as in a simple model", arguments: 0..<6)
  func randomCommands(round: UInt64) throws {
    let seed = TestSeed.value &+ round
    var run = SetupModelRun(seed: seed, bench: try SetupBench())
    for step in 0..<250 {
      let description = try run.step()
      if let problem = try run.disagreement() {
        Issue.record("seed \(seed), step \(step), \(description): \(problem)")
        return
      }
    }
  }
}

/// One run of random commands on both.
private struct SetupModelRun {
  private let bench: SetupBench
  private var random: SeededGenerator
  private var model = SetupModel()
  private var lastItem: Int64 = 0
  private var lastSetup: Int64 = 0

  private static let types: [EquipmentType] = [.riser, .sight, .weight, .weight]

  init(seed: UInt64, bench: SetupBench) {
    random = SeededGenerator(seed: seed)
    self.bench = bench
  }

  /// Runs one command on both; answers what it was, and how it was refused.
  mutating func step() throws -> String {
    let owner: Int64 = pick(5) == 0 ? 2 : 1
    let (name, expected, found): (String, StoreError.Code?, StoreError.Code?) =
      switch pick(12) {
      case 0, 1: try createItem(owner)
      case 2: try deleteItem(owner)
      case 3, 4: try createSetup(owner)
      case 5, 6: try updateSetup(owner)
      case 7: try addPart(owner)
      case 8: try removePart(owner)
      case 9: try setDefault(owner)
      case 10: try activate(owner)
      default: try pick(2) == 0 ? deleteSetup(owner) : copySetup(owner)
      }
    #expect(expected == found, "\(name)")
    return "\(name) of \(owner), \(found.map { "\($0)" } ?? "done")"
  }

  /// What the store says that the model does not; nil where they agree.
  func disagreement() throws -> String? { try model.disagreement(with: bench) }

  private mutating func createItem(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let type = Self.types[pick(Self.types.count)]
    lastItem = try bench.item(type, owner)
    model.items[lastItem] = SetupModel.Item(owner: owner, type: type)
    return ("item", nil, nil)
  }

  private mutating func deleteItem(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anyItem()
    let detaches = pick(2) == 0
    let type = model.items[id]?.type ?? .riser
    let found = bench.code {
      try bench.perform(DeleteEquipment(type, .id(id), detaches: detaches), owner)
    }
    return ("delete \(id)", model.delete(id, detaches: detaches, by: owner), found)
  }

  private mutating func createSetup(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    var draft = BowSetupDraft()
    draft.name = "setup \(pick(4))"
    draft.isActive = pick(4) > 0
    draft.isDefault = pick(4) == 0
    let parts = anyParts()
    draft.components = parts.map { .init(.id($0.equipmentID), quantity: $0.quantity) }
    var made: Int64?
    let found = bench.code {
      made = try bench.perform(CreateBowSetup(draft), owner).id
    }
    if let made { lastSetup = made }
    let expected = model.create(draft, parts, id: lastSetup, made: made != nil, by: owner)
    return ("create", expected, found)
  }

  private mutating func updateSetup(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anySetup()
    var draft = BowSetupDraft()
    draft.name = "setup \(pick(4))"
    draft.isActive = pick(2) == 0
    draft.isDefault = pick(2) == 0
    let parts = anyParts()
    draft.components = parts.map { .init(.id($0.equipmentID), quantity: $0.quantity) }
    let mask = ["name", "is_active", "is_default", "components"].filter { _ in pick(2) == 0 }
    guard !mask.isEmpty else { return ("no mask", nil, nil) }
    let current = model.setups[id]?.revision ?? 1
    let revision = pick(5) == 0 ? current + 1 : current
    let found = bench.code {
      try bench.perform(
        UpdateBowSetup(draft, of: .id(id), revision: revision, mask: mask), owner)
    }
    let expected = model.update(
      id, draft, parts, mask: Set(mask), isStale: revision != current, by: owner)
    return ("update \(id) \(mask)", expected, found)
  }

  private mutating func addPart(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anySetup()
    let item = anyItem()
    let quantity = UInt32(pick(3))
    let found = bench.code {
      try bench.perform(
        AddSetupComponent(.init(.id(item), quantity: quantity), to: .id(id)), owner)
    }
    return ("add \(item) to \(id)", model.add(item, quantity, to: id, by: owner), found)
  }

  private mutating func removePart(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anySetup()
    let item = anyItem()
    let found = bench.code {
      try bench.perform(RemoveSetupComponent(.id(item), from: .id(id)), owner)
    }
    return ("remove \(item) from \(id)", model.remove(item, from: id, by: owner), found)
  }

  private mutating func setDefault(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anySetup()
    let found = bench.code { try bench.perform(SetDefaultBowSetup(.id(id)), owner) }
    return ("default \(id)", model.setDefault(id, by: owner), found)
  }

  private mutating func activate(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anySetup()
    let isActive = pick(2) == 0
    let found = bench.code {
      try bench.perform(ActivateBowSetup(.id(id), isActive: isActive), owner)
    }
    return ("activate \(id) \(isActive)", model.activate(id, isActive, by: owner), found)
  }

  private mutating func deleteSetup(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anySetup()
    let found = bench.code { try bench.perform(DeleteBowSetup(.id(id)), owner) }
    return ("delete setup \(id)", model.deleteSetup(id, by: owner), found)
  }

  private mutating func copySetup(
    _ owner: Int64
  ) throws -> (String, StoreError.Code?, StoreError.Code?) {
    let id = anySetup()
    let version = pick(4)
    var made: Int64?
    let found = bench.code {
      made = try bench.perform(
        CopyBowSetup(.id(id), version: Int64(version), name: "copy"), owner
      ).id
    }
    if let made { lastSetup = made }
    return ("copy \(id)", model.copy(id, version: version, as: lastSetup, by: owner), found)
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func anyItem() -> Int64 {
    Int64.random(in: max(1, lastItem - 8)...lastItem + 1, using: &random)
  }

  private mutating func anySetup() -> Int64 {
    Int64.random(in: max(1, lastSetup - 4)...lastSetup + 1, using: &random)
  }

  /// Parts by their ids and quantities; their types are the model's to know.
  private mutating func anyParts() -> [SetupPart] {
    (0..<pick(4)).map { _ in
      SetupPart(
        equipmentID: anyItem(), type: .riser, quantity: pick(6) == 0 ? 2 : 1)
    }
  }
}
