package import QuiverProtobuf
package import TestSupport

extension DynamicMessage {
  /// A message with about half of its fields set, favouring values at the edges.
  package static func random(
    _ schema: MessageSchema, using generator: inout SeededGenerator
  ) -> DynamicMessage {
    var message = DynamicMessage(schema)
    for field in schema.fields where Bool.random(using: &generator) {
      if field.isRepeated {
        let count = Int.random(in: 0...4, using: &generator)
        message[field.number] = .list(
          (0..<count).map { _ in .random(field, using: &generator) })
      } else {
        message[field.number] = .random(field, using: &generator)
      }
    }
    return message
  }
}

extension FieldValue {
  /// One value, or one element, of a field.
  static func random(
    _ field: FieldSchema, using generator: inout SeededGenerator
  ) -> FieldValue {
    func integer<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) -> Value {
      let value = Value.random(in: .min ... .max, using: &generator)
      let edges: [Value] = [0, 1, .max, 1 << (Value.bitWidth - 1), 127, 128, ~1]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: return edges.randomElement(using: &generator) ?? 0
      case 1: return value >> Value(Int.random(in: 0..<Value.bitWidth, using: &generator))
      default: return value
      }
    }
    switch field.type {
    case .int32, .sint32, .sfixed32: return .int32(Int32(bitPattern: integer(UInt32.self)))
    case .uint32, .fixed32: return .uint32(integer(UInt32.self))
    case .int64, .sint64, .sfixed64: return .int64(Int64(bitPattern: integer(UInt64.self)))
    case .uint64, .fixed64: return .uint64(integer(UInt64.self))
    case .bool: return .bool(Bool.random(using: &generator))
    case .float:
      let value = Float(bitPattern: integer(UInt32.self))
      return .float(value.isNaN ? [.nan, -0.0, .infinity][Int(integer(UInt32.self) % 3)] : value)
    case .double:
      let value = Double(bitPattern: integer(UInt64.self))
      return .double(value.isNaN ? [.nan, -0.0, -.infinity][Int(integer(UInt32.self) % 3)] : value)
    case .enum:
      let known = field.enumType?.values.randomElement(using: &generator)?.number ?? 0
      return .enum(
        Bool.random(using: &generator) ? known : Int32(bitPattern: integer(UInt32.self)))
    case .string: return .string(.random(using: &generator))
    case .bytes:
      let count = [0, 1, 15, 16, 17, 127, 128, 300].randomElement(using: &generator) ?? 0
      return .bytes((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    case .message:
      guard let type = field.messageType else { return .absent }
      return .message(.random(type, using: &generator))
    }
  }
}

extension String {
  /// ASCII or not, of lengths around the ends of a short string.
  fileprivate static func random(using generator: inout SeededGenerator) -> String {
    let alphabets: [[Character]] = [
      Array("abc xyz 019\"\\/\u{0}\n\t\u{7F}"), Array("aé€\u{10FFFF}🏹\u{FFFD}\u{2028}"),
    ]
    let alphabet = alphabets.randomElement(using: &generator) ?? []
    let count = [0, 1, 2, 7, 8, 9, 14, 15, 16, 17, 40, 200].randomElement(using: &generator) ?? 0
    return String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
  }
}
