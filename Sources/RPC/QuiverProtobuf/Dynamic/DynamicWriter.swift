/// From a `DynamicMessage` to C structures in the arena, which hold copies of its strings and
/// bytes.
struct DynamicWriter {
  private let arena: UnsafeMutablePointer<Arena>
  /// The most that packing will write.
  private(set) var bound = 0

  init(_ arena: UnsafeMutablePointer<Arena>) {
    self.arena = arena
  }

  /// The C structure of the message.
  mutating func write(_ message: DynamicMessage) -> UnsafeMutableRawPointer {
    let plan = message.schema.plan.prepared()
    let target = arena.pointee.allocate(plan.pointee.structByteCount)
    target.storeBytes(
      of: UnsafeRawPointer(plan.pointee.descriptor), as: UnsafeRawPointer?.self)
    for index in 0..<plan.pointee.fieldCount {
      guard let place = plan.pointee.fields?[index],
        let value = message[Int32(bitPattern: place.number)]
      else { continue }
      let overhead = place.boundByteCount
      let to = target + place.cOffset
      if case .list(let values) = value {
        let size = place.elementByteCount
        let elements = arena.pointee.allocate(values.count &* size)
        for (index, value) in values.enumerated() { write(value, elements + index &* size) }
        to.storeBytes(of: elements, as: UnsafeMutableRawPointer.self)
        (target + place.quantifierOffset).storeBytes(of: values.count, as: Int.self)
        bound &+= values.count &* overhead &+ overhead &+ 5
      } else {
        write(value, to)
        bound &+= overhead
        if place.quantifierOffset != 0 {
          (target + place.quantifierOffset).storeBytes(of: 1, as: Int32.self)
        }
      }
    }
    return target
  }

  private mutating func write(_ value: FieldValue, _ to: UnsafeMutableRawPointer) {
    switch value {
    case .absent, .list: break
    case .int32(let value), .enum(let value): to.storeBytes(of: value, as: Int32.self)
    case .uint32(let value): to.storeBytes(of: value, as: UInt32.self)
    case .int64(let value): to.storeBytes(of: value, as: Int64.self)
    case .uint64(let value): to.storeBytes(of: value, as: UInt64.self)
    case .float(let value): to.storeBytes(of: value, as: Float.self)
    case .double(let value): to.storeBytes(of: value, as: Double.self)
    case .bool(let value): to.storeBytes(of: value ? 1 : 0, as: Int32.self)
    case .string(let value): write(Array(value.utf8), to)
    case .bytes(let value): write(value, to)
    case .message(let value):
      to.storeBytes(of: write(value), as: UnsafeMutableRawPointer.self)
    }
  }

  private mutating func write(_ bytes: [UInt8], _ to: UnsafeMutableRawPointer) {
    guard !bytes.isEmpty else { return }
    let copy = arena.pointee.allocate(bytes.count)
    bytes.withUnsafeBytes {
      copy.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
    }
    to.storeBytes(of: bytes.count, as: Int.self)
    (to + 8).storeBytes(of: copy, as: UnsafeMutableRawPointer.self)
    bound &+= bytes.count
  }
}
