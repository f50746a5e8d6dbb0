internal import CProtobufC

/// Owns a `ProtobufCMessageDescriptor` and everything that it points to.
///
/// Differs from what protoc-gen-c writes in two declarations that leave the bytes on the wire
/// alone. A `string` is declared as bytes: it gets an explicit length and embedded NULs survive. A
/// `float` or `double` without presence is declared as a fixed integer: libprotobuf-c 1.4.1
/// compares such fields with zero by value and would lose -0.0.
///
/// Unchecked: written by `init` alone.
final class DescriptorStorage: @unchecked Sendable {
  let descriptor: UnsafeMutablePointer<ProtobufCMessageDescriptor>
  /// How arrays of enums are made in Swift, by ascending field number.
  let enumAccesses: [EnumAccess?]
  private let memory: DescriptorMemory

  /// - Parameters:
  ///   - fields: by ascending number.
  ///   - plans: the same fields, placed.
  init(
    _ schema: MessageSchema, _ fields: [FieldSchema], _ plans: UnsafePointer<FieldPlan>,
    structByteCount: Int
  ) {
    enumAccesses = fields.map(\.storage?.enumeration)
    let memory = DescriptorMemory()
    var descriptors: [ProtobufCFieldDescriptor] = []
    for (index, field) in fields.enumerated() {
      descriptors.append(Self.descriptor(field, plans[index], memory))
    }
    let byName = fields.indices.sorted { fields[$0].name < fields[$1].name }.map(UInt32.init)
    let ranges = Self.ranges(of: fields.map(\.number))
    let names = QualifiedName(schema.name)
    var value = ProtobufCMessageDescriptor()
    value.magic = UInt32(PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC)
    value.name = memory.string(names.full)
    value.short_name = memory.string(names.short)
    value.c_name = memory.string(names.identifier)
    value.package_name = memory.string(names.package)
    value.sizeof_message = structByteCount
    value.n_fields = UInt32(fields.count)
    value.fields = UnsafePointer(memory.array(descriptors))
    value.fields_sorted_by_name = UnsafePointer(memory.array(byName))
    value.n_field_ranges = UInt32(ranges.count - 1)
    value.field_ranges = UnsafePointer(memory.array(ranges))
    // No `message_init`: it is not told the type. libprotobuf-c then clears the structure itself.
    descriptor = memory.value(value)
    self.memory = memory
  }

  private static func descriptor(
    _ field: FieldSchema, _ plan: FieldPlan, _ memory: DescriptorMemory
  ) -> ProtobufCFieldDescriptor {
    var value = ProtobufCFieldDescriptor()
    value.name = memory.string(field.name)
    value.id = UInt32(field.number)
    value.label =
      switch field.label {
      case .implicit where field.type != .message: PROTOBUF_C_LABEL_NONE
      case .implicit, .optional: PROTOBUF_C_LABEL_OPTIONAL
      case .repeated: PROTOBUF_C_LABEL_REPEATED
      }
    value.type = type(of: field)
    value.quantifier_offset = UInt32(plan.quantifierOffset)
    value.offset = UInt32(plan.cOffset)
    if let child = plan.child {
      value.descriptor = UnsafeRawPointer(child.pointee.descriptor)
    } else if let enumType = field.enumType {
      value.descriptor = UnsafeRawPointer(memory.descriptor(of: enumType))
    }
    if plan.isPackable { value.flags = PROTOBUF_C_FIELD_FLAG_PACKED.rawValue }
    return value
  }

  private static func type(of field: FieldSchema) -> ProtobufCType {
    switch field.type {
    case .double: field.label == .implicit ? PROTOBUF_C_TYPE_FIXED64 : PROTOBUF_C_TYPE_DOUBLE
    case .float: field.label == .implicit ? PROTOBUF_C_TYPE_FIXED32 : PROTOBUF_C_TYPE_FLOAT
    case .int64: PROTOBUF_C_TYPE_INT64
    case .uint64: PROTOBUF_C_TYPE_UINT64
    case .int32: PROTOBUF_C_TYPE_INT32
    case .fixed64: PROTOBUF_C_TYPE_FIXED64
    case .fixed32: PROTOBUF_C_TYPE_FIXED32
    case .bool: PROTOBUF_C_TYPE_BOOL
    case .string, .bytes: PROTOBUF_C_TYPE_BYTES
    case .message: PROTOBUF_C_TYPE_MESSAGE
    case .uint32: PROTOBUF_C_TYPE_UINT32
    case .enum: PROTOBUF_C_TYPE_ENUM
    case .sfixed32: PROTOBUF_C_TYPE_SFIXED32
    case .sfixed64: PROTOBUF_C_TYPE_SFIXED64
    case .sint32: PROTOBUF_C_TYPE_SINT32
    case .sint64: PROTOBUF_C_TYPE_SINT64
    }
  }

  /// Runs of consecutive numbers and the closing entry that libprotobuf-c expects.
  static func ranges(of numbers: [Int32]) -> [ProtobufCIntRange] {
    var ranges: [ProtobufCIntRange] = []
    for (index, number) in numbers.enumerated() {
      if index == 0 || number != numbers[index - 1] + 1 {
        ranges.append(ProtobufCIntRange(start_value: number, orig_index: UInt32(index)))
      }
    }
    ranges.append(ProtobufCIntRange(start_value: 0, orig_index: UInt32(numbers.count)))
    return ranges
  }
}
