/// The pre-scan: judges the bytes of a message by its schema before libprotobuf-c sees them, in one
/// pass without allocation, and reckons what unpacking will take from the arena.
struct MessageScan {
  /// What unpacking will take.
  private(set) var arenaByteCount = 0
  private var fieldsLeft: Int
  private var elementsLeft: Int
  private var unknownLeft: Int
  /// Why and where, when a function here answered nil or false.
  private(set) var fault = Fault()

  /// `sizeof(ProtobufCMessageUnknownField)`.
  private static let unknownFieldByteCount = 24

  /// libprotobuf-c notes each field in slabs of 16, 32, 64 … entries of 32 bytes; the first is on
  /// its stack.
  private static let firstSlabCount = 16
  private static let slabEntryByteCount = 32

  init(_ limits: borrowing DecodeLimits) {
    fieldsLeft = limits.maxFields
    elementsLeft = limits.maxRepeatedElements
    unknownLeft = limits.maxUnknownFields
  }

  /// Scans one message, and those in it.
  mutating func scan(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>, levelsLeft: Int
  ) -> Bool {
    guard levelsLeft > 0 else { return fail(.tooDeep) }
    let fields = plan.pointee.fields.unsafelyUnwrapped
    let table = plan.pointee.indexByNumber.unsafelyUnwrapped
    let tableCount = plan.pointee.indexByNumberCount
    var at = start
    var fieldCount = 0
    var unknownCount = 0
    var seen: UInt64 = 0
    var arena = plan.pointee.arenaByteCount
    while at < end {
      var tag = UInt32(truncatingIfNeeded: at.pointee)
      at += 1
      if tag >= 0x80 {
        guard let long = longTag(tag, &at, end) else { return false }
        tag = long
      }
      fieldCount &+= 1
      let number = tag &>> 3
      let wireType = UInt8(truncatingIfNeeded: tag & 7)
      let index = number < tableCount ? Int(table[Int(number)]) : find(number, in: plan)
      let valueStart = at
      guard let payload = skip(wireType, &at, end) else {
        return failInField(plan, index)
      }
      guard index >= 0 else {
        guard number != 0 else { return fail(.fieldNumberOutOfRange) }
        unknownCount &+= 1
        arena &+= Self.unknownFieldByteCount &+ Arena.rounded(at - valueStart)
        continue
      }
      let field = fields + index
      if wireType == field.pointee.wireType {
        if field.pointee.isRepeated {
          arena &+= Int(field.pointee.elementByteCount)
          elementsLeft &-= 1
        }
        guard wireType == WireType.lengthDelimited else { continue }
        guard let child = field.pointee.child else {
          arena &+= Arena.rounded(at - payload)
          continue
        }
        guard seen & field.pointee.seenBit == 0 else {
          return fail(.repeatedSubmessage, plan, index)
        }
        seen |= field.pointee.seenBit
        guard scan(child, payload, at, levelsLeft: levelsLeft &- 1) else {
          return failInField(plan, index)
        }
      } else if wireType == WireType.lengthDelimited && field.pointee.isPackable {
        guard let count = countPacked(field.pointee.wireType, payload, at) else {
          return failInField(plan, index)
        }
        // libprotobuf-c reckons packed booleans by their bytes.
        let room = field.pointee.type == .bool ? at - payload : count
        arena &+= room &* Int(field.pointee.elementByteCount)
        elementsLeft &-= count
      } else {
        return fail(.wireTypeMismatch, plan, index)
      }
    }
    return finish(arena, fieldCount, unknownCount)
  }

  /// Counts what the message adds to the whole.
  @inline(__always)
  private mutating func finish(_ arena: Int, _ fieldCount: Int, _ unknownCount: Int) -> Bool {
    var slabs = 0
    if fieldCount > Self.firstSlabCount {
      var slabCount = Self.firstSlabCount
      var noted = slabCount
      while noted < fieldCount {
        slabCount &*= 2
        slabs &+= slabCount
        noted &+= slabCount
      }
    }
    // The array of unknown fields is rounded once.
    arenaByteCount &+= arena &+ slabs &* Self.slabEntryByteCount &+ (unknownCount > 0 ? 15 : 0)
    fieldsLeft &-= fieldCount
    unknownLeft &-= unknownCount
    guard fieldsLeft >= 0 else { return fail(.tooManyFields) }
    guard elementsLeft >= 0 else { return fail(.tooManyElements) }
    guard unknownLeft >= 0 else { return fail(.tooManyUnknownFields) }
    return true
  }

