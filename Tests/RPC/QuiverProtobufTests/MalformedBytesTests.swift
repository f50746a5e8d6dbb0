import ProtobufFixtures
import QuiverProtobuf
import Testing

/// Bytes that are refused, and the error.
struct MalformedBytes: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let reason: DecodeError.Reason
  let path: String

  init(_ name: String, _ bytes: [UInt8], _ reason: DecodeError.Reason, at path: String = "") {
    self.name = name
    self.bytes = bytes
    self.reason = reason
    self.path = path
  }

  var testDescription: String { name }

  /// Bytes for `AllTypes`.
  static let table: [MalformedBytes] = [
    .init("a tag that is cut", [0x80], .truncated),
    .init("a tag of six bytes", [0x88, 0x80, 0x80, 0x80, 0x80, 0x00], .tagTooLong),
    .init("a tag above 2^32", [0x88, 0x80, 0x80, 0x80, 0x10], .fieldNumberOutOfRange),
    .init("field 0", [0x00, 1], .fieldNumberOutOfRange),
    .init("field 0 in two bytes", [0x80, 0x00, 1], .fieldNumberOutOfRange),
    .init("a group of an unknown field", [0xFB, 0x07], .group),
    .init("a group's end", [0xFC, 0x07], .group),
    .init("a group where a scalar belongs", [0x0B], .group, at: "int32_value"),
    .init("wire type 6", [0xFE, 0x07], .unknownWireType),
    .init("wire type 7 of a known field", [0x0F], .unknownWireType, at: "int32_value"),
    .init("a string as a varint", [0x70, 1], .wireTypeMismatch, at: "string_value"),
    .init("a bool as bytes", [0x6A, 1, 1], .wireTypeMismatch, at: "bool_value"),
    .init("an int32 packed though single", [0x0A, 1, 1], .wireTypeMismatch, at: "int32_value"),
    .init("a message as fixed64", [0x89, 0x01], .wireTypeMismatch, at: "leaf"),
    .init("a varint that is cut", [0x08, 0x80], .truncated, at: "int32_value"),
    .init("a varint that is absent", [0x08], .truncated, at: "int32_value"),
    .init(
      "a varint of eleven bytes", [0x08] + [UInt8](repeating: 0x80, count: 10) + [0],
      .varintTooLong, at: "int32_value"),
    .init(
      "an unknown varint of eleven bytes", [0xF8, 0x07] + [UInt8](repeating: 0xFF, count: 11),
      .varintTooLong),
    .init("an unknown varint that is cut", [0xF8, 0x07, 0xFF], .truncated),
    .init("a fixed32 that is cut", [0x2D, 1, 2, 3], .truncated, at: "fixed32_value"),
    .init("a fixed64 that is cut", [0x51, 1, 2, 3, 4, 5, 6, 7], .truncated, at: "fixed64_value"),
    .init("an unknown fixed32 that is cut", [0xFD, 0x07, 1, 2, 3], .truncated),
    .init("an unknown fixed64 that is cut", [0xF9, 0x07, 1, 2, 3], .truncated),
    .init("a length that is absent", [0x72], .truncated, at: "string_value"),
    .init("a length that is cut", [0x72, 0x80], .truncated, at: "string_value"),
    .init(
      "a length of six bytes", [0x72, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], .lengthTooLong,
      at: "string_value"),
    .init(
      "a length above 2^31", [0x72, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], .lengthTooLong,
      at: "string_value"),
    .init("a length beyond the end", [0x72, 2, 0x61], .lengthBeyondEnd, at: "string_value"),
    .init("an unknown length beyond the end", [0xFA, 0x07, 2, 0x61], .lengthBeyondEnd),
    .init(
      "a sub-message beyond its parent", [0x8A, 0x01, 2, 0x0A, 1, 0x61], .lengthBeyondEnd,
      at: "leaf.name"),
    .init(
      "a fault two levels down", [0xD2, 0x03, 4, 0x0A, 2, 0x08, 1], .wireTypeMismatch,
      at: "branch.main.name"),
    .init(
      "packed fixed32 of five bytes", [0xDA, 0x02, 5, 0, 0, 0, 0, 0], .packedLength, at: "sfixed32s"
    ),
    .init(
      "packed doubles of seven bytes", [0xA2, 0x03, 7, 0, 0, 0, 0, 0, 0, 0], .packedLength,
      at: "doubles"),
    .init("a packed varint that is cut", [0xCA, 0x02, 1, 0x80], .truncated, at: "int32s"),
    .init(
      "a packed varint of eleven bytes",
      [0xCA, 0x02, 11] + [UInt8](repeating: 0x80, count: 10) + [0], .varintTooLong, at: "int32s"),
    .init(
      "a singular sub-message twice", [0x8A, 0x01, 0, 0x8A, 0x01, 0], .repeatedSubmessage,
      at: "leaf"),
    .init("a string that is not UTF-8", [0x72, 2, 0xC3, 0x28], .invalidUTF8, at: "string_value"),
    .init("half a surrogate pair", [0x72, 3, 0xED, 0xA0, 0x80], .invalidUTF8, at: "string_value"),
    .init("an overlong NUL", [0x72, 2, 0xC0, 0x80], .invalidUTF8, at: "string_value"),
    .init(
      "a long string that is not UTF-8 at its end",
      [0x72, 20] + [UInt8](repeating: 0x61, count: 19) + [0xE2], .invalidUTF8, at: "string_value"),
    .init(
      "a repeated string", [0xB2, 0x03, 1, 0x61, 0xB2, 0x03, 1, 0xFF], .invalidUTF8, at: "strings"),
    .init("an optional string", [0x92, 0x02, 1, 0xFF], .invalidUTF8, at: "optional_string"),
    .init(
      "a string in a sub-message", [0x8A, 0x01, 3, 0x0A, 1, 0x80], .invalidUTF8, at: "leaf.name"),
    .init(
      "a string in a repeated sub-message", [0xCA, 0x03, 0, 0xCA, 0x03, 3, 0x0A, 1, 0xFE],
      .invalidUTF8, at: "leaves.name"),
  ]
}

