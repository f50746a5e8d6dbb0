internal import CProtobufC

/// From a Swift message to C structures in the arena, which libprotobuf-c packs.
///
/// The structures point into the message's own arrays and long strings. Those are native heap
/// blocks that neither move nor go away while the message is borrowed, which lasts until after
/// packing.
struct MessageWriter {
  let arena: UnsafeMutablePointer<Arena>
  /// The most that packing will write.
  var bound = 0

  /// Strings up to this length are copied; shorter ones may live inside the `String` itself, at no
  /// address of their own.
  private static let copiedStringByteCount = 15

  init(_ arena: UnsafeMutablePointer<Arena>) {
    self.arena = arena
  }

  /// The C structure of the message at `source`.
  mutating func write(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ source: UnsafeRawPointer
  ) -> UnsafeMutableRawPointer {
    let target = arena.pointee.allocate(plan.pointee.structByteCount)
    target.storeBytes(
      of: UnsafeRawPointer(plan.pointee.descriptor), as: UnsafeRawPointer?.self)
    var field = plan.pointee.fields.unsafelyUnwrapped
    let end = field + plan.pointee.fieldCount
    var bound = plan.pointee.scalarBoundByteCount
    while field < end {
      let from = source + field.pointee.swiftOffset
      let to = target + field.pointee.cOffset
      switch field.pointee.kind {
      case .word32:
        to.storeBytes(of: from.load(as: UInt32.self), as: UInt32.self)
      case .word64:
        to.storeBytes(of: from.load(as: UInt64.self), as: UInt64.self)
      case .bool:
        to.storeBytes(of: from.load(as: Bool.self) ? 1 : 0, as: Int32.self)
      case .inlineString:
        if let count = ShortString.count(from) {
          // The bytes lie in the message itself, at the string's own address.
          if count > 0 {
            to.storeBytes(of: count, as: Int.self)
            (to + 8).storeBytes(of: from, as: UnsafeRawPointer.self)
            bound &+= count
          }
        } else {
          bound &+= writeString(from.assumingMemoryBound(to: String.self), to)
        }
      case .string:
        bound &+= writeString(from.assumingMemoryBound(to: String.self), to)
      case .bytes:
        bound &+= writeBytes(from.assumingMemoryBound(to: [UInt8].self), to)
      default:
        writeRare(field, from, target)
      }
      field += 1
    }
    self.bound &+= bound
    return target
  }

  /// Fields with presence, sub-messages and repeated fields.
  @inline(never)
  private mutating func writeRare(
    _ field: UnsafeMutablePointer<FieldPlan>, _ from: UnsafeRawPointer,
    _ target: UnsafeMutableRawPointer
  ) {
    let to = target + field.pointee.cOffset
    switch field.pointee.kind {
    case .optionalWord32:
      guard let value = from.load(as: UInt32?.self) else { return }
      to.storeBytes(of: value, as: UInt32.self)
    case .optionalWord64:
      guard let value = from.load(as: UInt64?.self) else { return }
      to.storeBytes(of: value, as: UInt64.self)
    case .optionalBool:
      guard let value = from.load(as: Bool?.self) else { return }
      to.storeBytes(of: value ? 1 : 0, as: Int32.self)
    case .optionalString:
      guard from.assumingMemoryBound(to: String?.self).pointee != nil else { return }
      // A single-payload enum keeps its payload at its own address.
      bound &+= writeString(from.assumingMemoryBound(to: String.self), to)
    case .optionalBytes:
      guard from.assumingMemoryBound(to: [UInt8]?.self).pointee != nil else { return }
      bound &+= writeBytes(from.assumingMemoryBound(to: [UInt8].self), to)
    case .message:
      guard field.pointee.access.unsafelyUnwrapped.pointee.isPresent(from) else { return }
      let message = write(field.pointee.child.unsafelyUnwrapped, from)
      to.storeBytes(of: message, as: UnsafeMutableRawPointer.self)
      bound &+= field.pointee.boundByteCount
      return
    default:
      let count = writeRepeated(field, from, to)
      (target + field.pointee.quantifierOffset).storeBytes(of: count, as: Int.self)
      return
    }
    bound &+= field.pointee.boundByteCount
    (target + field.pointee.quantifierOffset).storeBytes(of: 1, as: Int32.self)
  }

