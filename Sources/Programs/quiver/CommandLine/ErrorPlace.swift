/// The parts of a message of the server that names a field: `NOT_YET: operations[0].end_index: …`.
struct ErrorPlace {
  /// The reason in capitals with what divides it from the rest; empty: there is none.
  let reason: String
  /// The path of the field, as in `operations[0].end_index`.
  let path: String
  /// The rest, from the colon behind the path on.
  let rest: String

  /// Nil for a message that names no field.
  init?(_ message: String) {
    var text = message[...]
    var reason = ""
    let capitals = text.prefix { $0 == "_" || ("A"..."Z").contains($0) }
    if !capitals.isEmpty, text.dropFirst(capitals.count).hasPrefix(": ") {
      reason = capitals + ": "
      text = text.dropFirst(reason.count)
    }
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    let isPath = text[..<colon].utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"):
        true
      default: false
      }
    }
    guard isPath else { return nil }
    (self.reason, path, rest) = (reason, String(text[..<colon]), String(text[colon...]))
  }

  /// The names of the fields without the places in lists.
  var fields: [String] {
    path.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
  }

  /// The first place in a list; nil: the path has none.
  var index: Int? { path.firstMatch(of: /\[([0-9]+)\]/).flatMap { Int($0.1) } }

  /// The message with other words in place of the path.
  func message(with words: String) -> String { reason + words + rest }
}
