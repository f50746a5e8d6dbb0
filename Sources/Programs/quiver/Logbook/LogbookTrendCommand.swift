import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver logbook trend`: daily means and the average through them.
enum LogbookTrendCommand {
  private static let span = Flag(
    "--span", .word("DAYS"), "of the average, 2 to 90; 10 by default")
  private static let method = Flag(
    "--method", .word("METHOD"), "exponential, time-aware or hackers-diet")
  private static let from = Flag("--from", .word("YYYY-MM-DD"), "the first day")
  private static let to = Flag("--to", .word("YYYY-MM-DD"), "the last day")

  static let command = Command(
    "logbook trend", summary: "show your weight's trend",
    flags: [WeightText.unitFlag, span, method, from, to, Plot.flag, .json, .tableOutput, .timeout],
    run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operand")
    var request = try request(arguments)
    let access = try Access(arguments)
    var found = GetWeightChartResponse()
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.getWeightChart, wanted)
      }
      let points = found.points
      found = page
      found.points = points + page.points
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    let unit = WeightText.symbol(found.unit)
    if let path = arguments.value(of: Plot.flag) {
      try Plot.write(
        title: "Weight (\(unit))",
        [
          Plot.Line(
            name: "daily mean", points: found.points.map { ($0.day, $0.meanThousandths / 1_000) }),
          Plot.Line(
            name: "average", points: found.points.map { ($0.day, $0.averageThousandths / 1_000) }),
        ], to: path)
    }
    if arguments.has(.json) {
      return try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: found))
    }
    try Terminal.print(
      table: [["DAY", "MEAN (\(unit))", "AVERAGE"]]
        + found.points.map { point in
          [
            DayText.text(point.day), WeightText.fixed(point.meanThousandths / 1_000, digits: 2),
            WeightText.fixed(point.averageThousandths / 1_000, digits: 2),
          ]
        })
  }

  private static func request(_ arguments: Arguments) throws(Failure) -> GetWeightChartRequest {
    var request = GetWeightChartRequest()
    request.pageSize = 500
    request.unit = try WeightText.unit(arguments)
    if let text = arguments.value(of: span) {
      guard let number = UInt32(text) else {
        throw arguments.usage("--span is a number of days, not \(text)")
      }
      request.span = number
    }
    if let text = arguments.value(of: method) {
      guard let number = EnumWord.number(of: text, TrendMethod.schema) else {
        throw arguments.usage(
          "--method is one of \(EnumWord.all(TrendMethod.schema).joined(separator: ", "))")
      }
      request.method = TrendMethod(rawValue: number)
    }
    request.fromDay = try day(from, arguments)
    request.toDay = try day(to, arguments)
    return request
  }

  private static func day(_ flag: Flag, _ arguments: Arguments) throws(Failure) -> Int32? {
    guard let text = arguments.value(of: flag) else { return nil }
    guard let day = DayText.day(text) else {
      throw arguments.usage("\(flag.name) is written YYYY-MM-DD, not \(text)")
    }
    return day
  }
}
