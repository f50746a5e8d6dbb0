internal import CProtobufC

/// From a Swift message to C structures in the arena, which libprotobuf-c packs.
///
/// The structures point into the message's own arrays and long strings. Those are native heap blocks
/// that neither move nor go away while the message is borrowed, which lasts until after packing.
struct MessageWriter {
  let arena: UnsafeMutablePointer<Arena>
  /// The most that packing will write.
  var bound = 0

  /// Strings up to this length are copied; shorter ones may live inside the `String` itself, at no
  /// address of their own.
  private static let copiedStringByteCount = 64

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
    let fields = plan.pointee.fields.unsafelyUnwrapped
    let count = plan.pointee.fieldCount
    var index = 0
    while index < count {
      let field = fields + index
      index &+= 1
      let from = source + field.pointee.swiftOffset
      let to = target + field.pointee.cOffset
      let overhead = Int(field.pointee.boundByteCount)
      switch field.pointee.kind {
      case .word32:
        to.storeBytes(of: from.load(as: UInt32.self), as: UInt32.self)
        bound &+= overhead
      case .word64:
        to.storeBytes(of: from.load(as: UInt64.self), as: UInt64.self)
        bound &+= overhead
      case .bool:
        to.storeBytes(of: from.load(as: Bool.self) ? 1 : 0, as: Int32.self)
        bound &+= overhead
      case .string:
        writeString(from.assumingMemoryBound(to: String.self), to)
        bound &+= overhead
      case .bytes:
        writeBytes(from.assumingMemoryBound(to: [UInt8].self), to)
        bound &+= overhead
      default:
        writeRare(plan, field, from, target, index &- 1)
      }
    }
    return target
  }

  /// Fields with presence, sub-messages and repeated fields.
  @inline(never)
  private mutating func writeRare(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ from: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ index: Int
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
      writeString(from.assumingMemoryBound(to: String.self), to)
    case .optionalBytes:
      guard from.assumingMemoryBound(to: [UInt8]?.self).pointee != nil else { return }
      writeBytes(from.assumingMemoryBound(to: [UInt8].self), to)
    case .message:
      guard let child = field.pointee.child,
        let access = plan.pointee.storage?.accesses[index].message, access.isPresent(from)
      else { return }
      to.storeBytes(of: write(child, from), as: UnsafeMutableRawPointer.self)
      bound &+= Int(field.pointee.boundByteCount)
      return
    default:
      let count = writeRepeated(plan, field, from, to, index)
      (target + field.pointee.quantifierOffset).storeBytes(of: count, as: Int.self)
      return
    }
    bound &+= Int(field.pointee.boundByteCount)
    (target + field.pointee.quantifierOffset).storeBytes(of: 1, as: Int32.self)
  }

  private mutating func writeRepeated(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ index: Int
  ) -> Int {
    let overhead = Int(field.pointee.boundByteCount)
    switch field.pointee.kind {
    case .bools:
      let values = from.assumingMemoryBound(to: [Bool].self)
      guard !values.pointee.isEmpty else { return 0 }
      let numbers = elements(Int32.self, values.pointee.count, to)
      for (index, value) in values.pointee.enumerated() { numbers[index] = value ? 1 : 0 }
      bound &+= MessageSizer.packedBound(field, values.pointee.count)
      return values.pointee.count
    case .strings:
      return values(from.assumingMemoryBound(to: [String].self), overhead, to) {
        $0.writeString($1, $2)
      }
    case .byteStrings:
      return values(from.assumingMemoryBound(to: [[UInt8]].self), overhead, to) {
        $0.writeBytes($1, $2)
      }
    case .messages:
      guard let child = field.pointee.child,
        let access = plan.pointee.storage?.accesses[index].message
      else { return 0 }
      let source = access.elements(from)
      guard let base = source.baseAddress, source.count > 0 else { return 0 }
      let count = source.count / access.stride
      let pointers = elements(UnsafeMutableRawPointer.self, count, to)
      for element in 0..<count {
        pointers[element] = write(child, base + element &* access.stride)
        bound &+= overhead
      }
      return count
    default:
      // Numbers lie in a Swift array as in a C one, and every array begins alike.
      let values = from.assumingMemoryBound(to: [UInt8].self)
      guard !values.pointee.isEmpty else { return 0 }
      to.storeBytes(
        of: values.pointee.withUnsafeBytes { $0.baseAddress }, as: UnsafeRawPointer?.self)
      bound &+= MessageSizer.packedBound(field, values.pointee.count)
      return values.pointee.count
    }
  }

  @inline(__always)
  private mutating func values<Value>(
    _ values: UnsafePointer<[Value]>, _ overhead: Int, _ to: UnsafeMutableRawPointer,
    _ write: (inout MessageWriter, UnsafePointer<Value>, UnsafeMutableRawPointer) -> Void
  ) -> Int {
    let count = values.pointee.count
    guard count > 0 else { return 0 }
    let target = elements(ProtobufCBinaryData.self, count, to)
    values.pointee.withUnsafeBufferPointer { source in
      for index in 0..<count {
        guard let base = source.baseAddress else { return }
        write(&self, base + index, UnsafeMutableRawPointer(target + index))
      }
    }
    bound &+= count &* overhead
    return count
  }

  /// An array in the arena, with its address stored at `to`.
  private func elements<Value: BitwiseCopyable>(
    _: Value.Type, _ count: Int, _ to: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Value> {
    let memory = arena.pointee.allocate(count &* MemoryLayout<Value>.stride)
    to.storeBytes(of: memory, as: UnsafeMutableRawPointer.self)
    return memory.assumingMemoryBound(to: Value.self)
  }

  @inline(__always)
  private mutating func writeBytes(
    _ value: UnsafePointer<[UInt8]>, _ to: UnsafeMutableRawPointer
  ) {
    let count = value.pointee.count
    guard count > 0 else { return }
    to.storeBytes(of: count, as: Int.self)
    (to + 8).storeBytes(
      of: value.pointee.withUnsafeBytes { $0.baseAddress }, as: UnsafeRawPointer?.self)
    bound &+= count
  }

  @inline(__always)
  private mutating func writeString(
    _ value: UnsafePointer<String>, _ to: UnsafeMutableRawPointer
  ) {
    let count = value.pointee.utf8.count
    guard count > 0 else { return }
    to.storeBytes(of: count, as: Int.self)
    bound &+= count
    let arena = arena
    let isDone: Void? = value.pointee.utf8.withContiguousStorageIfAvailable { bytes in
      guard let base = bytes.baseAddress else { return }
      var address = UnsafeRawPointer(base)
      if count <= Self.copiedStringByteCount {
        let copy = arena.pointee.allocate(count)
        copy.copyMemory(from: base, byteCount: count)
        address = UnsafeRawPointer(copy)
      }
      (to + 8).storeBytes(of: address, as: UnsafeRawPointer.self)
    }
    if isDone == nil { copyString(value.pointee, count, to) }
  }

  /// A string that is not held as UTF-8, which happens on Apple's systems only.
  @inline(never)
  private func copyString(_ value: String, _ count: Int, _ to: UnsafeMutableRawPointer) {
    let copy = arena.pointee.allocate(count)
    for (index, byte) in value.utf8.prefix(count).enumerated() {
      copy.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    (to + 8).storeBytes(of: UnsafeRawPointer(copy), as: UnsafeRawPointer.self)
  }
}
