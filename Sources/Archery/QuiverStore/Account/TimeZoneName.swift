/// The form of an IANA time zone's name; whether there is such a zone is not asked.
enum TimeZoneName {
  /// Whether the text is empty, or parts of letters, digits, `_`, `+` and `-` between slashes, the
  /// first of which begins with a letter.
  static func isWellFormed(_ name: String) -> Bool {
    guard !name.isEmpty else { return true }
    let bytes = Array(name.utf8)
    guard bytes.count <= StoreLimits.timeZoneLength, let first = bytes.first, isLetter(first)
    else { return false }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { isLetter($0) || isOther($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }

  private static func isOther(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
