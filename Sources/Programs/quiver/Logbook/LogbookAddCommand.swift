import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver logbook add`: one weighing.
enum LogbookAddCommand {
  private static let day = Flag("--day", .word("YYYY-MM-DD"), "the day; else today in the zone")
  private static let zone = Flag(
    "--zone", .word("NAME"),
    "an IANA time zone, as in Europe/Tallinn; else your profile's, else this machine's")
  private static let note = Flag("--note", .word("TEXT"), "a note")
  private static let bodyFat = Flag("--body-fat", .word("PERCENT"), "body fat, 1 to 75")

  static let command = Command(
    "logbook add", operands: "WEIGHT", summary: "add a weight entry",
    details: "WEIGHT is a number with at most three decimal digits.",
    flags: [WeightText.unitFlag, day, zone, note, bodyFat, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "one WEIGHT")
    var entry = WeightEntry()
    guard let thousandths = WeightText.thousandths(words[0]) else {
      throw arguments.usage("WEIGHT is a number like 80.5, not \(words[0])")
    }
    entry.thousandths = thousandths
    entry.unit = try WeightText.unit(arguments)
    entry.note = arguments.value(of: note) ?? ""
    if let text = arguments.value(of: day) {
      guard let number = DayText.day(text) else {
        throw arguments.usage("--day is written YYYY-MM-DD, not \(text)")
      }
      entry.day = number
    }
    if let text = arguments.value(of: bodyFat) {
      guard let percent = Double(text) else {
        throw arguments.usage("--body-fat is a number, not \(text)")
      }
      entry.bodyFatPercent = percent
    }
    let access = try Access(arguments)
    var request = CreateWeightEntryRequest()
    request.timeZone = arguments.value(of: zone) ?? ""
    let needsDay = entry.day == nil && request.timeZone.isEmpty
    if entry.unit == .unspecified || needsDay {
      let profile = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Account.getProfile, GetProfileRequest())
      }
      if entry.unit == .unspecified { entry.unit = profile.units == .metric ? .kilogram : .pound }
      if needsDay, profile.timeZone.isEmpty { entry.day = DayText.today() }
    }
    request.weightEntry = entry
    let wanted = request
    let made = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Logbook.createWeightEntry, wanted)
    }
    let unit = WeightText.symbol(made.unit)
    let weight = "\(WeightText.exact(made.thousandths)) \(unit)"
    try Terminal.confirm("added \(made.id): \(DayText.text(made.day ?? 0)) \(weight)")
  }
}
