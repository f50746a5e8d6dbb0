import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverProtobuf
import QuiverRPC

/// `quiver records bests`, `quiver records handicap` and `quiver classification`.
enum RecordCommands {
  private static let bowstyle = Flag(
    "--bowstyle", .word("BOWSTYLE"),
    EnumWord.all(Bowstyle.schema).joined(separator: ", ") + "; by default the profile's")
  private static let gender = Flag(
    "--gender", .word("GENDER"), "open or female; by default the profile's")
  private static let age = Flag(
    "--age", .word("GROUP"),
    EnumWord.all(AgeGroup.schema).joined(separator: ", ") + "; by default the profile's")

  static let bests = Command(
    "records bests", summary: "list your best score of each round",
    details: """
      --bowstyle lists the rounds of one bowstyle; without it those of all are listed. TYPED names
      what a round without arrows was shot in.
      """,
    flags: [bowstyle, .json, .tableOutput, .timeout]
  ) { arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operand")
    var request = GetPersonalBestsRequest()
    request.bowstyle.rawValue = try number(arguments, bowstyle, Bowstyle.schema)
    let access = try Access(arguments)
    let wanted = request
    let found = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Rounds.getPersonalBests, wanted)
    }
    if arguments.has(.json) { return try printJSON(found) }
    try Terminal.print(
      table: [["ROUND", "BOWSTYLE", "SCORE", "OF", "HANDICAP", "CLASS", "ROUNDS", "DAY", "TYPED"]]
        + found.bests.map { best in
          [
            Terminal.oneLine(best.formatName), word(best.bowstyle.rawValue, Bowstyle.schema),
            "\(best.score)", "\(best.maximumScore)", best.handicap.map { "\($0)" } ?? "-",
            best.classCode.isEmpty ? "-" : best.classCode, "\(best.roundCount)",
            day(best.shotAtMilliseconds),
            best.shootStatus != .unspecified
              ? word(best.shootStatus.rawValue, ShootStatus.schema) : best.typed ? "yes" : "-",
          ]
        })
  }

  static let handicap = Command(
    "records handicap", operands: "LOCATION", summary: "show your running handicap",
    details: "LOCATION is outdoor, indoor or field. The rule is Archery GB's of 2023.",
    flags: [bowstyle, .json, .tableOutput, .timeout]
  ) { arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "LOCATION")
    guard let location = EnumWord.number(of: words[0], RoundLocation.schema) else {
      throw arguments.usage("LOCATION is outdoor, indoor or field")
    }
    var request = GetRunningHandicapRequest()
    request.location = RoundLocation(rawValue: location)
    request.bowstyle.rawValue = try number(arguments, bowstyle, Bowstyle.schema)
    let access = try Access(arguments)
    let wanted = request
    let found = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Rounds.getRunningHandicap, wanted)
    }
    if arguments.has(.json) { return try printJSON(found) }
    if let handicap = found.handicap {
      try Terminal.print("handicap \(handicap), from \(found.roundCount) rounds")
    } else {
      try Terminal.print("no handicap yet: \(found.missingRounds) more rounds are needed")
    }
    guard !found.steps.isEmpty else { return }
    try Terminal.print(
      table: [["DAY", "ROUND", "SCORE", "ITS HANDICAP", "BEFORE", "AFTER"]]
        + found.steps.map { step in
          [
            DayText.text(step.day), Terminal.oneLine(step.formatName), "\(step.score)",
            "\(step.roundHandicap)", step.before.map { "\($0)" } ?? "-",
            step.after.map { "\($0)" } ?? "-",
          ]
        })
  }

  static let classification = Command(
    "classification", operands: "ROUND [SCORE]",
    summary: "list the classes of Archery GB that a round gives",
    details: """
      ROUND is a codename like portsmouth or york; `quiver format list` lists them. With SCORE
      the class of the score comes first.
      """,
    flags: [bowstyle, gender, age, .json, .tableOutput, .timeout]
  ) { arguments async throws(Failure) in
    let words = try arguments.operands(1...2, "ROUND and a SCORE")
    var request = GetClassificationRequest()
    request.format = .with { $0.codename = words[0] }
    if words.count > 1 {
      guard let score = UInt32(words[1]) else {
        throw arguments.usage("SCORE expects a whole number")
      }
      request.score = score
    }
    request.bowstyle.rawValue = try number(arguments, bowstyle, Bowstyle.schema)
    request.gender.rawValue = try number(arguments, gender, ArcherGender.schema)
    request.ageGroup.rawValue = try number(arguments, age, AgeGroup.schema)
    let access = try Access(arguments)
    let wanted = request
    let found = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Comparison.getClassification, wanted)
    }
    if arguments.has(.json) { return try printJSON(found) }
    if let score = wanted.score {
      let name = found.code.isEmpty ? "no class" : "\(found.name) (\(found.code))"
      try Terminal.print(
        "\(score) of \(found.maximumScore) in \(Terminal.oneLine(found.formatName)) is \(name)")
    }
    try Terminal.print(
      table: [["CLASS", "NAME", "SCORE", "HANDICAP", "EVENTS"]]
        + found.thresholds.map { threshold in
          [
            threshold.code, threshold.name, threshold.score.map { "\($0)" } ?? "-",
            DecimalFigure.text(threshold.handicap, digits: 1), events(threshold),
          ]
        })
  }

  private static func events(_ threshold: ClassificationThreshold) -> String {
    let kind =
      switch threshold.tier {
      case .archer: "any event"
      case .bowman: "competitions"
      default: "record status"
      }
    let arrows = threshold.arrowsRequired
    return arrows == 0 ? kind : "\(kind), \(arrows / 12) dozen arrows"
  }

  private static func number(
    _ arguments: Arguments, _ flag: Flag, _ schema: EnumSchema
  ) throws(Failure) -> Int32 {
    guard let text = arguments.value(of: flag) else { return 0 }
    guard let number = EnumWord.number(of: text, schema) else {
      throw arguments.usage(
        "\(flag.name) is one of " + EnumWord.all(schema).joined(separator: ", "))
    }
    return number
  }

  private static func word(_ number: Int32, _ schema: EnumSchema) -> String {
    number == 0 ? "-" : EnumWord.text(of: number, schema)
  }

  private static func day(_ milliseconds: Int64) -> String {
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    return DayText.text(Int32(clamping: rest < 0 ? days - 1 : days))
  }

  private static func printJSON(_ message: some Message) throws(Failure) {
    try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: message))
  }
}
