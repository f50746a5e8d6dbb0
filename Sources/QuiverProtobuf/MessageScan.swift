/// The pre-scan: judges the bytes of a message by its schema before libprotobuf-c sees them, in one
/// pass without allocation, and reckons what unpacking will take from the arena.
struct MessageScan {
  /// What unpacking will take.
  private(set) var arenaByteCount = 0
  private var fieldsLeft: Int
  private var elementsLeft: Int
  private var unknownLeft: Int
  /// Why and where, when a function here answered nil or false.
  private let fault: UnsafeMutablePointer<Fault>

  /// `sizeof(ProtobufCMessageUnknownField)`.
  private static let unknownFieldByteCount = 24

  /// libprotobuf-c notes each field in slabs of 16, 32, 64 … entries of 32 bytes; the first is on
  /// its stack.
  private static let firstSlabCount = 16
  private static let slabEntryByteCount = 32

  @inline(__always)
  init(_ limits: borrowing DecodeLimits, _ fault: UnsafeMutablePointer<Fault>) {
    fieldsLeft = limits.maxFields
    elementsLeft = limits.maxRepeatedElements
    unknownLeft = limits.maxUnknownFields
    self.fault = fault
  }

  /// Scans one message, and those in it.
  mutating func scan(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>, levelsLeft: Int
  ) -> Bool {
    guard levelsLeft > 0 else { return fail(.tooDeep) }
    let table = plan.pointee.fieldByNumber.unsafelyUnwrapped
    let tableCount = plan.pointee.fieldByNumberCount
    var at = start
    var fieldCount = 0
    var elementCount = 0
    var unknownCount = 0
    var seen: UInt64 = 0
    var arena = plan.pointee.arenaByteCount
    while at < end {
      var tag = UInt32(at.pointee)
      at += 1
      if tag >= 0x80 {
        guard let long = longTag(tag, &at, end) else { return false }
        tag = long
      }
      fieldCount &+= 1
      let number = tag &>> 3
      let known = number < tableCount ? table[Int(number)] : find(number, in: plan)
      guard let field = known else {
        guard let byteCount = skipUnknown(tag, &at, end) else { return false }
        unknownCount &+= 1
        arena &+= Self.unknownFieldByteCount &+ Arena.rounded(byteCount)
        continue
      }
      guard tag & 7 == field.pointee.wireType else {
        guard tag & 7 == WireType.lengthDelimited, field.pointee.isPackable else {
          return failWireType(tag, plan, field)
        }
        guard let payload = enterLength(&at, end),
          let count = countPacked(field.pointee.wireType, payload, at)
        else { return failInField(plan, field) }
        // libprotobuf-c reckons packed booleans by their bytes.
        let room = field.pointee.type == .bool ? at - payload : count
        arena &+= room &* field.pointee.elementByteCount
        elementCount &+= count
        continue
      }
      arena &+= field.pointee.repeatedByteCount
      elementCount &+= field.pointee.repeatedCount
      switch field.pointee.shape {
      case .varint:
        let limit = end - at < 10 ? end : at + 10
        while at < limit, at.pointee >= 0x80 { at += 1 }
        guard at < limit else {
          return fail(at == end ? .truncated : .varintTooLong, plan, field)
        }
        at += 1
      case .fixed32:
        guard end - at >= 4 else { return fail(.truncated, plan, field) }
        at += 4
      case .fixed64:
        guard end - at >= 8 else { return fail(.truncated, plan, field) }
        at += 8
      case .data:
        guard let payload = enterLength(&at, end) else { return failInField(plan, field) }
        arena &+= Arena.rounded(at - payload)
      case .message:
        guard let payload = enterLength(&at, end) else { return failInField(plan, field) }
        guard seen & field.pointee.seenBit == 0 else {
          return fail(.repeatedSubmessage, plan, field)
        }
        seen |= field.pointee.seenBit
        guard
          scan(field.pointee.child.unsafelyUnwrapped, payload, at, levelsLeft: levelsLeft &- 1)
        else { return failInField(plan, field) }
      }
    }
    return finish(arena, fieldCount, elementCount, unknownCount)
  }

