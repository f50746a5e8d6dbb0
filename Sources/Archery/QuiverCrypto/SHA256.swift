import CCrypto

/// A running SHA-256 digest over `EVP_DigestUpdate`.
///
/// A value with one owner; it traps only where libcrypto is out of memory.
package struct SHA256: ~Copyable {
  package static let byteCount = 32

  private let context: OpaquePointer

  /// The algorithm, fetched once, since fetching it for each digest costs more than a short digest.
  // `nonisolated(unsafe)`: an `EVP_MD` is immutable and made to be shared between threads.
  private nonisolated(unsafe) static let algorithm: OpaquePointer = {
    guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else {
      outOfMemory("libcrypto has no SHA-256.")
    }
    return algorithm
  }()

  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, Self.algorithm, nil) == 1
    else { outOfMemory("libcrypto cannot begin a digest; memory is exhausted.") }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// Takes in more bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    guard EVP_DigestUpdate(context, base, bytes.count) == 1 else {
      outOfMemory("libcrypto cannot continue a digest.")
    }
  }

  /// Takes in more bytes.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// The 32 bytes of the digest over all that was taken in.
  package consuming func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      guard EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1 else {
        outOfMemory("libcrypto cannot end a digest.")
      }
      count = Self.byteCount
    }
  }

  /// The digest of all of `bytes` at once.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      guard
        EVP_Digest(bytes.baseAddress, bytes.count, buffer.baseAddress, nil, algorithm, nil) == 1
      else { outOfMemory("libcrypto cannot make a digest; memory is exhausted.") }
      count = byteCount
    }
  }

  /// The digest of all of `bytes` at once.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { hash($0) }
  }
}
