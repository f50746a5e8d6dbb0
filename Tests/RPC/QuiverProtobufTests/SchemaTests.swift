import CProtobufC
import ProtobufFixtures
import Testing

@testable import QuiverProtobuf

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

  @Test("libprotobuf-c finds the methods of a service in its descriptor")
  func services() {
    let descriptor = Fixture.service.descriptor.prepared()
    for (name, isFound) in [("Plant", true), ("Blow", true), ("Fell", false)] {
      let method = protobuf_c_service_descriptor_get_method_by_name(descriptor, name)
      #expect((method != nil) == isFound, "\(name)")
      if let method { #expect(String(cString: method.pointee.name) == name) }
    }
    #expect(Fixture.service.method(id: 51203)?.name == "Scatter")
  }

  @Test("A cycle of messages is found and named")
  func cycles() {
    #expect(
      Endless.schema.core.cycle() == ["quiver.fixture.Endless", "quiver.fixture.Endless"])
    #expect(AllTypes.schema.core.cycle() == nil)
  }

  @Test("A message that contains itself traps at its first use")
  func endless() async {
    await #expect(processExitsWith: .failure) { _ = Endless().serializedBytes() }
  }

  @Test("A message with defaults other than zero traps at its first use")
  func notZero() async {
    await #expect(processExitsWith: .failure) { _ = NotZero().serializedBytes() }
  }

  @Test("A field number that is used twice traps")
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
