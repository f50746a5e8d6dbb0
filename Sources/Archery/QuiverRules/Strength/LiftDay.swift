/// The set of a day with the largest one-rep max of an exercise.
public struct LiftDay: Sendable, Equatable {
  /// The civil day, in days since 1970-01-01.
  public let day: Int32
  /// By Brzycki, in the shown unit.
  public let oneRepMax: Double
  /// The set with the maximum.
  public let set: StrengthSet

  /// Creates a value; each parameter is the property of its name.
  public init(day: Int32, oneRepMax: Double, set: StrengthSet) {
    self.day = day
    self.oneRepMax = oneRepMax
    self.set = set
  }
}

/// An exercise's daily maxima, oldest first, and what is read off them.
public struct LiftSeries: Sendable, Equatable {
  /// The daily maxima, oldest first.
  public let days: [LiftDay]

  /// Takes the maxima as they are, oldest first.
  public init(days: [LiftDay]) { self.days = days }

  /// The daily maxima of one exercise's sets, in the order of the log: the first wins a tie.
  ///
  /// Sets without a one-rep max count nowhere, nor those of low confidence where they are left out.
  public init(
    _ sets: some Sequence<StrengthSet>, in unit: MassUnit, leavesOutLowConfidence: Bool = false
  ) {
    var best: [Int32: LiftDay] = [:]
    for set in sets where !(leavesOutLowConfidence && set.isLowConfidence) {
      guard let value = set.oneRepMax(.brzycki, in: unit) else { continue }
      if let known = best[set.day], known.oneRepMax >= value { continue }
      best[set.day] = LiftDay(day: set.day, oneRepMax: value, set: set)
    }
    days = best.values.sorted { $0.day < $1.day }
  }

  /// The largest; the earliest day wins a tie.
  public var record: LiftDay? {
    var best: LiftDay?
    for day in days where day.oneRepMax > best?.oneRepMax ?? -.infinity { best = day }
    return best
  }

  /// The latest daily maximum; nil: none.
  public var latest: LiftDay? { days.last }

  /// A number of the latest daily maxima: points, not days of the calendar.
  public func last(_ count: Int) -> [LiftDay] { Array(days.suffix(max(0, count))) }

  /// Those of a number of days, counted back from the latest, which is the first of them.
  public func last(days count: Int32) -> [LiftDay] {
    guard let latest else { return [] }
    return days.filter { Int64($0.day) > Int64(latest.day) - Int64(count) }
  }

  /// The one that is nearest to a day; the earlier at the midpoint.
  public func nearest(to day: Int32) -> LiftDay? {
    days.min { left, right in
      (Int64(left.day) - Int64(day)).magnitude < (Int64(right.day) - Int64(day)).magnitude
    }
  }

  /// Points of a chart on a narrow screen, and on a wide one.
  public static let narrowWindow = 31
  /// The number of daily maxima on a wide screen.
  public static let wideWindow = 93
}
