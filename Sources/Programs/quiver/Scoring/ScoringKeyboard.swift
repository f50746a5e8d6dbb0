import Glibc
import QuiverAPI
import QuiverRules
import QuiverSession

/// Reads arrows and commands from standard input, a line at a time, into a scoring model.
@MainActor
final class ScoringKeyboard {
  let scoring: ScoringModel
  private let session: OfflineSession
  /// The bibs, places and clubs of a tournament; nil: a round without one.
  private let plan: EventPlanModel?
  /// The target that was joined at the start; nil: none.
  private let joined: JoinedTarget?
  private let isTerminal = isatty(STDIN_FILENO) == 1
  private var refusedCount = 0
  private var selection = Selection.nobody
  private var shownLeaseError: SessionError?

  /// Whom the arrows go to. A name that is not found clears it, so that no arrow goes to the archer
  /// before.
  private enum Selection {
    /// An archer, in an end from 0; nil: all arrows of the archer are shot.
    case archer(LocalID, end: Int?)
    /// Nobody, because the turn is nobody's.
    case allShot
    /// Nobody, because somebody was not found.
    case nobody

    /// What to do where nobody is selected.
    var advice: String {
      switch self {
      case .archer: ""
      case .allShot: "all arrows are shot; u undoes the last one, n ARCHER selects an archer"
      case .nobody: "nobody is selected; n ARCHER selects an archer"
      }
    }
  }

  static let help = """
    10 9 X            the next arrows of the end
    u                 undo the last entry
    s                 show the scorecard
    n ARCHER          continue with another archer: a bib, 12B, or a name
    g N               go to end N
    c END ARROW VALUE REASON   correct an arrow
    w                 list what the server refused
    r [N]             send it again, all or number N
    o N               replace what another scorer entered by number N
    d N               discard number N
    q                 end
    """

  init(
    _ scoring: ScoringModel, _ session: OfflineSession, _ plan: EventPlanModel?,
    joined: JoinedTarget?
  ) {
    self.scoring = scoring
    self.session = session
    self.plan = plan
    self.joined = joined
  }

  /// The archers whom this user scores, on the target that was joined.
  private var archers: ScoredArchers {
    ScoredArchers(
      scoring.participants.map { ($0.serverID, $0.name) }, plan?.entries ?? [],
      on: scoring.target ?? joined)
  }

  /// An archer with the state of its card.
  private typealias Scored = (archer: ScoredArchers.Archer, participant: ScoringParticipant)

  /// Those of ``archers`` in turn order.
  private var scored: [Scored] {
    let participants = scoring.participants
    return archers.archers.map { ($0, participants[$0.index]) }
  }

