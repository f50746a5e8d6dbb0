import ProtobufFixtures
import QuiverProtobuf
import Testing

@Suite("Field values", .timeLimit(.minutes(5)))
struct FieldValueTests {
  @Test("Every field is read and set by name, in static and dynamic messages alike")
  func everyField() throws {
    let filled = AllTypes.filled
    let dynamic = try DynamicMessage(
      AllTypes.schema.core, serializedBytes: filled.serializedBytes())
    var copy = AllTypes()
    for field in AllTypes.schema.core.fields {
      let value = try #require(filled.fieldValue(field.name))
      #expect(dynamic[field.name] == value, "\(field.name)")
      let isSet = copy.setFieldValue(field.name, value)
      #expect(isSet, "\(field.name)")
    }
    #expect(copy == filled)
    #expect(dynamic.serializedBytes() == filled.serializedBytes())
  }

  @Test("Fields are cleared by their zero or by absence")
  func cleared() throws {
    var all = AllTypes.filled
    for field in AllTypes.schema.core.fields {
      let isSet = all.setFieldValue(field.name, .zero(of: field))
      #expect(isSet, "\(field.name)")
      #expect(all.fieldValue(field.name) == .zero(of: field), "\(field.name)")
    }
    #expect(all == AllTypes())
  }

  @Test("A value that does not fit, and a name that is not there, change nothing")
  func unfit() {
    let unfit: [(String, FieldValue)] = [
      ("int32_value", .int64(1)), ("int32_value", .absent), ("int32_value", .list([.int32(1)])),
      ("int32s", .int32(1)), ("int32s", .list([.int32(1), .bool(true)])),
      ("leaf", .message(DynamicMessage(Branch.schema.core))), ("int33_value", .int32(1)),
    ]
    var all = AllTypes.filled
    for (name, value) in unfit {
      let isSet = all.setFieldValue(name, value)
      #expect(!isSet, "\(name)")
    }
    #expect(all.fieldValue("int33_value") == nil)
    #expect(all == .filled)
  }
}
