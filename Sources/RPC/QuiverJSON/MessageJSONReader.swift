import QuiverProtobuf

/// From JSON values to a message, by its schema.
enum MessageJSONReader {
  /// The message of an object; `path` leads to it.
  static func message(
    _ schema: MessageSchema, from value: JSONValue, at path: String
  ) throws(JSONError) -> DynamicMessage {
    guard case .object(let members) = value else {
      throw JSONError(.wrongKind, path, "must be an object, not \(value.kind)")
    }
    var message = DynamicMessage(schema)
    var seen: Set<Int32> = []
    for member in members {
      let place = path.isEmpty ? member.name : path + "." + member.name
      guard
        let field = schema.fields.first(where: {
          $0.jsonName == member.name || $0.name == member.name
        })
      else { throw JSONError(.unknownName, place, "is not a field of \(schema.name)") }
      guard seen.insert(field.number).inserted else {
        throw JSONError(.duplicateName, place, "occurs twice")
      }
      // proto3 JSON: null is the field's default.
      guard member.value != .null else { continue }
      message[field.number] = try self.value(field, from: member.value, at: place)
    }
    return message
  }

  private static func value(
    _ field: FieldSchema, from value: JSONValue, at path: String
  ) throws(JSONError) -> FieldValue {
    guard field.isRepeated else { return try single(field, from: value, at: path) }
    guard case .array(let elements) = value else {
      throw JSONError(.wrongKind, path, "must be an array, not \(value.kind)")
    }
    var values: [FieldValue] = []
    values.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      values.append(try single(field, from: element, at: "\(path)[\(index)]"))
    }
    return .list(values)
  }

  private static func single(
    _ field: FieldSchema, from value: JSONValue, at path: String
  ) throws(JSONError) -> FieldValue {
    switch field.type {
    case .int32, .sint32, .sfixed32: return .int32(try integer(value, at: path))
    case .uint32, .fixed32: return .uint32(try integer(value, at: path))
    case .int64, .sint64, .sfixed64: return .int64(try integer(value, at: path))
    case .uint64, .fixed64: return .uint64(try integer(value, at: path))
    case .float: return .float(try real(value, at: path, Float.init))
    case .double: return .double(try real(value, at: path, Double.init))
    case .bool:
      guard case .bool(let bool) = value else { throw wrongKind("a boolean", value, path) }
      return .bool(bool)
    case .string:
      guard case .string(let text) = value else { throw wrongKind("a string", value, path) }
      return .string(text)
    case .bytes:
      guard case .string(let text) = value else { throw wrongKind("base64", value, path) }
      guard let bytes = Base64.decode(text) else {
        throw JSONError(.wrongValue, path, "is not base64")
      }
      return .bytes(bytes)
    case .enum: return .enum(try enumeration(field, value, at: path))
    case .message:
      guard let type = field.messageType else { throw wrongKind("an object", value, path) }
      return .message(try message(type, from: value, at: path))
    }
  }

  /// An integer as a number or in a string.
  private static func integer<Value: FixedWidthInteger>(
    _ value: JSONValue, at path: String
  ) throws(JSONError) -> Value {
    let text: String
    switch value {
    case .number(let spelling), .string(let spelling): text = spelling
    default: throw wrongKind("an integer", value, path)
    }
    guard let number = JSONNumber(text), number.isIntegral else {
      throw JSONError(.wrongKind, path, "must be an integer")
    }
    guard let integer = number.integer(Value.self) else {
      throw JSONError(
        .outOfRange, path, "must be between \(Value.min) and \(Value.max)")
    }
    return integer
  }

  /// A float or double as a number, in a string, or one of the three names.
  private static func real<Value: BinaryFloatingPoint>(
    _ value: JSONValue, at path: String, _ parse: (String) -> Value?
  ) throws(JSONError) -> Value {
    switch value {
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .number(let text), .string(let text):
      guard JSONNumber(text) != nil, let number = parse(text) else {
        throw JSONError(.wrongKind, path, "must be a number")
      }
      guard number.isFinite else {
        throw JSONError(.outOfRange, path, "is too large")
      }
      return number
    default: throw wrongKind("a number", value, path)
    }
  }

  /// An enum by name or by number, which may be one that is not declared.
  private static func enumeration(
    _ field: FieldSchema, _ value: JSONValue, at path: String
  ) throws(JSONError) -> Int32 {
    guard case .string(let name) = value else { return try integer(value, at: path) }
    guard let type = field.enumType, let number = type.number(named: name) else {
      throw JSONError(
        .wrongValue, path, "is not a value of \(field.enumType?.name ?? "the enum")")
    }
    return number
  }

  private static func wrongKind(
    _ expected: String, _ value: JSONValue, _ path: String
  ) -> JSONError {
    JSONError(.wrongKind, path, "must be \(expected), not \(value.kind)")
  }
}
