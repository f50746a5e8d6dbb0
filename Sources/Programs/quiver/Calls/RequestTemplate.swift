import QuiverProtobuf

/// A message in which every field is set: messages by a template of their own, lists by one
/// element.
enum RequestTemplate {
  static func message(_ schema: MessageSchema) -> DynamicMessage {
    var message = DynamicMessage(schema)
    for field in schema.fields {
      let value = element(of: field)
      message[field.number] = field.isRepeated ? .list([value]) : value
    }
    return message
  }

  private static func element(of field: FieldSchema) -> FieldValue {
    if let type = field.messageType { return .message(message(type)) }
    switch field.type {
    case .double: return .double(0)
    case .float: return .float(0)
    case .int32, .sint32, .sfixed32: return .int32(0)
    case .int64, .sint64, .sfixed64: return .int64(0)
    case .uint32, .fixed32: return .uint32(0)
    case .uint64, .fixed64: return .uint64(0)
    case .bool: return .bool(false)
    case .string: return .string("")
    case .bytes: return .bytes([])
    case .enum: return .enum(field.enumType?.values.dropFirst().first?.number ?? 0)
    case .message: return .absent
    }
  }
}
