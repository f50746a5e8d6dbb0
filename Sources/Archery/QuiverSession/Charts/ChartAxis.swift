import QuiverRules

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Chart.Axis {
  /// The largest number of ticks of an axis.
  static let maximumTickCount = 8

  /// The numbers of months between ticks.
  private static let monthSteps: [Int32] = [
    1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000,
  ]

  /// An axis for numbers: the domain ends at ticks, which are multiples of 1, 2 or 5 times a power
  /// of ten.
  init(_ label: String, _ unit: Chart.Unit, values: [Double]) {
    let least = values.min() ?? 0
    let largest = values.max() ?? 1
    let span = largest > least ? largest - least : max(abs(largest), 1) / 10
    let step = Self.step(atLeast: span / Double(Self.maximumTickCount - 3))
    let first = (least / step).rounded(.down)
    // Equal values stand between two ticks.
    let last = max((largest / step).rounded(.up), first + 1)
    let ticks = stride(from: first, through: last, by: 1).map { number in
      Chart.Tick(value: number * step, label: Self.text(number * step, step: step))
    }
    // A multiple may differ from the value that it stands for in its last bit.
    let domain = min(first * step, least)...max(last * step, largest)
    self.init(label: label, unit: unit, domain: domain, ticks: ticks)
  }

  /// An axis for days: ticks at days, at the first days of months or at those of years, whatever
  /// gives at most ``maximumTickCount`` of them.
  init(days: ClosedRange<Int32>) {
    let span = Int64(days.upperBound) - Int64(days.lowerBound)
    let limit = Int64(Self.maximumTickCount)
    var ticks: [Int32] = []
    if let step = [1, 2, 7, 14].first(where: { span / $0 < limit }) {
      ticks = Array(stride(from: days.lowerBound, through: days.upperBound, by: Int(step)))
    } else {
      let start = CivilMonth(containing: days.lowerBound).index
      let end = CivilMonth(containing: days.upperBound).index
      let step = Self.monthSteps.first { (end - start) / $0 < Int32(limit) - 1 }
      let length = step ?? Self.monthSteps[Self.monthSteps.count - 1]
      ticks = (start...end).filter { $0 % length == 0 }.compactMap { index in
        CivilDate(year: index / 12, month: index % 12 + 1, day: 1)?.dayNumber
      }.filter { days.contains($0) }
    }
    self.init(
      label: "Day", unit: .day, domain: Double(days.lowerBound)...Double(days.upperBound),
      ticks: ticks.map { Chart.Tick(value: Double($0), label: CivilDate(dayNumber: $0).text) })
  }

  /// The least of 1, 2 and 5 times the powers of ten that is not below a value above 0.
  private static func step(atLeast value: Double) -> Double {
    var power = 1e-6
    while true {
      for factor in [1.0, 2, 5] where factor * power >= value { return factor * power }
      power *= 10
    }
  }

  private static func text(_ value: Double, step: Double) -> String {
    var decimals = 0
    var scale = 1.0
    while decimals < 6, step * scale < 1 {
      decimals += 1
      scale *= 10
    }
    let rounded = (value * scale).rounded() / scale
    return PlainDecimal.text(rounded == 0 ? 0 : rounded)
  }
}
