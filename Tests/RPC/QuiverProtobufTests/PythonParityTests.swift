import ProtobufFixtures
import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import TestSupport
import Testing

/// Compares the encoding with Google's protobuf byte for byte in both directions. The interpreter
/// is QUIVER_PYTHON, otherwise python3; the test fails without one.
@Suite("Parity with Python's protobuf", .serialized, .timeLimit(.minutes(5)))
struct PythonParityTests {
  /// Every message of the fixture and of the catalogue.
  static let schemas = ([Fixture.file] + ServiceCatalogue.archery.files).flatMap(\.messages)

  private func peer() throws -> PythonPeer {
    try PythonPeer(
      descriptorSet: Protoc.descriptorSet(of: [Protoc.fixtureFile] + Protoc.projectFiles()))
  }

  @Test("Random messages have the same bytes as Python's")
  func encoded() throws {
    let peer = try peer()
    var generator = SeededGenerator(seed: 2026)
    for schema in Self.schemas {
      for round in 0..<(schema === AllTypes.schema.core ? 300 : 25) {
        let message = DynamicMessage.random(schema, using: &generator)
        let bytes = message.serializedBytes()
        let python = try peer.ask(.reencode, schema.name, bytes)
        #expect(python == bytes, "\(schema.name), seed 2026, round \(round)")
      }
    }
  }

  @Test("Random messages of Python are decoded, and encoded to the same bytes")
  func decoded() throws {
    let peer = try peer()
    for schema in Self.schemas {
      for seed in 0..<(schema === AllTypes.schema.core ? 300 : 25) {
        let bytes = try peer.ask(.random, schema.name, Array("\(seed)".utf8))
        let message = try DynamicMessage(schema, serializedBytes: bytes)
        #expect(message.serializedBytes() == bytes, "\(schema.name), seed \(seed)")
      }
    }
  }

  @Test("The Swift value of a random message is encoded to the same bytes")
  func typed() throws {
    let peer = try peer()
    let coder = MessageCoder()
    for seed in 1000..<1300 {
      let bytes = try peer.ask(.random, "quiver.fixture.AllTypes", Array("\(seed)".utf8))
      let message = try coder.decode(AllTypes.self, from: bytes)
      #expect(coder.encode(message) == bytes, "seed \(seed)")
    }
  }

  @Test("Python creates its types from the descriptors of reflection")
  func descriptors() throws {
    // Descriptor sets can be joined as bytes.
    let set =
      try Protoc.descriptorSet(of: ["google/protobuf/descriptor.proto"])
      + FileDescriptorSet(ServiceCatalogue.archery.files + [Fixture.file]).serializedBytes()
    let peer = try PythonPeer(descriptorSet: set)
    let bytes = AllTypes.filled.serializedBytes()
    #expect(try peer.ask(.reencode, "quiver.fixture.AllTypes", bytes) == bytes)
  }
}
