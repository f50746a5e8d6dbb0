import QuiverRules
import Testing

@Suite(.timeLimit(.minutes(5))) struct EquipmentKindTests {
  @Test("there are ten types in three groups, in the hub's order")
  func order() {
    #expect(
      EquipmentKind.all.map(\.name) == [
        "riser", "limbs", "sight", "rest", "plunger", "bow_string", "stabilizer", "weight",
        "arrow", "accessory",
      ])
    #expect(EquipmentKind.all.map(\.group.rawValue) == [1, 1, 1, 1, 1, 2, 2, 2, 3, 3])
    #expect(EquipmentKind.all.map(\.type.rawValue) == Array(1...10))
    #expect(
      EquipmentGroup.allCases.map(\.label) == [
        "Bow components", "String & stabilization", "Arrows & accessories",
      ])
  }

  @Test("each type is called as the design calls it")
  func labels() {
    #expect(
      EquipmentKind.all.map { "\($0.label)/\($0.pluralLabel)" } == [
        "Riser/Risers", "Limbs/Limbs", "Sight/Sights", "Rest/Rests", "Plunger/Plungers",
        "String/Strings", "Stabilizer/Stabilizers", "Weight/Weights", "Arrow Set/Arrows",
        "Accessory/Accessories",
      ])
  }

  @Test("brand and model are required where nothing else is")
  func required() {
    let required = EquipmentKind.all.map { kind in
      kind.fields.filter(\.isRequired).map(\.name)
    }
    let brandAndModel = ["brand", "model"]
    #expect(
      required == [
        brandAndModel, brandAndModel, brandAndModel, brandAndModel, brandAndModel,
        ["maker", "string_type"], brandAndModel, ["location", "name"], brandAndModel,
        ["name", "type"],
      ])
  }

  @Test("a kind finds its fields by their proto names and nothing else")
  func places() {
    let riser = EquipmentKind.of(.riser)
    #expect(riser.index(of: "brand") == 0)
    #expect(riser.index(of: "length_in") == 3)
    #expect(riser.index(of: "id") == nil)
    #expect(
      Array(riser.ownFields.map(\.name)) == ["length_in", "material", "weight_g", "grip_type"])
  }

  @Test("the ends of the range of days are the first of year 1 and the last of year 9999")
  func days() {
    #expect(EquipmentField.dayRange.lowerBound == -719_162)
    #expect(EquipmentField.dayRange.upperBound == 2_932_896)
  }
}
