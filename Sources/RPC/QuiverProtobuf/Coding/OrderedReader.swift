/// From the bytes of an ordered message straight to a Swift message, UTF-8 checked on the way.
///
/// Encoders write ordered messages: fields by ascending number, each singular one once, numbers
/// packed where they may be, none that the schema does not know. ``MessageScan`` tells which
/// messages are, and has checked their bytes; each read here stays within them all the same.
///
/// A destination holds its type's defaults, which own no memory, so values are initialised over
/// them without a release.
struct OrderedReader {
  typealias Bytes = UnsafePointer<UInt8>
  typealias Plan = UnsafeMutablePointer<MessagePlan>
  typealias Field = UnsafeMutablePointer<FieldPlan>

  private var at: Bytes
  private let end: Bytes
  private let fault: UnsafeMutablePointer<Fault>

  init(_ start: Bytes, _ end: Bytes, _ fault: UnsafeMutablePointer<Fault>) {
    at = start
    self.end = end
    self.fault = fault
  }

  /// Fills the message at `target`, which is at its defaults; notes why it could not.
  mutating func read(_ plan: Plan, into target: UnsafeMutableRawPointer) -> Bool {
    let table = plan.pointee.fieldByNumber.unsafelyUnwrapped
    let tableCount = plan.pointee.fieldByNumberCount
    while at < end {
      guard let tag = tag() else { return fail(.unpackRefused) }
      let place = tag &>> 3
      let known =
        place < tableCount ? table[Int(truncatingIfNeeded: place)] : plan.pointee.find(place)
      guard let field = known else { return fail(.unpackRefused) }
      let to = target + field.pointee.swiftOffset
      switch field.pointee.kind {
      case .word32:
        guard let bits = number(field.pointee.form) else { return fail(.unpackRefused) }
        to.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
      case .word64:
        guard let bits = number(field.pointee.form) else { return fail(.unpackRefused) }
        to.storeBytes(of: bits, as: UInt64.self)
      case .bool:
        guard let bits = number(field.pointee.form) else { return fail(.unpackRefused) }
        to.storeBytes(of: bits != 0, as: Bool.self)
      case .inlineString, .string:
        guard let block = block() else { return fail(.unpackRefused) }
        if field.pointee.kind == .inlineString, Self.readShort(block, to) { continue }
        guard let text = Self.string(block) else { return fail(plan, field, .invalidUTF8) }
        to.initializeMemory(as: String.self, to: text)
      case .bytes:
        guard let block = block() else { return fail(.unpackRefused) }
        if block.count > 0 { to.initializeMemory(as: [UInt8].self, to: [UInt8](block)) }
      default:
        guard readRare(plan, field, tag, to) else { return failInField(plan, field) }
      }
    }
    return true
  }

  /// Fields with presence, sub-messages and repeated fields, so that the common loop stays small.
  @inline(never)
  private mutating func readRare(
    _ plan: Plan, _ field: Field, _ tag: UInt32, _ to: UnsafeMutableRawPointer
  ) -> Bool {
    switch field.pointee.kind {
    case .message:
      guard let block = block() else { return fail(.unpackRefused) }
      let access = field.pointee.access.unsafelyUnwrapped
      return access.pointee.make(to, 1) { readChild(field, block, into: $1) }
    case .messages: return readMessages(field, tag, to)
    case .strings: return readStrings(tag, to)
    case .byteStrings: return readByteStrings(tag, to)
    case .optionalString:
      guard let block = block() else { return fail(.unpackRefused) }
      guard let text = Self.string(block) else { return fail(.invalidUTF8) }
      to.initializeMemory(as: String?.self, to: text)
    case .optionalBytes:
      guard let block = block() else { return fail(.unpackRefused) }
      to.initializeMemory(as: [UInt8]?.self, to: [UInt8](block))
    case .optionalWord32, .optionalWord64, .optionalBool: return readOptional(field, to)
    default: return readPacked(plan, field, to)
    }
    return true
  }

  private mutating func readOptional(_ field: Field, _ to: UnsafeMutableRawPointer) -> Bool {
    guard let bits = number(field.pointee.form) else { return fail(.unpackRefused) }
    switch field.pointee.kind {
    case .optionalWord32:
      to.initializeMemory(as: UInt32?.self, to: UInt32(truncatingIfNeeded: bits))
    case .optionalWord64: to.initializeMemory(as: UInt64?.self, to: bits)
    default: to.initializeMemory(as: Bool?.self, to: bits != 0)
    }
    return true
  }

