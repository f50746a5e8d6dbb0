import QuiverAPI
import QuiverJSON
import QuiverProtobuf
import QuiverRules

/// Events and their rows as people read them.
enum TournamentText {
  static let policy = Flag(
    "--policy", .word("POLICY"),
    "how ties are broken: " + QuiverRules.TiePolicy.allCases.map(\.name).joined(separator: ", "))

  /// The policy that a flag names, in any case; nil where it is not given.
  static func policy(_ arguments: Arguments) throws(Failure) -> QuiverRules.TiePolicy? {
    guard let text = arguments.value(of: policy) else { return nil }
    let word = text.replacing("-", with: "_")
    guard let found = QuiverRules.TiePolicy(name: word) else {
      let names = QuiverRules.TiePolicy.allCases.map(\.name)
      throw arguments.usage(
        "there is no policy \(text)" + Spelling.question(word.uppercased(), among: names))
    }
    return found
  }

  /// The same as requests name it; unspecified where it is not given.
  static func requestPolicy(_ arguments: Arguments) throws(Failure) -> QuiverAPI.TiePolicy {
    QuiverAPI.TiePolicy(rawValue: try policy(arguments)?.rawValue ?? 0)
  }

  /// The id of an event or a participant, as `what` says.
  static func id(
    _ text: String, _ what: String, _ arguments: Arguments
  ) throws(Failure) -> Int64 {
    guard let id = Int64(text), id > 0 else {
      throw arguments.usage("\(what) is a number above 0, not \(text)")
    }
    return id
  }

  static func json(_ message: some Message) -> String {
    MessageJSON(printsZeros: true, isPretty: true).text(of: message)
  }

  /// Ranked rows under a heading.
  static func table(_ rows: [LeaderboardRow]) -> [[String]] { [heading] + rows.map { cells($0) } }

  static let heading = ["RANK", "ID", "NAME", "TOTAL", "X", "10", "ENDS", "BEHIND"]

  static func cells(_ row: LeaderboardRow) -> [String] {
    [
      row.rank == 0
        ? EnumWord.text(of: row.status.rawValue, ParticipantStatus.schema) : "\(row.rank)",
      "\(row.participantID)", Terminal.oneLine(row.displayName), "\(row.total)",
      "\(row.xCount)", "\(row.tenCount)", "\(row.endsCompleted)",
      row.difference == 0 ? "" : "\(row.difference)",
    ]
  }

  /// What was not finished of an event with results, in a sentence; nil: nothing.
  static func unfinished(_ results: GetResultsResponse) -> String? {
    // A server that says no steps says how many operations wait.
    if results.openSteps.isEmpty, results.lateCount > 0 {
      return unfinished(["\(results.lateCount) late operations wait for a decision"])
    }
    return unfinished(results.openSteps.map(\.missing))
  }

  /// The same of the sentences of its steps.
  static func unfinished(_ missing: [String]) -> String? {
    missing.isEmpty ? nil : "not finished: " + missing.joined(separator: ", ")
  }

  /// A row as programs read it: `rank archer total x tens`.
  static func line(_ row: LeaderboardRow) -> String {
    "\(row.rank) \(Terminal.oneLine(row.displayName)) \(row.total) \(row.xCount) \(row.tenCount)"
  }
}
