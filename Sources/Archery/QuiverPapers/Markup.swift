/// Text as HTML.
package enum Markup {
  /// A text of a user between tags or in a quoted attribute.
  ///
  /// Characters with a meaning in HTML are escaped. Control characters become spaces, and the
  /// characters that embed or override the direction of text (U+202A to U+202E, U+2066 to U+2069)
  /// are left out: they could show one name as another.
  package static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in PlainText.shown(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A text of a user with its own direction, so that it does not reorder the adjacent text.
  package static func isolated(_ text: String) -> String {
    text.isEmpty ? "" : "<bdi>\(escaped(text))</bdi>"
  }
}

/// Texts of users without characters that change how other text is shown.
package enum PlainText {
  /// The text with spaces for control characters and line ends, and without embeddings and
  /// overrides of the direction.
  package static func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: result.append(" ")
      case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
