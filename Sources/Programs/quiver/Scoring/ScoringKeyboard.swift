import Glibc
import QuiverRules
import QuiverSession

/// Reads arrows and commands from standard input, a line at a time, into a scoring model.
@MainActor
final class ScoringKeyboard {
  private let scoring: ScoringModel
  private let session: OfflineSession
  private let isTerminal = isatty(STDIN_FILENO) == 1
  private var refusedCount = 0

  private static let help = """
    10 9 X            the next arrows of the end
    u                 undo the last entry
    s                 show the scorecard
    n NAME            continue with another archer
    g N               go to end N
    c END ARROW VALUE REASON   correct an arrow
    q                 end
    """

  init(_ scoring: ScoringModel, _ session: OfflineSession) {
    self.scoring = scoring
    self.session = session
  }

  /// Runs until the end of the input; returns the failure of a write.
  func run() async -> Failure? {
    do throws(Failure) {
      try Terminal.print("\(Terminal.oneLine(scoring.title)); ? for help")
      try prompt()
      do {
        for try await line in RequestSource.standardInput.messages() {
          let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
          if words.first == "q" || words.first == "quit" { break }
          if !words.isEmpty { try await take(words.map(String.init)) }
          try prompt()
        }
      } catch let failure as Failure {
        throw failure
      } catch {
        throw Failure.input("\(error)")
      }
      try await end()
      return nil
    } catch {
      return error
    }
  }

  /// The prompt of the next end, on a terminal.
  private func prompt() throws(Failure) {
    guard isTerminal else { return }
    guard let position = scoring.position, let archer = scoring.current else {
      return try Terminal.write("all arrows are shot> ")
    }
    let name = Terminal.escaped(Terminal.oneLine(archer.name))
    let waiting = scoring.waitingCount == 0 ? "" : ", \(scoring.waitingCount) wait"
    let place =
      "end \(position.endIndex + 1) of \(position.endCount), from arrow \(position.arrowIndex + 1)"
    let isBold = OutputStyle.hasColour(STDOUT_FILENO)
    let shown = isBold ? "\u{1B}[1m\(name)\u{1B}[0m" : name
    try Terminal.write("\(shown), \(place), total \(archer.tally.total)\(waiting)> ")
  }

  private func take(_ words: [String]) async throws(Failure) {
    do throws(SessionError) {
      switch (words[0].lowercased(), words.count) {
      case ("?", _), ("help", _): try print(Self.help)
      case ("u", 1), ("undo", 1):
        try await scoring.undo()
        try print("undone")
      case ("s", 1): try printCard()
      case ("n", 2...): try await scoring.switchTo(try archer(words.dropFirst()))
      case ("g", 2):
        guard let end = Int(words[1]), end > 0 else { throw Self.unknown(words) }
        try await scoring.goTo(end: end - 1)
      case ("c", 5...): try await correct(words)
      default: try await enter(words)
      }
    } catch {
      // A wrong line changes nothing, and the next one is asked for.
      Terminal.printError("quiver: \(Terminal.oneLine("\(error)"))")
      refusedCount += 1
      if error.code == .storage { throw .input("\(error)") }
    }
  }

  private func print(_ text: String) throws(SessionError) {
    do throws(Failure) {
      try Terminal.print(text)
    } catch {
      throw SessionError(.storage, error.lines.first ?? "")
    }
  }

  private func enter(_ words: [String]) async throws(SessionError) {
    var scores: [ArrowScore] = []
    for word in words {
      guard let score = ArrowScore(sheet: word) else { throw Self.unknown(words) }
      scores.append(score)
    }
    guard let archer = scoring.current, let position = scoring.position else {
      throw SessionError(.notPossible, "all arrows are shot; u undoes the last one")
    }
    try await scoring.enter(scores)
    let sum = scores.reduce(0) { $0 + $1.value }
    let total = scoring.card(archer.id)?.tally.total ?? 0
    let arrows = scores.map(\.description).joined(separator: " ")
    try print(
      "\(Terminal.oneLine(archer.name)), end \(position.endIndex + 1): \(arrows) = \(sum), total"
        + " \(total)")
  }

  private func correct(_ words: [String]) async throws(SessionError) {
    guard let end = Int(words[1]), let arrow = Int(words[2]), end > 0, arrow > 0,
      let score = ArrowScore(sheet: words[3])
    else { throw Self.unknown(words) }
    guard let archer = scoring.current ?? scoring.participants.first else {
      throw SessionError(.notFound, "there is nobody to score")
    }
    try await scoring.correct(
      score, at: ArrowSlot(endIndex: end - 1, arrowIndex: arrow - 1), of: archer.id,
      reason: words.dropFirst(4).joined(separator: " "))
    let total = scoring.card(archer.id)?.tally.total ?? 0
    try print("\(Terminal.oneLine(archer.name)), end \(end) is corrected, total \(total)")
  }

  /// The archer with a name or the beginning of one, in any case.
  private func archer(_ words: ArraySlice<String>) throws(SessionError) -> LocalID {
    let wanted = words.joined(separator: " ").lowercased()
    let all = scoring.participants
    let exact = all.filter { $0.name.lowercased() == wanted }
    let found = exact.isEmpty ? all.filter { $0.name.lowercased().hasPrefix(wanted) } : exact
    guard found.count == 1, let archer = found.first else {
      let names = all.map { Terminal.oneLine($0.name) }.joined(separator: ", ")
      throw SessionError(
        .notFound, "\(found.isEmpty ? "nobody is" : "several are") called that; there are \(names)")
    }
    return archer.id
  }

  private func printCard() throws(SessionError) {
    guard let archer = scoring.current ?? scoring.participants.first,
      let card = scoring.card(archer.id)
    else { return }
    let rows = card.ends.map { end in
      [
        "\(end.index + 1)",
        end.arrows.map { $0?.score?.description ?? "-" }.joined(separator: " "), "\(end.total)",
        "\(end.runningTotal)",
      ]
    }
    try print(Terminal.oneLine(archer.name))
    try print(Table.text([["END", "ARROWS", "SUM", "TOTAL"]] + rows))
  }

  /// Sends the waiting entries, and reports those that could not be sent.
  private func end() async throws(Failure) {
    if isTerminal { try Terminal.write("\n") }
    let report = await session.syncNow()
    await scoring.refresh()
    for participant in scoring.participants {
      let tally = participant.tally
      let arrows = tally.arrowCount == 1 ? "1 arrow" : "\(tally.arrowCount) arrows"
      try Terminal.print("\(Terminal.oneLine(participant.name)): \(tally.total), \(arrows)")
    }
    for entry in scoring.needsAttention {
      Terminal.printError(
        "quiver: \(Terminal.oneLine(entry.title)): \(Terminal.oneLine(entry.verdict))")
    }
    if scoring.waitingCount > 0 {
      let reason = report.error.map { " (\(Terminal.oneLine($0.message)))" } ?? ""
      Terminal.notice("\(scoring.waitingCount) entries wait to be sent by the next run\(reason)")
    }
    // A person at the keyboard sees the refusal; a script needs the exit code.
    guard isTerminal || refusedCount == 0 else {
      throw .input(refusedCount == 1 ? "1 line was refused" : "\(refusedCount) lines were refused")
    }
  }

  private static func unknown(_ words: [String]) -> SessionError {
    SessionError(
      .invalid, "\(words.joined(separator: " ")) is neither an end nor a command; ? lists both")
  }
}
