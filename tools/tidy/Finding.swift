/// A violation of a rule.
struct Finding: Equatable, Comparable, CustomStringConvertible {
  /// The path relative to the root of the tree.
  var file: String
  /// From 1.
  var line: Int
  var rule: Rule
  var sentence: String

  var description: String { "\(file):\(line): \(rule.rawValue): \(sentence)" }

  static func < (a: Finding, b: Finding) -> Bool {
    (a.file, a.line, a.rule.rawValue, a.sentence) < (b.file, b.line, b.rule.rawValue, b.sentence)
  }
}
