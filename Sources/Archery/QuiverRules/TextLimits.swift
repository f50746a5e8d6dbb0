/// How long texts may be, in Unicode scalars after trimming.
public enum TextLimits {
  /// The largest number of characters of a name.
  public static let nameLength = 200
  /// The largest number of characters of notes.
  public static let notesLength = 4_000
  /// The largest number of characters of a person's shown name.
  public static let displayNameLength = 50

  /// A text as it is stored, trimmed, or the violation of its length; `path` names its field.
  ///
  /// U+0000 is a violation too: PostgreSQL stores no text with it.
  public static func checked(
    _ text: String, length: Int, path: String
  ) throws(RuleViolation) -> String {
    let text = text.trimmingWhitespace
    if let complaint = complaint(about: text, length: length) {
      throw RuleViolation(field: path, message: complaint)
    }
    return text
  }

  /// What is wrong with a text of at most so many characters; nil: nothing.
  static func complaint(about text: String, length: Int) -> String? {
    guard text.unicodeScalars.count <= length else {
      return "must have at most \(length) characters"
    }
    return text.hasZeroCharacter ? zeroCharacterComplaint : nil
  }

  /// What is wrong with a text that contains U+0000.
  public static let zeroCharacterComplaint = "must not contain the character U+0000"
}

extension UnsafeRawBufferPointer {
  /// Whether a byte is zero, found in words of eight bytes: an import compares all stored notes.
  ///
  /// A word has a zero byte where taking one from each of its bytes sets a high bit that the byte
  /// did not have.
  fileprivate var hasZeroByte: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = 0
    while index + 8 <= count {
      let word = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if (word &- ones) & ~word & (ones << 7) != 0 { return true }
      index += 8
    }
    return self[index...].contains(0)
  }
}

extension String {
  /// Whether the text contains U+0000, which no text of PostgreSQL can.
  public var hasZeroCharacter: Bool {
    utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).hasZeroByte }
      ?? utf8.contains(0)
  }

  /// The text with a question mark in place of each U+0000: a byte for a byte, so that what is
  /// counted of stored texts stays right.
  public var replacingZeroCharacters: String {
    guard hasZeroCharacter else { return self }
    var result = ""
    for scalar in unicodeScalars {
      result.unicodeScalars.append(scalar.value == 0 ? "?" : scalar)
    }
    return result
  }

  /// The text without Unicode white space at its ends.
  public var trimmingWhitespace: String {
    // Most texts begin and end with a letter, a digit or a point, and are kept as they are.
    if let first = utf8.first, let last = utf8.last, (0x21...0x7E).contains(first),
      (0x21...0x7E).contains(last)
    {
      return self
    }
    let scalars = self.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