  private func readChild(
    _ field: Field, _ block: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableRawPointer
  ) -> Bool {
    guard let start = block.baseAddress else { return fail(.unpackRefused) }
    var child = OrderedReader(start, start + block.count, fault)
    return child.read(field.pointee.child.unsafelyUnwrapped, into: target)
  }

  private mutating func readMessages(
    _ field: Field, _ tag: UInt32, _ to: UnsafeMutableRawPointer
  ) -> Bool {
    let count = elementCount(tag)
    return field.pointee.access.unsafelyUnwrapped.pointee.make(to, count) { index, element in
      guard index == 0 || take(tag), let block = block() else { return fail(.unpackRefused) }
      return readChild(field, block, into: element)
    }
  }

  private mutating func readStrings(_ tag: UInt32, _ to: UnsafeMutableRawPointer) -> Bool {
    var texts: [String] = []
    texts.reserveCapacity(elementCount(tag))
    repeat {
      guard let block = block() else { return fail(.unpackRefused) }
      guard let text = Self.string(block) else { return fail(.invalidUTF8) }
      texts.append(text)
    } while take(tag)
    to.initializeMemory(as: [String].self, to: texts)
    return true
  }

  private mutating func readByteStrings(_ tag: UInt32, _ to: UnsafeMutableRawPointer) -> Bool {
    var values: [[UInt8]] = []
    values.reserveCapacity(elementCount(tag))
    repeat {
      guard let block = block() else { return fail(.unpackRefused) }
      values.append([UInt8](block))
    } while take(tag)
    to.initializeMemory(as: [[UInt8]].self, to: values)
    return true
  }

  /// How many values with the same tag follow one another, the first of whose tags has been read.
  private func elementCount(_ tag: UInt32) -> Int {
    var ahead = self
    var count = 0
    while ahead.block() != nil {
      count &+= 1
      guard ahead.take(tag) else { break }
    }
    return count
  }

  /// Numbers in one block.
  private mutating func readPacked(
    _ plan: Plan, _ field: Field, _ to: UnsafeMutableRawPointer
  ) -> Bool {
    guard let block = block() else { return fail(.unpackRefused) }
    switch field.pointee.kind {
    case .int32s: return put(numbers(field, block) { Int32(truncatingIfNeeded: $0) }, to)
    case .uint32s: return put(numbers(field, block) { UInt32(truncatingIfNeeded: $0) }, to)
    case .int64s: return put(numbers(field, block) { Int64(bitPattern: $0) }, to)
    case .uint64s: return put(numbers(field, block) { $0 }, to)
    case .floats:
      return put(
        numbers(field, block) { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }, to)
    case .doubles: return put(numbers(field, block) { Double(bitPattern: $0) }, to)
    case .bools: return put(numbers(field, block) { $0 != 0 }, to)
    default:
      let index = field - plan.pointee.fields.unsafelyUnwrapped
      guard let values = numbers(field, block, { Int32(truncatingIfNeeded: $0) }),
        let access = plan.pointee.storage?.enumAccesses[index]
      else { return fail(.unpackRefused) }
      values.withUnsafeBufferPointer { access.makeElements(to, $0) }
      return true
    }
  }

  private func put<Value>(_ values: [Value]?, _ to: UnsafeMutableRawPointer) -> Bool {
    guard let values else { return fail(.unpackRefused) }
    to.initializeMemory(as: [Value].self, to: values)
    return true
  }

  private func numbers<Value>(
    _ field: Field, _ block: UnsafeBufferPointer<UInt8>, _ make: (UInt64) -> Value
  ) -> [Value]? {
    guard let start = block.baseAddress else { return nil }
    var values: [Value] = []
    switch field.pointee.shape {
    case .fixed32: values.reserveCapacity(block.count / 4)
    case .fixed64: values.reserveCapacity(block.count / 8)
    default: values.reserveCapacity(block.reduce(0) { $0 &+ ($1 < 0x80 ? 1 : 0) })
    }
    var reader = OrderedReader(start, start + block.count, fault)
    while reader.at < reader.end {
      guard let bits = reader.number(field.pointee.form) else { return nil }
      values.append(make(bits))
    }
    return values
  }
}

// MARK: Values on the wire

extension OrderedReader {
  /// A number and its wire type.
  @inline(__always)
  private mutating func tag() -> UInt32? {
    guard at < end else { return nil }
    let first = UInt32(truncatingIfNeeded: at.pointee)
    at += 1
    return first < 0x80 ? first : longTag(first)
  }

