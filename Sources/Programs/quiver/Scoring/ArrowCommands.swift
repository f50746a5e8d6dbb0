import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// `end`, `correct`, `retract` and `card` of `quiver tournament` and `quiver round`: arrows by
/// their place on the scorecard, counted from 1.
enum ArrowCommands {
  private static let reason = Flag(
    "--reason", .word("TEXT"), "why, 1 to 200 characters; it stays with the arrow")
  /// Who agreed to a correction; also of second cards.
  static let witness = Flag("--witness", .word("ARCHER"), "another archer, who agreed")
  static let judge = Flag("--judge", .word("WHO"), "an organiser or a judge, who agreed")

  /// The ids of who agreed, of whom at most one is named.
  static func agreed(
    _ names: Names, _ arguments: Arguments
  ) async throws(Failure) -> (witness: Int64, judge: Int64) {
    var (archer, official): (Int64, Int64) = (0, 0)
    if let word = arguments.value(of: witness) {
      archer = try await names.id(of: word, .archer, witness.name)
    }
    if let word = arguments.value(of: judge) {
      official = try await names.id(of: word, .official, judge.name)
    }
    return (archer, official)
  }

  private static let history = Flag("--history", .none, "also show every stored operation")

  static let commands = commands(of: "tournament") + commands(of: "round")

  private static func commands(of group: String) -> [Command] {
    let isTournament = group == "tournament"
    let service = isTournament ? "Tournament" : "Rounds"
    let whose = "ARCHER"
    let kinds: [NamedKind] = isTournament ? [.archer] : [.shooter]
    let agreements = isTournament ? [witness, judge] : []
    let changeKinds: [NamedKind] = isTournament ? [.archer, .official] : kinds
    let one = isTournament ? "12B" : "me"
    // Who is named where.
    let scope =
      isTournament ? "" : " ARCHER is who shoots in your last practice round, or in --practice."
    return [
      Command(
        "\(group) end", operands: "\(whose) END ARROW…", summary: "store the arrows of an end",
        details: """
          END counts from 1. Arrows are X, 11 to 1, or M for a miss. Either all arrows are stored
          or none.\(scope)
          """,
        flags: [.json, .timeout], names: kinds, methods: ["quiver.v1.\(service)/RecordEnd"],
        examples: ["\(group) end \(one) 1 10 9 M"]
      ) { arguments async throws(Failure) in
        try await record(arguments, "\(service)/RecordEnd")
      },
      Command(
        "\(group) correct", operands: "\(whose) END ARROW VALUE",
        summary: "correct an arrow", details: "END and ARROW count from 1.\(scope)",
        flags: [reason] + agreements + [.json, .timeout], names: changeKinds,
        methods: ["quiver.v1.\(service)/CorrectArrow"],
        examples: ["\(group) correct \(one) 1 3 9 --reason 'line call'"]
      ) { arguments async throws(Failure) in
        let words = try arguments.operands(4...4, "ARCHER, END, ARROW and VALUE")
        try await change(arguments, words, "\(service)/CorrectArrow", to: words[3])
      },
      Command(
        "\(group) retract", operands: "\(whose) END ARROW", summary: "retract an arrow",
        details: "END and ARROW count from 1.\(scope)",
        flags: [reason] + agreements + [.json, .timeout], names: changeKinds,
        methods: ["quiver.v1.\(service)/RetractArrow"],
        examples: ["\(group) retract \(one) 1 3 --reason 'typed twice'"]
      ) { arguments async throws(Failure) in
        let words = try arguments.operands(3...3, "ARCHER, END and ARROW")
        try await change(arguments, words, "\(service)/RetractArrow", to: nil)
      },
      Command(
        "\(group) card", operands: whose, summary: "show a scorecard",
        flags: [history, .json, .tableOutput, .timeout], names: kinds,
        methods: isTournament ? [] : ["quiver.v1.Rounds/GetScorecard"],
        examples: ["\(group) card \(one)"]
      ) { arguments async throws(Failure) in
        let words = try arguments.operands(1...1, "one \(whose)")
        let access = try Access(arguments)
        let card = try await card(
          of: try await participant(words[0], isTournament, access, arguments), access,
          withHistory: arguments.has(history))
        try show(card, arguments)
      },
    ]
  }

