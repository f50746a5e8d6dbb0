import QuiverCrypto

/// One numbered step of the schema; once released, its text never changes.
struct Migration: Sendable {
  let number: Int64
  let name: String
  let script: String

  /// SHA-256 of all of it, kept in the database to see that both speak of the same step.
  var checksum: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.integer(number))
    encoding.append(.text(name))
    encoding.append(.text(script))
    return SHA256.hash(encoding.bytes)
  }
}
