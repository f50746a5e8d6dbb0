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
        "set 9", "token",
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

  /// Stores operations on a participant that have long texts.
  private struct InsertOperations: Command {
    let participant: Int64
    let count: Int64
    let text: String

    private static let insert = Query(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO scoring_operation (participant_id, session_id, principal_id, state, kind,
        end_index, arrow_index, is_x, input, is_flagged, scored_at_ms, received_at_ms, reason,
        device, ruling)
      SELECT p.id, p.session_id, p.principal_id, 1, 1, 0, 0, 0, 1, 0, 1, 1, ?3, ?3, ''
      FROM participant p CROSS JOIN n WHERE p.id = ?1
      """)

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      try transaction.run(Self.insert, .integer(participant), .integer(count), .text(text))
    }
  }

  @Test("A long history comes in parts that fit a page, each operation once and in order")
  func longHistory() throws {
    let store = try TemporaryDirectory().open()
    let robin = try FullAccount(in: store, mark: "Robin")
    func cards(_ pages: [ExportPage]) -> [ScorecardRecord] {
      pages.flatMap(\.items).compactMap { item in
        guard case .scorecard(let card) = item else { return nil }
        return card
      }
    }
    let before = cards(try Self.pages(of: robin.principal, pageSize: 0, store))
    let participant = before[0].round.participant.id
    let text = String(repeating: "🏹", count: TextLimits.nameLength)
    try store.perform(
      InsertOperations(participant: participant, count: 3_000, text: text), .of(robin.principal))
    for pageSize in [1, 500] as [UInt32] {
      let pages = try Self.pages(of: robin.principal, pageSize: pageSize, store)
      let found = cards(pages)
      let parts = found.filter { $0.round.participant.id == participant }
      let history = parts.flatMap(\.history)
      #expect(history.count == before[0].history.count + 3_000)
      #expect(history.map(\.id) == history.map(\.id).sorted())
      #expect(Set(history.map(\.id)).count == history.count)
      #expect(parts[0].arrows == before[0].arrows && parts.count > 10)
      #expect(parts.dropFirst().allSatisfy { $0.arrows.isEmpty && !$0.history.isEmpty })
      #expect(found.count == parts.count + before.count - 1)
      for page in pages {
        let byteCount = cards([page]).flatMap(\.history).reduce(0) {
          $0 + $1.reason.utf8.count + $1.device.utf8.count
        }
        #expect(byteCount <= StoreLimits.exportPageByteCount)
      }
    }
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

  static func pages(
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

  static func name(_ item: ExportItem) -> String {
    switch item {
    case .profile: "profile"
    case .share(let record): "share \(record.id)"
    case .shareInvite(let record): "share invite \(record.id)"
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
    case .eventCategory(let record): "category \(record.content.code)"
    case .eventSession(let record): "line \(record.content.name)"
    case .stage(let record): "stage of \(record.categoryCode)"
    case .role(let record): "role \(record.role)"
    case .eventEntry(let record): "entry \(record.content.bib) \(record.content.club)"
    case .comparedCard(let card): "compared card of \(card.ends.count)"
    case .lease(let lease): "lease on \(lease.target)"
    case .device(let device): "device \(device.device)"
    case .targetCall(let call): "call \(call.content.text)"
    case .tie(let tie): "tie of \(tie.participants.count)"
    case .notice(let notice): "notice \(notice.content.text)"
    case .typedTotal(let total): "typed total \(total.paper)"
    case .pause(let pause): "pause \(pause.reason)"
    case .token: "token"
    case .invite(let record): "invite \(record.label)"
    case .certificate(let record): "certificate \(record.name.value)"
    case .action(let record): "action \(record.entry.action)"
    case .match(let found): "match of \(found.match.place.roundSize)"
    }
  }

  /// All of the item.
  static func text(_ item: ExportItem) -> String { "\(item)" }
}
