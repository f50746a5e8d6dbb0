import Foundation
import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

/// A weight log whose notes are as long as they may be.
@Suite(.timeLimit(.minutes(5))) struct LongNotesTests {
  private static let note = String(repeating: "\u{1F3F9}", count: TextLimits.notesLength)
  private static let query = WeightSectionQuery(
    unit: .kilogram, average: .exponential(span: 7), filter: WeightFilter())

  /// Weighs once on each of so many days, every `step` days.
  private static func weigh(
    _ count: Int32, every step: Int32, _ robin: Int64, _ store: Store
  ) throws -> [Int64] {
    try (0..<count).map { index in
      var draft = WeightEntryDraft()
      (draft.day, draft.thousandths, draft.unit) = (18_000 + index * step, 80_000, .kilogram)
      draft.note = note
      return try store.perform(CreateWeightEntry(draft), .of(robin)).id
    }
  }

  private static func store() throws -> (Store, robin: Int64) {
    let store = try TemporaryDirectory().open()
    return (store, try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id)
  }

  @Test("Pages of entries end early, and together have all entries")
  func entries() throws {
    let (store, robin) = try Self.store()
    let ids = try Self.weigh(150, every: 1, robin, store)
    try store.read { (snapshot) throws(StoreError) in
      for isExport in [false, true] {
        var found: [Int64] = []
        var token = ""
        repeat {
          let page =
            isExport
            ? try snapshot.weightEntriesForExport(
              principal: robin, pageSize: .max, pageToken: token)
            : try snapshot.weightEntries(principal: robin, pageSize: .max, pageToken: token)
          let byteCount = page.items.reduce(0) { $0 + $1.content.note.utf8.count }
          #expect(byteCount <= StoreLimits.exportPageByteCount && !page.items.isEmpty)
          found += page.items.map(\.id)
          token = page.nextPageToken
        } while !token.isEmpty
        #expect(found == (isExport ? ids : ids.reversed()))
      }
    }
  }

  @Test("Pages of months end early, and together have all entries")
  func sections() throws {
    let (store, robin) = try Self.store()
    let ids = try Self.weigh(150, every: 4, robin, store)
    try store.read { (snapshot) throws(StoreError) in
      var found: [Int64] = []
      var token = ""
      repeat {
        let page = try snapshot.weightSections(
          Self.query, principal: robin, pageSize: .max, pageToken: token)
        let rows = page.page.flatMap(\.rows)
        let byteCount = rows.reduce(0) { $0 + $1.entry.content.note.utf8.count }
        #expect(byteCount <= StoreLimits.exportPageByteCount && !rows.isEmpty)
        found += rows.map(\.entry.id)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(found == ids.reversed())
    }
  }

  @Test("A month that exceeds the message size is refused, and its entries can be listed")
  func fullMonth() throws {
    let (store, robin) = try Self.store()
    let ids = try Self.weigh(200, every: 0, robin, store)
    let refusal = #expect(throws: StoreError.self) {
      try store.read { (snapshot) throws(StoreError) in
        _ = try snapshot.weightSection(
          CivilMonth(containing: 18_000), Self.query, principal: robin)
      }
    }
    #expect(refusal?.code == .resourceExhausted)
    #expect(refusal?.message.hasPrefix("2019-4 has") == true, "\(refusal?.message ?? "none")")
    let page = try store.read { (snapshot) throws(StoreError) in
      try snapshot.weightEntries(principal: robin, pageSize: .max, pageToken: "")
    }
    #expect(page.items.first?.id == ids.last)
  }

  @Test("An import is compared with the entries of its own days only")
  func importing() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    _ = try Self.weigh(1, every: 0, robin, store)
    store.close()
    // The note goes on over several pages, of which the second tells the third.
    let url = URL(filePath: directory.databasePath)
    let data = try Data(contentsOf: url)
    let marker = try #require(data.range(of: Data(Self.note.utf8.prefix(4_000))))
    let file = try FileHandle(forUpdating: url)
    try file.seek(toOffset: UInt64((marker.lowerBound / 4_096) * 4_096))
    try file.write(contentsOf: Data([0x7F, 0, 0, 0]))
    try file.close()
    let damaged = try directory.open(checkedBeforeServing: 0)
    let unreadable = #expect(throws: StoreError.self) {
      try damaged.read { (snapshot) throws(StoreError) in
        _ = try snapshot.weightEntries(principal: robin, pageSize: 0, pageToken: "")
      }
    }
    #expect(unreadable?.code == .dataLoss)
    let days = [CivilDate.dayRange.lowerBound, CivilDate.dayRange.upperBound]
    let entries = days.map { WeightEntryContent(day: $0, thousandths: 80_000, unit: .kilogram) }
    #expect(try damaged.importWeights(entries, of: robin).added == 2)
    let again = try damaged.importWeights(entries + entries, of: robin)
    #expect(again.added == 2 && again.unchanged == 2)
  }
}
