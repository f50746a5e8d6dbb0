import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver logbook weights`: the weight log, month by month.
enum LogbookWeightsCommand {
  private static let month = Flag("--month", .word("YYYY-MM"), "only this month")
  private static let notes = Flag("--notes", .none, "only entries with a note")
  private static let milestones = Flag(
    "--milestones", .none, "only the first entry at each milestone of the plan")
  private static let weekday = Flag(
    "--weekday", .words("DAY"), "only that day, 1 Sunday to 7 Saturday; may be repeated")
  private static let weekdayNames = ["", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  static let command = Command(
    "logbook weights", summary: "list your weight entries, newest month first",
    details: "AVERAGE and WEEK are computed over all entries, whatever is shown.",
    flags: [WeightText.unitFlag, month, notes, milestones, weekday, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operand")
    var request = GetWeightSectionsRequest()
    request.unit = try WeightText.unit(arguments)
    var filter = WeightLogFilter()
    filter.withNotes = arguments.has(notes)
    filter.milestones = arguments.has(milestones)
    for text in arguments.values(of: weekday) {
      guard let number = Int32(text), (1...7).contains(number) else {
        throw arguments.usage("--weekday is 1, Sunday, to 7, Saturday, not \(text)")
      }
      filter.weekdays.append(number)
    }
    request.filter = filter
    if let text = arguments.value(of: month) {
      let parts = text.split(separator: "-").compactMap { Int32($0) }
      guard parts.count == 2 else {
        throw arguments.usage("--month is written YYYY-MM, not \(text)")
      }
      (request.year, request.month) = (parts[0], parts[1])
    }
    let access = try Access(arguments)
    var found = GetWeightSectionsResponse()
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.getWeightSections, wanted)
      }
      let sections = found.sections
      found = page
      found.sections = sections + page.sections
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    try show(found, arguments)
  }

  private static func show(
    _ found: GetWeightSectionsResponse, _ arguments: Arguments
  ) throws(Failure) {
    if arguments.has(.json) {
      return try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: found))
    }
    guard !found.sections.isEmpty else {
      return try Terminal.print(
        found.empty == .noEntries
          ? "There are no weight entries yet; add one with quiver logbook add WEIGHT."
          : "No entry matches.")
    }
    let unit = WeightText.symbol(found.unit)
    try Terminal.print(
      found.sections.map { section in
        let first = DayText.text(section.rows.first?.entry?.day ?? 0).prefix(7)
        let head = ["DAY", "", "WEIGHT (\(unit))", "AVERAGE", "WEEK", "TREND", "ID", "NOTE"]
        return "\(first)\n" + Table.text([head] + section.rows.map(cells))
      }.joined(separator: "\n\n"))
  }

  private static func cells(_ row: WeightLogRow) -> [String] {
    let weekday = Int(clamping: row.weekday)
    return [
      DayText.text(row.entry?.day ?? 0),
      weekdayNames.indices.contains(weekday) ? weekdayNames[weekday] : "",
      WeightText.exact(row.thousandths), WeightText.tenths(row.movingAverageThousandths),
      row.weeklyRate.map { WeightText.difference($0.thousandths) } ?? "",
      EnumWord.text(of: row.direction.rawValue, TrendDirection.schema), "\(row.entry?.id ?? 0)",
      Terminal.oneLine(row.entry?.note ?? ""),
    ]
  }
}
