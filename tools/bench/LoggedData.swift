import QuiverRules
import QuiverStore

/// The log of the bench's archers: one weighing and ten sets a day, until May 2024.
enum LoggedData {
  static let lastDay: Int32 = 19_874

  /// `GetWeightSections` of May 2024, in hexadecimal digits.
  static let monthRequest = "20e80f2805"
  /// `GetLiftSeries` of the last 93 daily maxima of Squat.
  static let windowRequest = "0a055371756174185d"

  static func fill(
    _ store: Store, _ owner: EquipmentOwners.Owner, _ options: CommandOptions
  ) throws {
    switch owner {
    case .many, .few, .nobody: return
    case .manyWeights: try weigh(store, 20_000, options)
    case .fewWeights: try weigh(store, 2_000, options)
    case .manySets: try lift(store, 100_000, options)
    case .fewSets: try lift(store, 10_000, options)
    }
  }

  private static func weigh(_ store: Store, _ count: Int32, _ options: CommandOptions) throws {
    let entries = (0..<count).map { index in
      WeightEntryContent(
        day: lastDay - index, thousandths: 80_000 + Int64(index % 97) * 10, unit: .kilogram)
    }
    var rest = entries[...]
    while !rest.isEmpty {
      let slice = Array(rest.prefix(100))
      rest = rest.dropFirst(slice.count)
      let comparison = try store.compareWeights(slice, principal: options.caller.principal)
      _ = try store.perform(ImportWeightEntries(comparison), options)
    }
  }

  static func lift(
    _ store: Store, _ count: Int32, setsPerDay: Int32 = 10, _ options: CommandOptions
  ) throws {
    guard let squat = ExerciseName("Squat") else { return }
    let id = try store.perform(BeginLiftImport(replaces: true), options)
    var series: [ExerciseName: Int64] = [:]
    for start in stride(from: Int32(0), to: count, by: 2_000) {
      let sets = (start..<min(count, start + 2_000)).map { index in
        LiftSet(
          day: lastDay - index / setsPerDay, exercise: squat, repetitions: index % 12 + 1,
          weight: Double(100 + index % 90), unit: .pound)
      }
      let append = AppendLifts(sets, of: id, series: series, storedCount: Int64(start))
      let outcome = try store.perform(append, options)
      guard outcome.storedCount == sets.count else {
        throw Unmeasured("a group of an import was cut short, though nobody waited")
      }
      series.merge(outcome.series) { $1 }
    }
    try store.perform(BeginImportEnd(id), options)
    let contents = try store.contents(ofImport: id)
    _ = try store.perform(FinishLiftImport(id, contents), options)
  }
}
