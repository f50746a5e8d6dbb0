/// Finds what somebody meant to write.
package enum Spelling {
  /// The known word that takes the fewest changes to reach; nil if none is near.
  package static func nearest(to text: String, among known: [String]) -> String? {
    let ranked = known.map { (word: $0, distance: distance(text, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.word.count / 3) ? best.word : nil
  }

  /// How many characters must be added, removed or replaced (Levenshtein).
  package static func distance(_ left: String, _ right: String) -> Int {
    // A text of hundreds of characters is no misspelt flag.
    let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
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
