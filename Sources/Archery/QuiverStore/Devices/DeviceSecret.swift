import QuiverCrypto

/// What a scoring device proves itself with: 32 random bytes that it made.
///
/// The store keeps the hash of the text of its token alone.
package struct DeviceSecret: Sendable {
  package static let prefix = "qd_"
  /// Of an official who is bound to an event: clients send it encrypted alone.
  package static let officialPrefix = "qo_"
  package static let byteCount = 32

  let hash: [UInt8]

  /// Throws `invalidArgument` unless it has its length and is not one byte repeated.
  package init(_ bytes: [UInt8], prefix: String = Self.prefix) throws(StoreError) {
    guard bytes.count == Self.byteCount, Set(bytes).count > 1 else {
      throw .invalid("device_secret", "must be \(Self.byteCount) random bytes")
    }
    hash = SHA256.hash(Array((prefix + Base64URL.encode(bytes)).utf8))
  }

  /// That of a token; nil for any other text.
  init?(token: [UInt8]) {
    let prefixes = [Self.prefix, Self.officialPrefix]
    guard let start = prefixes.first(where: { token.starts(with: $0.utf8) }),
      token.count == TokenSecret.characterCount,
      let bytes = Base64URL.decode(
        String(decoding: token.dropFirst(start.utf8.count), as: UTF8.self)),
      bytes.count == Self.byteCount
    else { return nil }
    hash = SHA256.hash(token)
  }

  /// Whether a text is a device's token, valid or not.
  package static func isToken(_ token: [UInt8]) -> Bool { token.starts(with: prefix.utf8) }
}
