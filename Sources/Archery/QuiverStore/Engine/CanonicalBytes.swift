/// Encodes values canonically for hashing: a tag, a length if it varies, big-endian.
///
/// Stored hashes depend on it, so it never changes.
struct CanonicalBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: SQLValue) {
    switch value {
    case .null:
      bytes.append(0)
    case .integer(let value):
      bytes.append(1)
      append(UInt64(bitPattern: value))
    case .real(let value):
      bytes.append(2)
      append(value.bitPattern)
    case .text(let value):
      bytes.append(3)
      append(UInt64(value.utf8.count))
      bytes.append(contentsOf: value.utf8)
    case .blob(let value):
      bytes.append(4)
      append(UInt64(value.count))
      bytes.append(contentsOf: value)
    }
  }

  private mutating func append(_ value: UInt64) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
