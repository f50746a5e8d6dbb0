import ProtobufFixtures
import QuiverProtobuf
import Testing

/// Contains itself, which a schema must refuse.
struct Endless: Message {
  var children: [Endless] = []
  static let schema = Schema<Self>("quiver.fixture.Endless", .messages(1, "children", \.children))
}

struct NotZero: Message {
  var number: Int32 = 7
  static let schema = Schema<Self>("quiver.fixture.NotZero", .int32(1, "number", \.number))
}

@Suite("Schemas", .timeLimit(.minutes(5)))
struct SchemaTests {
  @Test(
    "JSON names are those that protoc derives",
    arguments: [
      ("length_in", "lengthIn"), ("a", "a"), ("created_at_ms", "createdAtMs"), ("_x", "X"),
      ("a__b", "aB"), ("x_1y", "x1y"), ("Already", "Already"),
    ])
  func jsonNames(name: String, expected: String) {
    #expect(FieldSchema.jsonName(of: name) == expected)
  }

  @Test("A service has a descriptor in which libprotobuf-c finds its methods")
  func services() {
    #expect(Fixture.service.descriptorHasMethod(named: "Plant"))
    #expect(Fixture.service.descriptorHasMethod(named: "Blow"))
    #expect(!Fixture.service.descriptorHasMethod(named: "Fell"))
    #expect(Fixture.service.method(id: 51203)?.name == "Scatter")
  }

  @Test("A cycle is found, and named")
  func cycles() {
    #expect(
      Endless.schema.core.cycle() == ["quiver.fixture.Endless", "quiver.fixture.Endless"])
    #expect(AllTypes.schema.core.cycle() == nil)
  }

  @Test("A message that contains itself stops the process at its first use")
  func endless() async {
    await #expect(processExitsWith: .failure) { _ = Endless().serializedBytes() }
  }

  @Test("A message whose defaults are not zero stops the process at its first use")
  func notZero() async {
    await #expect(processExitsWith: .failure) { _ = NotZero().serializedBytes() }
  }

  @Test("A number that is used twice stops the process")
  func twice() async {
    await #expect(processExitsWith: .failure) {
      _ = MessageSchema(
        name: "quiver.fixture.Twice",
        fields: [
          FieldSchema(number: 1, name: "a", type: .bool, label: .implicit),
          FieldSchema(number: 1, name: "b", type: .bool, label: .implicit),
        ])
    }
  }
}