  /// Counts what the message adds to the whole.
  @inline(__always)
  private mutating func finish(
    _ arena: Int, _ fieldCount: Int, _ elementCount: Int, _ unknownCount: Int
  ) -> Bool {
    arenaByteCount &+= arena
    fieldsLeft &-= fieldCount
    elementsLeft &-= elementCount
    if fieldCount > Self.firstSlabCount || unknownCount > 0 {
      // The array of unknown fields is rounded once.
      arenaByteCount &+= Self.slabByteCount(fieldCount) &+ (unknownCount > 0 ? 15 : 0)
      unknownLeft &-= unknownCount
    }
    guard fieldsLeft | elementsLeft | unknownLeft >= 0 else {
      return fail(
        fieldsLeft < 0
          ? .tooManyFields : elementsLeft < 0 ? .tooManyElements : .tooManyUnknownFields)
    }
    return true
  }

  /// What libprotobuf-c's notes of so many fields take from the arena.
  private static func slabByteCount(_ fieldCount: Int) -> Int {
    var entries = 0
    var slab = firstSlabCount
    var noted = slab
    while noted < fieldCount {
      slab &*= 2
      entries &+= slab
      noted &+= slab
    }
    return entries &* slabEntryByteCount
  }

  /// Moves past a length and what it measures, and gives the start of the latter; nil after a fault.
  @inline(__always)
  private func enterLength(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    guard at < end else { return refuse(.truncated) }
    var length = Int(at.pointee)
    at += 1
    if length >= 0x80 {
      guard let long = longLength(length, &at, end) else { return nil }
      length = long
    }
    guard length <= end - at else { return refuse(.lengthBeyondEnd) }
    let payload = at
    at += length
    return payload
  }