  private mutating func writeRepeated(
    _ field: UnsafeMutablePointer<FieldPlan>, _ from: UnsafeRawPointer,
    _ to: UnsafeMutableRawPointer
  ) -> Int {
    let source = MessageAccess.elements(from)
    guard source.count > 0, let base = source.base else { return 0 }
    switch field.pointee.kind {
    case .bools:
      let values = base.assumingMemoryBound(to: Bool.self)
      let numbers = elements(Int32.self, source.count, to)
      for index in 0..<source.count { numbers[index] = values[index] ? 1 : 0 }
      bound &+= MessageSizer.packedBound(field, source.count)
    case .strings:
      let values = base.assumingMemoryBound(to: String.self)
      let target = elements(ProtobufCBinaryData.self, source.count, to)
      for index in 0..<source.count {
        bound &+= writeString(values + index, UnsafeMutableRawPointer(target + index))
      }
      bound &+= source.count &* field.pointee.boundByteCount
    case .byteStrings:
      let values = base.assumingMemoryBound(to: [UInt8].self)
      let target = elements(ProtobufCBinaryData.self, source.count, to)
      for index in 0..<source.count {
        bound &+= writeBytes(values + index, UnsafeMutableRawPointer(target + index))
      }
      bound &+= source.count &* field.pointee.boundByteCount
    case .messages:
      let child = field.pointee.child.unsafelyUnwrapped
      let stride = field.pointee.access.unsafelyUnwrapped.pointee.stride
      let pointers = elements(UnsafeMutableRawPointer.self, source.count, to)
      for index in 0..<source.count {
        pointers[index] = write(child, base + index &* stride)
      }
      bound &+= source.count &* field.pointee.boundByteCount
    default:
      // Numbers lie in a Swift array as in a C one.
      to.storeBytes(of: base, as: UnsafeRawPointer.self)
      bound &+= MessageSizer.packedBound(field, source.count)
    }
    return source.count
  }

  /// An array in the arena, with its address stored at `to`.
  private func elements<Value: BitwiseCopyable>(
    _: Value.Type, _ count: Int, _ to: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Value> {
    let memory = arena.pointee.allocate(count &* MemoryLayout<Value>.stride)
    to.storeBytes(of: memory, as: UnsafeMutableRawPointer.self)
    return memory.assumingMemoryBound(to: Value.self)
  }

  /// Gives the number of bytes.
  @inline(__always)
  private func writeBytes(_ value: UnsafePointer<[UInt8]>, _ to: UnsafeMutableRawPointer) -> Int {
    let count = value.pointee.count
    guard count > 0 else { return 0 }
    to.storeBytes(of: count, as: Int.self)
    (to + 8).storeBytes(
      of: value.pointee.withUnsafeBytes { $0.baseAddress }, as: UnsafeRawPointer?.self)
    return count
  }

  /// Gives the number of bytes.
  @inline(never)
  private func writeString(_ value: UnsafePointer<String>, _ to: UnsafeMutableRawPointer) -> Int {
    let count = value.pointee.utf8.count
    guard count > 0 else { return 0 }
    to.storeBytes(of: count, as: Int.self)
    let arena = arena
    let address: UnsafeRawPointer? =
      value.pointee.utf8.withContiguousStorageIfAvailable { bytes in
        guard let base = bytes.baseAddress else { return nil }
        guard count <= Self.copiedStringByteCount else { return UnsafeRawPointer(base) }
        let copy = arena.pointee.allocate(count)
        copy.copyMemory(from: base, byteCount: count)
        return UnsafeRawPointer(copy)
      } ?? nil
    (to + 8).storeBytes(of: address ?? copyString(value.pointee, count), as: UnsafeRawPointer.self)
    return count
  }

  /// A string that is not held as UTF-8, which happens on Apple's systems only.
  @inline(never)
  private func copyString(_ value: String, _ count: Int) -> UnsafeRawPointer {
    let copy = arena.pointee.allocate(count)
    for (index, byte) in value.utf8.prefix(count).enumerated() {
      copy.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    return UnsafeRawPointer(copy)
  }
}
