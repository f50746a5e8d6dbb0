import ProtobufFixtures
import QuiverProtobuf
import Testing

@Suite("Decode limits", .timeLimit(.minutes(5)))
struct DecodeLimitsTests {
  private func reason(
    _ bytes: [UInt8], _ schema: MessageSchema = AllTypes.schema.core,
    _ change: (inout DecodeLimits) -> Void = { _ in }
  ) -> DecodeError.Reason? {
    var limits = DecodeLimits()
    change(&limits)
    do {
      _ = try DynamicMessage(schema, serializedBytes: bytes, limits: limits)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("Messages may be nested 16 deep, and no deeper")
  func depth() {
    func chain(_ levels: Int) -> (MessageSchema, [UInt8]) {
      var schema = MessageSchema(name: "chain.Level1", fields: [])
      var bytes: [UInt8] = []
      for level in 1..<levels {
        let child = schema
        schema = MessageSchema(
          name: "chain.Level\(level + 1)",
          fields: [
            FieldSchema(
              number: 1, name: "child", type: .message, label: .implicit, messageType: { child })
          ])
        bytes = [0x0A, UInt8(bytes.count)] + bytes
      }
      return (schema, bytes)
    }
    let (fits, fitting) = chain(16)
    #expect(reason(fitting, fits) == nil)
    let (deep, deepBytes) = chain(17)
    #expect(reason(deepBytes, deep) == .tooDeep)
  }

  @Test("Fields are counted, including those of sub-messages")
  func fields() {
    let bytes: [UInt8] = [0x08, 1, 0x08, 2, 0x8A, 0x01, 2, 0x0A, 0]
    #expect(reason(bytes) { $0.maxFields = 4 } == nil)
    #expect(reason(bytes) { $0.maxFields = 3 } == .tooManyFields)
  }

  @Test("Packed elements are counted")
  func elements() {
    let bytes: [UInt8] = [0xCA, 0x02, 3, 1, 2, 3, 0xD2, 0x02, 2, 1, 2]
    #expect(reason(bytes) { $0.maxRepeatedElements = 5 } == nil)
    #expect(reason(bytes) { $0.maxRepeatedElements = 4 } == .tooManyElements)
  }

  @Test("Unknown fields are counted")
  func unknown() {
    let bytes: [UInt8] = [0xF8, 0x07, 1, 0xF8, 0x07, 2]
    #expect(reason(bytes) { $0.maxUnknownFields = 2 } == nil)
    #expect(reason(bytes) { $0.maxUnknownFields = 1 } == .tooManyUnknownFields)
  }

  @Test(
    "A message that would need much more memory than its size is refused before unpacking",
    arguments: [[0xCA, 0x03, 0], [0xB2, 0x03, 0], [0xF8, 0x07, 1]] as [[UInt8]])
  func memory(unit: [UInt8]) {
    let bytes = [UInt8]((0..<10_000).map { _ in unit }.joined())
    #expect(
      reason(bytes) {
        $0.arenaBytesPerByte = 4
        $0.arenaBaseByteCount = 1024
      } == .tooMuchMemory)
    #expect(reason(bytes) { $0.maxArenaByteCount = 50_000 } == .tooMuchMemory)
  }
}