  private static func record(_ arguments: Arguments, _ method: String) async throws(Failure) {
    let isTournament = method.hasPrefix("Tournament/")
    let words = try arguments.operands(3...14, "ARCHER, END and at least one ARROW")
    let end = try place(words[1], "END", arguments)
    var request = RecordEndRequest()
    for (index, word) in words.dropFirst(2).enumerated() {
      let score = try score(word, arguments)
      var operation = ScoringOperation()
      operation.kind = .record
      operation.endIndex = end
      operation.arrowIndex = UInt32(index)
      operation.value = UInt32(score.value)
      operation.isX = score.isX
      request.operations.append(operation)
    }
    let access = try Access(arguments)
    let participant = try await participant(words[0], isTournament, access, arguments)
    for index in request.operations.indices {
      request.operations[index].participantID = participant
    }
    var typed: Typed = [:]
    for (index, word) in words.dropFirst(2).enumerated() {
      typed["value[\(index)]"] = ("ARROW", word)
      typed["arrow_index[\(index)]"] = ("ARROW", "\(index + 1)")
    }
    try await send(request.serializedBytes(), method, typed, access, arguments)
  }

  /// What was typed, by the names of fields.
  private typealias Typed = [String: (name: String, text: String)]

  /// The archer of an event or of a practice round.
  private static func participant(
    _ text: String, _ isTournament: Bool, _ access: Access, _ arguments: Arguments
  ) async throws(Failure) -> Int64 {
    try await Names(access, arguments).id(of: text, isTournament ? .archer : .shooter, "ARCHER")
  }

  private static func change(
    _ arguments: Arguments, _ words: [String], _ method: String, to value: String?
  ) async throws(Failure) {
    guard let why = arguments.value(of: reason) else {
      throw arguments.usage("expected \(reason.usage)")
    }
    var operation = ScoringOperation()
    operation.endIndex = try place(words[1], "END", arguments)
    operation.arrowIndex = try place(words[2], "ARROW", arguments)
    operation.kind = value == nil ? .retract : .correct
    operation.reason = why
    if let value {
      let score = try score(value, arguments)
      operation.value = UInt32(score.value)
      operation.isX = score.isX
    }
    let access = try Access(arguments)
    let isTournament = method.hasPrefix("Tournament/")
    operation.participantID = try await participant(words[0], isTournament, access, arguments)
    if isTournament {
      (operation.witnessID, operation.judgeID) = try await agreed(
        Names(access, arguments), arguments)
    }
    let card = try await card(of: operation.participantID, access)
    let present = card.arrows.first {
      $0.endIndex == operation.endIndex && $0.arrowIndex == operation.arrowIndex
    }
    guard let present else {
      throw .call(
        RPCError(.notFound, "arrow \(words[2]) of end \(words[1]) is empty", isNotProcessed: true))
    }
    operation.replacesID = present.operationID
    var request = CorrectArrowRequest()
    request.operation = operation
    var typed: Typed = ["arrow_index": ("ARROW", words[2])]
    typed["value"] = value.map { ("VALUE", $0) }
    try await send(request.serializedBytes(), method, typed, access, arguments)
  }

