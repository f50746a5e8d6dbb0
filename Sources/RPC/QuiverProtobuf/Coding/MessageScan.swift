/// The pre-scan: validates the bytes of a message by its schema before libprotobuf-c reads them.
///
/// It takes one pass without allocation and computes the arena memory that unpacking will take.
///
/// Rare cases are separate functions that take and return plain values, so that the loop keeps its
/// position in registers.
struct MessageScan {
  /// What unpacking will take.
  private(set) var arenaByteCount = 0
  /// Whether the message, and each one in it, is as encoders write it: see ``OrderedReader``.
  private(set) var isOrdered = true
  private var fieldsLeft: Int
  private var elementsLeft: Int
  private var unknownLeft: Int

  /// `sizeof(ProtobufCMessageUnknownField)`, rounded up.
  private static let unknownFieldByteCount = 32

  /// libprotobuf-c notes each field in slabs of 16, 32, 64 … entries of 32 bytes; the first is on
  /// its stack.
  private static let firstSlabCount = 16
  private static let slabEntryByteCount = 32

  typealias Bytes = UnsafePointer<UInt8>

  @inline(__always)
  init(_ limits: borrowing DecodeLimits) {
    fieldsLeft = limits.maxFields
    elementsLeft = limits.maxRepeatedElements
    unknownLeft = limits.maxUnknownFields
  }

  /// Scans one message, and those in it; notes why it was refused.
  mutating func scan(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ start: Bytes, _ end: Bytes, levelsLeft: Int,
    _ fault: UnsafeMutablePointer<Fault>
  ) -> Bool {
    guard levelsLeft > 0 else { return Self.fail(.tooDeep, fault) }
    let table = plan.pointee.fieldByNumber.unsafelyUnwrapped
    let tableCount = plan.pointee.fieldByNumberCount
    var at = start
    var fieldCount = 0
    var seen: UInt64 = 0
    var arena = plan.pointee.arenaByteCount
    var tagBefore: UInt32 = 0
    while at < end {
      var tag = UInt32(truncatingIfNeeded: at.pointee)
      at += 1
      if tag >= 0x80 {
        let long = ScanStep.longTag(tag, at, end, fault)
        guard let next = long.next else { return false }
        tag = UInt32(truncatingIfNeeded: long.value)
        at = next
      }
      fieldCount &+= 1
      let number = tag &>> 3
      let known =
        number < tableCount ? table[Int(truncatingIfNeeded: number)] : plan.pointee.find(number)
      guard let field = known else {
        guard let next = ScanStep.unknown(tag, at, end, fault) else { return false }
        unknownLeft &-= 1
        isOrdered = false
        arena &+= Self.unknownFieldByteCount &+ Arena.rounded(next - at)
        at = next
        continue
      }
      guard tag == field.pointee.tag else {
        let packed = ScanStep.packed(tag, at, end, field, fault)
        guard let next = packed.next else { return Self.failInField(plan, field, fault) }
        // libprotobuf-c reckons packed booleans by their bytes.
        let room = field.pointee.type == .bool ? next - at : packed.value
        arena &+= room &* field.pointee.elementByteCount
        elementsLeft &-= packed.value
        if tag <= tagBefore { isOrdered = false }
        tagBefore = tag
        at = next
        continue
      }
      if field.pointee.order <= tagBefore { isOrdered = false }
      tagBefore = tag
      arena &+= field.pointee.repeatedByteCount
      switch field.pointee.shape {
      case .varint:
        guard let next = ScanStep.varintEnd(at, end) else {
          return Self.fail(end - at < 10 ? .truncated : .varintTooLong, plan, field, fault)
        }
        at = next
      case .fixed32, .fixed64:
        let byteCount = field.pointee.shape == .fixed32 ? 4 : 8
        guard byteCount <= end - at else { return Self.fail(.truncated, plan, field, fault) }
        at += byteCount
      case .data:
        guard let block = Self.block(plan, field, at, end, fault) else { return false }
        arena &+= Arena.rounded(block.end - block.start)
        at = block.end
      case .message:
        guard let next = enter(plan, field, at, end, &seen, levelsLeft: levelsLeft, fault)
        else { return false }
        at = next
      }
    }
    return finish(arena, fieldCount, fault)
  }