  @inline(never)
  private mutating func longTag(_ first: UInt32) -> UInt32? {
    let step = ScanStep.longTag(first, at, end, fault)
    guard let next = step.next else { return nil }
    at = next
    return UInt32(truncatingIfNeeded: step.value)
  }

  /// Takes the next tag if it is this one.
  private mutating func take(_ tag: UInt32) -> Bool {
    var ahead = self
    guard ahead.tag() == tag else { return false }
    at = ahead.at
    return true
  }

  /// A length and what it measures.
  @inline(__always)
  private mutating func block() -> UnsafeBufferPointer<UInt8>? {
    guard at < end else { return nil }
    var length = Int(truncatingIfNeeded: at.pointee)
    var start = at + 1
    if length >= 0x80 {
      let step = ScanStep.longLength(length, start, end, fault)
      guard let next = step.next else { return nil }
      length = step.value
      start = next
    }
    guard length <= end - start else { return nil }
    at = start + length
    return UnsafeBufferPointer(start: start, count: length)
  }

  /// The bits of a number, of which those of the field's width count.
  @inline(__always)
  private mutating func number(_ form: NumberForm) -> UInt64? {
    switch form {
    case .unsigned, .signed32: return varint()
    case .zigzag32:
      guard let bits = varint() else { return nil }
      let value = UInt32(truncatingIfNeeded: bits)
      return UInt64((value &>> 1) ^ (0 &- (value & 1)))
    case .zigzag64:
      guard let value = varint() else { return nil }
      return (value &>> 1) ^ (0 &- (value & 1))
    case .fixed32:
      guard end - at >= 4 else { return nil }
      defer { at += 4 }
      return UInt64(UInt32(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt32.self)))
    case .fixed64:
      guard end - at >= 8 else { return nil }
      defer { at += 8 }
      return UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
    case .bool: return boolean()
    }
  }

  /// Bits beyond 64 are dropped, as libprotobuf-c does.
  @inline(__always)
  private mutating func varint() -> UInt64? {
    guard at < end else { return nil }
    let first = at.pointee
    guard first >= 0x80 else {
      at += 1
      return UInt64(first)
    }
    return longVarint()
  }

  @inline(never)
  private mutating func longVarint() -> UInt64? {
    guard let next = ScanStep.varintEnd(at, end) else { return nil }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < next {
      value |= UInt64(at.pointee & 0x7F) &<< shift
      shift &+= 7
      at += 1
    }
    return value
  }

  /// True where any bit of the varint is set, also one beyond 64, as libprotobuf-c does.
  private mutating func boolean() -> UInt64? {
    guard let next = ScanStep.varintEnd(at, end) else { return nil }
    var bits: UInt8 = 0
    while at < next {
      bits |= at.pointee & 0x7F
      at += 1
    }
    return UInt64(bits)
  }

  /// Puts a short ASCII string in place; false for any other.
  @inline(__always)
  private static func readShort(
    _ block: UnsafeBufferPointer<UInt8>, _ to: UnsafeMutableRawPointer
  ) -> Bool {
    guard block.count <= ShortString.maxByteCount, let base = block.baseAddress else {
      return false
    }
    if block.isEmpty { return true }
    let words = ShortString.words(UnsafeRawPointer(base), count: block.count)
    guard (words.0 | words.1) & 0x8080_8080_8080_8080 == 0 else { return false }
    ShortString.initialize(to, words, count: block.count)
    return true
  }

  /// The string with these bytes, or nil when they are not UTF-8.
  @inline(never)
  private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return "" }
    var bits: UInt64 = 0
    var offset = 0
    while bytes.count &- offset >= 8 {
      bits |= UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < bytes.count {
      bits |= UInt64(base[offset])
      offset &+= 1
    }
    guard bits & 0x8080_8080_8080_8080 == 0 else { return MessageReader.validated(bytes) }
    return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
  }

  // MARK: Faults

  /// Notes the reason; `unpackRefused` where the scan should have refused the bytes.
  @inline(never)
  private func fail(_ reason: DecodeError.Reason) -> Bool {
    fault.pointee = Fault(reason: reason)
    return false
  }

  @inline(never)
  private func fail(_ plan: Plan, _ field: Field, _ reason: DecodeError.Reason) -> Bool {
    fault.pointee = Fault(reason: reason)
    return failInField(plan, field)
  }

  /// Adds the field's name to the path of a fault that is already noted.
  @inline(never)
  private func failInField(_ plan: Plan, _ field: Field) -> Bool {
    fault.pointee.path.append(plan.pointee.name(of: field))
    return false
  }
}
