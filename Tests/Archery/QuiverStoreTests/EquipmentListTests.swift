import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct EquipmentListTests {
  @Test("Pages are newest first, without gap or repetition, and stable under inserts")
  func pages() throws {
    let store = try TemporaryDirectory().open()
    for _ in 0..<7 { _ = try store.perform(CreateEquipment(.riser()), .of(1)) }
    let first = try list(store, pageSize: 3)
    #expect(first.items.map(\.id) == [7, 6, 5])
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    try store.perform(DeleteEquipment(.riser, .id(5)), .of(1))
    let second = try list(store, pageSize: 3, token: first.nextPageToken)
    #expect(second.items.map(\.id) == [4, 3, 2])
    let third = try list(store, pageSize: 3, token: second.nextPageToken)
    #expect(third.items.map(\.id) == [1])
    #expect(third.nextPageToken.isEmpty)
  }

  @Test("A page that ends with the last item has no next page")
  func exactPage() throws {
    let store = try TemporaryDirectory().open()
    for _ in 0..<3 { _ = try store.perform(CreateEquipment(.riser()), .of(1)) }
    #expect(try list(store, pageSize: 3).nextPageToken.isEmpty)
    #expect(try list(store, principal: 2).items.isEmpty)
  }

  @Test(
    "page_size 0 stands for 50, and values above 500 for 500",
    arguments: [(0, 50), (1, 1), (501, 500)])
  func sizes(asked: UInt32, given: Int) throws {
    let store = try TemporaryDirectory().open()
    let target = RecordingTarget(expecting: 510)
    for _ in 0..<510 {
      store.submit(
        try CreateEquipment(.riser()), .of(1), target: target, encode: { _ in [] },
        completion: { _ in })
    }
    target.wait()
    #expect(try list(store, pageSize: asked).items.count == given)
  }

  @Test("A list has items of its type only, and archived items on request")
  func filters() throws {
    let store = try TemporaryDirectory().open()
    let riser = try store.perform(CreateEquipment(.riser()), .of(1))
    let tab = EquipmentContent(
      type: .accessory,
      values: [.absent, .absent, .absent, .text("Finger tab"), .integer(1)])
    let accessory = try store.perform(CreateEquipment(tab), .of(1))
    _ = try store.perform(ArchiveEquipment(.riser, .id(riser.id)), .of(1))
    #expect(try list(store).items.map(\.id) == [accessory.id])
    #expect(try list(store, EquipmentFilter(type: .riser)).items.isEmpty)
    let all = try list(store, EquipmentFilter(includesArchived: true)).items
    #expect(all.map(\.id) == [accessory.id, riser.id])
    #expect(all.map(\.isArchived) == [false, true])
    #expect(all.map(\.type) == [.accessory, .riser])
    #expect(all[0].displayBrand == "Finger tab" && all[0].displayModel == "Tab")
    let risers = try list(store, EquipmentFilter(type: .riser, includesArchived: true)).items
    #expect(risers.map(\.displayModel) == ["Formula"])
  }

  @Test("A page token is valid only for its list")
  func tokens() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    for principal in [1, 1, 2, 2] as [Int64] {
      _ = try store.perform(CreateEquipment(.riser()), .of(principal))
    }
    let token = try list(store, pageSize: 1).nextPageToken
    #expect(try list(store, pageSize: 5, token: token).items.map(\.id) == [1])
    let others: [() throws -> Page<EquipmentItemRecord>] = [
      { try list(store, principal: 2, pageSize: 1, token: token) },
      { try list(store, EquipmentFilter(type: .riser), pageSize: 1, token: token) },
      { try list(store, EquipmentFilter(includesArchived: true), pageSize: 1, token: token) },
      { try list(store, token: "B" + token.dropFirst()) },
      { try list(store, token: String(token.dropLast())) },
      { try list(store, token: token + "A") },
      { try list(store, token: "é") },
      { try list(store, token: String(repeating: "A", count: 100_000)) },
      { try list(TemporaryDirectory().open(), token: token) },
    ]
    for other in others {
      let error = #expect(throws: StoreError.self) { try other() }
      #expect(error?.code == .invalidArgument && error?.field == "page_token")
    }
    store.close()
    #expect(try list(directory.open(), token: token).items.map(\.id) == [1])
  }

  private func list(
    _ store: Store, _ filter: EquipmentFilter = EquipmentFilter(), principal: Int64 = 1,
    pageSize: UInt32 = 0, token: String = ""
  ) throws -> Page<EquipmentItemRecord> {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: principal, filter, pageSize: pageSize, pageToken: token)
    }
  }
}
