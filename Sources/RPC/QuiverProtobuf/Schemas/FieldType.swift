/// A field's type, with the number that `google.protobuf.FieldDescriptorProto.Type` gives it.
package enum FieldType: Int32, Sendable, CaseIterable {
  case double = 1
  case float = 2
  case int64 = 3
  case uint64 = 4
  case int32 = 5
  case fixed64 = 6
  case fixed32 = 7
  case bool = 8
  case string = 9
  case message = 11
  case bytes = 12
  case uint32 = 13
  case `enum` = 14
  case sfixed32 = 15
  case sfixed64 = 16
  case sint32 = 17
  case sint64 = 18

  /// Whether repeated values share one length-delimited block.
  package var isPackable: Bool {
    switch self {
    case .string, .bytes, .message: false
    default: true
    }
  }

  /// The wire type of one value.
  var wireType: UInt8 {
    switch self {
    case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool, .enum: WireType.varint
    case .fixed64, .sfixed64, .double: WireType.fixed64
    case .string, .bytes, .message: WireType.lengthDelimited
    case .fixed32, .sfixed32, .float: WireType.fixed32
    }
  }

  /// The largest number of bytes of one value on the wire, without the content of a string, bytes
  /// or message.
  var maxWireByteCount: Int {
    switch self {
    case .fixed32, .sfixed32, .float: 4
    case .fixed64, .sfixed64, .double: 8
    case .bool: 1
    case .uint32, .sint32: 5
    case .string, .bytes, .message: 5
    case .int32, .int64, .uint64, .sint64, .enum: 10
    }
  }
}

/// Whether and how often a field occurs.
package enum FieldLabel: Sendable {
  /// proto3 without a label: a zero is not written. Sub-messages have presence all the same.
  case implicit
  /// proto3 `optional`: presence is part of the value.
  case optional
  case repeated
}

/// The wire types that exist in proto3.
enum WireType {
  static let varint: UInt8 = 0
  static let fixed64: UInt8 = 1
  static let lengthDelimited: UInt8 = 2
  static let startGroup: UInt8 = 3
  static let endGroup: UInt8 = 4
  static let fixed32: UInt8 = 5
}
