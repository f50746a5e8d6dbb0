/// Text of HTTP as it came: a method, a path, the name of a field or its value.
///
/// It is compared, searched and divided by its bytes. Where case is ignored, which names say, it is
/// that of the letters A to Z. `String` compares by Unicode: for it the Kelvin sign U+212A equals
/// `K` and has the lower case `k`, so that `chun`, U+212A and `ed` would pass as `chunked`.
package struct HTTPText: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// For other uses than comparing.
  package let string: String

  package init(_ string: some StringProtocol) { self.string = String(string) }

  package init(stringLiteral string: String) { self.string = string }

  /// The text of bytes; what is no UTF-8 in them is replaced.
  package init(decoding bytes: some Collection<UInt8>) {
    string = String(decoding: bytes, as: UTF8.self)
  }

  package var description: String { string }

  package var bytes: String.UTF8View { string.utf8 }

  package var isEmpty: Bool { bytes.isEmpty }

  package static func == (one: Self, other: Self) -> Bool {
    one.bytes.count == other.bytes.count && one.bytes.elementsEqual(other.bytes)
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  // MARK: Case

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// With a to z for the letters A to Z.
  package var inLowerCase: HTTPText {
    let isUpper = { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    guard bytes.contains(where: isUpper) else { return self }
    return HTTPText(decoding: bytes.map(Self.lowercase))
  }

  /// Whether it is a word of HTTP, which has no case, such as `chunked`.
  package func isToken(_ token: HTTPText) -> Bool {
    bytes.count == token.bytes.count
      && zip(bytes, token.bytes).allSatisfy { Self.lowercase($0) == Self.lowercase($1) }
  }

  // MARK: Parts

  package func begins(with prefix: HTTPText) -> Bool { bytes.starts(with: prefix.bytes) }

  package func ends(with suffix: HTTPText) -> Bool {
    bytes.reversed().starts(with: suffix.bytes.reversed())
  }

  /// Without its first bytes.
  package func dropping(_ byteCount: Int) -> HTTPText {
    HTTPText(decoding: bytes.dropFirst(byteCount))
  }

  /// Whether it has another text in it.
  package func contains(_ other: HTTPText) -> Bool {
    var rest = bytes[...]
    while rest.count >= other.bytes.count {
      if rest.starts(with: other.bytes) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// The parts between a character of ASCII, also empty ones.
  package func split(_ separator: Unicode.Scalar, most splits: Int = .max) -> [HTTPText] {
    bytes.split(
      separator: UInt8(ascii: separator), maxSplits: splits, omittingEmptySubsequences: false
    ).map { HTTPText(decoding: $0) }
  }

  /// The members of a list with a separator, without spaces around them.
  package func list(_ separator: Unicode.Scalar = ",") -> [HTTPText] {
    split(separator).map(\.trimmed)
  }

  /// Without spaces and tabs at both ends.
  package var trimmed: HTTPText {
    let isSpace = { (byte: UInt8) in byte == 32 || byte == 9 }
    guard bytes.first.map(isSpace) == true || bytes.last.map(isSpace) == true else { return self }
    let rest = bytes.drop(while: isSpace)
    let spaces = rest.reversed().prefix(while: isSpace).count
    return HTTPText(decoding: rest.dropLast(spaces))
  }
}
