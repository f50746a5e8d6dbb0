/// The name of an exercise, which is another one as soon as one byte of it is.
public struct ExerciseName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name without white space at its ends.
  public let text: String

  /// Trims it; nil for a blank one, for more than 200 characters, and where a line would end in it.
  public init?(_ text: some StringProtocol) {
    let text = String(text).trimmingWhitespace
    guard !text.isEmpty, text.unicodeScalars.count <= TextLimits.nameLength,
      !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 })
    else { return nil }
    self.text = text
  }

  public var description: String { text }

  // Swift's own strings are equal where Unicode finds them so.
  public static func == (left: ExerciseName, right: ExerciseName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  public static func < (left: ExerciseName, right: ExerciseName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
