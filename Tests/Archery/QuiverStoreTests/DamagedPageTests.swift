import Foundation
import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

/// Row 5 of the fault matrix: pages that go bad while the server runs.
@Suite(.timeLimit(.minutes(5))) struct DamagedPageTests {
  private static let items = 300

  /// One page of a table or index, and what is written into it.
  struct Wound: Sendable, CustomStringConvertible {
    let table: String
    let pageType: String
    let offset: Int
    let bytes: [UInt8]

    var description: String { "\(table) \(pageType) +\(offset)" }
  }

  static let wounds: [Wound] =
    ["equipment", "riser"].flatMap { table in
      [
        Wound(table: table, pageType: "leaf", offset: 0, bytes: [99]),
        Wound(table: table, pageType: "leaf", offset: 3, bytes: [0xFF, 0xFF]),
        Wound(
          table: table, pageType: "leaf", offset: 0, bytes: [UInt8](repeating: 0, count: 4_096)),
      ]
    } + [
      Wound(table: "equipment", pageType: "internal", offset: 0, bytes: [99]),
      Wound(table: "equipment", pageType: "internal", offset: 3, bytes: [0xFF, 0xFF]),
      Wound(table: "equipment", pageType: "overflow", offset: 0, bytes: [0, 0, 0, 0]),
      Wound(table: "equipment", pageType: "overflow", offset: 0, bytes: [0x7F, 0, 0, 0]),
      Wound(table: "equipment_by_type", pageType: "leaf", offset: 0, bytes: [99]),
      Wound(table: "equipment_by_principal", pageType: "leaf", offset: 0, bytes: [99]),
      Wound(table: "equipment_by_type", pageType: "internal", offset: 0, bytes: [99]),
      Wound(table: "kept_key", pageType: "leaf", offset: 0, bytes: [99]),
    ]

  @Test(
    "A call that reads a damaged page fails, other calls succeed, and no reply is wrong",
    arguments: wounds)
  func wounded(wound: Wound) throws {
    let directory = try TemporaryDirectory()
    let expected = try fill(directory)
    let page = try #require(try Self.page(wound, directory.databasePath))
    let store = try directory.open(checkedBeforeServing: 0)
    try Self.write(wound.bytes, at: (page - 1) * 4_096 + wound.offset, directory.databasePath)

    var refusals = 0
    for record in expected {
      do throws(StoreError) {
        let found = try store.read { (snapshot) throws(StoreError) in
          try snapshot.equipment(.riser, .id(record.id), principal: 1)
        }
        #expect(found == record)
      } catch {
        refusals += 1
        #expect([.dataLoss, .internalError].contains(error.code), "\(error)")
      }
    }
    for command in try [CreateEquipment(.riser()), CreateEquipment(.riser("W", "X"))] {
      do throws(StoreError) {
        _ = try store.perform(command, .of(1))
      } catch {
        refusals += 1
        #expect([.dataLoss, .internalError].contains(error.code), "\(error)")
      }
    }
    // Another table is as it was, for writing and for reading.
    let made = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.principal(id: made.id)
    }
    #expect(found == made)
    let findings = try store.verify()
    #expect(findings.contains { $0.subject == .pages }, "\(findings), \(refusals)")
  }

  /// Items whose notes go on over several pages.
  private func fill(_ directory: TemporaryDirectory) throws -> [EquipmentRecord] {
    let store = try directory.open()
    var records: [EquipmentRecord] = []
    for number in 0..<Self.items {
      var content = EquipmentContent.riser("Hoyt", "\(number)")
      let length = number % 50 == 0 ? 3_900 : 25
      content.set("notes", .text(String(repeating: "\u{1F3F9}", count: length)))
      records.append(try store.perform(CreateEquipment(content), .of(1)))
    }
    // More rows of the indexes, so that they have inner pages.
    let target = RecordingTarget(expecting: 1_500)
    for number in 0..<1_500 {
      store.submit(
        try CreateEquipment(.riser("Many", "\(number)")), .of(2), target: target,
        encode: { _ in [] }, completion: { _ in })
    }
    target.wait()
    store.close()
    return records
  }

  private static func page(_ wound: Wound, _ path: String) throws -> Int? {
    let connection = try Connection(path: path, mode: .readOnly)
    let text = try connection.value(
      """
      SELECT pageno FROM dbstat WHERE name = '\(wound.table)' AND pagetype = '\(wound.pageType)'
      ORDER BY path LIMIT 1
      """)
    return text.flatMap { Int($0) }
  }

  private static func write(_ bytes: [UInt8], at offset: Int, _ path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}
