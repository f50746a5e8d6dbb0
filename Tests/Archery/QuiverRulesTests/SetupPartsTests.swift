import QuiverRules
import Testing

@Suite(.timeLimit(.minutes(5))) struct SetupPartsTests {
  @Test("stabilizers, weights and accessories are multiple, the other seven are single")
  func multiples() {
    #expect(EquipmentType.allCases.filter(\.isMultiple) == [.stabilizer, .weight, .accessory])
  }

  @Test("parts come in the hub's order, within a type as they were given")
  func order() throws {
    let given: [SetupPart] = [.of(9, .accessory), .of(5, .weight), .of(7, .riser), .of(4, .weight)]
    let parts = try SetupParts(given, path: "components")
    #expect(parts.list.map(\.equipmentID) == [7, 5, 4, 9])
  }

  @Test("a list that no setup can hold is refused at its place", arguments: BadList.all)
  private func badLists(_ bad: BadList) {
    let violation = #expect(throws: RuleViolation.self) {
      try SetupParts(bad.parts, path: "components")
    }
    #expect(violation?.field == bad.field)
  }

  @Test("as much as a setup can hold is taken")
  func full() throws {
    let weights = (1...50).map { SetupPart.of($0, .weight, 1_000) }
    #expect(try SetupParts(weights, path: "components").list == weights)
  }

  @Test("adding of a single type replaces, of a multiple one it adds")
  func adding() throws {
    var parts = try SetupParts([.of(1, .riser), .of(2, .weight)], path: "components")
    parts = try parts.adding(.of(3, .riser), path: "component")
    parts = try parts.adding(.of(4, .weight, 2), path: "component")
    parts = try parts.adding(.of(2, .weight, 9), path: "component")
    parts = try parts.adding(.of(5, .sight), path: "component")
    #expect(
      parts.list == [.of(3, .riser), .of(5, .sight), .of(2, .weight, 9), .of(4, .weight, 2)])
  }

  @Test("one too many, or too much of one, is not added")
  func addingTooMuch() throws {
    let full = try SetupParts((1...50).map { .of($0, .weight) }, path: "components")
    let tooMany = #expect(throws: RuleViolation.self) {
      try full.adding(.of(51, .riser), path: "component")
    }
    #expect(tooMany?.field == "component")
    #expect(try full.adding(.of(50, .weight, 3), path: "component").list.last?.quantity == 3)
    let tooMuch = #expect(throws: RuleViolation.self) {
      try SetupParts().adding(.of(1, .riser, 2), path: "component")
    }
    #expect(tooMuch?.field == "component.quantity")
  }

  @Test("removing takes out what is there, and says where nothing is")
  func removing() throws {
    let parts = try SetupParts([.of(1, .riser), .of(2, .weight)], path: "components")
    #expect(parts.removing(equipmentID: 1)?.list == [.of(2, .weight)])
    #expect(parts.removing(equipmentID: 3) == nil)
  }
}

private struct BadList: Sendable {
  let parts: [SetupPart]
  let field: String

  static let all = [
    BadList(parts: [.of(1, .riser), .of(2, .riser)], field: "components[1]"),
    BadList(
      parts: [.of(1, .arrow), .of(3, .weight), .of(2, .arrow)], field: "components[2]"),
    BadList(parts: [.of(1, .weight), .of(1, .weight)], field: "components[1]"),
    BadList(parts: [.of(1, .limbs, 2)], field: "components[0].quantity"),
    BadList(parts: [.of(1, .weight, 0)], field: "components[0].quantity"),
    BadList(parts: [.of(1, .weight), .of(2, .weight, 1_001)], field: "components[1].quantity"),
    BadList(parts: (1...51).map { .of($0, .weight) }, field: "components"),
  ]
}

extension SetupPart {
  static func of(_ id: Int64, _ type: EquipmentType, _ quantity: UInt32 = 1) -> SetupPart {
    SetupPart(equipmentID: id, type: type, quantity: quantity)
  }
}
