/// libcrypto failed, because it had no entropy or no memory.
package struct CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
