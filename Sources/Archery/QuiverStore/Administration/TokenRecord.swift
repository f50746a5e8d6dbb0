import QuiverCrypto

/// The stored fields of a token, without its text.
package struct TokenRecord: Sendable, Equatable {
  package let id: Int64
  package let principal: PrincipalRecord
  package let label: String

  /// What the token allows.
  package let scopes: TokenScopes

  package let createdAtMilliseconds: Int64

  /// Its expiry; nil if it has none.
  package internal(set) var expiresAtMilliseconds: Int64?

  /// When it was revoked; nil if it was not.
  package internal(set) var revokedAtMilliseconds: Int64?
}

/// A new token with its text, which is shown once.
package struct NewToken: Sendable, Equatable {
  package let record: TokenRecord

  /// `qv_` and 43 characters.
  package let secret: String
}

/// What a token allows; the raw value is stored.
package struct TokenScopes: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Calls that change nothing; every token has it.
  package static let read = TokenScopes(rawValue: 1)

  /// Calls that change something.
  package static let write = TokenScopes(rawValue: 2)

  /// The calls of Admin, for administrators.
  package static let admin = TokenScopes(rawValue: 4)

  /// All scopes that a principal of this kind may have.
  package static func all(of kind: PrincipalRecord.Kind) -> TokenScopes {
    kind == .administrator ? [.read, .write, .admin] : [.read, .write]
  }
}

/// The text of a token: `qv_` and 32 random bytes in base64url.
package enum TokenSecret {
  package static let prefix = "qv_"
  package static let characterCount = 46

  /// A random text that cannot be guessed.
  package static func make() throws(StoreError) -> String {
    do {
      return prefix + Base64URL.encode(try RandomBytes.make(32))
    } catch {
      throw StoreError(.unavailable, "\(error)", notProcessed: true)
    }
  }

  /// The stored form of a text: its SHA-256. Nil for a text that is not a token.
  package static func hash(_ text: [UInt8]) -> [UInt8]? {
    guard text.count == characterCount, text.starts(with: prefix.utf8) else { return nil }
    return SHA256.hash(text)
  }
}
