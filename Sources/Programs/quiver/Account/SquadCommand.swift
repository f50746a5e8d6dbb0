import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver squad`: what the archers who share with the caller have shot and changed.
enum SquadCommand {
  private static let weeks = Flag(
    "--weeks", .word("COUNT"), "how many weeks, with this one: 1 to 26; 8 by default")

  static let command = Command(
    "squad", summary: "show what the archers who share with you shot in the last weeks",
    details: """
      An archer is listed with what it shares: rounds, training log, strength and equipment count
      here, and body weight never. THIS WEEK and the mean of the WEEKS before are arrows; SETS are
      lines of the strength log in all of them. quiver --user NAME reads more of one archer.
      """,
    flags: [weeks, .json, .tableOutput, .timeout], run: run)

  private static let heading = [
    "ARCHER", "LAST ROUND", "SCORE", "DAY", "THIS WEEK", "MEAN", "ROUNDS", "SETS", "NEW BESTS",
    "LATEST BEST", "CHANGED SETUP", "UNTIL",
  ]

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    var request = GetSquadRequest()
    if let text = arguments.value(of: weeks) {
      guard let count = UInt32(text), count >= 1 else {
        throw arguments.usage("\(weeks.name) expects a whole number from 1, not \(text)")
      }
      request.weeks = count
    }
    let access = try Access(arguments)
    var squad = GetSquadResponse()
    repeat {
      let wanted = request
      let page = try await access.attempt { () async throws(RPCError) in
        try await access.client.call(Account.getSquad, wanted)
      }
      squad.members += page.members
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    guard !arguments.has(.json) else {
      return try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: squad))
    }
    guard !squad.members.isEmpty else {
      Terminal.notice("nobody shares with you: quiver account code prints the code for that")
      return
    }
    try Terminal.print(table: [heading] + squad.members.map(row))
  }

  private static func row(_ member: SquadMember) -> [String] {
    let last = member.lastRounds.first
    let before = member.weeks.dropFirst()
    let mean =
      before.isEmpty
      ? "-" : "\(before.reduce(0) { $0 + Int($1.arrowCount) } / before.count)"
    let best = member.bests.first.map { best in
      "\(Terminal.oneLine(best.formatName)) \(best.score)"
    }
    let setup = member.setups.first.map { setup in
      "\(Terminal.oneLine(setup.name)) v\(setup.version)"
    }
    let sum = { (count: (SquadWeek) -> UInt32) -> String in
      member.weeks.isEmpty ? "-" : "\(member.weeks.reduce(0) { $0 + Int(count($1)) })"
    }
    return [
      Terminal.oneLine(member.share?.ownerName ?? ""),
      last.map { Terminal.oneLine($0.formatName) } ?? "-",
      last?.score.map { "\($0.total)" } ?? "-",
      last.map { day($0.firstShotAtMilliseconds) } ?? "-",
      member.weeks.first.map { "\($0.arrowCount)" } ?? "-", mean, sum(\.roundCount),
      sum(\.setCount), "\(member.newBestCount)", best ?? "-", setup ?? "-",
      DayText.text(member.share?.untilDay ?? 0),
    ]
  }

  private static func day(_ milliseconds: Int64) -> String {
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    return DayText.text(Int32(clamping: rest < 0 ? days - 1 : days))
  }
}