  /// The content of a length-delimited value.
  @inline(__always)
  private static func block(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ start: Bytes, _ end: Bytes, _ fault: UnsafeMutablePointer<Fault>
  ) -> (start: Bytes, end: Bytes)? {
    guard start < end else {
      _ = fail(.truncated, plan, field, fault)
      return nil
    }
    var at = start + 1
    var length = Int(truncatingIfNeeded: start.pointee)
    if length >= 0x80 {
      let long = ScanStep.longLength(length, at, end, fault)
      guard let next = long.next else {
        _ = failInField(plan, field, fault)
        return nil
      }
      length = long.value
      at = next
    }
    guard length <= end - at else {
      _ = fail(.lengthBeyondEnd, plan, field, fault)
      return nil
    }
    return (at, at + length)
  }

  /// The end of a sub-message, which is scanned; a singular one is noted as seen.
  @inline(never)
  private mutating func enter(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ start: Bytes, _ end: Bytes, _ seen: inout UInt64, levelsLeft: Int,
    _ fault: UnsafeMutablePointer<Fault>
  ) -> Bytes? {
    guard seen & field.pointee.seenBit == 0 else {
      _ = Self.fail(.repeatedSubmessage, plan, field, fault)
      return nil
    }
    seen |= field.pointee.seenBit
    guard let block = Self.block(plan, field, start, end, fault) else { return nil }
    let child = field.pointee.child.unsafelyUnwrapped
    guard scan(child, block.start, block.end, levelsLeft: levelsLeft &- 1, fault) else {
      _ = Self.failInField(plan, field, fault)
      return nil
    }
    return block.end
  }

  /// Adds a message's counts to those of the whole.
  @inline(__always)
  private mutating func finish(
    _ arena: Int, _ fieldCount: Int, _ fault: UnsafeMutablePointer<Fault>
  ) -> Bool {
    arenaByteCount &+= arena
    fieldsLeft &-= fieldCount
    if fieldCount > Self.firstSlabCount { countSlabs(fieldCount) }
    if fieldsLeft | elementsLeft | unknownLeft < 0 { return failLimit(fault) }
    return true
  }

  /// Counts what libprotobuf-c's notes of many fields take from the arena.
  @inline(never)
  private mutating func countSlabs(_ fieldCount: Int) {
    var slab = Self.firstSlabCount
    var noted = slab
    while noted < fieldCount {
      slab &*= 2
      noted &+= slab
      arenaByteCount &+= slab &* Self.slabEntryByteCount
    }
  }

  @inline(never)
  private func failLimit(_ fault: UnsafeMutablePointer<Fault>) -> Bool {
    let reason: DecodeError.Reason =
      fieldsLeft < 0
      ? .tooManyFields : elementsLeft < 0 ? .tooManyElements : .tooManyUnknownFields
    return Self.fail(reason, fault)
  }

  @inline(never)
  private static func fail(
    _ reason: DecodeError.Reason, _ fault: UnsafeMutablePointer<Fault>
  ) -> Bool {
    fault.pointee = Fault(reason: reason)
    return false
  }

  @inline(never)
  private static func fail(
    _ reason: DecodeError.Reason, _ plan: UnsafeMutablePointer<MessagePlan>,
    _ field: UnsafeMutablePointer<FieldPlan>, _ fault: UnsafeMutablePointer<Fault>
  ) -> Bool {
    fault.pointee = Fault(reason: reason)
    return failInField(plan, field, fault)
  }

  /// Adds the field's name to the path of a fault that is already noted.
  @inline(never)
  private static func failInField(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>,
    _ fault: UnsafeMutablePointer<Fault>
  ) -> Bool {
    fault.pointee.path.append(plan.pointee.name(of: field))
    return false
  }
}
