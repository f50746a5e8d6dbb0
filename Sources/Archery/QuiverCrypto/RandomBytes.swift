import CCrypto

/// Unpredictable bytes from `RAND_bytes`.
package enum RandomBytes {
  /// `count` random bytes, at most 2^31-1; throws where the system has no entropy to give.
  package static func make(_ count: Int) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&bytes, Int32(clamping: count)) == 1 else {
      throw CryptoError("the system gave no random bytes")
    }
    return bytes
  }
}
