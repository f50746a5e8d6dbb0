internal import CProtobufC

/// Lays a message's C structure out and fills its plan and its descriptor.
enum PlanBuilder {
  /// Bytes of a `ProtobufCMessage`, with which every structure begins.
  private static let headerByteCount = MemoryLayout<ProtobufCMessage>.stride

  /// Direct look-up by number goes up to here; above it is a binary search.
  private static let directNumbers: UInt32 = 1024

  static func build(_ schema: MessageSchema) {
    let fields = schema.fields.sorted { $0.number < $1.number }
    let plans = UnsafeMutablePointer<FieldPlan>.allocate(capacity: max(fields.count, 1))
    var end = headerByteCount
    var repeatedCount = 0
    var singularMessages: UInt64 = 0
    for (index, field) in fields.enumerated() {
      var plan = self.plan(of: field)
      place(&plan, field, at: &end)
      if field.isRepeated { repeatedCount += 1 }
      if field.type == .message && !field.isRepeated {
        precondition(singularMessages < 64, "\(schema.name) has over 64 singular sub-messages")
        plan.seenBit = 1 << singularMessages
        singularMessages += 1
      }
      if field.label == .implicit && field.type != .message {
        schema.plan.pointer.pointee.scalarBoundByteCount += plan.boundByteCount
      }
      (plans + index).initialize(to: plan)
    }
    let byteCount = (end + 7) / 8 * 8
    let target = schema.plan.pointer
    target.pointee.fields = plans
    target.pointee.fieldCount = fields.count
    target.pointee.structByteCount = byteCount
    // One rounding for the structure, one for each repeated field's array, and libprotobuf-c's
    // bitmap of required fields, which it allocates above 128 fields.
    let bitmap = fields.count > 128 ? Arena.rounded((fields.count + 7) / 8) : 0
    target.pointee.arenaByteCount = Arena.rounded(byteCount) + repeatedCount * 15 + bitmap
    fillTable(target, plans)
    fillVariable(target, plans)
    let storage = DescriptorStorage(schema, fields, plans, structByteCount: byteCount)
    target.pointee.descriptor = storage.descriptor
    target.pointee.storage = storage
  }

  private static func fillTable(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ fields: UnsafeMutablePointer<FieldPlan>
  ) {
    let small = (0..<plan.pointee.fieldCount).filter { fields[$0].number < directNumbers }
    let count = Int(small.last.map { fields[$0].number } ?? 0) + 1
    let table = UnsafeMutablePointer<UnsafeMutablePointer<FieldPlan>?>.allocate(capacity: count)
    table.initialize(repeating: nil, count: count)
    for index in small { table[Int(fields[index].number)] = fields + index }
    plan.pointee.fieldByNumber = table
    plan.pointee.fieldByNumberCount = UInt32(count)
  }

  private static func fillVariable(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ fields: UnsafeMutablePointer<FieldPlan>
  ) {
    let variable = (0..<plan.pointee.fieldCount).filter {
      switch fields[$0].kind {
      case .word32, .word64, .bool: false
      default: true
      }
    }
    let list = UnsafeMutablePointer<UnsafeMutablePointer<FieldPlan>>.allocate(
      capacity: max(variable.count, 1))
    for (place, index) in variable.enumerated() { (list + place).initialize(to: fields + index) }
    plan.pointee.variableFields = list
    plan.pointee.variableFieldCount = variable.count
  }

