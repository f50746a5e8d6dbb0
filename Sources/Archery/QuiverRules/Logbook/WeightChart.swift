/// One point of the weight chart.
public struct WeightChartPoint: Sendable, Equatable {
  /// The civil day, in days since 1970-01-01.
  public let day: Int32
  /// The day's mean, in thousandths of the shown unit.
  public let mean: Double
  /// The moving average there, in thousandths of the shown unit.
  public let average: Double

  /// A point of each day that has entries, oldest first; the entries come in their order.
  public static func all(
    of entries: [WeighIn], in unit: MassUnit, _ average: MovingAverage
  ) -> [WeightChartPoint] {
    let means = DailyMean.all(of: entries, in: unit)
    return zip(means, average.values(of: means)).map {
      WeightChartPoint(day: $0.day, mean: $0.thousandths, average: $1)
    }
  }
}
