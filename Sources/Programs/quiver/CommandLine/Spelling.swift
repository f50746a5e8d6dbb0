/// Finds similar names.
enum Spelling {
  /// The known words that are similar to `text`, most similar first, at most five.
  static func near(_ text: String, among known: [String]) -> [String] {
    let text = text.lowercased()
    let ranked = known.compactMap { word -> (word: String, rank: Int)? in
      let lower = word.lowercased()
      let changes = distance(text, lower)
      if changes <= max(2, word.count / 4) { return (word, changes) }
      // The beginning of a longer name with a mistake, as `--lenght` for `--length-in`.
      let start = distance(text, String(lower.prefix(text.count)))
      if text.count >= 6, start <= 2 { return (word, 50 + start) }
      // A part of a long name, or an extension of a name.
      let holds = text.count >= 3 && (lower.contains(text) || text.contains(lower))
      return holds ? (word, 100 + changes) : nil
    }
    return ranked.sorted { ($0.rank, $0.word) < ($1.rank, $1.word) }.prefix(5).map(\.word)
  }

  /// "; did you mean a or b?", or nothing if no word is similar.
  static func question(_ text: String, among known: [String]) -> String {
    let words = near(text, among: known)
    guard let last = words.last else { return "" }
    let others = words.dropLast().joined(separator: ", ")
    return "; did you mean " + (others.isEmpty ? last : "\(others) or \(last)") + "?"
  }

  /// The number of characters to add, remove or replace (Levenshtein distance).
  static func distance(_ left: String, _ right: String) -> Int {
    // Longer texts are not similar to any name.
    let (left, right) = (Array(left.prefix(96)), Array(right.prefix(96)))
    var row = Array(0...right.count)
    for (place, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for column in right.indices {
        let replaced = diagonal + (character == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
