/// How long texts may be, in Unicode scalars after trimming.
public enum TextLimits {
  public static let nameLength = 200
  public static let notesLength = 4_000
  public static let displayNameLength = 50
}

extension String {
  /// The text without Unicode white space at its ends.
  public var trimmingWhitespace: String {
    let scalars = self.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
