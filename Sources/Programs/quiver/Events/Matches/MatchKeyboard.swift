import Glibc
import QuiverRules
import QuiverSession

/// Reads the ends of a match and commands from standard input, a line at a time.
@MainActor
final class MatchKeyboard {
  private let model: MatchModel
  private let session: OfflineSession
  private let isTerminal = isatty(STDIN_FILENO) == 1
  private var refusedCount = 0
  /// The side that a command selected for the next line; nil: the one whose end is missing.
  private var selected: Int?
  /// The last entry that was typed, which `u` removes.
  private var last: (side: Int, isShootOff: Bool, index: Int)?

  static let help = """
    10 9 X                   the end of the side that the prompt names
    X 12.5mm, 10 closer      a shoot-off with its distance, or with a judge's mark
    n ARCHER                 the next line is of this side: a name, 1 or 2
    c END ARROW… REASON      correct an end of the side that is next
    u                        remove the last end
    s                        show both cards
    confirm                  confirm both cards of a decided match
    w, r [N], o N, d N       what the server refused: list, send again, replace, discard
    q                        end
    """

  init(_ model: MatchModel, _ session: OfflineSession) {
    self.model = model
    self.session = session
  }

  /// Runs until the end of the input; returns the failure of a write.
  func run() async -> Failure? {
    do throws(Failure) {
      guard model.sides.count == 2, model.sides.allSatisfy({ $0.seed > 0 }) else {
        throw Failure.input("the match waits for its archers")
      }
      guard model.sides.contains(where: \.mayScore) else {
        throw Failure.input("you may not score this match")
      }
      let names = model.sides.map { Terminal.oneLine($0.name) }.joined(separator: " : ")
      try Terminal.print("\(names); ? for help")
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

  /// What is next, and of whom.
  private enum Next {
    case entry(side: Int, isShootOff: Bool, index: Int)
    case measuring(Int)
    case decided(String)
    case nothing
  }

  private var next: Next {
    switch model.step {
    case .end(let index): return entry(index, isShootOff: false)
    case .shootOff(let index): return entry(index, isShootOff: true)
    case .measuring(let index): return .measuring(index)
    case .decided(let winner):
      let name = winner.flatMap { side in model.sides.first { $0.id == side }?.name }
      return .decided(name.map(Terminal.oneLine) ?? "nobody")
    case .unknown, .waitingForArchers, .bye: return .nothing
    }
  }

  /// The first side that the user scores and that has no entry at a place.
  private func entry(_ index: Int, isShootOff: Bool) -> Next {
    let open = model.sides.filter { side in
      side.mayScore
        && !side.entries.contains { $0.isShootOff == isShootOff && $0.index == index }
    }
    let side = selected ?? open.first?.id ?? model.sides.first { $0.mayScore }?.id ?? 1
    return .entry(side: side, isShootOff: isShootOff, index: index)
  }

  private func name(_ side: Int) -> String {
    Terminal.oneLine(model.sides.first { $0.id == side }?.name ?? "")
  }

  private func prompt() throws(Failure) {
    guard isTerminal else { return }
    let waiting = model.waitingCount == 0 ? "" : ", \(model.waitingCount) wait"
    let text =
      switch next {
      case .entry(let side, let isShootOff, let index):
        "\(name(side)), \(isShootOff ? "shoot-off" : "end") \(index + 1), \(standing)\(waiting)"
      case .measuring(let index):
        "shoot-off \(index + 1) is tied: type its arrow with a distance, or closer"
      case .decided(let winner):
        model.isConfirmed
          ? "\(winner) wins, both cards are confirmed" : "\(winner) wins; confirm\(waiting)"
      case .nothing: "nothing is to be shot"
      }
    try Terminal.write("\(Terminal.escaped(text))> ")
  }

  /// As in `4 : 2`, or totals where sets do not count.
  private var standing: String {
    let hasSets = model.sides.contains { $0.setPoints > 0 }
    return model.sides.map { "\(hasSets ? $0.setPoints : $0.total)" }.joined(separator: " : ")
  }

  private func take(_ words: [String]) async throws(Failure) {
    do throws(SessionError) {
      switch (words[0].lowercased(), words.count) {
      case ("?", _), ("help", _): try show(Self.help)
      case ("s", 1): try showCards()
      case ("u", 1), ("undo", 1): try await undo()
      case ("n", 2...): selected = try side(words.dropFirst().joined(separator: " "))
      case ("c", 4...): try await correct(Array(words.dropFirst()))
      case ("confirm", 1): try await confirm()
      case ("w", 1): try show(refusals)
      case ("r", 1...2), ("o", 2), ("d", 2): try await decide(words)
      default: try await enter(words)
      }
    } catch {
      // A wrong line changes nothing, and the next one is asked for.
      Terminal.printError("quiver: \(Terminal.oneLine("\(error)"))")
      refusedCount += 1
      if error.code == .storage { throw .input("\(error)") }
    }
  }

  private func show(_ text: String) throws(SessionError) {
    do throws(Failure) {
      try Terminal.print(text)
    } catch {
      throw SessionError(.storage, error.lines.first ?? "")
    }
  }

  /// The side that a text names: 1, 2, a name or the beginning of one.
  private func side(_ text: String) throws(SessionError) -> Int {
    if let number = Int(text), (1...2).contains(number) { return number }
    let wanted = NameChoice.folded(text)
    let found = model.sides.filter { NameChoice.folded($0.name).hasPrefix(wanted) }
    guard found.count == 1, !wanted.isEmpty else {
      let names = model.sides.map { Terminal.oneLine($0.name) }.joined(separator: " and ")
      throw SessionError(.notFound, "\(Terminal.oneLine(text)) is not one of \(names)")
    }
    return found[0].id
  }

  // MARK: Ends

  private func enter(_ words: [String]) async throws(SessionError) {
    let shot = try Self.shot(words)
    switch next {
    case .entry(let side, let isShootOff, let index):
      if isShootOff {
        try await model.enter(shot, side: side, index: index)
      } else {
        try await model.enter(try Self.plain(shot), side: side, end: index)
      }
      last = (side, isShootOff, index)
      selected = nil
      await model.refresh()
      try show("\(name(side)), \(Self.text(shot)), \(standing)")
    case .measuring(let index):
      let side = selected ?? shotSide(shot, index)
      try await model.correct(shot, side: side, index: index, reason: "the shoot-off is measured")
      selected = nil
      await model.refresh()
      try show("\(name(side)), shoot-off \(index + 1): \(Self.text(shot))")
    case .decided(let winner):
      throw SessionError(.notPossible, "the match is decided: \(winner) wins; c corrects an end")
    case .nothing: throw SessionError(.notPossible, "nothing is to be shot in this match")
    }
  }

  /// The side whose shoot-off is measured next: the first one without a distance.
  private func shotSide(_ shot: MatchShootOff, _ index: Int) -> Int {
    let open = model.sides.first { side in
      side.entries.contains { $0.isShootOff && $0.index == index && $0.distances.isEmpty }
    }
    return open?.id ?? 1
  }

  private func correct(_ words: [String]) async throws(SessionError) {
    guard let end = Int(words[0]), end > 0 else {
      throw SessionError(.invalid, "END counts from 1, not \(words[0])")
    }
    let arrows = words.dropFirst().prefix { ArrowScore(sheet: $0) != nil }
    let reason = words.dropFirst(1 + arrows.count).joined(separator: " ")
    guard !arrows.isEmpty, !reason.isEmpty else {
      throw SessionError(.invalid, "expected c END, the arrows and a reason")
    }
    let side = selected ?? last?.side ?? 1
    let shot = try Self.shot(Array(arrows))
    try await model.correct(shot.arrows, side: side, end: end - 1, reason: reason)
    selected = nil
    await model.refresh()
    try show("\(name(side)), end \(end) is corrected: \(Self.text(shot)), \(standing)")
  }

  private func undo() async throws(SessionError) {
    guard let last,
      let entry = model.sides.first(where: { $0.id == last.side })?.entries.first(where: {
        $0.isShootOff == last.isShootOff && $0.index == last.index
      })
    else { throw SessionError(.notPossible, "there is no end to remove") }
    try await model.remove(entry, side: last.side, reason: "typed by mistake")
    self.last = nil
    await model.refresh()
    try show("removed: \(name(last.side)), \(standing)")
  }

  private func confirm() async throws(SessionError) {
    guard case .decided = next else {
      throw SessionError(.notPossible, "the match is not decided")
    }
    let sides = model.sides.filter { $0.mayScore && !$0.isConfirmed }.map(\.id)
    for side in sides {
      // What was typed here changes the revision that is confirmed when it is sent. Without a
      // connection the cards of this device are confirmed.
      await session.syncNow()
      try? await model.load()
      await model.refresh()
      try await model.confirm(side: side)
    }
    let report = await session.syncNow()
    await model.refresh()
    let waits = report.error.map { ", which is sent later: \(Terminal.oneLine($0.message))" } ?? ""
    try show("the cards are confirmed\(waits)")
  }

  private func showCards() throws(SessionError) {
    var places: [(isShootOff: Bool, index: Int)] = []
    for entry in model.sides.flatMap(\.entries)
    where !places.contains(where: { $0 == (entry.isShootOff, entry.index) }) {
      places.append((entry.isShootOff, entry.index))
    }
    places.sort { ($0.isShootOff ? 1 : 0, $0.index) < ($1.isShootOff ? 1 : 0, $1.index) }
    var rows = [["END"] + model.sides.map { Terminal.oneLine($0.name) }]
    for place in places {
      let cells = model.sides.map { side in
        side.entries.first { $0.isShootOff == place.isShootOff && $0.index == place.index }
          .map(Self.text) ?? "-"
      }
      rows.append(
        [place.isShootOff ? "shoot-off \(place.index + 1)" : "\(place.index + 1)"] + cells)
    }
    rows.append(["total"] + model.sides.map { "\($0.total)" })
    rows.append(["sets"] + model.sides.map { "\($0.setPoints)" })
    try show(Table.text(rows))
  }

  // MARK: Words

  /// The arrows of a line, with the distances and the mark of a shoot-off.
  static func shot(_ words: [String]) throws(SessionError) -> MatchShootOff {
    var shot = MatchShootOff([])
    for word in words {
      if let score = ArrowScore(sheet: word), shot.distances.isEmpty, !shot.isCloser {
        shot.arrows.append(score)
      } else if let tenths = tenths(word), !shot.arrows.isEmpty {
        shot.distances.append(tenths)
      } else if word.lowercased() == "closer", !shot.arrows.isEmpty {
        shot.isCloser = true
      } else {
        throw SessionError(
          .invalid,
          "\(words.joined(separator: " ")) is neither an end nor a command; ? lists both")
      }
    }
    return shot
  }

  /// Tenths of a millimetre of `12.5mm`.
  private static func tenths(_ word: String) -> Int? {
    guard word.lowercased().hasSuffix("mm"), let number = Double(word.dropLast(2)),
      number.isFinite, (0...2_000).contains(number)
    else { return nil }
    return Int((number * 10).rounded())
  }

  private static func plain(_ shot: MatchShootOff) throws(SessionError) -> [ArrowScore] {
    guard shot.distances.isEmpty, !shot.isCloser else {
      throw SessionError(.invalid, "only a shoot-off has distances and a judge's mark")
    }
    return shot.arrows
  }

  private static func text(_ shot: MatchShootOff) -> String {
    let arrows = shot.arrows.map(\.description).joined(separator: " ")
    return "\(arrows) = \(shot.arrows.reduce(0) { $0 + $1.value })"
  }

  private static func text(_ entry: MatchEntryState) -> String {
    let arrows = entry.arrows.map(\.description).joined(separator: " ")
    let distances = entry.distances.map { " \($0 / 10).\($0 % 10)mm" }.joined()
    return arrows + distances + (entry.isCloser ? " closer" : "")
  }

  // MARK: Refusals

  private var refusals: String {
    let lines = model.needsAttention.map { entry in
      let verdict = entry.verdict.isEmpty ? "\(entry.mark)" : entry.verdict
      return "\(entry.id): \(Terminal.oneLine(entry.title)): \(Terminal.oneLine(verdict))"
    }
    return lines.isEmpty ? "the server refused nothing" : lines.joined(separator: "\n")
  }

  private func decide(_ words: [String]) async throws(SessionError) {
    var entries = model.needsAttention
    if words.count > 1 {
      entries = entries.filter { "\($0.id)" == words[1] }
      guard !entries.isEmpty else {
        throw SessionError(.notFound, "there is no refused entry \(words[1]); w lists them")
      }
    }
    for entry in entries {
      switch words[0].lowercased() {
      case "r": try await model.retry(entry.id)
      case "o": try await model.overwrite(entry.id)
      default: try await model.discard(entry.id)
      }
    }
    try show(words[0].lowercased() == "d" ? "discarded" : "to be sent again")
  }

  /// Sends what waits, and reports what could not be sent.
  private func end() async throws(Failure) {
    if isTerminal { try Terminal.write("\n") }
    let report = await session.syncNow()
    await model.refresh()
    let names = model.sides.map { Terminal.oneLine($0.name) }
    if names.count == 2 {
      let (left, right) = (model.sides[0], model.sides[1])
      try Terminal.print(
        "\(names[0]) \(left.setPoints) (\(left.total)) : \(right.setPoints) (\(right.total))"
          + " \(names[1])\(model.isConfirmed ? ", confirmed" : "")")
    }
    if !model.needsAttention.isEmpty { Terminal.printError("quiver: \(refusals)") }
    if model.waitingCount > 0 {
      let reason = report.error.map { " (\(Terminal.oneLine($0.message)))" } ?? ""
      Terminal.notice("\(model.waitingCount) entries wait to be sent by the next run\(reason)")
    }
    guard model.needsAttention.isEmpty else {
      throw .input("the server refused \(model.needsAttention.count) entries; w lists them")
    }
    // A person at the keyboard sees the refusal; a script needs the exit code.
    guard isTerminal || refusedCount == 0 else {
      throw .input(refusedCount == 1 ? "1 line was refused" : "\(refusedCount) lines were refused")
    }
  }
}