  /// Moves past one value and gives the start of its content, which for a length-delimited one lies
  /// behind the length; nil after a fault.
  @inline(__always)
  private mutating func skip(
    _ wireType: UInt8, _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    let left = end - at
    switch wireType {
    case WireType.varint:
      if left > 0, at.pointee < 0x80 {
        at += 1
        return at
      }
      return longVarint(&at, end)
    case WireType.lengthDelimited:
      guard left > 0 else { return refuse(.truncated) }
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
    case WireType.fixed32:
      guard left >= 4 else { return refuse(.truncated) }
      at += 4
      return at
    case WireType.fixed64:
      guard left >= 8 else { return refuse(.truncated) }
      at += 8
      return at
    case WireType.startGroup, WireType.endGroup:
      return refuse(.group)
    default:
      return refuse(.unknownWireType)
    }
  }

  @inline(never)
  private mutating func longVarint(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var count = 0
    while count < 10 {
      guard at < end else { return refuse(.truncated) }
      let byte = at.pointee
      at += 1
      if byte < 0x80 { return at }
      count &+= 1
    }
    return refuse(.varintTooLong)
  }

  /// The rest of a tag whose first byte says that it goes on.
  @inline(never)
  private mutating func longTag(
    _ first: UInt32, _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UInt32? {
    var tag = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while shift < 35 {
      guard at < end else {
        _ = fail(.truncated)
        return nil
      }
      let byte = at.pointee
      at += 1
      tag |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 {
        // libprotobuf-c also refuses a zero in the low bits of the number when nothing follows.
        guard tag >> 3 != 0, tag <= UInt64(UInt32.max) else {
          _ = fail(.fieldNumberOutOfRange)
          return nil
        }
        return UInt32(truncatingIfNeeded: tag)
      }
      shift &+= 7
    }
    _ = fail(.tagTooLong)
    return nil
  }

  /// The rest of a length whose first byte says that it goes on.
  @inline(never)
  private mutating func longLength(
    _ first: Int, _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Int? {
    var length = first & 0x7F
    var shift = 7
    while shift < 35 {
      guard at < end else {
        _ = fail(.truncated)
        return nil
      }
      let byte = at.pointee
      at += 1
      length |= Int(byte & 0x7F) &<< shift
      if byte < 0x80 {
        guard length <= Int(Int32.max) else { break }
        return length
      }
      shift &+= 7
    }
    _ = fail(.lengthTooLong)
    return nil
  }

  /// How many packed values there are; nil after a fault.
  private mutating func countPacked(
    _ wireType: UInt8, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Int? {
    let byteCount = end - start
    switch wireType {
    case WireType.fixed32:
      if byteCount & 3 == 0 { return byteCount / 4 }
    case WireType.fixed64:
      if byteCount & 7 == 0 { return byteCount / 8 }
    default:
      var at = start
      var count = 0
      while at < end {
        while at < end, at.pointee < 0x80 {
          at += 1
          count &+= 1
        }
        guard at < end else { break }
        guard longVarint(&at, end) != nil else { return nil }
        count &+= 1
      }
      return count
    }
    _ = fail(.packedLength)
    return nil
  }

  /// Binary search, for numbers above the table.
  @inline(never)
  private func find(_ number: UInt32, in plan: UnsafeMutablePointer<MessagePlan>) -> Int {
    guard let fields = plan.pointee.fields else { return -1 }
    var low = 0
    var high = plan.pointee.fieldCount
    while low < high {
      let middle = (low &+ high) / 2
      if fields[middle].number < number { low = middle &+ 1 } else { high = middle }
    }
    return low < plan.pointee.fieldCount && fields[low].number == number ? low : -1
  }

  @inline(never)
  private mutating func fail(_ reason: DecodeError.Reason) -> Bool {
    fault = Fault(reason: reason)
    return false
  }

  @inline(never)
  private mutating func refuse(_ reason: DecodeError.Reason) -> UnsafePointer<UInt8>? {
    fault = Fault(reason: reason)
    return nil
  }

  @inline(never)
  private mutating func fail(
    _ reason: DecodeError.Reason, _ plan: UnsafeMutablePointer<MessagePlan>, _ index: Int
  ) -> Bool {
    fault = Fault(reason: reason)
    return failInField(plan, index)
  }

  /// Adds the field's name to the path of a fault that is already noted.
  @inline(never)
  private mutating func failInField(
    _ plan: UnsafeMutablePointer<MessagePlan>, _ index: Int
  ) -> Bool {
    if index >= 0 { fault.path.append(plan.pointee.fieldName(index)) }
    return false
  }
}

/// Why and where a message was refused.
struct Fault {
  var reason: DecodeError.Reason?
  /// Innermost first.
  var path: [String] = []

  var error: DecodeError { DecodeError(reason ?? .unpackRefused, path: path.reversed()) }
}

extension MessagePlan {
  /// The name of a field by its place among the plan's fields.
  func fieldName(_ index: Int) -> String {
    guard let fields, let schema else { return "" }
    let number = Int32(bitPattern: fields[index].number)
    return schema.takeUnretainedValue().field(number: number)?.name ?? ""
  }
}
