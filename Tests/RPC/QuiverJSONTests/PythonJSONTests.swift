import ProtobufFixtures
import QuiverJSON
import QuiverProtobuf
import TestSupport
import Testing

/// Compares this package's JSON with Google's. The interpreter is QUIVER_PYTHON, otherwise python3;
/// the test fails without one.
@Suite("Parity with Python's JSON", .serialized, .timeLimit(.minutes(5)))
struct PythonJSONTests {
  private let schema = AllTypes.schema.core
  private let json = MessageJSON()

  @Test("Python reads this package's JSON as the same message")
  func written() throws {
    let peer = try PythonPeer(descriptorSet: Protoc.descriptorSet(of: [Protoc.fixtureFile]))
    var generator = SeededGenerator(seed: 11)
    for round in 0..<200 {
      let message = DynamicMessage.random(schema, using: &generator)
      let bytes = try peer.ask(.fromJSON, schema.name, Array(json.text(of: message).utf8))
      #expect(bytes == message.serializedBytes(), "seed 11, round \(round)")
    }
  }

  @Test("This package reads Python's JSON as the same message")
  func read() throws {
    let peer = try PythonPeer(descriptorSet: Protoc.descriptorSet(of: [Protoc.fixtureFile]))
    for seed in 0..<200 {
      let bytes = try peer.ask(.random, schema.name, Array("\(seed)".utf8))
      let text = try peer.ask(.toJSON, schema.name, bytes)
      let message = try json.message(schema, from: text)
      #expect(message.serializedBytes() == bytes, "seed \(seed)")
    }
  }
}
