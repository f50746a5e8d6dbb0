/// The value of a field whose type is known at run time only.
package enum FieldValue: Sendable, Equatable {
  /// A field with presence that is not set.
  case absent
  case int32(Int32)
  case int64(Int64)
  case uint32(UInt32)
  case uint64(UInt64)
  case float(Float)
  case double(Double)
  case bool(Bool)
  case string(String)
  case bytes([UInt8])
  /// An enum by its number.
  case `enum`(Int32)
  case message(DynamicMessage)
  /// The elements of a repeated field.
  case list([FieldValue])
}

extension FieldValue {
  /// Whether it is the default of a field without presence.
  package var isZero: Bool {
    switch self {
    case .absent: true
    case .int32(let value), .enum(let value): value == 0
    case .int64(let value): value == 0
    case .uint32(let value): value == 0
    case .uint64(let value): value == 0
    case .float(let value): value.bitPattern == 0
    case .double(let value): value.bitPattern == 0
    case .bool(let value): !value
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .list(let values): values.isEmpty
    case .message: false
    }
  }

  /// Whether the field can hold it.
  package func fits(_ field: FieldSchema) -> Bool {
    switch self {
    case .absent: return field.hasPresence
    case .list(let values):
      return field.isRepeated && values.allSatisfy { $0.isElement(of: field) }
    default: return !field.isRepeated && isElement(of: field)
    }
  }

  private func isElement(of field: FieldSchema) -> Bool {
    switch (self, field.type) {
    case (.int32, .int32), (.int32, .sint32), (.int32, .sfixed32),
      (.int64, .int64), (.int64, .sint64), (.int64, .sfixed64),
      (.uint32, .uint32), (.uint32, .fixed32), (.uint64, .uint64), (.uint64, .fixed64),
      (.float, .float), (.double, .double), (.bool, .bool), (.string, .string),
      (.bytes, .bytes), (.enum, .enum):
      true
    case (.message(let value), .message): value.schema === field.messageType
    default: false
    }
  }

  /// What a field of the type holds when nothing was set.
  package static func zero(of field: FieldSchema) -> FieldValue {
    if field.isRepeated { return .list([]) }
    if field.hasPresence { return .absent }
    return switch field.type {
    case .int32, .sint32, .sfixed32: .int32(0)
    case .int64, .sint64, .sfixed64: .int64(0)
    case .uint32, .fixed32: .uint32(0)
    case .uint64, .fixed64: .uint64(0)
    case .float: .float(0)
    case .double: .double(0)
    case .bool: .bool(false)
    case .string: .string("")
    case .bytes: .bytes([])
    case .enum: .enum(0)
    case .message: .absent
    }
  }
}
