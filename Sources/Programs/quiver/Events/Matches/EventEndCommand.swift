import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// `quiver event end`: the arrows of one side in an end or a shoot-off of a match.
enum EventEndCommand {
  private static let shootOff = Flag("--shoot-off", .none, "END is the number of a shoot-off")
  private static let distance = Flag(
    "--distance", .words("N"), "from the centre, in tenths of a millimetre; one for each arrow")
  private static let closer = Flag("--closer", .none, "a judge marked this side as closer")
  private static let reason = Flag("--reason", .word("TEXT"), "corrects what is on the card")

  static let command = Command(
    "event end", operands: "MATCH SIDE END ARROW…",
    summary: "record an end or a shoot-off of a match",
    details: """
      SIDE is 1 or 2, END counts from 1, and each ARROW is as on a score sheet: X, 10 to 1, or M.
      With --reason the arrows replace those on the card, and --witness or --judge names who agreed
      to that.
      """,
    flags: [
      shootOff, distance, closer, reason, ArrowCommands.witness, ArrowCommands.judge, .json,
      .timeout,
    ], names: [.match, .archer, .official],
    examples: ["event end RM-8-1 1 1 10 9 M", "event end RM-8-1 2 1 X --shoot-off --distance 125"],
    run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(4...20, "MATCH SIDE END and at least one ARROW")
    var entry = MatchCardEntry()
    guard let side = UInt32(words[1]), (1...2).contains(side) else {
      throw arguments.usage("SIDE is 1 or 2, not \(words[1])")
    }
    guard let number = UInt32(words[2]), number > 0 else {
      throw arguments.usage("END counts from 1, not \(words[2])")
    }
    entry.index = number - 1
    entry.shootOff = arguments.has(shootOff)
    entry.isCloser = arguments.has(closer)
    for word in words.dropFirst(3) {
      guard let score = ArrowScore(sheet: word) else {
        throw arguments.usage("\(word) is no arrow: expected X, 10 to 1, or M")
      }
      entry.arrows.append(
        .with { arrow in
          arrow.value = UInt32(score.value)
          arrow.isX = score.isX
        })
    }
    for word in arguments.values(of: distance) {
      guard let tenths = UInt32(word) else {
        throw arguments.usage("expected tenths of a millimetre after --distance")
      }
      entry.distances.append(tenths)
    }
    let access = try Access(arguments)
    let names = Names(access, arguments)
    let match = try await names.id(of: words[0], .match, "MATCH")
    var operation = MatchOperation()
    operation.clientID = clientID()
    operation.matchID = match
    operation.side = side
    operation.entry = entry
    (operation.witnessID, operation.judgeID) = try await ArrowCommands.agreed(names, arguments)
    if let card = try await card(side, of: match, access) {
      operation.participantID = card.participantID
      if let text = arguments.value(of: reason) {
        operation.reason = text
        operation.replacesClientID = replaced(entry, on: card)
      }
    }
    var request = ApplyMatchOperationsRequest()
    request.operations = [operation]
    let wanted = request
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Elimination.applyMatchOperations, wanted)
    }
    try show(answer, arguments)
  }

  /// A UUIDv7 (RFC 9562): the time in milliseconds, then random bits.
  static func clientID() -> [UInt8] { IdempotencyKey.random().bytes }

  /// The card of a side as it is now; nil if there is no such side, which the server refuses.
  private static func card(
    _ side: UInt32, of match: Int64, _ access: Access
  ) async throws(Failure) -> MatchSideCard? {
    let shown = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Elimination.getMatch, .with { $0.matchID = match })
    }
    return side >= 1 && Int(side) <= shown.sides.count ? shown.sides[Int(side) - 1] : nil
  }

  /// The operation on the card that is corrected.
  private static func replaced(_ entry: MatchCardEntry, on card: MatchSideCard) -> [UInt8] {
    let present = card.entries.first { present in
      present.index == entry.index && present.shootOff == entry.shootOff
    }
    return present?.operationClientID ?? []
  }

  private static func show(
    _ answer: ApplyMatchOperationsResponse, _ arguments: Arguments
  ) throws(Failure) {
    guard let verdict = answer.verdicts.first else { throw .input("the server gave no verdict") }
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(answer))
    }
    switch verdict.verdict {
    case .stored, .same: break
    case .conflict:
      throw .input("the card has other arrows there; correct them with --reason")
    default:
      let words = arguments.operands
      throw .input(
        CountedPlace.sentence(
          verdict.message, ["index": ("END", words[2]), "side": ("SIDE", words[1])]))
    }
    guard !arguments.has(.json), let match = verdict.match, match.sides.count == 2 else { return }
    let points = match.sides.map { "\($0.setPoints) (\($0.total))" }.joined(separator: " : ")
    let state = EnumWord.text(of: match.state.rawValue, MatchState.schema)
    try Terminal.print("match \(match.id) is \(state), \(points), revision \(match.revision)")
  }
}