  /// The three methods have the same reply, and the last two the same request.
  private static func send(
    _ request: [UInt8], _ method: String, _ given: Typed, _ access: Access, _ arguments: Arguments
  ) async throws(Failure) {
    let method = MethodCommand.method(method)
    let words = arguments.operands
    var typed = given
    (typed["participant_id"], typed["end_index"]) = (("ARCHER", words[0]), ("END", words[1]))
    let operands = typed
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      do throws(RPCError) {
        let reply = try await access.client.callEncoded(method, request)
        do {
          return try ScoreResponse(serializedBytes: reply.message)
        } catch {
          throw RPCError(.internal, "the reply does not decode", origin: .client)
        }
      } catch {
        throw CountedPlace.inWords(error, operands)
      }
    }
    guard !arguments.has(.json) else { return try Terminal.print(TournamentText.json(answer)) }
    let verdict = EnumWord.text(of: answer.verdict.rawValue, Verdict.schema)
    let total = answer.score.map { ", total \($0.total)" } ?? ""
    try Terminal.confirm("\(verdict)\(total)")
  }

  static func card(
    of participant: Int64, _ access: Access, withHistory: Bool = false
  ) async throws(Failure) -> Scorecard {
    var request = GetScorecardRequest()
    request.participantID = participant
    request.includeHistory = withHistory
    let wanted = request
    return try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Rounds.getScorecard, wanted)
    }
  }

  private static func show(_ card: Scorecard, _ arguments: Arguments) throws(Failure) {
    guard !arguments.has(.json) else { return try Terminal.print(TournamentText.json(card)) }
    if !OutputStyle.current.isCSV, let round = card.round {
      let status = EnumWord.text(of: round.status.rawValue, RoundStatus.schema)
      let name = Terminal.oneLine(round.displayName)
      let format = Terminal.oneLine(card.format?.name ?? "")
      try Terminal.print("\(name), \(format), \(status), total \(round.score?.total ?? 0)")
    }
    var ends: [UInt32: [ScoredArrow]] = [:]
    for arrow in card.arrows { ends[arrow.endIndex, default: []].append(arrow) }
    var total: UInt32 = 0
    var rows = [["END", "ARROWS", "SUM", "TOTAL"]]
    for (end, arrows) in ends.sorted(by: { $0.key < $1.key }) {
      let shot = arrows.filter { !$0.retracted }
      let sum = shot.reduce(0) { $0 + $1.value }
      total += sum
      rows.append([
        "\(end + 1)", arrows.map(text).joined(separator: " "), "\(sum)", "\(total)",
      ])
    }
    try Terminal.print(table: rows)
    guard !card.history.isEmpty else { return }
    try Terminal.print("")
    try Terminal.print(
      table: [["OPERATION", "KIND", "END", "ARROW", "VALUE", "BY", "RECEIVED", "REASON", "AGREED"]]
        + card.history.map(cells))
  }

  private static func text(_ arrow: ScoredArrow) -> String {
    if arrow.retracted { return "-" }
    return ArrowScore(value: Int(arrow.value), isX: arrow.isX).description
  }

  private static func cells(_ kept: KeptOperation) -> [String] {
    let operation = kept.operation ?? ScoringOperation()
    return [
      "\(kept.id)", EnumWord.text(of: operation.kind.rawValue, OperationKind.schema),
      "\(operation.endIndex + 1)", "\(operation.arrowIndex + 1)",
      operation.value.map { "\($0)" } ?? "", "\(kept.principalID)",
      TokenText.time(kept.receivedAtMilliseconds), Terminal.oneLine(operation.reason),
      Terminal.oneLine(operation.witnessName),
    ]
  }

  private static func place(
    _ text: String, _ name: String, _ arguments: Arguments
  ) throws(Failure) -> UInt32 {
    guard let number = UInt32(text), number > 0 else {
      throw arguments.usage("\(name) counts from 1, not \(text)")
    }
    return number - 1
  }

  private static func score(
    _ text: String, _ arguments: Arguments
  ) throws(Failure) -> ArrowScore {
    guard let score = ArrowScore(sheet: text) else {
      throw arguments.usage("an arrow is X, 11 to 1, or M for a miss, not \(text)")
    }
    return score
  }
}
