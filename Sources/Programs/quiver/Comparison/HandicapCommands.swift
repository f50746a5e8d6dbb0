import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver handicap score` and `quiver handicap of`: the Archery GB tables of 2023.
enum HandicapCommands {
  private static let details = """
    ROUND is a codename like wa18 or york; `quiver format list` lists them. A round of your own
    is named by its name or the beginning of it, or its id.
    """

  static let score = Command(
    "handicap score", operands: "ROUND HANDICAP", summary: "show the score of a handicap",
    details: details, flags: [.timeout], examples: ["handicap score wa18 30"]
  ) { arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "ROUND and HANDICAP")
    guard let handicap = Int32(words[1]) else {
      throw arguments.usage("HANDICAP expects a whole number, -75 to 300, not \(words[1])")
    }
    var request = GetHandicapScoreRequest()
    let access = try Access(arguments)
    request.format = try await RoundText.reference(words[0], "ROUND", arguments, access)
    request.handicap = handicap
    let wanted = request
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Comparison.getHandicapScore, wanted)
    }
    try Terminal.print(
      "handicap \(handicap) is \(answer.score) of \(answer.maximumScore) in "
        + Terminal.oneLine(answer.formatName))
  }

  static let of = Command(
    "handicap of", operands: "ROUND SCORE", summary: "show the handicap of a score",
    details: details, flags: [.timeout], examples: ["handicap of wa18 540"]
  ) { arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "ROUND and SCORE")
    guard let score = UInt32(words[1]) else {
      throw arguments.usage("SCORE expects a whole number above 0, not \(words[1])")
    }
    var request = GetScoreHandicapRequest()
    let access = try Access(arguments)
    request.format = try await RoundText.reference(words[0], "ROUND", arguments, access)
    request.score = score
    let wanted = request
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Comparison.getScoreHandicap, wanted)
    }
    try Terminal.print(
      "\(score) of \(answer.maximumScore) in \(Terminal.oneLine(answer.formatName)) is handicap "
        + "\(answer.handicap)")
  }
}
