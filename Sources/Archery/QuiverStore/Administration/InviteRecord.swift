import QuiverCrypto

/// The stored fields of an invite, without its code.
package struct InviteRecord: Sendable, Equatable {
  package let id: Int64
  package let label: String

  /// How often it could be redeemed at its creation.
  package let uses: Int64
  package internal(set) var usesLeft: Int64

  /// The principal that created it.
  package let createdBy: Int64

  package let createdAtMilliseconds: Int64

  /// Its expiry; nil if it has none.
  package let expiresAtMilliseconds: Int64?

  /// When it was revoked; nil if it was not.
  package internal(set) var revokedAtMilliseconds: Int64?
}

/// A new invite with its code, which is shown once.
package struct CodedInvite: Sendable, Equatable {
  package let record: InviteRecord

  /// 16 characters of Crockford's base32, without hyphens.
  package let code: String
}

/// A principal that an invite created, with its token.
package struct RedeemedInvite: Sendable, Equatable {
  package let principal: PrincipalRecord
  package let token: NewToken
}

/// The code of an invite or an event: 16 characters of Crockford's base32, 80 random bits.
///
/// Codes of 8 characters, from before, stay valid. They can be guessed, so that callers try them at
/// a limited rate; the others cannot, and a valid one is never refused.
package enum InviteCode {
  package static let characterCount = 16
  package static let shortCharacterCount = 8

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// A new code, in its one spelling.
  static func make() throws(StoreError) -> String {
    do {
      let bytes = try RandomBytes.make(characterCount)
      // 256 is 8 times 32, so all characters have the same probability.
      return String(decoding: bytes.map { alphabet[Int($0 & 31)] }, as: UTF8.self)
    } catch {
      throw StoreError(.unavailable, "\(error)", notProcessed: true)
    }
  }

  /// The stored form of a code: SHA-256 of its normalized spelling. Nil for a text that is not a
  /// code.
  ///
  /// Lower case equals upper case, I and L equal 1, O equals 0; hyphens and blanks are ignored.
  static func hash(_ text: String) -> [UInt8]? {
    spelling(text).map { SHA256.hash(Array($0.utf8)) }
  }

  /// The normalized spelling of a code; nil for a text that is not a code.
  static func spelling(_ text: String) -> String? {
    guard text.utf8.count <= 4 * characterCount else { return nil }
    var spelling: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard let character = character(byte) else { return nil }
      spelling.append(character)
    }
    guard spelling.count == characterCount || spelling.count == shortCharacterCount else {
      return nil
    }
    return String(decoding: spelling, as: UTF8.self)
  }

  /// Whether a text is a code that can be guessed.
  package static func isShort(_ text: String) -> Bool {
    spelling(text)?.utf8.count == shortCharacterCount
  }

  /// A code as it is shown: in groups of four characters, a short one as it is.
  package static func grouped(_ code: String) -> String {
    guard code.utf8.count == characterCount else { return code }
    let characters = Array(code)
    return stride(from: 0, to: characters.count, by: 4)
      .map { String(characters[$0..<min($0 + 4, characters.count)]) }.joined(separator: "-")
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
