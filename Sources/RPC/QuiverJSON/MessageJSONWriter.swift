import QuiverProtobuf

/// From a message to JSON text, fields in the order of its schema.
struct MessageJSONWriter {
  private(set) var text: [UInt8] = []
  private let printsZeros: Bool
  private let isPretty: Bool
  private var level = 0

  init(printsZeros: Bool, isPretty: Bool) {
    self.printsZeros = printsZeros
    self.isPretty = isPretty
  }

  /// Writes a message as an object.
  mutating func write(_ message: DynamicMessage) {
    var members: [(FieldSchema, FieldValue)] = []
    for field in message.schema.fields {
      if let value = message[field.number] {
        members.append((field, value))
      } else if printsZeros && !field.hasPresence {
        members.append((field, .zero(of: field)))
      }
    }
    writeBlock("{", "}", members) { writer, member in
      writer.writeString(member.0.jsonName)
      writer.append(writer.isPretty ? ": " : ":")
      writer.write(member.1, member.0)
    }
  }

  private mutating func write(_ value: FieldValue, _ field: FieldSchema) {
    switch value {
    case .absent: append("null")
    case .int32(let value): append(String(value))
    case .uint32(let value): append(String(value))
    case .int64(let value): append("\"\(value)\"")
    case .uint64(let value): append("\"\(value)\"")
    case .float(let value): writeReal(value)
    case .double(let value): writeReal(value)
    case .bool(let value): append(value ? "true" : "false")
    case .string(let value): writeString(value)
    case .bytes(let value):
      append("\"")
      text += Base64.encode(value)
      append("\"")
    case .enum(let value):
      if let name = field.enumType?.name(of: value) {
        writeString(name)
      } else {
        append(String(value))
      }
    case .message(let value): write(value)
    case .list(let values):
      writeBlock("[", "]", values) { $0.write($1, field) }
    }
  }

  private mutating func writeBlock<Element>(
    _ open: String, _ close: String, _ elements: [Element],
    _ write: (inout MessageJSONWriter, Element) -> Void
  ) {
    append(open)
    level += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      breakLine()
      write(&self, element)
    }
    level -= 1
    if !elements.isEmpty { breakLine() }
    append(close)
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    append("\n" + String(repeating: "  ", count: level))
  }

  /// The shortest spelling that reads back as the same value.
  private mutating func writeReal<Value: BinaryFloatingPoint & CustomStringConvertible>(
    _ value: Value
  ) {
    if value.isNaN { return append("\"NaN\"") }
    if value.isInfinite { return append(value < 0 ? "\"-Infinity\"" : "\"Infinity\"") }
    let spelling = value.description
    // Many readers take -0 for an integer and lose its sign.
    let isShortened = spelling.hasSuffix(".0") && !(value == 0 && value.sign == .minus)
    append(isShortened ? String(spelling.dropLast(2)) : spelling)
  }

  private mutating func writeString(_ string: String) {
    append("\"")
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case ..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      default: text.append(byte)
      }
    }
    append("\"")
  }

  private mutating func append(_ string: String) {
    text += string.utf8
  }
}
