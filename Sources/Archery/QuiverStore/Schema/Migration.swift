import QuiverCrypto

/// One numbered step of the schema. Its text never changes after its release.
///
/// ``Migration/all`` and ``Migration/older`` list the steps in order.
struct Migration: Sendable {
  let number: Int64
  let name: String
  let script: String

  /// SHA-256 of number, name and script, stored in the database to detect a different step.
  var checksum: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.integer(number))
    encoding.append(.text(name))
    encoding.append(.text(script))
    return SHA256.hash(encoding.bytes)
  }
}
