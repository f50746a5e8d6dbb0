import Glibc

/// The fields of a request as they arrive, in one buffer: most requests of a connection have the
/// same, and no string is made of those.
struct HeadBlock {
  /// Each field: the sizes of its name and its value, two bytes each, and both.
  private var bytes: [UInt8] = []
  private var fieldCount = 0
  private var byteCount = 0
  private(set) var isTooLarge = false
  /// It is too large by the number of its fields.
  private(set) var hasTooManyFields = false
  /// Fields that differ from request to request.
  private(set) var ownFields = HTTPFields()

  /// The names of fields that differ from request to request. None of them says who calls what.
  private static let ownNames: [[UInt8]] = [
    "grpc-timeout", "connect-timeout-ms", "idempotency-key", "traceparent",
    RequestContext.afterField, RequestContext.epochField,
  ].map { Array($0.utf8) }

  /// Forgets the fields of the last request.
  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
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
    if Self.ownNames.contains(where: { $0.count == name.count && $0.elementsEqual(name) }) {
      return ownFields.append(String(decoding: name, as: UTF8.self), Self.text(value))
    }
    withUnsafeBytes(of: (nameCount, valueCount)) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: name)
    bytes.append(contentsOf: value)
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The head that these fields are, one of `known` where it is equal.
  func head(_ known: inout KnownHeads) -> KnownHead {
    known.head(bytes) { Self.read(bytes) }
  }

  private static func read(_ bytes: [UInt8]) -> HTTPRequestHead {
    var (method, path, authority) = ("", "", String?.none)
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
      default: if !name.hasPrefix(":") { fields.append(name, value) }
      }
    }
    if let authority, fields["host"] == nil { fields.append("host", authority) }
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

  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count
      && one.withUnsafeBytes { one in
        other.withUnsafeBytes { other in
          guard let first = one.baseAddress, let second = other.baseAddress else { return true }
          return memcmp(first, second, one.count) == 0
        }
      }
  }

  /// The kept head with these bytes, or the one that `read` makes.
  mutating func head(_ bytes: [UInt8], _ read: () -> HTTPRequestHead) -> KnownHead {
    if let index = heads.firstIndex(where: { Self.areEqual($0.bytes, bytes) }) {
      if index > 0 { heads.swapAt(0, index) }
      return heads[0]
    }
    guard bytes.count <= Self.maxBytes else { return KnownHead(read()) }
    let known = KnownHead(read(), bytes: Array(bytes))
    if heads.count == Self.maxCount { heads.removeLast() }
    heads.insert(known, at: 0)
    return known
  }
}
