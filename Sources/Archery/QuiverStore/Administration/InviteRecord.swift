import QuiverCrypto

/// What is kept of an invite: everything but its code.
package struct InviteRecord: Sendable, Equatable {
  package let id: Int64
  package let label: String

  /// How often it could be redeemed when it was made, and still can.
  package let uses: Int64
  package internal(set) var usesLeft: Int64

  /// The principal that made it.
  package let createdBy: Int64

  package let createdAtMilliseconds: Int64

  /// When it ends by itself; nil is never.
  package let expiresAtMilliseconds: Int64?

  /// When it was revoked; nil if it was not.
  package internal(set) var revokedAtMilliseconds: Int64?
}

/// An invite as it was made, with the code that is shown once.
package struct CodedInvite: Sendable, Equatable {
  package let record: InviteRecord

  /// 8 characters of Crockford's base32.
  package let code: String
}

/// A principal that an invite has made, with its token.
package struct RedeemedInvite: Sendable, Equatable {
  package let principal: PrincipalRecord
  package let token: NewToken
}

/// The text of an invite: 8 characters of Crockford's base32, 40 random bits.
package enum InviteCode {
  package static let characterCount = 8

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// A code that nobody can guess, within the tries that an address has.
  static func make() throws(StoreError) -> String {
    do {
      let bytes = try RandomBytes.make(characterCount)
      // 256 is 8 times 32: each character is as likely as the others.
      return String(decoding: bytes.map { alphabet[Int($0 & 31)] }, as: UTF8.self)
    } catch {
      throw StoreError(.unavailable, "\(error)", notProcessed: true)
    }
  }

  /// What is kept of a code: SHA-256 of its one spelling. Nil for what cannot be a code.
  ///
  /// Lower case is upper case, I and L are 1, O is 0; hyphens and blanks do not count.
  static func hash(_ text: String) -> [UInt8]? {
    spelling(text).map { SHA256.hash(Array($0.utf8)) }
  }

  /// The one spelling of a code; nil for what cannot be one.
  static func spelling(_ text: String) -> String? {
    guard text.utf8.count <= 4 * characterCount else { return nil }
    var spelling: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard let character = character(byte) else { return nil }
      spelling.append(character)
    }
    return spelling.count == characterCount ? String(decoding: spelling, as: UTF8.self) : nil
  }

  private static func character(_ byte: UInt8) -> UInt8? {
    let isLower = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
    let upper = isLower ? byte - 32 : byte
    switch upper {
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
    case UInt8(ascii: "O"): return UInt8(ascii: "0")
    default: return alphabet.contains(upper) ? upper : nil
    }
  }
}
