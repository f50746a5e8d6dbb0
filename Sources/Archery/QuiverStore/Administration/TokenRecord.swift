import QuiverCrypto

/// What is kept of a token: everything but the token.
package struct TokenRecord: Sendable, Equatable {
  package let id: Int64
  package let principal: PrincipalRecord
  package let label: String

  /// What it lets its bearer do.
  package let scopes: TokenScopes

  package let createdAtMilliseconds: Int64

  /// When it ends by itself; nil is never.
  package internal(set) var expiresAtMilliseconds: Int64?

  /// When it was revoked; nil if it was not.
  package internal(set) var revokedAtMilliseconds: Int64?
}

/// A token as it was made, with the text that is shown once.
package struct NewToken: Sendable, Equatable {
  package let record: TokenRecord

  /// `qv_` and 43 characters.
  package let secret: String
}

/// What a token lets its bearer do; the raw value is stored.
package struct TokenScopes: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Calls that change nothing; part of every token.
  package static let read = TokenScopes(rawValue: 1)

  /// Calls that change something.
  package static let write = TokenScopes(rawValue: 2)

  /// The calls of Admin, of an administrator.
  package static let admin = TokenScopes(rawValue: 4)

  /// All that a principal of that kind may be given.
  package static func all(of kind: PrincipalRecord.Kind) -> TokenScopes {
    kind == .administrator ? [.read, .write, .admin] : [.read, .write]
  }
}

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
