import CCrypto

/// Comparisons whose time tells nothing about where two secrets differ.
package enum ConstantTime {
  /// Whether both hold the same bytes, by `CRYPTO_memcmp`; lengths are no secret.
  package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
