/// One step of the pre-scan that is too rare for its loop: where it ends, or nil with the reason
/// noted, and what it found.
struct ScanStep {
  let next: UnsafePointer<UInt8>?
  let value: Int

  typealias Bytes = UnsafePointer<UInt8>

  private static func refused(
    _ reason: DecodeError.Reason, _ fault: UnsafeMutablePointer<Fault>
  ) -> ScanStep {
    fault.pointee = Fault(reason: reason)
    return ScanStep(next: nil, value: 0)
  }

  /// The rest of a tag whose first byte has the continuation bit.
  @inline(never)
  static func longTag(
    _ first: UInt32, _ start: Bytes, _ end: Bytes, _ fault: UnsafeMutablePointer<Fault>
  ) -> ScanStep {
    var at = start
    var tag = UInt64(truncatingIfNeeded: first & 0x7F)
    var shift: UInt64 = 7
    while shift < 35 {
      guard at < end else { return refused(.truncated, fault) }
      let byte = at.pointee
      at += 1
      tag |= UInt64(truncatingIfNeeded: byte & 0x7F) &<< shift
      if byte < 0x80 {
        guard tag >> 3 != 0, tag <= 0xFFFF_FFFF else {
          return refused(.fieldNumberOutOfRange, fault)
        }
        return ScanStep(next: at, value: Int(truncatingIfNeeded: tag))
      }
      shift &+= 7
    }
    return refused(.tagTooLong, fault)
  }

  /// The rest of a length whose first byte has the continuation bit.
  @inline(never)
  static func longLength(
    _ first: Int, _ start: Bytes, _ end: Bytes, _ fault: UnsafeMutablePointer<Fault>
  ) -> ScanStep {
    var at = start
    var length = first & 0x7F
    var shift = 7
    while shift < 35 {
      guard at < end else { return refused(.truncated, fault) }
      let byte = at.pointee
      at += 1
      length |= Int(truncatingIfNeeded: byte & 0x7F) &<< shift
      if byte < 0x80 {
        guard length <= 0x7FFF_FFFF else { break }
        return ScanStep(next: at, value: length)
      }
      shift &+= 7
    }
    return refused(.lengthTooLong, fault)
  }

  /// A whole length and what it measures; the value is where the latter starts, from `start` on.
  private static func block(
    _ start: Bytes, _ end: Bytes, _ fault: UnsafeMutablePointer<Fault>
  ) -> ScanStep {
    guard start < end else { return refused(.truncated, fault) }
    var step = ScanStep(next: start + 1, value: Int(truncatingIfNeeded: start.pointee))
    if step.value >= 0x80 { step = longLength(step.value, start + 1, end, fault) }
    guard let next = step.next else { return step }
    guard step.value <= end - next else { return refused(.lengthBeyondEnd, fault) }
    return ScanStep(next: next + step.value, value: next - start)
  }

  /// The end of a varint; nil when it is cut or longer than 10 bytes.
  @inline(__always)
  static func varintEnd(_ start: Bytes, _ end: Bytes) -> Bytes? {
    var at = start
    let limit = end - start < 10 ? end : start + 10
    while at < limit {
      if at.pointee < 0x80 { return at + 1 }
      at += 1
    }
    return nil
  }

  private static func varint(
    _ start: Bytes, _ end: Bytes, _ fault: UnsafeMutablePointer<Fault>
  ) -> Bytes? {
    varintEnd(start, end)
      ?? refused(end - start < 10 ? .truncated : .varintTooLong, fault).next
  }

  /// The end of the value of a field that the schema does not know.
  @inline(never)
  static func unknown(
    _ tag: UInt32, _ start: Bytes, _ end: Bytes, _ fault: UnsafeMutablePointer<Fault>
  ) -> Bytes? {
    guard tag &>> 3 != 0 else { return refused(.fieldNumberOutOfRange, fault).next }
    switch UInt8(truncatingIfNeeded: tag & 7) {
    case WireType.varint: return varint(start, end, fault)
    case WireType.lengthDelimited: return block(start, end, fault).next
    case WireType.fixed32:
      return end - start >= 4 ? start + 4 : refused(.truncated, fault).next
    case WireType.fixed64:
      return end - start >= 8 ? start + 8 : refused(.truncated, fault).next
    case WireType.startGroup, WireType.endGroup: return refused(.group, fault).next
    default: return refused(.unknownWireType, fault).next
    }
  }

  /// A known field with a wire type that is not its own: packed values and their number, or wrong.
  @inline(never)
  static func packed(
    _ tag: UInt32, _ start: Bytes, _ end: Bytes, _ field: UnsafeMutablePointer<FieldPlan>,
    _ fault: UnsafeMutablePointer<Fault>
  ) -> ScanStep {
    switch UInt8(truncatingIfNeeded: tag & 7) {
    case WireType.lengthDelimited where field.pointee.isPackable: break
    case WireType.startGroup, WireType.endGroup: return refused(.group, fault)
    case 6, 7: return refused(.unknownWireType, fault)
    default: return refused(.wireTypeMismatch, fault)
    }
    let block = block(start, end, fault)
    guard let next = block.next else { return block }
    var at = start + block.value
    switch field.pointee.shape {
    case .fixed32:
      guard (next - at) & 3 == 0 else { return refused(.packedLength, fault) }
      return ScanStep(next: next, value: (next - at) / 4)
    case .fixed64:
      guard (next - at) & 7 == 0 else { return refused(.packedLength, fault) }
      return ScanStep(next: next, value: (next - at) / 8)
    default:
      var count = 0
      while at < next {
        if at.pointee < 0x80 {
          at += 1
        } else {
          guard let after = varint(at, next, fault) else { return ScanStep(next: nil, value: 0) }
          at = after
        }
        count &+= 1
      }
      return ScanStep(next: next, value: count)
    }
  }
}

/// Why and where a message was refused.
struct Fault {
  var reason = DecodeError.Reason.unpackRefused
  /// Innermost first.
  var path: [String] = []

  var error: DecodeError { DecodeError(reason, path: path.reversed()) }
}
