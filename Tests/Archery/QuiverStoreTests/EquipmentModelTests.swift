import QuiverRules
import QuiverStore
import TestSupport
import Testing

/// Random commands against a model of a few lines, which must agree at every step.
@Suite(.timeLimit(.minutes(5))) struct EquipmentModelTests {
  @Test("Random commands change the store and a simple model in the same way", arguments: 0..<8)
  func randomCommands(round: UInt64) throws {
    let seed = TestSeed.value &+ round
    var run = ModelRun(seed: seed, store: try TemporaryDirectory().open())
    for step in 0..<300 {
      let description = try run.step()
      let problem = try run.disagreement()
      if let problem {
        Issue.record("seed \(seed), step \(step), \(description): \(problem)")
        return
      }
    }
  }
}

private struct ModelRun {
  private let store: Store
  private var random: SeededGenerator
  private var items: [Int64: Item] = [:]
  private var clientIDs: [Key: (content: EquipmentContent, id: Int64)] = [:]
  private var sequence: Int64 = 0
  private var lastID: Int64 = 0

  private struct Item: Equatable {
    var owner: Int64
    var content: EquipmentContent
    var revision: UInt64
    var isArchived: Bool
  }

  private struct Key: Hashable {
    let owner: Int64
    let clientID: [UInt8]
  }

  init(seed: UInt64, store: Store) {
    random = SeededGenerator(seed: seed)
    self.store = store
  }

  /// Runs one command on both; answers what it was.
  mutating func step() throws -> String {
    let owner = Int64.random(in: 1...2, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return try create(owner)
    case 4..<7: return try update(owner)
    case 7..<9: return try archive(owner)
    default: return try delete(owner)
    }
  }

  private mutating func create(_ owner: Int64) throws -> String {
    let content = EquipmentContent.riser("b\(random.next() % 3)", "m\(random.next() % 3)")
    var clientID = [UInt8](repeating: 0, count: 16)
    clientID[6] = 0x70
    clientID[8] = 0x80
    clientID[15] = UInt8(random.next() % 20)
    let key = Key(owner: owner, clientID: clientID)
    let result = attempt { [store] in
      try store.perform(CreateEquipment(content, clientID: clientID), .of(owner))
    }
    switch (clientIDs[key], result) {
    case (let known?, .success(let record)):
      guard known.content == content, known.id == record.id, items[record.id] != nil else {
        return "create made what was there \(record)"
      }
    case (let known?, .failure(let error)):
      let expected: StoreError.Code =
        known.content != content ? .alreadyExists : .failedPrecondition
      #expect(error.code == expected)
    case (nil, .success(let record)):
      #expect(record.id > lastID)
      lastID = record.id
      clientIDs[key] = (content, record.id)
      items[record.id] = Item(
        owner: owner, content: content, revision: 1, isArchived: false)
      sequence += 1
    case (nil, .failure(let error)):
      Issue.record("a create failed: \(error)")
    }
    return "create \(owner)"
  }

  private mutating func update(_ owner: Int64) throws -> String {
    let id = anyID()
    let revision = UInt64.random(in: 1...4, using: &random)
    let content = EquipmentContent.riser("b\(random.next() % 3)", "m\(random.next() % 3)")
    let result = attempt { [store] in
      try store.perform(
        UpdateEquipment(content, of: .id(id), revision: revision, mask: ["model"]), .of(owner))
    }
    guard var item = items[id], item.owner == owner else {
      #expect(code(result) == .notFound)
      return "update of nothing"
    }
    guard item.revision == revision else {
      #expect(code(result) == .aborted)
      return "stale update"
    }
    #expect(code(result) == nil)
    if item.content["model"] != content["model"] {
      item.content.set("model", content["model"] ?? .absent)
      item.revision += 1
      sequence += 1
    }
    items[id] = item
    return "update \(id)"
  }

  private mutating func archive(_ owner: Int64) throws -> String {
    let id = anyID()
    let isArchived = Bool.random(using: &random)
    let result = attempt { [store] in
      try store.perform(
        ArchiveEquipment(.riser, .id(id), isArchived: isArchived), .of(owner))
    }
    guard var item = items[id], item.owner == owner else {
      #expect(code(result) == .notFound)
      return "archive of nothing"
    }
    if item.isArchived != isArchived {
      item.isArchived = isArchived
      item.revision += 1
      sequence += 1
    }
    items[id] = item
    return "archive \(id)"
  }

  private mutating func delete(_ owner: Int64) throws -> String {
    let id = anyID()
    let result = attempt { [store] in
      try store.perform(DeleteEquipment(.riser, .id(id)), .of(owner)) as Void
    }
    guard items[id]?.owner == owner else {
      #expect(code(result) == .notFound)
      return "delete of nothing"
    }
    #expect(code(result) == nil)
    items[id] = nil
    sequence += 1
    return "delete \(id)"
  }

  /// What the store says that the model does not; nil where they agree.
  func disagreement() throws -> String? {
    try store.read { (snapshot) throws(StoreError) in
      guard try snapshot.lastSequence() == sequence else { return "the journal's end" }
      for owner in [1, 2] as [Int64] {
        let expected = items.filter { $0.value.owner == owner }
        let items = try snapshot.equipmentItems(
          principal: owner, EquipmentFilter(includesArchived: true), pageSize: 500, pageToken: "")
        guard items.items.map(\.id) == expected.keys.sorted(by: >) else { return "the list" }
        let count = try snapshot.equipmentCounts(principal: owner)[0]
        let archived = expected.values.count { $0.isArchived }
        guard count.archived == archived, count.active == expected.count - archived else {
          return "the counts"
        }
        for (id, item) in expected {
          let record = try snapshot.equipment(.riser, .id(id), principal: owner)
          let found = Item(
            owner: owner, content: record.content, revision: record.revision,
            isArchived: record.isArchived)
          guard found == item else { return "item \(id)" }
        }
      }
      return nil
    }
  }

  private mutating func anyID() -> Int64 {
    Int64.random(in: 1...max(1, lastID + 1), using: &random)
  }

  private func attempt<T>(_ body: () throws -> T) -> Result<T, StoreError> {
    do {
      return .success(try body())
    } catch let error as StoreError {
      return .failure(error)
    } catch {
      return .failure(StoreError(.internalError, "\(error)"))
    }
  }

  private func code<T>(_ result: Result<T, StoreError>) -> StoreError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }
}
