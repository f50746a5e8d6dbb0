internal import CProtobufC

/// From the C structures that libprotobuf-c unpacked to a Swift message, UTF-8 checked on the way;
/// for messages that ``OrderedReader`` does not read.
///
/// Walks raw offsets. A destination holds its type's defaults, which own no memory, so values are
/// initialised over them without a release.
enum MessageReader {
  /// Where a message was unpacked to, and where it is noted what is wrong with it.
  struct Unpacked {
    let arena: UnsafeMutablePointer<Arena>
    let fault: UnsafeMutablePointer<Fault>
  }

  /// Fills the message at `target`, which is at its defaults; notes why it could not.
  static func read(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ source: UnsafeRawPointer,
    into target: UnsafeMutableRawPointer, _ unpacked: UnsafePointer<Unpacked>
  ) -> Bool {
    var field = plan.pointee.fields.unsafelyUnwrapped
    let end = field + plan.pointee.fieldCount
    while field < end {
      let from = source + field.pointee.cOffset
      let to = target + field.pointee.swiftOffset
      switch field.pointee.kind {
      case .word32:
        to.storeBytes(of: from.load(as: UInt32.self), as: UInt32.self)
      case .word64:
        to.storeBytes(of: from.load(as: UInt64.self), as: UInt64.self)
      case .bool:
        to.storeBytes(of: from.load(as: Int32.self) != 0, as: Bool.self)
      case .inlineString:
        let count = from.load(as: Int.self)
        if count > 0, !readShort(from, count, to) {
          guard let text = string(from) else { return fail(plan, field, unpacked) }
          to.initializeMemory(as: String.self, to: text)
        }
      case .string:
        if from.load(as: Int.self) > 0 {
          guard let text = string(from) else { return fail(plan, field, unpacked) }
          to.initializeMemory(as: String.self, to: text)
        }
      case .bytes:
        if from.load(as: Int.self) > 0 {
          to.initializeMemory(as: [UInt8].self, to: bytes(from, unpacked))
        }
      case .message:
        if let message = from.load(as: UnsafeRawPointer?.self) {
          let child = field.pointee.child.unsafelyUnwrapped
          let access = field.pointee.access.unsafelyUnwrapped
          guard access.pointee.make(to, 1, { read(child, message, into: $1, unpacked) }) else {
            return fail(plan, field, unpacked)
          }
        }
      default:
        guard readRare(plan, field, source, to, unpacked) else {
          return fail(plan, field, unpacked)
        }
      }
      field += 1
    }
    return true
  }

  /// Puts a short ASCII string in place; false for any other.
  @inline(__always)
  private static func readShort(
    _ from: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer
  ) -> Bool {
    guard count <= ShortString.maxByteCount,
      let bytes = from.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    else { return false }
    let bits = bytes.load(as: UInt64.self) | bytes.load(fromByteOffset: 8, as: UInt64.self)
    guard bits & 0x8080_8080_8080_8080 == 0 else { return false }
    ShortString.initialize(to, bytes, count: count)
    return true
  }

  /// Fields with presence and repeated fields, so that the common loop stays small.
  @inline(never)
  private static func readRare(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ source: UnsafeRawPointer, _ to: UnsafeMutableRawPointer,
    _ unpacked: UnsafePointer<Unpacked>
  ) -> Bool {
    let from = source + field.pointee.cOffset
    let quantifier = source + field.pointee.quantifierOffset
    guard !field.pointee.isRepeated else {
      let count = quantifier.load(as: Int.self)
      guard count > 0, let elements = from.load(as: UnsafeRawPointer?.self) else { return true }
      return readRepeated(plan, field, elements, count, to, unpacked)
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
      guard let text = string(from) else { return false }
      to.initializeMemory(as: String?.self, to: text)
    default:
      to.initializeMemory(as: [UInt8]?.self, to: bytes(from, unpacked))
    }
    return true
  }

