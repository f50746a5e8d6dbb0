/// From the C structures that libprotobuf-c unpacked to a `DynamicMessage`.
struct DynamicReader {
  private(set) var fault = Fault()

  /// The message, or nil when a string is not UTF-8.
  mutating func read(_ schema: MessageSchema, _ source: UnsafeRawPointer) -> DynamicMessage? {
    var message = DynamicMessage(schema)
    let plan = schema.plan.prepared()
    for index in 0..<plan.pointee.fieldCount {
      guard let place = plan.pointee.fields?[index],
        let field = schema.field(number: Int32(bitPattern: place.number))
      else { continue }
      guard let value = value(field, place, source) else {
        fault.reason = .invalidUTF8
        fault.path.append(field.name)
        return nil
      }
      message[field.number] = value
    }
    return message
  }

  private mutating func value(
    _ field: FieldSchema, _ place: FieldPlan, _ source: UnsafeRawPointer
  ) -> FieldValue? {
    let from = source + place.cOffset
    if field.isRepeated {
      let count = (source + place.quantifierOffset).load(as: Int.self)
      guard count > 0, let base = from.load(as: UnsafeRawPointer?.self) else { return .list([]) }
      var values: [FieldValue] = []
      values.reserveCapacity(count)
      for index in 0..<count {
        guard let value = element(field, base + index &* place.elementByteCount) else {
          return nil
        }
        values.append(value)
      }
      return .list(values)
    }
    if field.label == .optional && field.type != .message {
      guard (source + place.quantifierOffset).load(as: Int32.self) != 0 else { return .absent }
    }
    return element(field, from)
  }

  private mutating func element(_ field: FieldSchema, _ from: UnsafeRawPointer) -> FieldValue? {
    switch field.type {
    case .int32, .sint32, .sfixed32: return .int32(from.load(as: Int32.self))
    case .uint32, .fixed32: return .uint32(from.load(as: UInt32.self))
    case .int64, .sint64, .sfixed64: return .int64(from.load(as: Int64.self))
    case .uint64, .fixed64: return .uint64(from.load(as: UInt64.self))
    case .float: return .float(from.load(as: Float.self))
    case .double: return .double(from.load(as: Double.self))
    case .bool: return .bool(from.load(as: Int32.self) != 0)
    case .enum: return .enum(from.load(as: Int32.self))
    case .string:
      return MessageReader.string(from).map { .string($0) }
    case .bytes:
      return .bytes(MessageReader.bytes(from))
    case .message:
      guard let message = from.load(as: UnsafeRawPointer?.self), let type = field.messageType
      else { return .absent }
      return read(type, message).map { .message($0) }
    }
  }
}
