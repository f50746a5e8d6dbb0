import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver strength list` and `quiver strength show`: exercises, and the daily maxima of one.
enum StrengthShowCommand {
  private static let window = Flag(
    "--window", .word("COUNT"), "how many of the latest daily maxima are shown; 31 by default")
  private static let days = Flag(
    "--days", .word("COUNT"), "instead of --window: the maxima of this many days up to the latest")
  private static let confident = Flag(
    "--confident", .none, "leave out sets of more than 12 repetitions")

  static let list = Command(
    "strength list", summary: "list your exercises with record and latest",
    flags: [WeightText.unitFlag, confident, PageLimit.flag, .json, .tableOutput, .timeout],
    run: runList)

  static let show = Command(
    "strength show", operands: "EXERCISE", summary: "show the one-rep maxima of an exercise",
    details: """
      The daily maximum is by Brzycki's formula; those by Epley's and Lombardi's are shown as well.
      """,
    flags: [
      WeightText.unitFlag, window, days, confident, Plot.flag, .json, .tableOutput, .timeout,
    ],
    run: runShow)

  private static let runList: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operand")
    var request = ListExercisesRequest()
    request.unit = try WeightText.unit(arguments)
    request.leaveOutLowConfidence = arguments.has(confident)
    let limit = try PageLimit(arguments)
    request.pageSize = limit.pageSize(most: 100)
    let access = try Access(arguments)
    var found = ListExercisesResponse()
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.listExercises, wanted)
      }
      found.exercises += page.exercises
      found.unit = page.unit
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && !limit.isReached(found.exercises.count)
    found.exercises = limit.first(of: found.exercises)
    if arguments.has(.json) {
      return try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: found))
    }
    let unit = WeightText.symbol(found.unit)
    try Terminal.print(
      table: [["EXERCISE", "SETS", "RECORD (\(unit))", "ON", "LATEST (\(unit))", "ON"]]
        + found.exercises.map { exercise in
          [Terminal.oneLine(exercise.name), "\(exercise.setCount)"] + cells(exercise.record)
            + cells(exercise.latest)
        })
  }

  private static let runShow: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "one EXERCISE")
    var request = GetLiftSeriesRequest()
    request.exercise = words[0]
    request.unit = try WeightText.unit(arguments)
    request.leaveOutLowConfidence = arguments.has(confident)
    request.last = try number(window, arguments)
    request.daysBack = try number(days, arguments)
    let access = try Access(arguments)
    let wanted = request
    let found = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Logbook.getLiftSeries, wanted)
    }
    let unit = WeightText.symbol(found.unit)
    if let path = arguments.value(of: Plot.flag) {
      let points = found.points.map { (day: $0.day, value: $0.oneRepMax) }
      try Plot.write(
        title: "\(words[0]): one-rep max (\(unit))", [Plot.Line(name: "Brzycki", points: points)],
        to: path)
    }
    if arguments.has(.json) {
      return try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: found))
    }
    if !OutputStyle.current.isCSV {
      if let record = found.record { try Terminal.print("record \(sentence(record, unit))") }
      if let latest = found.latest { try Terminal.print("latest \(sentence(latest, unit))") }
    }
    try Terminal.print(
      table: [["DAY", "BRZYCKI (\(unit))", "EPLEY", "LOMBARDI", "SET", "CONFIDENCE"]]
        + found.points.map { point in
          [
            DayText.text(point.day), WeightText.fixed(point.oneRepMax, digits: 2),
            WeightText.fixed(point.epley, digits: 2),
            WeightText.fixed(point.lombardi, digits: 2), set(point.set),
            point.lowConfidence ? "low" : "",
          ]
        })
  }

  private static func number(_ flag: Flag, _ arguments: Arguments) throws(Failure) -> UInt32 {
    guard let text = arguments.value(of: flag) else { return 0 }
    guard let number = UInt32(text), number > 0 else {
      throw arguments.usage("\(flag.name) is a number above 0, not \(text)")
    }
    return number
  }

  private static func cells(_ point: LiftPoint?) -> [String] {
    guard let point else { return ["", ""] }
    return [WeightText.fixed(point.oneRepMax, digits: 2), DayText.text(point.day)]
  }

  private static func sentence(_ point: LiftPoint, _ unit: String) -> String {
    "\(WeightText.fixed(point.oneRepMax, digits: 2)) \(unit) on \(DayText.text(point.day))"
      + ", \(set(point.set))"
  }

  private static func set(_ set: LiftSet?) -> String {
    guard let set else { return "" }
    let weight = WeightText.fixed(set.weight, digits: 2)
    return "\(set.repetitions) x \(weight) \(WeightText.symbol(set.unit))"
  }
}
