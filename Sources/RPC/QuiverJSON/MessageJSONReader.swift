import QuiverProtobuf

/// From JSON values to a message, by its schema.
///
/// An error is thrown with the place below the value that is read, and each caller puts its own
/// name before it: nothing is spent on places where no error is thrown.
enum MessageJSONReader {
  /// The message of an object.
  static func message(
    _ schema: MessageSchema, from value: JSONValue
  ) throws(JSONError) -> DynamicMessage {
    guard case .object(let members) = value else { throw wrongKind("an object", value) }
    var message = DynamicMessage(schema)
    var seen: Set<Int32> = []
    for member in members {
      guard let field = field(named: member.name, of: schema) else {
        throw JSONError(.unknownName, member.name, "is not a field of \(schema.name)")
      }
      guard seen.insert(field.number).inserted else {
        throw JSONError(.duplicateName, member.name, "occurs twice")
      }
      // proto3 JSON: null is the field's default.
      guard member.value != .null else { continue }
      do throws(JSONError) {
        message[field.number] = try self.value(field, from: member.value)
      } catch {
        throw error.within(member.name)
      }
    }
    return message
  }

  private static func field(named name: String, of schema: MessageSchema) -> FieldSchema? {
    // By place: a field is large, and is copied once it is the right one.
    for index in schema.fields.indices
    where schema.fields[index].jsonName == name || schema.fields[index].name == name {
      return schema.fields[index]
    }
    return nil
  }

  private static func value(
    _ field: FieldSchema, from value: JSONValue
  ) throws(JSONError) -> FieldValue {
    guard field.isRepeated else { return try single(field, from: value) }
    guard case .array(let elements) = value else { throw wrongKind("an array", value) }
    var values: [FieldValue] = []
    values.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(JSONError) {
        values.append(try single(field, from: element))
      } catch {
        throw error.within("[\(index)]")
      }
    }
    return .list(values)
  }

  private static func single(
    _ field: FieldSchema, from value: JSONValue
  ) throws(JSONError) -> FieldValue {
    switch field.type {
    case .int32, .sint32, .sfixed32: return .int32(try integer(value))
    case .uint32, .fixed32: return .uint32(try integer(value))
    case .int64, .sint64, .sfixed64: return .int64(try integer(value))
    case .uint64, .fixed64: return .uint64(try integer(value))
    case .float: return .float(try real(value, Float.init))
    case .double: return .double(try real(value, Double.init))
    case .bool:
      guard case .bool(let bool) = value else { throw wrongKind("a boolean", value) }
      return .bool(bool)
    case .string:
      guard case .string(let text) = value else { throw wrongKind("a string", value) }
      return .string(text)
    case .bytes:
      guard case .string(let text) = value else { throw wrongKind("base64", value) }
      guard let bytes = Base64.decode(text) else {
        throw JSONError(.wrongValue, "", "is not base64")
      }
      return .bytes(bytes)
    case .enum: return .enum(try enumeration(field, value))
    case .message:
      guard let type = field.messageType else { throw wrongKind("an object", value) }
      return .message(try message(type, from: value))
    }
  }

  /// An integer as a number or in a string.
  private static func integer<Value: FixedWidthInteger>(
    _ value: JSONValue
  ) throws(JSONError) -> Value {
    let text: String
    switch value {
    case .number(let spelling), .string(let spelling): text = spelling
    default: throw wrongKind("an integer", value)
    }
    if let plain = plainInteger(text.utf8), let integer = Value(exactly: plain) { return integer }
    try checkLength(text)
    guard let number = JSONNumber(text), number.isIntegral else {
      throw JSONError(.wrongKind, "", "must be an integer")
    }
    guard let integer = number.integer(Value.self) else {
      throw JSONError(
        .outOfRange, "", "must be between \(Value.min) and \(Value.max)")
    }
    return integer
  }

  /// Throws for a number in a string that is longer than a number may be.
  private static func checkLength(_ text: String) throws(JSONError) {
    guard text.utf8.count <= JSONLimits.maxNumberLength else {
      throw JSONError(
        .limitExceeded, "", "has more than \(JSONLimits.maxNumberLength) characters")
    }
  }

  /// An integer of at most 18 digits without a fraction, as nearly all are; nil: it is spelt in
  /// another way, or is none.
  private static func plainInteger(_ text: String.UTF8View) -> Int64? {
    var digits = text[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    guard 1...18 ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      return nil
    }
    var value: Int64 = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  /// A float or double as a number, in a string, or one of the three names.
  private static func real<Value: BinaryFloatingPoint>(
    _ value: JSONValue, _ parse: (String) -> Value?
  ) throws(JSONError) -> Value {
    switch value {
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .number(let text): return try finite(parse(text))
    case .string(let text):
      try checkLength(text)
      return try finite(JSONNumber(text) == nil ? nil : parse(text))
    default: throw wrongKind("a number", value)
    }
  }

  private static func finite<Value: BinaryFloatingPoint>(
    _ number: Value?
  ) throws(JSONError) -> Value {
    guard let number else { throw JSONError(.wrongKind, "", "must be a number") }
    guard number.isFinite else { throw JSONError(.outOfRange, "", "is too large") }
    return number
  }

  /// An enum by name or by number, which may be one that is not declared.
  private static func enumeration(
    _ field: FieldSchema, _ value: JSONValue
  ) throws(JSONError) -> Int32 {
    guard case .string(let name) = value else { return try integer(value) }
    guard let type = field.enumType, let number = type.number(named: name) else {
      throw JSONError(
        .wrongValue, "", "is not a value of \(field.enumType?.name ?? "the enum")")
    }
    return number
  }

  private static func wrongKind(_ expected: String, _ value: JSONValue) -> JSONError {
    JSONError(.wrongKind, "", "must be \(expected), not \(value.kind)")
  }
}
