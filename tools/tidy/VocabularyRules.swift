/// Names, comments and prose use the words of the field, not those of `Vocabulary`.
enum VocabularyRules {
  static func findings(in tree: Tree, pending: [String] = Vocabulary.pending) -> [Finding] {
    let swift = tree.swift.map { ($0.path, $0.lines) }
    let texts = (tree.texts + tree.prose).map { ($0.path, $0.lines) }
    return (swift + texts).flatMap { path, lines -> [Finding] in
      guard !Vocabulary.exemptFiles.contains(path),
        !pending.contains(where: { path.hasPrefix($0) })
      else { return [] }
      return lines.enumerated().flatMap { findings(in: $1, number: $0 + 1, of: path) }
    }
  }

  /// Where each first word of a form leads: the entry and the whole form.
  private static let forms: [String: [(entry: Int, words: [String])]] = {
    var found: [String: [(entry: Int, words: [String])]] = [:]
    for (index, entry) in Vocabulary.entries.enumerated() {
      for form in entry.forms {
        let words = form.split(separator: " ").map(String.init)
        found[words[0], default: []].append((index, words))
      }
    }
    return found
  }()

  private static func findings(in line: Substring, number: Int, of path: String) -> [Finding] {
    let words = words(in: line)
    var found: [Finding] = []
    var text: String?
    for index in words.indices {
      for (entry, form) in forms[words[index].text] ?? [] {
        guard matches(form, words[index...]) else { continue }
        let rule = Vocabulary.entries[entry]
        if rule.exceptPaths.contains(where: { path.hasPrefix($0) }) { continue }
        let joined = text ?? " " + words.map(\.text).joined(separator: " ") + " "
        text = joined
        if rule.exceptPhrases.contains(where: { joined.contains(" " + $0 + " ") }) { continue }
        found.append(
          Finding(
            file: path, line: number, rule: .vocabulary,
            sentence: "\"\(form.joined(separator: " "))\": say \(rule.instead)"))
      }
    }
    return found
  }

  /// A phrase does not match across the words of one identifier, as in `let inner`.
  private static func matches(_ form: [String], _ words: ArraySlice<Word>) -> Bool {
    guard words.count >= form.count else { return false }
    return zip(words, form).enumerated().allSatisfy { offset, pair in
      pair.0.text == pair.1 && (form.count == 1 || pair.0.isWhole)
    }
  }

  private struct Word {
    var text: String
    /// Whether it is not a part of a longer identifier.
    var isWhole: Bool
  }

  /// The words of a line in lower case; `hasRoomLeft` is three words.
  private static func words(in line: Substring) -> [Word] {
    var found: [Word] = []
    let bytes = Array(line.utf8)
    var at = 0
    func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || (97...122).contains(byte) }
    func isUpper(_ byte: UInt8) -> Bool { (65...90).contains(byte) }
    while at < bytes.count {
      guard isLetter(bytes[at]) else {
        at += 1
        continue
      }
      let start = at
      at += 1
      // `HTTPHeader` is `HTTP` and `Header`.
      while at < bytes.count, isLetter(bytes[at]),
        !isUpper(bytes[at])
          || (isUpper(bytes[at - 1])
            && !(at + 1 < bytes.count && (97...122).contains(bytes[at + 1])))
      { at += 1 }
      func joins(_ index: Int) -> Bool {
        bytes.indices.contains(index)
          && (isLetter(bytes[index]) || bytes[index] == 95 || (48...57).contains(bytes[index]))
      }
      found.append(
        Word(
          text: String(decoding: bytes[start..<at], as: UTF8.self).lowercased(),
          isWhole: !joins(start - 1) && !joins(at)))
    }
    return found
  }
}
