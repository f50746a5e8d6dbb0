import QuiverWire

/// A position of a store, as calls and replies state it in metadata.
///
/// Its text is the epoch of the store in 16 hexadecimal digits, `-`, and the position in decimal:
/// `9f3c0a2b51d7e846-123456789`. Positions of one epoch grow; those of two epochs have no order.
package struct StorePosition: Sendable, Equatable {
  /// The key of the metadata.
  package static let key = "quiver-position"

  package let epoch: UInt64

  /// Above 0.
  package let sequence: Int64

  private static let epochDigits = 16
  private static let longestSequence = 19

  package init(epoch: UInt64, sequence: Int64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// The position of a text; nil if it is not one in exactly this form.
  package init?(_ text: [UInt8]) {
    let digits = text.dropFirst(Self.epochDigits + 1)
    guard text.count > Self.epochDigits + 1, digits.count <= Self.longestSequence,
      text[Self.epochDigits] == UInt8(ascii: "-"), digits.first != UInt8(ascii: "0")
    else { return nil }
    var epoch: UInt64 = 0
    for byte in text.prefix(Self.epochDigits) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): epoch = epoch << 4 | UInt64(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): epoch = epoch << 4 | UInt64(byte - 0x61 + 10)
      default: return nil
      }
    }
    // 19 digits fit.
    var sequence: UInt64 = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      sequence = sequence &* 10 &+ UInt64(byte &- 0x30)
    }
    guard let sequence = Int64(exactly: sequence) else { return nil }
    self.init(epoch: epoch, sequence: sequence)
  }

  /// The position that a call or a reply states; nil if it states none, or not in this form.
  package init?(in metadata: Metadata) {
    guard let entry = metadata.entries.first(where: { $0.key == Self.key }) else { return nil }
    self.init(entry.value)
  }

  /// The position that a call states. Throws INVALID_ARGUMENT.
  package init(statedBy values: [[UInt8]]) throws(RPCError) {
    guard values.count == 1, let position = Self(values[0]) else {
      throw RPCError(
        .invalidArgument,
        "\(Self.key): must be one position as a server has stated it, 16 hexadecimal digits, a"
          + " hyphen and a decimal number", isNotProcessed: true)
    }
    self = position
  }

  /// The text.
  package var bytes: [UInt8] {
    let digits = String(epoch, radix: 16)
    let zeros = String(repeating: "0", count: Self.epochDigits - digits.utf8.count)
    return Array("\(zeros)\(digits)-\(sequence)".utf8)
  }
}
