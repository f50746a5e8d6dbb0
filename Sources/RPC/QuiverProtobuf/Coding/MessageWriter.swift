/// From a Swift message straight to its bytes, fields by ascending number.
///
/// What it writes takes at most ``MessageSizer/bound(_:_:)`` bytes, for which the caller has room.
enum MessageWriter {
  typealias Plan = UnsafeMutablePointer<MessagePlan>
  typealias Field = UnsafeMutablePointer<FieldPlan>
  /// Where the next byte goes. Each function gives the end of what it wrote.
  typealias Output = UnsafeMutableRawPointer

  /// Writes the message at `source`.
  static func write(_ plan: Plan, _ source: UnsafeRawPointer, _ output: Output) -> Output {
    var output = output
    var field = plan.pointee.fields.unsafelyUnwrapped
    let end = field + plan.pointee.fieldCount
    while field < end {
      let from = source + field.pointee.swiftOffset
      switch field.pointee.kind {
      case .word32:
        let bits = from.load(as: UInt32.self)
        if bits != 0 { output = number(field, UInt64(bits), tag(field, output)) }
      case .word64:
        let bits = from.load(as: UInt64.self)
        if bits != 0 { output = number(field, bits, tag(field, output)) }
      case .bool:
        if from.load(as: Bool.self) { output = number(field, 1, tag(field, output)) }
      case .inlineString:
        if let count = ShortString.count(from) {
          // The bytes lie in the message itself, at the string's own address.
          if count > 0 { output = data(field, from, count, output) }
        } else {
          output = string(field, from.assumingMemoryBound(to: String.self), output)
        }
      case .string:
        let text = from.assumingMemoryBound(to: String.self)
        if !text.pointee.isEmpty { output = string(field, text, output) }
      case .bytes:
        let bytes = from.assumingMemoryBound(to: [UInt8].self)
        if bytes.pointee.count > 0 { output = self.bytes(field, bytes, output) }
      default:
        output = writeRare(field, from, output)
      }
      field += 1
    }
    return output
  }

  /// Fields with presence, sub-messages and repeated fields.
  @inline(never)
  private static func writeRare(
    _ field: Field, _ from: UnsafeRawPointer, _ output: Output
  ) -> Output {
    switch field.pointee.kind {
    case .optionalWord32:
      guard let bits = from.load(as: UInt32?.self) else { return output }
      return number(field, UInt64(bits), tag(field, output))
    case .optionalWord64:
      guard let bits = from.load(as: UInt64?.self) else { return output }
      return number(field, bits, tag(field, output))
    case .optionalBool:
      guard let value = from.load(as: Bool?.self) else { return output }
      return number(field, value ? 1 : 0, tag(field, output))
    case .optionalString:
      guard from.assumingMemoryBound(to: String?.self).pointee != nil else { return output }
      // A single-payload enum keeps its payload at its own address.
      return string(field, from.assumingMemoryBound(to: String.self), output)
    case .optionalBytes:
      guard from.assumingMemoryBound(to: [UInt8]?.self).pointee != nil else { return output }
      return bytes(field, from.assumingMemoryBound(to: [UInt8].self), output)
    case .message:
      guard field.pointee.access.unsafelyUnwrapped.pointee.isPresent(from) else { return output }
      return message(field, from, output)
    default: return writeRepeated(field, from, output)
    }
  }

  private static func writeRepeated(
    _ field: Field, _ from: UnsafeRawPointer, _ output: Output
  ) -> Output {
    let source = MessageAccess.elements(from)
    guard source.count > 0, let base = source.base else { return output }
    var output = output
    switch field.pointee.kind {
    case .strings:
      let values = base.assumingMemoryBound(to: String.self)
      for index in 0..<source.count { output = string(field, values + index, output) }
    case .byteStrings:
      let values = base.assumingMemoryBound(to: [UInt8].self)
      for index in 0..<source.count { output = bytes(field, values + index, output) }
    case .messages:
      let stride = field.pointee.access.unsafelyUnwrapped.pointee.stride
      for index in 0..<source.count {
        output = message(field, base + index &* stride, output)
      }
    default: output = packed(field, base, source.count, output)
    }
    return output
  }

  /// A sub-message, present.
  ///
  /// Most take one byte for their length; those that take more are moved back once it is known.
  private static func message(
    _ field: Field, _ source: UnsafeRawPointer, _ output: Output
  ) -> Output {
    let length = tag(field, output)
    let content = length + 1
    let end = write(field.pointee.child.unsafelyUnwrapped, source, content)
    let count = end - content
    guard count >= 0x80 else {
      length.storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
      return end
    }
    let place = length + varintByteCount(UInt64(truncatingIfNeeded: count))
    place.copyMemory(from: content, byteCount: count)
    _ = varint(UInt64(truncatingIfNeeded: count), length)
    return place + count
  }

