/// The mean of a day's entries, unrounded.
public struct DailyMean: Sendable, Equatable {
  /// The civil day, in days since 1970-01-01.
  public let day: Int32
  /// In thousandths of the shown unit.
  public let thousandths: Double

  /// Creates a value; each parameter is the property of its name.
  public init(day: Int32, thousandths: Double) {
    self.day = day
    self.thousandths = thousandths
  }

  /// One for each day that has entries, oldest first; the entries come in their order.
  ///
  /// Each entry is converted to the unit before anything is added.
  public static func all(of entries: [WeighIn], in unit: MassUnit) -> [DailyMean] {
    var means: [DailyMean] = []
    var index = entries.startIndex
    while index < entries.endIndex {
      let day = entries[index].day
      var sum: Int64 = 0
      let first = index
      while index < entries.endIndex, entries[index].day == day {
        sum &+= entries[index].weight.thousandths(in: unit)
        index += 1
      }
      means.append(DailyMean(day: day, thousandths: Double(sum) / Double(index - first)))
    }
    return means
  }
}
