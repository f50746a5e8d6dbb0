import QuiverRules
import Testing

@Suite(.timeLimit(.minutes(5))) struct EquipmentContentTests {
  @Test("texts are trimmed of Unicode white space, and blank ones are absent")
  func trimming() throws {
    var riser = Self.riser()
    riser.set("brand", .text("\u{00A0} Hoyt \t\n"))
    riser.set("notes", .text(" \u{3000} "))
    let stored = try riser.validated(prefix: "riser")
    #expect(stored["brand"] == .text("Hoyt"))
    #expect(stored["notes"] == .absent)
    #expect(stored.displayBrand == "Hoyt")
  }

  @Test(
    "a value that no riser has is refused with its path",
    arguments: [
      ("brand", .absent), ("brand", .text("  ")),
      ("model", .text(String(repeating: "x", count: 201))),
      ("notes", .text(String(repeating: "é", count: 4_001))), ("length_in", .real(0)),
      ("length_in", .real(100.5)), ("length_in", .real(.nan)), ("length_in", .real(.infinity)),
      ("weight_g", .real(-1)), ("weight_g", .text("heavy")), ("material", .integer(3)),
    ] as [(String, EquipmentValue)])
  func refused(field: String, value: EquipmentValue) {
    var riser = Self.riser()
    riser.set(field, value)
    let violation = #expect(throws: RuleViolation.self) {
      try riser.validated(prefix: "riser")
    }
    #expect(violation?.field == "riser.\(field)")
  }

  @Test(
    "a value at the end of its range is taken",
    arguments: [
      ("brand", .text(String(repeating: "🏹", count: 200))), ("length_in", .real(100)),
      ("length_in", .real(.leastNonzeroMagnitude)), ("weight_g", .real(0)),
      ("weight_g", .real(100_000)), ("notes", .text(String(repeating: "n", count: 4_000))),
    ] as [(String, EquipmentValue)])
  func taken(field: String, value: EquipmentValue) throws {
    var riser = Self.riser()
    riser.set(field, value)
    #expect(try riser.validated(prefix: "riser")[field] == value)
  }

  @Test(
    "an enum has its own values and no others; unspecified is absent",
    arguments: [(0, true), (1, true), (3, true), (4, false), (-1, false), (.max, false)]
      as [(Int64, Bool)])
  func enumeration(number: Int64, isTaken: Bool) {
    var limbs = Self.limbs()
    limbs.set("limb_length", .integer(number))
    #expect(((try? limbs.validated(prefix: "limbs")) != nil) == isTaken)
  }

  @Test(
    "a day beyond the calendar is refused",
    arguments: [(-719_163, false), (-719_162, true), (2_932_896, true), (2_932_897, false)]
      as [(Int64, Bool)])
  func days(day: Int64, isTaken: Bool) {
    var limbs = Self.limbs()
    limbs.set("installed_on", .integer(day))
    #expect(((try? limbs.validated(prefix: "limbs")) != nil) == isTaken)
  }

  @Test("a new item starts with the defaults of its kind")
  func defaults() {
    #expect(EquipmentContent(type: .stabilizer).withDefaults()["straightness"] == .integer(5))
    #expect(EquipmentContent(type: .arrow).withDefaults()["quantity"] == .integer(1))
    #expect(EquipmentContent(type: .riser).withDefaults() == EquipmentContent(type: .riser))
  }

  @Test("lists show an accessory by its name and the label of its type")
  func display() {
    var tab = EquipmentContent(type: .accessory)
    tab.set("name", .text("Finger tab"))
    tab.set("type", .integer(1))
    #expect(tab.displayBrand == "Finger tab")
    #expect(tab.displayModel == "Tab")
    tab.set("type", .integer(77))
    #expect(tab.displayModel == "")
  }

  @Test("minus zero is stored as zero, so that the same content has one form")
  func minusZero() throws {
    var riser = Self.riser()
    riser.set("weight_g", .real(-0.0))
    guard case .real(let stored)? = try riser.validated(prefix: "riser")["weight_g"] else {
      Issue.record("The weight has gone.")
      return
    }
    #expect(stored.sign == .plus)
  }

  private static func riser() -> EquipmentContent {
    EquipmentContent(type: .riser, values: [.text("Hoyt"), .text("Formula")])
  }

  private static func limbs() -> EquipmentContent {
    EquipmentContent(type: .limbs, values: [.text("Win&Win"), .text("Wiawis")])
  }
}
