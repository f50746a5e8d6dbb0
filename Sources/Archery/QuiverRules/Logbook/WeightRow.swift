/// One row of the weight log, with what is computed from the entries before it.
public struct WeightRow: Sendable, Equatable {
  /// The entry as it was made.
  public let entry: WeighIn
  /// From 1, Sunday, to 7, Saturday.
  public let weekday: Int32
  /// The weight in the shown unit.
  public let thousandths: Int64
  /// The moving average of its day, in thousandths of the shown unit.
  public let movingAverage: Double
  /// Nil if there is no entry that is at least seven days older.
  public let weeklyRate: WeeklyRate?

  /// Stable without a rate.
  public var direction: WeightDirection { weeklyRate?.direction ?? .stable }

  /// A row of each entry, oldest first; the entries come in their order.
  public static func all(
    of entries: [WeighIn], in unit: MassUnit, average: MovingAverage
  ) -> [WeightRow] {
    let means = DailyMean.all(of: entries, in: unit)
    let averages = average.values(of: means)
    var rows: [WeightRow] = []
    rows.reserveCapacity(entries.count)
    var meanIndex = 0
    var olderCount = 0
    for entry in entries {
      while means[meanIndex].day != entry.day { meanIndex += 1 }
      while olderCount < entries.count,
        Int64(entries[olderCount].day) <= Int64(entry.day) - WeeklyRate.minimumDays
      { olderCount += 1 }
      let thousandths = entry.weight.thousandths(in: unit)
      let rate =
        olderCount == 0
        ? nil
        : WeeklyRate(
          from: entries[olderCount - 1].weight.thousandths(in: unit), to: thousandths,
          days: entry.day &- entries[olderCount - 1].day)
      rows.append(
        WeightRow(
          entry: entry, weekday: CivilDate.weekday(ofDayNumber: entry.day),
          thousandths: thousandths, movingAverage: averages[meanIndex], weeklyRate: rate))
    }
    return rows
  }
}

/// How a weight differs from the latest one that is at least seven days older.
public struct WeeklyRate: Sendable, Equatable {
  /// Positive is gained; thousandths of the shown unit.
  public let thousandths: Int64
  /// At least 7.
  public let daysBetween: Int32

  /// How many days the older entry is older at least.
  public static let minimumDays: Int64 = 7

  /// Below it either way, a weight is stable; thousandths of the shown unit.
  public static let stableBelow: Int64 = 100

  init(from older: Int64, to newer: Int64, days: Int32) {
    thousandths = newer - older
    daysBetween = days
  }

  /// The same, as if it had taken seven days.
  public var thousandthsPerSevenDays: Double { Double(thousandths) * 7 / Double(daysBetween) }

  /// The direction of the rate.
  public var direction: WeightDirection { WeightDirection(thousandths: thousandths) }
}

/// Where a weight goes, numbered as in `quiver.v1.TrendDirection`.
public enum WeightDirection: Int32, CaseIterable, Sendable, Hashable {
  /// Less than a tenth of the unit, or nothing to compare with.
  case stable = 1
  /// A gain of a tenth of the unit or more.
  case up = 2
  /// A loss of a tenth of the unit or more.
  case down = 3

  /// By a difference in thousandths of the shown unit.
  public init(thousandths: Int64) {
    if thousandths.magnitude < WeeklyRate.stableBelow.magnitude {
      self = .stable
    } else {
      self = thousandths > 0 ? .up : .down
    }
  }
}
