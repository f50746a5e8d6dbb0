import QuiverSession

/// What the server refused: an entry stays on this machine until it is sent again or discarded.
extension ScoringKeyboard {
  /// A line for each, with its number.
  var refusalLines: [String] {
    scoring.needsAttention.map { entry in
      let verdict = entry.verdict.isEmpty ? "\(entry.mark)" : entry.verdict
      return "\(entry.id): \(Terminal.oneLine(entry.title)): \(Terminal.oneLine(verdict))"
    }
  }

  var refusals: String {
    refusalLines.isEmpty ? "the server refused nothing" : refusalLines.joined(separator: "\n")
  }

  /// Sends an entry again, replaces another scorer's by it, or discards it: `r`, `o` and `d`.
  func decide(_ words: [String]) async throws(SessionError) {
    let all = scoring.needsAttention
    var entries = all
    if words.count > 1 {
      guard let number = Int64(words[1]) else { throw Self.unknown(words) }
      entries = all.filter { $0.id == number }
      guard !entries.isEmpty else {
        throw SessionError(.notFound, "there is no refused entry \(number); w lists them")
      }
    }
    for entry in entries {
      switch words[0].lowercased() {
      case "r": try await scoring.retry(entry.id)
      case "o": try await scoring.overwrite(entry.id)
      default: try await scoring.discard(entry.id)
      }
    }
    let count = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
    try show(words[0].lowercased() == "d" ? "\(count) discarded" : "\(count) to be sent again")
  }
}
