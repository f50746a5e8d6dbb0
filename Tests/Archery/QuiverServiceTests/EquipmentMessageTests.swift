import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import TestSupport
import Testing

@testable import QuiverService
@testable import QuiverStore

@Suite("Messages of equipment and their rules", .timeLimit(.minutes(5)))
struct EquipmentMessageTests {
  @Test("A message has exactly the fields of its type and the common fields")
  func fields() {
    let names = Set(Riser.schema.core.fields.map(\.name))
    for field in Riser.kind.fields { #expect(names.contains(field.name), "\(field.name)") }
    let common: Set = [
      "id", "client_id", "created_at_ms", "updated_at_ms", "archived", "revision",
      "display_brand", "display_model", "setup_use_count",
    ]
    #expect(names == common.union(Riser.kind.fields.map(\.name)))
  }

  @Test("A record converts to its message and back")
  func roundTrip() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let content = Self.content(&random)
      let record = EquipmentRecord(
        id: 7, clientID: [1, 2], revision: 3, isArchived: true, createdAtMilliseconds: 4,
        updatedAtMilliseconds: 5, setupUseCount: 6, content: content)
      let riser = Riser(record)
      #expect(riser.content == content, "seed \(seed)")
      #expect(riser.id == 7 && riser.clientID == [1, 2] && riser.revision == 3, "seed \(seed)")
      #expect(riser.createdAtMilliseconds == 4 && riser.updatedAtMilliseconds == 5)
      #expect(riser.archived && riser.setupUseCount == 6)
      #expect(riser.displayBrand == content.displayBrand, "seed \(seed)")
      let detail = CurrentObject.equipment(record).detail
      #expect(try Riser(serializedBytes: detail.value) == riser, "seed \(seed)")
    }
  }

  @Test(
    "The detail of an item has the message type of the item",
    arguments: QuiverRules.EquipmentType.allCases)
  func detail(_ type: QuiverRules.EquipmentType) {
    let record = EquipmentRecord(
      id: 1, clientID: [], revision: 1, isArchived: false, createdAtMilliseconds: 0,
      updatedAtMilliseconds: 0, setupUseCount: 0, content: EquipmentContent(type: type))
    let name = EquipmentKind.of(type).name
    let detail = CurrentObject.equipment(record).detail
    #expect(
      detail.type.lowercased() == "quiver.v1." + name.split(separator: "_").joined().lowercased())
  }

  private static func content(_ random: inout SeededGenerator) -> EquipmentContent {
    var content = EquipmentContent(type: .riser)
    for field in content.kind.fields where Bool.random(using: &random) {
      switch field.content {
      case .text:
        content.set(
          field.name, .text("é" + String(UInt64.random(in: .min ... .max, using: &random))))
      case .real: content.set(field.name, .real(Double.random(in: 0...9, using: &random)))
      case .integer, .enumeration, .day: content.set(field.name, .integer(1))
      }
    }
    return content
  }
}
