import QuiverAPI
import QuiverRules

extension Chart {
  /// A chart of values by day; its axes contain all points.
  init(series: [Series], daysLabelled label: String, _ unit: Unit) {
    let points = series.flatMap(\.points)
    let days = points.map { Int32(clamping: Int64($0.x)) }
    self.init(
      x: Axis(days: (days.min() ?? 0)...(days.max() ?? 0)),
      y: Axis(label, unit, values: points.map(\.y)), series: series)
  }
}

extension StrengthLogModel {
  /// The daily maxima of the exercise in the window of the screen, and its record as a line.
  public var chart: Chart {
    func point(_ day: Int32, _ value: Double) -> Chart.Point {
      let shown = PlainDecimal.text((value * 10).rounded() / 10)
      return Chart.Point(
        x: Double(day), y: value,
        label: "\(CivilDate(dayNumber: day).text): \(shown) \(unit.symbol)")
    }
    var series = [
      Chart.Series(
        label: "One-rep max", style: .line,
        points: points.map { point($0.day, $0.oneRepMax) })
    ]
    if let record, let first = points.first?.day, let last = points.last?.day {
      series.append(
        Chart.Series(
          label: "Record", style: .threshold,
          points: [first, last].map { point($0, record.oneRepMax) }))
    }
    return Chart(
      series: series, daysLabelled: "One-rep max", unit == .pound ? .pound : .kilogram)
  }
}

extension ArcherRecordsModel {
  /// The handicaps of the rounds that counted, and the running handicap after each of them.
  public var chart: Chart {
    let steps = (handicap?.steps ?? []).reversed()
    func point(_ step: HandicapStep, _ value: Int32) -> Chart.Point {
      Chart.Point(
        x: Double(step.day), y: Double(value),
        label: "\(CivilDate(dayNumber: step.day).text), \(step.formatName) \(step.score): \(value)")
    }
    return Chart(
      series: [
        Chart.Series(
          label: "Rounds", style: .scatter, points: steps.map { point($0, $0.roundHandicap) }),
        Chart.Series(
          label: "Running handicap", style: .line,
          points: steps.compactMap { step in step.after.map { point(step, $0) } }),
      ], daysLabelled: "Handicap", .handicap)
  }
}

extension ComparisonModel {
  /// The latest arrow positions of the compared setups on the face, a series for each setup; nil
  /// without a result.
  ///
  /// Both axes are in radii of the nominal face and have the same domain, at least from -1 to 1.
  public var positionChart: Chart? {
    guard let result else { return nil }
    var series: [Chart.Series] = []
    for (index, side) in result.setups.enumerated() {
      let id = side.setup?.id
      let name = setups.first { $0.id == id }?.displayName ?? ""
      series.append(
        Chart.Series(
          label: "\(["A", "B", "C", "D"][min(index, 3)]): \(name)", style: .scatter,
          points: side.shots.map {
            Chart.Point(x: $0.x, y: $0.y, label: $0.value == 0 ? "M" : "\($0.value)")
          }))
    }
    let reach = series.flatMap(\.points).reduce(1.0) { max($0, abs($1.x), abs($1.y)) }
    func axis(_ label: String) -> Chart.Axis {
      Chart.Axis(label, .faceRadius, values: [-reach, reach])
    }
    return Chart(x: axis("Right"), y: axis("Up"), series: series)
  }
}
