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

/// A message whose type is known at run time only.
package struct DynamicMessage: Sendable, Equatable {
  package let schema: MessageSchema

  /// Values by field number; a field at its default is not in it.
  package private(set) var values: [Int32: FieldValue] = [:]

  package init(_ schema: MessageSchema) {
    self.schema = schema
  }

  /// The value of a field, or nil where it is at its default.
  package subscript(number: Int32) -> FieldValue? {
    get { values[number] }
    set { values[number] = newValue }
  }

  package static func == (left: DynamicMessage, right: DynamicMessage) -> Bool {
    left.schema === right.schema && left.values == right.values
  }
}
