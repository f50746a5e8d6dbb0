import CCrypto

/// The keyed digest of RFC 2104 over SHA-256, by `HMAC`.
package enum HMACSHA256 {
  /// The 32 bytes that only the holder of `key` can make for `bytes`.
  package static func authenticationCode(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
      let keyCount = Int32(clamping: key.count)
      guard
        HMAC(EVP_sha256(), key, keyCount, bytes, bytes.count, buffer.baseAddress, nil) != nil
      else { outOfMemory("libcrypto cannot make an authentication code; memory is exhausted.") }
      count = SHA256.byteCount
    }
  }
}
