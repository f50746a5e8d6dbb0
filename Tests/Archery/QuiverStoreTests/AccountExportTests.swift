import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct AccountExportTests {
  @Test(
    "every record comes once, in order, whatever the size of the pages", arguments: [1, 2, 3, 7])
  func complete(pageSize: UInt32) throws {
    let store = try TemporaryDirectory().open()
    _ = try FullAccount(in: store, mark: "Marian")
    let robin = try FullAccount(in: store, mark: "Robin")
    let pages = try Self.pages(of: robin.principal, pageSize: pageSize, store)
    let names = pages.flatMap(\.items).map(Self.name)
    // Ten items were made; the riser is there for version 1 of the setup alone.
    #expect(
      names == [
        "profile", "preference key.1", "preference key.2", "preference key.3", "preference kept",
        "limbs", "sight", "rest", "plunger", "bow_string", "stabilizer", "weight", "arrow",
        "accessory", "setup 1", "setup 2", "mark", "mark", "format",
        "session", "card of 1", "card of 0", "weight plan", "weight", "deleted weight", "set 7",
        "set 9",
      ])
    #expect(pages.dropLast().allSatisfy { $0.items.count == Int(pageSize) })
    #expect(Set(pages.map(\.watermark)).count == 1)
    let whole = try Self.pages(of: robin.principal, pageSize: 0, store)
    #expect(whole.count == 1)
    #expect(whole.flatMap(\.items).map(Self.text) == pages.flatMap(\.items).map(Self.text))
  }

  @Test("Rows that are added during an export do not move others, and the watermark shows them")
  func stable() throws {
    let store = try TemporaryDirectory().open()
    let robin = try FullAccount(in: store, mark: "Robin")
    let before = try Self.pages(of: robin.principal, pageSize: 500, store).flatMap(\.items)
    var texts: [String] = []
    var watermarks: [Int64] = []
    var token = ""
    repeat {
      let page = try store.read { [token] (snapshot) throws(StoreError) in
        try snapshot.export(principal: robin.principal, pageSize: 2, pageToken: token)
      }
      texts += page.items.map(Self.text)
      watermarks.append(page.watermark)
      token = page.nextPageToken
      let key = "later.\(watermarks.count)"
      _ = try store.perform(SetPreference(key: key, value: "v"), .of(robin.principal))
    } while !token.isEmpty
    #expect(before.map(Self.text).allSatisfy { text in texts.count { $0 == text } == 1 })
    #expect(watermarks == watermarks.sorted() && Set(watermarks).count == watermarks.count)
  }

  @Test("A page ends early if its texts are long")
  func longTexts() throws {
    let store = try TemporaryDirectory().open()
    let value = String(repeating: "v", count: StoreLimits.preferenceValueByteCount)
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    for number in 0..<200 {
      _ = try store.perform(SetPreference(key: "k\(number)", value: value), .of(robin.id))
    }
    let notes = String(repeating: "🏹", count: 4_000)
    for _ in 0..<100 {
      var item = EquipmentContent.riser()
      item.set("notes", .text(notes))
      _ = try store.perform(CreateEquipment(item), .of(robin.id))
    }
    let pages = try Self.pages(of: robin.id, pageSize: 500, store)
    #expect(pages.flatMap(\.items).count == 301)
    #expect(
      pages.allSatisfy { page in
        page.items.reduce(0) { $0 + $1.byteCount } <= StoreLimits.exportPageByteCount
      })
    #expect(pages.count == 3)
  }

  @Test("A token of another principal, of another list or of no list is refused")
  func foreignTokens() throws {
    let store = try TemporaryDirectory().open()
    let robin = try FullAccount(in: store, mark: "Robin")
    let marian = try FullAccount(in: store, mark: "Marian")
    let token = try store.read { (snapshot) throws(StoreError) in
      try snapshot.export(principal: robin.principal, pageSize: 1, pageToken: "").nextPageToken
    }
    let list = try store.read { (snapshot) throws(StoreError) in
      try snapshot.principals(pageSize: 1, pageToken: "").nextPageToken
    }
    for (principal, text) in [(marian.principal, token), (robin.principal, list), (1, "x")] {
      let error = #expect(throws: StoreError.self) {
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.export(principal: principal, pageSize: 1, pageToken: text)
        }
      }
      #expect(error?.code == .invalidArgument && error?.field == "page_token")
    }
  }

  private static func pages(
    of principal: Int64, pageSize: UInt32, _ store: Store
  ) throws -> [ExportPage] {
    var pages: [ExportPage] = []
    repeat {
      let token = pages.last?.nextPageToken ?? ""
      pages.append(
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.export(principal: principal, pageSize: pageSize, pageToken: token)
        })
    } while pages.last?.nextPageToken.isEmpty == false
    return pages
  }

  private static func name(_ item: ExportItem) -> String {
    switch item {
    case .profile: "profile"
    case .preference(let record): "preference \(record.key)"
    case .equipment(let record): record.content.kind.name
    case .bowSetup(let record): "setup \(record.version)"
    case .sightMark: "mark"
    case .format: "format"
    case .scorecard(let card): "card of \(card.arrows.count)"
    case .weightPlan: "weight plan"
    case .session: "session"
    case .tournament(let event): "event \(event.head.name)"
    case .ruling(let operation): "ruling \(operation.ruling)"
    case .weightEntry(let entry): entry.deletedAtMilliseconds == 0 ? "weight" : "deleted weight"
    case .liftSet(let record): "set \(record.set.day)"
    }
  }

  /// All of the item.
  private static func text(_ item: ExportItem) -> String { "\(item)" }
}