  /// Numbers in one block.
  private static func packed(
    _ field: Field, _ base: UnsafeRawPointer, _ count: Int, _ output: Output
  ) -> Output {
    let start = wireTag(field.pointee.number &<< 3 | UInt32(WireType.lengthDelimited), output)
    var byteCount = 0
    switch field.pointee.shape {
    case .fixed32: byteCount = count &* 4
    case .fixed64: byteCount = count &* 8
    default:
      for index in 0..<count {
        byteCount &+= varintByteCount(wireBits(field, element(field, base, index)))
      }
    }
    var end = varint(UInt64(truncatingIfNeeded: byteCount), start)
    for index in 0..<count { end = number(field, element(field, base, index), end) }
    return end
  }

  /// The bits of one number of an array.
  @inline(__always)
  private static func element(
    _ field: Field, _ base: UnsafeRawPointer, _ index: Int
  ) -> UInt64 {
    switch field.pointee.kind {
    case .bools: UInt64(base.load(fromByteOffset: index, as: UInt8.self))
    case .int64s, .uint64s, .doubles: base.load(fromByteOffset: index &* 8, as: UInt64.self)
    default: UInt64(base.load(fromByteOffset: index &* 4, as: UInt32.self))
    }
  }
}

// MARK: Values on the wire

extension MessageWriter {
  /// The tag of one value.
  @inline(__always)
  private static func tag(_ field: Field, _ output: Output) -> Output {
    wireTag(field.pointee.tag, output)
  }

  @inline(__always)
  private static func wireTag(_ tag: UInt32, _ output: Output) -> Output {
    varint(UInt64(tag), output)
  }

  /// A number by its bits, those beyond the field's width being zero.
  @inline(__always)
  private static func number(_ field: Field, _ bits: UInt64, _ output: Output) -> Output {
    switch field.pointee.form {
    case .fixed32:
      output.storeBytes(of: UInt32(truncatingIfNeeded: bits).littleEndian, as: UInt32.self)
      return output + 4
    case .fixed64:
      output.storeBytes(of: bits.littleEndian, as: UInt64.self)
      return output + 8
    default: return varint(wireBits(field, bits), output)
    }
  }

  /// What the varint of a number holds.
  @inline(__always)
  private static func wireBits(_ field: Field, _ bits: UInt64) -> UInt64 {
    switch field.pointee.form {
    case .signed32:
      return UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bits)))
    case .zigzag32:
      let value = Int32(truncatingIfNeeded: bits)
      return UInt64(UInt32(bitPattern: value &<< 1 ^ value &>> 31))
    case .zigzag64:
      let value = Int64(bitPattern: bits)
      return UInt64(bitPattern: value &<< 1 ^ value &>> 63)
    default: return bits
    }
  }

  @inline(__always)
  private static func varint(_ value: UInt64, _ output: Output) -> Output {
    guard value >= 0x80 else {
      output.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
      return output + 1
    }
    return longVarint(value, output)
  }

  @inline(never)
  private static func longVarint(_ value: UInt64, _ output: Output) -> Output {
    var rest = value
    var output = output
    while rest >= 0x80 {
      output.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      output += 1
      rest &>>= 7
    }
    output.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    return output + 1
  }

  private static func varintByteCount(_ value: UInt64) -> Int {
    (70 &- (value | 1).leadingZeroBitCount) / 7
  }

  /// A tag, a length and bytes.
  @inline(__always)
  private static func data(
    _ field: Field, _ source: UnsafeRawPointer, _ count: Int, _ output: Output
  ) -> Output {
    let content = varint(UInt64(truncatingIfNeeded: count), tag(field, output))
    content.copyMemory(from: source, byteCount: count)
    return content + count
  }

  @inline(__always)
  private static func bytes(
    _ field: Field, _ value: UnsafePointer<[UInt8]>, _ output: Output
  ) -> Output {
    value.pointee.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return varint(0, tag(field, output)) }
      return data(field, base, bytes.count, output)
    }
  }

  @inline(never)
  private static func string(
    _ field: Field, _ value: UnsafePointer<String>, _ output: Output
  ) -> Output {
    let written = value.pointee.utf8.withContiguousStorageIfAvailable { bytes in
      guard let base = bytes.baseAddress else { return varint(0, tag(field, output)) }
      return data(field, UnsafeRawPointer(base), bytes.count, output)
    }
    return written ?? copyString(field, value.pointee, output)
  }

  /// A string that is not held as UTF-8, which happens on Apple's systems only.
  @inline(never)
  private static func copyString(_ field: Field, _ value: String, _ output: Output) -> Output {
    var output = varint(UInt64(truncatingIfNeeded: value.utf8.count), tag(field, output))
    for byte in value.utf8 {
      output.storeBytes(of: byte, as: UInt8.self)
      output += 1
    }
    return output
  }
}