  /// Moves past the value of a field that the schema does not know and gives its length.
  @inline(never)
  private func skipUnknown(
    _ tag: UInt32, _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Int? {
    let start = at
    var byteCount = 0
    switch UInt8(truncatingIfNeeded: tag & 7) {
    case _ where tag &>> 3 == 0:
      return nothing(.fieldNumberOutOfRange)
    case WireType.varint:
      guard skipVarint(&at, end) else { return nil }
      return at - start
    case WireType.lengthDelimited:
      guard enterLength(&at, end) != nil else { return nil }
      return at - start
    case WireType.fixed32: byteCount = 4
    case WireType.fixed64: byteCount = 8
    case WireType.startGroup, WireType.endGroup: return nothing(.group)
    default: return nothing(.unknownWireType)
    }
    guard byteCount <= end - at else { return nothing(.truncated) }
    at += byteCount
    return byteCount
  }

  private func skipVarint(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    let limit = end - at < 10 ? end : at + 10
    while at < limit, at.pointee >= 0x80 { at += 1 }
    guard at < limit else { return fail(at == end ? .truncated : .varintTooLong) }
    at += 1
    return true
  }

  /// The rest of a tag whose first byte says that it goes on.
  @inline(never)
  private func longTag(
    _ first: UInt32, _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UInt32? {
    var tag = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while shift < 35 {
      guard at < end else { return nothing(.truncated) }
      let byte = at.pointee
      at += 1
      tag |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 {
        guard tag >> 3 != 0, tag <= UInt64(UInt32.max) else {
          return nothing(.fieldNumberOutOfRange)
        }
        return UInt32(truncatingIfNeeded: tag)
      }
      shift &+= 7
    }
    return nothing(.tagTooLong)
  }

  /// The rest of a length whose first byte says that it goes on.
  @inline(never)
  private func longLength(
    _ first: Int, _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Int? {
    var length = first & 0x7F
    var shift = 7
    while shift < 35 {
      guard at < end else { return nothing(.truncated) }
      let byte = at.pointee
      at += 1
      length |= Int(byte & 0x7F) &<< shift
      if byte < 0x80 {
        guard length <= Int(Int32.max) else { break }
        return length
      }
      shift &+= 7
    }
    return nothing(.lengthTooLong)
  }

  /// How many packed values there are; nil after a fault.
  private func countPacked(
    _ wireType: UInt32, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Int? {
    let byteCount = end - start
    switch wireType {
    case UInt32(WireType.fixed32):
      return byteCount & 3 == 0 ? byteCount / 4 : nothing(.packedLength)
    case UInt32(WireType.fixed64):
      return byteCount & 7 == 0 ? byteCount / 8 : nothing(.packedLength)
    default:
      var at = start
      var count = 0
      while at < end {
        if at.pointee < 0x80 {
          at += 1
        } else if !skipVarint(&at, end) {
          return nil
        }
        count &+= 1
      }
      return count
    }
  }

  /// Binary search, for numbers above the table.
  @inline(never)
  private func find(
    _ number: UInt32, in plan: UnsafeMutablePointer<MessagePlan>
  ) -> UnsafeMutablePointer<FieldPlan>? {
    guard let fields = plan.pointee.fields else { return nil }
    var low = 0
    var high = plan.pointee.fieldCount
    while low < high {
      let middle = (low &+ high) / 2
      if fields[middle].number < number { low = middle &+ 1 } else { high = middle }
    }
    return low < plan.pointee.fieldCount && fields[low].number == number ? fields + low : nil
  }
}

extension MessageScan {
  @inline(never)
  private func fail(_ reason: DecodeError.Reason) -> Bool {
    fault.pointee = Fault(reason: reason)
    return false
  }

  @inline(never)
  private func refuse(_ reason: DecodeError.Reason) -> UnsafePointer<UInt8>? {
    fault.pointee = Fault(reason: reason)
    return nil
  }

  @inline(never)
  private func nothing<Value: FixedWidthInteger>(_ reason: DecodeError.Reason) -> Value? {
    fault.pointee = Fault(reason: reason)
    return nil
  }

  @inline(never)
  private func fail(
    _ reason: DecodeError.Reason, _ plan: UnsafeMutablePointer<MessagePlan>,
    _ field: UnsafeMutablePointer<FieldPlan>
  ) -> Bool {
    fault.pointee = Fault(reason: reason)
    return failInField(plan, field)
  }

  /// A known field with a wire type that is not its own.
  @inline(never)
  private func failWireType(
    _ tag: UInt32, _ plan: UnsafeMutablePointer<MessagePlan>,
    _ field: UnsafeMutablePointer<FieldPlan>
  ) -> Bool {
    switch UInt8(truncatingIfNeeded: tag & 7) {
    case WireType.startGroup, WireType.endGroup: fail(.group, plan, field)
    case 6, 7: fail(.unknownWireType, plan, field)
    default: fail(.wireTypeMismatch, plan, field)
    }
  }

  /// Adds the field's name to the path of a fault that is already noted.
  @inline(never)
  private func failInField(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ field: UnsafeMutablePointer<FieldPlan>
  ) -> Bool {
    fault.pointee.path.append(plan.pointee.name(of: field))
    return false
  }
}

/// Why and where a message was refused.
struct Fault {
  var reason = DecodeError.Reason.unpackRefused
  /// Innermost first.
  var path: [String] = []

  var error: DecodeError { DecodeError(reason, path: path.reversed()) }
}

extension MessagePlan {
  /// The name of one of the plan's fields.
  func name(of field: UnsafeMutablePointer<FieldPlan>) -> String {
    let number = Int32(bitPattern: field.pointee.number)
    return schema?.takeUnretainedValue().field(number: number)?.name ?? ""
  }
}