  private static func readRepeated(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ elements: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer,
    _ unpacked: UnsafePointer<Unpacked>
  ) -> Bool {
    switch field.pointee.kind {
    case .int32s: copy(Int32.self, elements, count, to)
    case .uint32s: copy(UInt32.self, elements, count, to)
    case .int64s: copy(Int64.self, elements, count, to)
    case .uint64s: copy(UInt64.self, elements, count, to)
    case .floats: copy(Float.self, elements, count, to)
    case .doubles: copy(Double.self, elements, count, to)
    case .bools:
      let values = elements.assumingMemoryBound(to: Int32.self)
      to.initializeMemory(as: [Bool].self, to: (0..<count).map { values[$0] != 0 })
    case .enums:
      let values = UnsafeBufferPointer(
        start: elements.assumingMemoryBound(to: Int32.self), count: count)
      let index = field - plan.pointee.fields.unsafelyUnwrapped
      plan.pointee.storage?.enumAccesses[index]?.makeElements(to, values)
    case .messages:
      let child = field.pointee.child.unsafelyUnwrapped
      let messages = elements.assumingMemoryBound(to: UnsafeRawPointer.self)
      return field.pointee.access.unsafelyUnwrapped.pointee.make(to, count) {
        read(child, messages[$0], into: $1, unpacked)
      }
    case .byteStrings:
      let stride = MemoryLayout<ProtobufCBinaryData>.stride
      let values = (0..<count).map { bytes(elements + $0 &* stride, unpacked) }
      to.initializeMemory(as: [[UInt8]].self, to: values)
    default:
      return readStrings(elements, count, to)
    }
    return true
  }

  private static func readStrings(
    _ elements: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer
  ) -> Bool {
    var texts: [String] = []
    texts.reserveCapacity(count)
    for index in 0..<count {
      guard let text = string(elements + index &* MemoryLayout<ProtobufCBinaryData>.stride) else {
        return false
      }
      texts.append(text)
    }
    to.initializeMemory(as: [String].self, to: texts)
    return true
  }

  @inline(__always)
  private static func copy<Value: BitwiseCopyable>(
    _: Value.Type, _ elements: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer
  ) {
    let values = UnsafeBufferPointer(
      start: elements.assumingMemoryBound(to: Value.self), count: count)
    to.initializeMemory(as: [Value].self, to: [Value](values))
  }

  /// The string of the `ProtobufCBinaryData` at an address, or nil when it is not UTF-8.
  ///
  /// The bytes are in the arena, at a multiple of 16 and with zeros up to the next one, so that
  /// whole words show whether they are ASCII.
  @inline(never)
  static func string(_ from: UnsafeRawPointer) -> String? {
    let data = from.load(as: ProtobufCBinaryData.self)
    guard data.len > 0, let base = UnsafeRawPointer(data.data) else { return "" }
    var bits: UInt64 = 0
    var offset = 0
    while offset < data.len {
      bits |= base.load(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    let bytes = UnsafeBufferPointer(
      start: base.assumingMemoryBound(to: UInt8.self), count: data.len)
    guard bits & 0x8080_8080_8080_8080 == 0 else { return validated(bytes) }
    return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
  }

  @inline(never)
  static func validated(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    do {
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      return nil
    }
  }

  /// The bytes of the `ProtobufCBinaryData` at an address; large ones are taken out of the arena.
  @inline(__always)
  private static func bytes(
    _ from: UnsafeRawPointer, _ unpacked: UnsafePointer<Unpacked>
  ) -> [UInt8] {
    if from.load(as: Int.self) >= Arena.largeByteCount { return largeBytes(from, unpacked) }
    return bytes(from)
  }

  @inline(never)
  private static func largeBytes(
    _ from: UnsafeRawPointer, _ unpacked: UnsafePointer<Unpacked>
  ) -> [UInt8] {
    let data = from.load(as: ProtobufCBinaryData.self)
    return unpacked.pointee.arena.pointee.takeLarge(UnsafeRawPointer(data.data), data.len)
      ?? bytes(from)
  }

  /// The bytes of the `ProtobufCBinaryData` at an address, copied.
  @inline(__always)
  static func bytes(_ from: UnsafeRawPointer) -> [UInt8] {
    let data = from.load(as: ProtobufCBinaryData.self)
    return [UInt8](UnsafeBufferPointer(start: UnsafePointer(data.data), count: data.len))
  }

  /// Notes the field; what is wrong can only be a string.
  @inline(never)
  private static func fail(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ unpacked: UnsafePointer<Unpacked>
  ) -> Bool {
    let fault = unpacked.pointee.fault
    fault.pointee.reason = .invalidUTF8
    fault.pointee.path.append(plan.pointee.name(of: field))
    return false
  }
}
