import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// `quiver event join`: the lease on a target by its code, or by that of a plate.
enum EventJoinCommand {
  private static let takesOver = Flag(
    "--take-over", .none, "from another device; by an organiser")
  private static let session = Flag(
    "--session", .word("SESSION"),
    "which session, if several are open at the plate: its name there, or its id")
  private static let match = Flag(
    "--match", .word("MATCH"),
    "which match, if several are open at the plate: its sides there, or its id")

  static let command = Command(
    "event join", operands: "CODE DEVICE CARD", summary: "take or renew the lease on a target",
    details: """
      CODE is that of a target, or of a plate; DEVICE is the name of this device, 1 to 200
      characters, which its arrows have; CARD is 1, or 2 for the second card. Where several sessions
      and matches are open at a plate, nothing is leased, they are listed, and the exit code is 64.
      """,
    flags: [takesOver, session, match, .json, .timeout],
    examples: [
      "event join 42DV-NBWN 'phone 3' 1", "event join 42DV-NBWN 'phone 3' 1 --session morning",
    ], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(3...3, "CODE DEVICE CARD")
    guard let card = UInt32(words[2]), (1...2).contains(card) else {
      throw arguments.usage("CARD is 1 or 2, not \(words[2])")
    }
    guard !(arguments.has(session) && arguments.has(match)) else {
      throw arguments.usage("\(session.name) and \(match.name) exclude each other")
    }
    var request = JoinTargetRequest()
    (request.code, request.device, request.card) = (words[0], words[1], card)
    request.takeOver = arguments.has(takesOver)
    let access = try Access(arguments)
    var answer = try await join(request, access)
    if let chosen = try choice(answer.choices, arguments) {
      (request.sessionID, request.matchID) = (chosen.sessionID, chosen.matchID)
      answer = try await join(request, access)
    }
    if arguments.has(.json) { try Terminal.print(TournamentText.json(answer)) }
    guard let lease = answer.lease else {
      throw arguments.usage(
        "several are open at this plate: \(list(answer.choices)); \(session.name) or"
          + " \(match.name) names one")
    }
    guard !arguments.has(.json) else { return }
    try Terminal.confirm(
      "\(Terminal.oneLine(lease.device)) scores card \(lease.card) of target \(lease.target)")
  }

  private static func join(
    _ request: JoinTargetRequest, _ access: Access
  ) async throws(Failure) -> JoinTargetResponse {
    try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.joinTarget, request)
    }
  }

  /// The choice of a plate that a flag names; nil: there is no flag, or nothing to choose.
  private static func choice(
    _ choices: [TargetChoice], _ arguments: Arguments
  ) throws(Failure) -> TargetChoice? {
    let flag = arguments.has(session) ? session : match
    guard !choices.isEmpty, let text = arguments.value(of: flag) else { return nil }
    let kind: NamedKind = flag.name == session.name ? .session : .match
    let objects = choices.filter { kind == .session ? $0.sessionID > 0 : $0.matchID > 0 }.map {
      NamedObject(
        id: kind == .session ? $0.sessionID : $0.matchID, names: [$0.name],
        label: Terminal.oneLine($0.name))
    }
    let named = NameChoice(kind: kind, objects: objects)
    let result = named.result(text)
    var id: Int64?
    switch result {
    case .object(let object): id = object.id
    case .id(let number): id = number
    case .several, .idAndKey, .none: break
    }
    let found = choices.first { (kind == .session ? $0.sessionID : $0.matchID) == id }
    guard id != nil, let found else {
      throw arguments.usage(
        named.refusal(of: text, id == nil ? result : .none, flag.name, in: " at this plate")
          ?? "\(flag.name) \(text) is not open at this plate")
    }
    return found
  }

  private static func list(_ choices: [TargetChoice]) -> String {
    choices.map { choice in
      let start =
        choice.startsAtMilliseconds > 0 ? ", \(TokenText.time(choice.startsAtMilliseconds))" : ""
      let id = choice.matchID > 0 ? "match #\(choice.matchID)" : "session #\(choice.sessionID)"
      return "\(Terminal.oneLine(choice.name)) (\(id)\(start))"
    }.joined(separator: ", ")
  }
}