@Suite("Malformed bytes", .timeLimit(.minutes(5)))
struct MalformedBytesTests {
  @Test("Each kind is refused with its reason and its place", arguments: MalformedBytes.table)
  func refused(malformed: MalformedBytes) {
    let expected = DecodeError(
      malformed.reason, path: malformed.path.split(separator: ".").map(String.init))
    #expect(throws: expected) { try AllTypes(serializedBytes: malformed.bytes) }
    #expect(throws: expected) {
      try DynamicMessage(AllTypes.schema.core, serializedBytes: malformed.bytes)
    }
  }

  @Test("Every reason belongs to a code and has a sentence of its own")
  func reasons() {
    let sentences = Set(DecodeError.Reason.allCases.map(\.sentence))
    #expect(sentences.count == DecodeError.Reason.allCases.count)
    #expect(DecodeError(.invalidUTF8).code == .invalidUTF8)
    #expect(DecodeError(.truncated).code == .malformed)
    #expect(DecodeError(.tooDeep).code == .limitExceeded)
    #expect(DecodeError(.arenaExhausted).code == .arenaExhausted)
    #expect(
      DecodeError(.truncated, path: ["leaf", "name"]).description
        == "leaf.name: the bytes end inside a value")
  }

  @Test("A coder that refused a message decodes the next one")
  func recovers() throws {
    let coder = MessageCoder()
    let good = coder.encode(AllTypes.filled)
    for malformed in MalformedBytes.table {
      #expect(throws: DecodeError.self) { try coder.decode(AllTypes.self, from: malformed.bytes) }
      #expect(try coder.decode(AllTypes.self, from: good) == .filled)
    }
  }
}