  /// Runs until the end of the input; returns the failure of a write.
  func run() async -> Failure? {
    do throws(Failure) {
      guard !archers.archers.isEmpty else { throw nobody }
      try Terminal.print("\(Terminal.oneLine(scoring.title)); ? for help")
      followTurn()
      try prompt()
      do {
        for try await line in RequestSource.standardInput.messages() {
          let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
          if words.first == "q" || words.first == "quit" { break }
          if !words.isEmpty { try await take(words.map(String.init)) }
          tellLease()
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

  /// The failure of somebody who scores nobody.
  private var nobody: Failure {
    let title = Terminal.oneLine(scoring.title)
    if let target = scoring.target ?? joined {
      return .input(
        target.session == 0
          ? "target \(target.number) is one of matches: quiver event match scores them"
          : "nobody stands on target \(target.number) of \(title)")
    }
    return .input(
      "you score nobody in \(title): join it, let the organiser appoint you as a scorer, or join a"
        + " target with --target CODE")
  }

  /// Says once why the lease of the target was not renewed.
  private func tellLease() {
    guard let error = scoring.leaseError else {
      shownLeaseError = nil
      return
    }
    guard error != shownLeaseError else { return }
    shownLeaseError = error
    Terminal.notice("the lease of the target: \(Terminal.oneLine(error.message))")
  }

  /// The prompt of the next end, on a terminal.
  private func prompt() throws(Failure) {
    guard isTerminal else { return }
    guard case .archer(let id, let end) = selection,
      let (archer, participant) = scored.first(where: { $0.participant.id == id })
    else {
      return try Terminal.write("\(selection.advice)> ")
    }
    let name = Terminal.escaped(archers.label(archer))
    let waiting = scoring.waitingCount == 0 ? "" : ", \(scoring.waitingCount) wait"
    let place =
      if let end, let card = scoring.card(id) {
        "end \(end + 1) of \(card.format.endCount), from arrow"
          + " \((card.firstOpen(inEnd: end)?.arrowIndex ?? 0) + 1)"
      } else {
        "all arrows are shot"
      }
    let isBold = OutputStyle.hasColour(STDOUT_FILENO)
    let shown = isBold ? "\u{1B}[1m\(name)\u{1B}[0m" : name
    try Terminal.write(
      "\(shown), \(place), total \(participant.tally.total)\(waiting)> ")
  }

  private func take(_ words: [String]) async throws(Failure) {
    do throws(SessionError) {
      switch (words[0].lowercased(), words.count) {
      case ("?", _), ("help", _): try show(Self.help)
      case ("u", 1), ("undo", 1): try await undo()
      case ("s", 1): try showCard()
      case ("n", 2...): try await select(words.dropFirst().joined(separator: " "))
      case ("g", 2):
        guard let end = Int(words[1]), end > 0 else { throw Self.unknown(words) }
        try await go(to: end - 1)
      case ("c", 5...): try await correct(words)
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

  func show(_ text: String) throws(SessionError) {
    do throws(Failure) {
      try Terminal.print(text)
    } catch {
      throw SessionError(.storage, error.lines.first ?? "")
    }
  }

  /// Selects the archer whose turn it is.
  private func followTurn() {
    let scored = scored
    if let position = scoring.position,
      scored.contains(where: { $0.participant.id == position.participant })
    {
      selection = .archer(position.participant, end: position.endIndex)
      return
    }
    // The turn is on another target: here it is that of the first archer who is furthest behind.
    let open = scored.compactMap { _, participant -> (id: LocalID, end: Int)? in
      guard ![.withdrawn, .disqualified].contains(participant.status) else { return nil }
      return scoring.card(participant.id)?.firstOpen.map { (participant.id, $0.endIndex) }
    }
    if let next = open.min(by: { $0.end < $1.end }) {
      selection = .archer(next.id, end: next.end)
    } else {
      selection = .allShot
    }
  }

  /// The selected archer; throws if nobody is.
  private func selected() throws(SessionError) -> Scored {
    guard case .archer(let id, _) = selection else {
      throw SessionError(.notPossible, selection.advice)
    }
    guard let found = scored.first(where: { $0.participant.id == id }) else {
      throw SessionError(.notFound, "the selected archer is not here any more; n selects another")
    }
    return found
  }

  private func select(_ name: String) async throws(SessionError) {
    // Whatever fails from here on leaves nobody selected.
    selection = .nobody
    let participant = scoring.participants[try archers.archer(named: name).index]
    // The arrows of a whole card can be shown and corrected.
    guard !participant.isComplete else {
      selection = .archer(participant.id, end: nil)
      return
    }
    try await scoring.switchTo(participant.id)
    selection = .archer(participant.id, end: scoring.card(participant.id)?.firstOpen?.endIndex)
  }

  private func go(to end: Int) async throws(SessionError) {
    let (archer, participant) = try selected()
    guard scoring.card(participant.id)?.firstOpen(inEnd: end) != nil else {
      throw SessionError(.notPossible, "end \(end + 1) of \(archer.name) has no open slot")
    }
    try await scoring.switchTo(participant.id)
    try await scoring.goTo(end: end)
    selection = .archer(participant.id, end: end)
  }

  private func undo() async throws(SessionError) {
    // The last entry is of the archer before where a name was not found.
    if case .nobody = selection { _ = try selected() }
    try await scoring.undo()
    followTurn()
    let name = (try? selected()).map { ": \(archers.label($0.archer))" } ?? ""
    try show("undone\(name)")
  }

  private func enter(_ words: [String]) async throws(SessionError) {
    var scores: [ArrowScore] = []
    for word in words {
      guard let score = ArrowScore(sheet: word) else { throw Self.unknown(words) }
      scores.append(score)
    }
    let (archer, participant) = try selected()
    guard case .archer(_, let end?) = selection else {
      throw SessionError(.notPossible, "\(archer.name) has shot all arrows")
    }
    let shown = scoring.card(participant.id)?.ends.first { $0.index == end }?.arrows ?? []
    let open = shown.indices.filter { shown[$0]?.score == nil }
    guard scores.count <= open.count else {
      throw SessionError(.invalid, "must be at most \(open.count) in this end", field: "arrows")
    }
    // The archer is named with each arrow: whose turn it is may change meanwhile.
    try await scoring.enter(
      zip(scores, open).map { score, index in
        ArrowEntry(score, at: ArrowSlot(endIndex: end, arrowIndex: index), of: participant.id)
      })
    let sum = scores.reduce(0) { $0 + $1.value }
    let total = scoring.card(participant.id)?.tally.total ?? 0
    let arrows = scores.map(\.description).joined(separator: " ")
    followTurn()
    try show("\(archer.name), end \(end + 1): \(arrows) = \(sum), total \(total)")
  }

  private func correct(_ words: [String]) async throws(SessionError) {
    guard let end = Int(words[1]), let arrow = Int(words[2]), end > 0, arrow > 0,
      let score = ArrowScore(sheet: words[3])
    else { throw Self.unknown(words) }
    let (archer, participant) = try selected()
    try await scoring.correct(
      score, at: ArrowSlot(endIndex: end - 1, arrowIndex: arrow - 1), of: participant.id,
      reason: words.dropFirst(4).joined(separator: " "))
    let total = scoring.card(participant.id)?.tally.total ?? 0
    try show("\(archer.name), end \(end) is corrected, total \(total)")
  }

  private func showCard() throws(SessionError) {
    let (archer, participant) = try selected()
    guard let card = scoring.card(participant.id) else { return }
    let rows = card.ends.map { end in
      [
        "\(end.index + 1)",
        end.arrows.map { $0?.score?.description ?? "-" }.joined(separator: " "), "\(end.total)",
        "\(end.runningTotal)",
      ]
    }
    try show(archers.label(archer))
    try show(Table.text([["END", "ARROWS", "SUM", "TOTAL"]] + rows))
  }

  /// Sends the waiting entries, and reports those that could not be sent.
  private func end() async throws(Failure) {
    if isTerminal { try Terminal.write("\n") }
    let report = await session.syncNow()
    await scoring.refresh()
    for (archer, participant) in scored {
      let tally = participant.tally
      let arrows = tally.arrowCount == 1 ? "1 arrow" : "\(tally.arrowCount) arrows"
      try Terminal.print("\(archers.label(archer)): \(tally.total), \(arrows)")
    }
    for line in refusalLines { Terminal.printError("quiver: \(line)") }
    if scoring.waitingCount > 0 {
      let reason = report.error.map { " (\(Terminal.oneLine($0.message)))" } ?? ""
      Terminal.notice("\(scoring.waitingCount) entries wait to be sent by the next run\(reason)")
    }
    let count = scoring.needsAttention.count
    guard count == 0 else {
      throw .input(
        "the server refused \(count == 1 ? "1 entry" : "\(count) entries"); in the next run r sends"
          + " them again")
    }
    // A person at the keyboard sees the refusal; a script needs the exit code.
    guard isTerminal || refusedCount == 0 else {
      throw .input(refusedCount == 1 ? "1 line was refused" : "\(refusedCount) lines were refused")
    }
  }

  static func unknown(_ words: [String]) -> SessionError {
    SessionError(
      .invalid, "\(words.joined(separator: " ")) is neither an end nor a command; ? lists both")
  }
}
