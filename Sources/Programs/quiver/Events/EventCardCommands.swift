import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// `quiver event second`, `rule` and `confirm-card`: the second card of an archer.
enum EventCardCommands {
  private static let reason = Flag("--reason", .word("TEXT"), "corrects what is on the card")
  private static let why = Flag("--reason", .word("TEXT"), "1 to 200 characters")
  private static let device = Flag("--device", .word("TEXT"), "for the audit")
  private static let distance = Flag(
    "--distance", .word("N"), "only the distance of this number, from 1")
  private static let signature = Flag("--signature", .word("FILE"), "a drawing of the archer")

  static let second = Command(
    "event second", operands: "ARCHER END ARROW…",
    summary: "record an end of the second card of an archer",
    details: """
      END counts from 1, and each ARROW is as on a score sheet: X, 11 to 1, or M. The end is
      compared with the first card. With --reason the arrows replace those on the second card, and
      --witness or --judge names who agreed to that.
      """,
    flags: [reason, ArrowCommands.witness, ArrowCommands.judge, device, .json, .timeout],
    names: [.archer, .official],
    examples: ["event second 12B 1 10 9 M"], run: recordSecond)

  private static let recordSecond: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let (text, index, arrows) = try end(arguments)
    let access = try Access(arguments)
    let names = Names(access, arguments)
    let participant = try await names.id(of: text, .archer, "ARCHER")
    var operation = CardOperation()
    operation.clientID = EventEndCommand.clientID()
    operation.participantID = participant
    operation.endIndex = index
    operation.arrows = arrows
    operation.device = arguments.value(of: device) ?? ""
    (operation.witnessID, operation.judgeID) = try await ArrowCommands.agreed(names, arguments)
    if let text = arguments.value(of: reason) {
      operation.reason = text
      let found = try await card(participant, access)
      operation.replacesClientID =
        found.ends.first { $0.endIndex == index }?.operationClientID ?? []
    }
    var request = ApplyCardOperationsRequest()
    request.operations = [operation]
    let wanted = request
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.applyCardOperations, wanted)
    }
    try show(answer, arguments)
  }

  static let rule = Command(
    "event rule", operands: "ARCHER END ARROW…",
    summary: "rule on an end on which two cards differ",
    details: "END counts from 1, and the ARROWs are those that count: X, 11 to 1, or M.",
    flags: [why, .json, .timeout], names: [.archer],
    examples: ["event rule 12B 1 10 9 9 --reason 'seen on the target'"], run: ruleOnEnd)

  private static let ruleOnEnd: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let (word, index, arrows) = try end(arguments)
    guard let text = arguments.value(of: why) else {
      throw arguments.usage("expected \(why.usage)")
    }
    let access = try Access(arguments)
    let participant = try await Names(access, arguments).id(of: word, .archer, "ARCHER")
    let request = RuleOnEndRequest.with { request in
      (request.participantID, request.endIndex) = (participant, index)
      (request.arrows, request.reason) = (arrows, text)
    }
    let ruled = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.ruleOnEnd, request)
    }
    try show(ruled, arguments)
  }

  static let confirm = Command(
    "event confirm-card", operands: "ARCHER ROLE",
    summary: "confirm a score card for its archer or its scorer",
    details: """
      ROLE is archer or scorer. Where another token than the archer's confirms for the archer,
      --signature names a file with its signature.
      """,
    flags: [distance, signature, .json, .timeout], names: [.archer],
    examples: ["event confirm-card 12B scorer"], run: confirmCard)

  private static let confirmCard: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "ARCHER ROLE")
    let roles: [String: CardRole] = ["archer": .archer, "scorer": .scorer]
    guard let role = roles[words[1]] else {
      throw arguments.usage("expected archer or scorer for ROLE")
    }
    let part = try arguments.number(of: distance, 1...100).map { UInt32($0) } ?? 0
    var drawing: [UInt8] = []
    if let path = arguments.value(of: signature) { drawing = try InputText.bytes(ofFile: path) }
    let signed = drawing
    let access = try Access(arguments)
    let participant = try await Names(access, arguments).id(of: words[0], .archer, "ARCHER")
    let read = try await card(participant, access)
    let request = ConfirmScoreCardRequest.with { request in
      (request.participantID, request.role) = (participant, role)
      (request.revision, request.signature) = (read.revision, signed)
      request.part = part
    }
    let confirmed = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.confirmScoreCard, request)
    }
    try show(confirmed, arguments)
  }

  private static func end(
    _ arguments: Arguments
  ) throws(Failure) -> (archer: String, index: UInt32, arrows: [MatchArrow]) {
    let words = try arguments.operands(3...14, "ARCHER END and at least one ARROW")
    guard let number = UInt32(words[1]), number > 0 else {
      throw arguments.usage("END counts from 1, not \(words[1])")
    }
    var arrows: [MatchArrow] = []
    for word in words.dropFirst(2) {
      guard let score = ArrowScore(sheet: word) else {
        throw arguments.usage("\(word) is no arrow: expected X, 11 to 1, or M")
      }
      arrows.append(.with { ($0.value, $0.isX) = (UInt32(score.value), score.isX) })
    }
    return (words[0], number - 1, arrows)
  }

  private static func card(
    _ participant: Int64, _ access: Access
  ) async throws(Failure) -> ComparedCard {
    try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(
        Events.getComparedCard, .with { $0.participantID = participant })
    }
  }

  private static func show(
    _ answer: ApplyCardOperationsResponse, _ arguments: Arguments
  ) throws(Failure) {
    guard let verdict = answer.verdicts.first else { throw .input("the server gave no verdict") }
    if arguments.has(.json) { try Terminal.print(TournamentText.json(answer)) }
    switch verdict.verdict {
    case .stored, .same: break
    case .conflict:
      throw .input("the card has other arrows there; correct them with --reason")
    default:
      throw .input(
        CountedPlace.sentence(verdict.message, ["end_index": ("END", arguments.operands[1])]))
    }
    guard !arguments.has(.json) else { return }
    let state = EnumWord.text(of: verdict.end?.state.rawValue ?? 0, CardEndState.schema)
    try Terminal.print("the end is \(state)")
  }

  private static func show(_ card: ComparedCard, _ arguments: Arguments) throws(Failure) {
    if arguments.has(.json) { return try Terminal.print(TournamentText.json(card)) }
    let status = EnumWord.text(of: card.summary?.status.rawValue ?? 0, CardStatus.schema)
    try Terminal.print(
      "participant \(card.participantID) has \(card.total), \(status), revision \(card.revision)")
  }
}
