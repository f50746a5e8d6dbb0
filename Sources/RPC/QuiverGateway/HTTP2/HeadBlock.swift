import Glibc

/// The fields of a request as they arrive, in one buffer: most requests of a connection have the
/// same, and no string is made of those.
struct HeadBlock {
  /// Each field: the sizes of its name and its value, two bytes each, and both. The first
  /// ``usedCount`` bytes count.
  private var bytes: [UInt8] = []
  private var usedCount = 0
  private var fieldCount = 0
  private var byteCount = 0
  private(set) var isTooLarge = false
  /// It is too large by the number of its fields.
  private(set) var hasTooManyFields = false
  /// Fields that differ from request to request.
  private(set) var ownFields = HTTPFields()

  /// Whether fields of this name differ from request to request. None of them identifies the caller
  /// or the method.
  private static func isOwn(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 11: isEqual(name, "traceparent")
    case 12: isEqual(name, "grpc-timeout")
    case 15: isEqual(name, "idempotency-key")
    case 18: isEqual(name, "connect-timeout-ms") || isEqual(name, "quiver-store-epoch")
    case 21: isEqual(name, "quiver-after-sequence")
    default: false
    }
  }

  private static func isEqual(
    _ name: UnsafeBufferPointer<UInt8>, _ other: StaticString
  ) -> Bool {
    guard let base = name.baseAddress, name.count == other.utf8CodeUnitCount else { return false }
    return memcmp(base, other.utf8Start, name.count) == 0
  }

  /// Forgets the fields of the last request.
  mutating func begin() {
    usedCount = 0
    fieldCount = 0
    byteCount = 0
    isTooLarge = false
    hasTooManyFields = false
    if !ownFields.entries.isEmpty { ownFields = HTTPFields() }
  }

  mutating func append(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
    _ limits: GatewayLimits
  ) {
    byteCount += name.count + value.count + 32
    fieldCount += 1
    guard !isTooLarge, byteCount <= limits.maxHeadBytes, fieldCount <= limits.maxFields,
      let nameCount = UInt16(exactly: name.count), let valueCount = UInt16(exactly: value.count)
    else {
      if !isTooLarge { hasTooManyFields = fieldCount > limits.maxFields }
      isTooLarge = true
      return
    }
    if Self.isOwn(name) { return ownFields.append(Self.text(name), Self.text(value)) }
    let size = 4 + name.count + value.count
    if bytes.count - usedCount < size {
      bytes.append(contentsOf: repeatElement(0, count: max(size, 512)))
    }
    let start = usedCount
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: nameCount, toByteOffset: start, as: UInt16.self)
      bytes.storeBytes(of: valueCount, toByteOffset: start + 2, as: UInt16.self)
      var rest = UnsafeMutableRawBufferPointer(rebasing: bytes[(start + 4)...])
      rest.copyMemory(from: UnsafeRawBufferPointer(name))
      rest = UnsafeMutableRawBufferPointer(rebasing: rest[name.count...])
      rest.copyMemory(from: UnsafeRawBufferPointer(value))
    }
    usedCount += size
  }

  private static func text(_ bytes: some Collection<UInt8>) -> HTTPText {
    HTTPText(decoding: bytes)
  }

  /// The head that these fields are, one of `known` where it is equal.
  func head(_ known: inout KnownHeads) -> KnownHead {
    bytes.withUnsafeBytes { bytes in
      known.head(UnsafeRawBufferPointer(rebasing: bytes[..<usedCount])) { Self.read($0) }
    }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) -> HTTPRequestHead {
    var (method, path, authority): (HTTPText, HTTPText, HTTPText?) = ("", "", nil)
    var fields = HTTPFields()
    var index = 0
    func size() -> Int {
      defer { index += 2 }
      return withUnsafeBytes(of: (bytes[index], bytes[index + 1])) {
        Int($0.loadUnaligned(as: UInt16.self))
      }
    }
    while index < bytes.count {
      let (nameCount, valueCount) = (size(), size())
      let name = text(bytes[index..<index + nameCount])
      let value = text(bytes[(index + nameCount)...].prefix(valueCount))
      index += nameCount + valueCount
      switch name {
      case ":method": method = value
      case ":path": path = value
      case ":authority": authority = value
      default: if !name.begins(with: ":") { fields.append(name, value) }
      }
    }
    if let authority, fields["host"] != authority { fields.append("host", authority) }
    return HTTPRequestHead(method: method, target: path, fields: fields, isHTTP2: true)
  }
}

/// The last different heads of a connection.
struct KnownHeads {
  private var heads: [KnownHead] = []

  /// The most heads that are kept.
  private static let maxCount = 4
  /// Heads with more bytes are not kept.
  private static let maxBytes = 2_048

  private static func areEqual(_ one: [UInt8], _ other: UnsafeRawBufferPointer) -> Bool {
    one.count == other.count
      && one.withUnsafeBytes { one in
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, one.count) == 0
      }
  }

  /// The kept head with these bytes, or the one that `read` makes.
  mutating func head(
    _ bytes: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> HTTPRequestHead
  ) -> KnownHead {
    if let index = heads.firstIndex(where: { Self.areEqual($0.bytes, bytes) }) {
      if index > 0 { heads.swapAt(0, index) }
      return heads[0]
    }
    guard bytes.count <= Self.maxBytes else { return KnownHead(read(bytes)) }
    let known = KnownHead(read(bytes), bytes: Array(bytes))
    if heads.count == Self.maxCount { heads.removeLast() }
    heads.insert(known, at: 0)
    return known
  }
}
