import QuiverWire

/// Decodes base64 that comes in parts: groups of four characters of the standard alphabet, of which
/// any may end with padding, as in bodies of `application/grpc-web-text`.
struct Base64Text {
  /// Of the group that is not whole.
  private var bits: UInt32 = 0
  /// The characters of the group that is not whole; below 4 between two parts.
  private(set) var characterCount = 0
  private var paddingCount = 0

  /// Whether the last group is whole.
  var isWhole: Bool { characterCount == 0 }

  /// Appends what a part decodes to, up to its first mistake. False: it is not base64.
  mutating func decode(_ part: UnsafeRawBufferPointer, into queue: inout ByteQueue) -> Bool {
    var decoded: [UInt8] = []
    decoded.reserveCapacity((part.count + characterCount) / 4 * 3)
    var isText = true
    for character in part {
      guard append(character) else {
        isText = false
        break
      }
      guard characterCount == 4 else { continue }
      for index in 0..<3 - paddingCount {
        decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index)))
      }
      (bits, characterCount, paddingCount) = (0, 0, 0)
    }
    queue.append(decoded)
    return isText
  }

  /// Takes a character into the group. False: it cannot stand there.
  private mutating func append(_ character: UInt8) -> Bool {
    if character == UInt8(ascii: "=") {
      guard characterCount >= 2 else { return false }
      paddingCount += 1
      bits <<= 6
    } else {
      guard paddingCount == 0, let value = Self.value(of: character) else { return false }
      bits = bits << 6 | value
    }
    characterCount += 1
    // The bits for which no byte is left must be zero.
    return characterCount < 4 || bits & (1 << UInt32(8 * paddingCount) - 1) == 0
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
