import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// `quiver event end-rule` and `quiver event move-ends`: what judges change of ends.
enum EventEndRuleCommands {
  private static let why = Flag("--reason", .word("TEXT"), "1 to 200 characters")
  private static let count = Flag("--count", .word("N"), "how many; 1 without it")
  private static let earlier = Flag(
    "--earlier", .none, "to the end before, and not to the one after")

  static let rule = Command(
    "event end-rule", operands: "ARCHER END RULE [ARROW…]",
    summary: "change the arrows of an end by a rule of shooting",
    details: """
      END counts from 1. RULE is too-many-arrows, with all ARROWs that were shot, of which the
      lowest count; out-of-time or out-of-order, which make a miss of the highest arrow for each of
      --count shots; or missed-ends, which makes misses of what is missing in --count ends. The
      audit keeps what was there, and all arrows that were shot.
      """,
    flags: [why, count, .json, .timeout], names: [.archer],
    examples: ["event end-rule 12B 3 out-of-time --reason 'after the signal'"], run: applyRule)

  private static let applyRule: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(3...27, "ARCHER END RULE and ARROWs")
    let index = try end(words[1], arguments)
    guard let number = EnumWord.number(of: words[2], EndRule.schema) else {
      throw arguments.usage(
        "RULE is one of \(EnumWord.all(EndRule.schema).joined(separator: ", ")), not \(words[2])")
    }
    var arrows: [MatchArrow] = []
    for word in words.dropFirst(3) {
      guard let score = ArrowScore(sheet: word) else {
        throw arguments.usage("\(word) is no arrow: expected X, 11 to 1, or M")
      }
      arrows.append(.with { ($0.value, $0.isX) = (UInt32(score.value), score.isX) })
    }
    let reason = try reason(arguments)
    let shots = try arguments.number(of: count, 1...100).map { UInt32($0) } ?? 0
    let shot = arrows
    let access = try Access(arguments)
    let participant = try await Names(access, arguments).id(of: words[0], .archer, "ARCHER")
    let card = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(
        Events.applyEndRule,
        .with { request in
          (request.participantID, request.endIndex) = (participant, index)
          (request.rule, request.arrows) = (EndRule(rawValue: number), shot)
          (request.count, request.reason) = (shots, reason)
        })
    }
    guard !arguments.has(.json) else { return try Terminal.print(TournamentText.json(card)) }
    try show(card)
  }

  static let move = Command(
    "event move-ends", operands: "ARCHER END [OTHER]",
    summary: "exchange ends of two archers, or move ends by one",
    details: """
      END counts from 1; --count ends from it on are exchanged with those of OTHER, or moved to the
      end after, or to the one before with --earlier, which has to be empty. The same exchange
      again, and a move in the other direction, take it back.
      """,
    flags: [why, count, earlier, .json, .timeout], names: [.archer],
    examples: ["event move-ends 12A 3 12B --reason 'written in the wrong line'"], run: moveEnds)

  private static let moveEnds: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...3, "ARCHER END [OTHER]")
    let index = try end(words[1], arguments)
    let reason = try reason(arguments)
    let ends = try arguments.number(of: count, 1...100).map { UInt32($0) } ?? 0
    let isEarlier = arguments.has(earlier)
    let access = try Access(arguments)
    let names = Names(access, arguments)
    let participant = try await names.id(of: words[0], .archer, "ARCHER")
    var second: Int64 = 0
    if words.count > 2 { second = try await names.id(of: words[2], .archer, "OTHER") }
    let other = second
    let moved = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(
        Events.moveEnds,
        .with { request in
          (request.participantID, request.otherParticipantID) = (participant, other)
          (request.firstEnd, request.count) = (index, ends)
          (request.earlier, request.reason) = (isEarlier, reason)
        })
    }
    guard !arguments.has(.json) else { return try Terminal.print(TournamentText.json(moved)) }
    for card in moved.cards { try show(card) }
  }

  private static func end(_ word: String, _ arguments: Arguments) throws(Failure) -> UInt32 {
    guard let number = UInt32(word), number > 0 else {
      throw arguments.usage("END counts from 1, not \(word)")
    }
    return number - 1
  }

  private static func reason(_ arguments: Arguments) throws(Failure) -> String {
    guard let text = arguments.value(of: why) else {
      throw arguments.usage("expected \(why.usage)")
    }
    return text
  }

  private static func show(_ card: ComparedCard) throws(Failure) {
    let name = card.displayName.isEmpty ? "participant \(card.participantID)" : card.displayName
    try Terminal.print("\(name) has \(card.total)")
  }
}