  private static func plan(of field: FieldSchema) -> FieldPlan {
    var plan = FieldPlan()
    plan.number = UInt32(field.number)
    plan.tag = plan.number << 3 | UInt32(field.type.wireType)
    plan.kind = kind(of: field)
    plan.shape = shape(of: field.type)
    plan.form = form(of: field.type)
    // Elements follow one another with the same tag, and numbers are packed.
    plan.order = !field.isRepeated ? plan.tag : field.type.isPackable ? 0 : plan.tag + 1
    plan.type = field.type
    plan.isRepeated = field.isRepeated
    plan.isPackable = field.isRepeated && field.type.isPackable
    plan.elementByteCount = elementByteCount(of: field.type)
    plan.repeatedByteCount = field.isRepeated ? plan.elementByteCount : 0
    plan.tagByteCount = tagByteCount(of: plan.number)
    plan.boundByteCount = plan.tagByteCount + field.type.maxWireByteCount
    plan.swiftOffset = field.storage?.offset ?? 0
    plan.child = field.messageType?.plan.pointer
    if let access = field.storage?.message {
      let copy = UnsafeMutablePointer<MessageAccess>.allocate(capacity: 1)
      copy.initialize(to: access)
      plan.access = copy
    }
    return plan
  }

  /// Gives the field its place in the C structure, its quantifier first.
  private static func place(_ plan: inout FieldPlan, _ field: FieldSchema, at end: inout Int) {
    func take(_ byteCount: Int) -> Int {
      let alignment = min(byteCount, 8)
      let start = (end + alignment - 1) / alignment * alignment
      end = start + byteCount
      return start
    }
    if field.isRepeated {
      plan.quantifierOffset = take(8)
      plan.cOffset = take(8)
    } else {
      if field.label == .optional && field.type != .message { plan.quantifierOffset = take(4) }
      plan.cOffset = take(elementByteCount(of: field.type))
    }
  }

  private static func elementByteCount(of type: FieldType) -> Int {
    switch type {
    case .int32, .sint32, .sfixed32, .uint32, .fixed32, .float, .enum, .bool: 4
    case .int64, .sint64, .sfixed64, .uint64, .fixed64, .double, .message: 8
    case .string, .bytes: MemoryLayout<ProtobufCBinaryData>.stride
    }
  }

  private static func tagByteCount(of number: UInt32) -> Int {
    switch number {
    case ..<(1 << 4): 1
    case ..<(1 << 11): 2
    case ..<(1 << 18): 3
    case ..<(1 << 25): 4
    default: 5
    }
  }

  private static func shape(of type: FieldType) -> WireShape {
    switch type.wireType {
    case WireType.varint: .varint
    case WireType.fixed32: .fixed32
    case WireType.fixed64: .fixed64
    default: type == .message ? .message : .data
    }
  }

  private static func form(of type: FieldType) -> NumberForm {
    switch type {
    case .int32, .enum: .signed32
    case .sint32: .zigzag32
    case .sint64: .zigzag64
    case .fixed32, .sfixed32, .float: .fixed32
    case .fixed64, .sfixed64, .double: .fixed64
    case .bool: .bool
    case .uint32, .int64, .uint64, .string, .bytes, .message: .unsigned
    }
  }

  private static func kind(of field: FieldSchema) -> FieldKind {
    switch field.label {
    case .implicit, .optional:
      let hasFlag = field.label == .optional
      switch field.type {
      case .int32, .sint32, .sfixed32, .uint32, .fixed32, .float, .enum:
        return hasFlag ? .optionalWord32 : .word32
      case .int64, .sint64, .sfixed64, .uint64, .fixed64, .double:
        return hasFlag ? .optionalWord64 : .word64
      case .bool: return hasFlag ? .optionalBool : .bool
      case .string:
        return hasFlag ? .optionalString : ShortString.isKnown ? .inlineString : .string
      case .bytes: return hasFlag ? .optionalBytes : .bytes
      case .message: return .message
      }
    case .repeated:
      switch field.type {
      case .int32, .sint32, .sfixed32: return .int32s
      case .uint32, .fixed32: return .uint32s
      case .int64, .sint64, .sfixed64: return .int64s
      case .uint64, .fixed64: return .uint64s
      case .float: return .floats
      case .double: return .doubles
      case .bool: return .bools
      case .enum: return .enums
      case .string: return .strings
      case .bytes: return .byteStrings
      case .message: return .messages
      }
    }
  }
}
