internal import CProtobufC

/// From the C structures that libprotobuf-c unpacked to a Swift message, UTF-8 checked on the way.
///
/// Walks raw offsets. A destination holds its type's defaults, which own no memory, so values are
/// initialised over them without a release.
struct MessageReader {
  var fault = Fault()

  /// Fills the message at `target`, which is at its defaults.
  mutating func read(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ source: UnsafeRawPointer,
    into target: UnsafeMutableRawPointer
  ) -> Bool {
    let fields = plan.pointee.fields.unsafelyUnwrapped
    let count = plan.pointee.fieldCount
    var index = 0
    while index < count {
      let field = fields + index
      index &+= 1
      let from = source + field.pointee.cOffset
      let to = target + field.pointee.swiftOffset
      switch field.pointee.kind {
      case .word32:
        to.storeBytes(of: from.load(as: UInt32.self), as: UInt32.self)
      case .word64:
        to.storeBytes(of: from.load(as: UInt64.self), as: UInt64.self)
      case .bool:
        to.storeBytes(of: from.load(as: Int32.self) != 0, as: Bool.self)
      case .string:
        let data = from.load(as: ProtobufCBinaryData.self)
        guard data.len > 0 else { continue }
        guard let text = string(data) else { return failInField(plan, index &- 1) }
        to.initializeMemory(as: String.self, to: text)
      case .bytes:
        let data = from.load(as: ProtobufCBinaryData.self)
        guard data.len > 0 else { continue }
        to.initializeMemory(as: [UInt8].self, to: bytes(data))
      case .message:
        guard let message = from.load(as: UnsafeRawPointer?.self) else { continue }
        guard readMessage(plan, field, message, to, index &- 1) else { return false }
      default:
        guard readRare(plan, field, source, to, index &- 1) else { return false }
      }
    }
    return true
  }

  /// Fields with presence and repeated fields, so that the common loop stays small.
  @inline(__always)
  private mutating func readRare(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ source: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ index: Int
  ) -> Bool {
    let from = source + field.pointee.cOffset
    let quantifier = source + field.pointee.quantifierOffset
    guard !field.pointee.isRepeated else {
      let count = quantifier.load(as: Int.self)
      guard count > 0, let elements = from.load(as: UnsafeRawPointer?.self) else { return true }
      return readRepeated(plan, field, elements, count, to, index)
    }
    guard quantifier.load(as: Int32.self) != 0 else { return true }
    switch field.pointee.kind {
    case .optionalWord32:
      to.initializeMemory(as: UInt32?.self, to: from.load(as: UInt32.self))
    case .optionalWord64:
      to.initializeMemory(as: UInt64?.self, to: from.load(as: UInt64.self))
    case .optionalBool:
      to.initializeMemory(as: Bool?.self, to: from.load(as: Int32.self) != 0)
    case .optionalString:
      guard let text = string(from.load(as: ProtobufCBinaryData.self)) else {
        return failInField(plan, index)
      }
      to.initializeMemory(as: String?.self, to: text)
    default:
      to.initializeMemory(as: [UInt8]?.self, to: bytes(from.load(as: ProtobufCBinaryData.self)))
    }
    return true
  }

  @inline(never)
  private mutating func readRepeated(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ elements: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer, _ index: Int
  ) -> Bool {
    switch field.pointee.kind {
    case .int32s: copy(Int32.self, elements, count, to)
    case .uint32s: copy(UInt32.self, elements, count, to)
    case .int64s: copy(Int64.self, elements, count, to)
    case .uint64s: copy(UInt64.self, elements, count, to)
    case .floats: copy(Float.self, elements, count, to)
    case .doubles: copy(Double.self, elements, count, to)
    case .bools:
      let values = UnsafeBufferPointer(
        start: elements.assumingMemoryBound(to: Int32.self), count: count)
      to.initializeMemory(as: [Bool].self, to: values.map { $0 != 0 })
    case .enums:
      let values = UnsafeBufferPointer(
        start: elements.assumingMemoryBound(to: Int32.self), count: count)
      access(plan, index)?.enumeration?.makeElements(to, values)
    case .messages:
      return readMessages(plan, field, elements, count, to, index)
    default:
      let values = UnsafeBufferPointer(
        start: elements.assumingMemoryBound(to: ProtobufCBinaryData.self), count: count)
      guard field.pointee.kind == .strings else {
        to.initializeMemory(as: [[UInt8]].self, to: values.map(bytes))
        return true
      }
      var texts: [String] = []
      texts.reserveCapacity(count)
      for value in values {
        guard let text = string(value) else { return failInField(plan, index) }
        texts.append(text)
      }
      to.initializeMemory(as: [String].self, to: texts)
    }
    return true
  }

  @inline(__always)
  private func copy<Value: BitwiseCopyable>(
    _: Value.Type, _ elements: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer
  ) {
    let values = UnsafeBufferPointer(
      start: elements.assumingMemoryBound(to: Value.self), count: count)
    to.initializeMemory(as: [Value].self, to: [Value](values))
  }

  private mutating func readMessage(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ message: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ index: Int
  ) -> Bool {
    guard let child = field.pointee.child, let access = access(plan, index)?.message else {
      return true
    }
    return access.makePresent(to) { read(child, message, into: $0) } || failInField(plan, index)
  }

  private mutating func readMessages(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ elements: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer, _ index: Int
  ) -> Bool {
    guard let child = field.pointee.child, let access = access(plan, index)?.message else {
      return true
    }
    let messages = elements.assumingMemoryBound(to: UnsafeRawPointer.self)
    return access.makeElements(to, count) { read(child, messages[$0], into: $1) }
      || failInField(plan, index)
  }

  @inline(__always)
  private func access(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ index: Int
  ) -> FieldStorage? {
    plan.pointee.storage?.accesses[index]
  }

  /// A string, or nil when the bytes are not UTF-8. Borrows the bytes for the call.
  @inline(__always)
  private func string(_ data: ProtobufCBinaryData) -> String? {
    let bytes = UnsafeBufferPointer(start: UnsafePointer(data.data), count: data.len)
    do {
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      return nil
    }
  }

  @inline(__always)
  private func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
    [UInt8](UnsafeBufferPointer(start: UnsafePointer(data.data), count: data.len))
  }

  @inline(never)
  private mutating func failInField(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ index: Int
  ) -> Bool {
    if fault.reason == nil { fault.reason = .invalidUTF8 }
    fault.path.append(plan.pointee.fieldName(index))
    return false
  }
}
