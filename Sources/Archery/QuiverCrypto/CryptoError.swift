/// libcrypto could not do what it was asked, for want of entropy or of memory.
package struct CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
