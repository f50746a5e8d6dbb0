import QuiverCrypto

/// The text of a token: `qv_` and 32 random bytes in base64url.
package enum TokenSecret {
  package static let prefix = "qv_"
  package static let characterCount = 46

  /// A text that nobody can guess.
  package static func make() throws(StoreError) -> String {
    do {
      return prefix + Base64URL.encode(try RandomBytes.make(32))
    } catch {
      throw StoreError(.unavailable, "\(error)", notProcessed: true)
    }
  }

  /// What is kept of a text: SHA-256 of it as it is written. Nil for what cannot be a token.
  package static func hash(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == characterCount, text.starts(with: prefix.utf8) else { return nil }
    return SHA256.hash(text)
  }
}
