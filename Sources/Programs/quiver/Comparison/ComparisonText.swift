import QuiverAPI

/// A comparison as text: a table and the verdicts.
enum ComparisonText {
  static func text(_ response: CompareResponse) -> String {
    var parts = [response.range.map { "From \(RangeWord.text($0))" } ?? ""]
    let names = response.setups.map { Terminal.oneLine($0.setup?.displayName ?? "") }
    let performances = response.setups.map { $0.performance ?? SetupPerformance() }
    let onlyPair = response.pairs.count == 1 ? response.pairs.first : nil
    parts.append(Table.text(table(names, performances, onlyPair)))
    for pair in response.pairs { parts.append(verdicts(pair, names, isOnly: onlyPair != nil)) }
    if response.strata.count > 1 {
      parts += response.strata.map { stratum($0, names) }
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func table(
    _ names: [String], _ performances: [SetupPerformance], _ pair: SetupPair?
  ) -> [[String]] {
    func row(_ label: String, _ value: (SetupPerformance) -> String) -> [String] {
      [label] + performances.map { $0.hasData ? value($0) : "-" }
    }
    // Scores under different conditions name no winner.
    let namesWinner = pair?.inference?.conditionsDiffer != true
    func shown(_ delta: ShownDelta?) -> [String] {
      delta.map { ["\($0.text)\(namesWinner ? better($0.direction) : "")"] } ?? []
    }
    let deltas = pair?.deltas
    var rows = [[""] + names + (deltas == nil ? [] : ["B - A"])]
    rows.append(row("rounds") { "\($0.roundCount)" })
    rows.append(
      row("arrows") { "\($0.totalArrows)" } + (deltas.map { [$0.arrowCountText] } ?? []))
    rows.append(
      row("average score") { DecimalFigure.text($0.averageScore) } + shown(deltas?.averageScore))
    rows.append(
      row("accuracy, %") { DecimalFigure.text($0.accuracyPercent) } + shown(deltas?.accuracy))
    rows.append(
      row("consistency, %") { DecimalFigure.text($0.consistencyPercent) }
        + shown(deltas?.consistency))
    rows.append(row("X / 10 / misses") { "\($0.xCount) / \($0.tenCount) / \($0.missCount)" })
    rows.append(row("average round") { DecimalFigure.text($0.averageRoundScore, digits: 1) })
    rows.append(row("tens") { tens($0.tenRate) })
    rows.append(row("handicap") { handicap($0) })
    return rows + groups(performances)
  }

  /// Drift and group of each diameter of face, in per cent of the face's radius.
  private static func groups(_ performances: [SetupPerformance]) -> [[String]] {
    let diameters = Set(performances.flatMap(\.groups).map(\.diameterCentimetres)).sorted()
    return diameters.flatMap { diameter -> [[String]] in
      let found = performances.map { performance in
        performance.groups.first { $0.diameterCentimetres == diameter }
      }
      let face = DecimalFigure.text(diameter, digits: diameter == diameter.rounded() ? 0 : 1)
      let drift = found.map { group in
        group.map {
          "\(DecimalFigure.signed(100 * $0.meanX, digits: 1)), "
            + DecimalFigure.signed(100 * $0.meanY, digits: 1)
        } ?? "-"
      }
      let radius = found.map { group in
        group?.size?.meanRadius.map { DecimalFigure.text(100 * $0, digits: 1) } ?? "-"
      }
      return [
        ["drift at \(face) cm, % of radius"] + drift,
        ["mean radius at \(face) cm, % of radius"] + radius,
      ]
    }
  }

  private static func tens(_ rate: TenRateEstimate?) -> String {
    guard let rate else { return "-" }
    let share = DecimalFigure.percent(rate.rate)
    guard let lower = rate.lower, let upper = rate.upper else { return share }
    return "\(share) (\(DecimalFigure.percent(lower)) to \(DecimalFigure.percent(upper)))"
  }

  private static func better(_ direction: DeltaDirection) -> String {
    switch direction {
    case .aBetter: "  A better"
    case .bBetter: "  B better"
    default: ""
    }
  }

  private static func verdicts(_ pair: SetupPair, _ names: [String], isOnly: Bool) -> String {
    guard let inference = pair.inference else { return "" }
    var lines: [String] = []
    if !isOnly, let a = name(pair.a, names), let b = name(pair.b, names) {
      lines.append("A = \(a), B = \(b)")
    }
    lines += metricLines(inference)
    if let handicap = inference.handicap {
      lines.append("Handicap: \(Terminal.oneLine(handicap.words))")
    }
    for place in inference.places {
      let face = DecimalFigure.text(place.diameterCentimetres, digits: 0)
      lines.append("Place at \(face) cm: \(Terminal.oneLine(place.words))")
    }
    if !inference.overallWords.isEmpty {
      lines.append("Overall: \(Terminal.oneLine(inference.overallWords))")
    }
    return lines.joined(separator: "\n")
  }

  /// One line each for points, accuracy and consistency; or the reason why they cannot be compared,
  /// and the lines for the distances that both setups shot.
  private static func metricLines(_ inference: PairInference) -> [String] {
    func lines(_ metrics: [MetricInference], _ prefix: String) -> [String] {
      metrics.map { "\(prefix)\(label($0.metric)): \(Terminal.oneLine($0.words))" }
    }
    guard inference.conditionsDiffer,
      let first = inference.metrics.first, first.verdict == .differentConditions
    else { return lines(inference.metrics, "") }
    return ["Score, accuracy and consistency: \(Terminal.oneLine(first.words))"]
      + lines(inference.pooled, common(inference.pooledStrata))
  }

  private static func common(_ strata: [StratumKey]) -> String {
    strata.contains { !conditions($0).isEmpty }
      ? "Under the conditions that both had: " : "At the distances and faces that both shot: "
  }

  private static func stratum(_ result: StratumResult, _ names: [String]) -> String {
    guard let key = result.stratum else { return "" }
    var rows = [[title(key), "ROUNDS", "ARROWS", "AVERAGE", "HANDICAP", "MEAN RADIUS"]]
    for (name, performance) in zip(names, result.performances) {
      let group = performance.groups.first {
        $0.diameterCentimetres == key.diameterCentimetres
      }
      rows.append([
        name, "\(performance.roundCount)", "\(performance.totalArrows)",
        performance.hasData ? DecimalFigure.text(performance.averageScore) : "-",
        handicap(performance),
        group?.size?.meanRadius.map { DecimalFigure.text(100 * $0, digits: 1) + " %" } ?? "-",
      ])
    }
    var lines = [Table.text(rows)]
    // A setup that was not shot here needs no sentence for each test.
    for pair in result.pairs {
      guard let inference = pair.inference, let score = inference.metrics.first else { continue }
      lines.append(Terminal.oneLine(score.words))
      if let handicap = inference.handicap, handicap.verdict != .tooLittleData {
        lines.append("Handicap: \(Terminal.oneLine(handicap.words))")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func handicap(_ performance: SetupPerformance) -> String {
    performance.handicapRoundCount == 0
      ? "-" : DecimalFigure.text(performance.meanHandicap, digits: 1)
  }

  private static func title(_ key: StratumKey) -> String {
    let unit = key.unit == .yard ? "yd" : "m"
    let distance = DecimalFigure.text(
      key.distance, digits: key.distance == key.distance.rounded() ? 0 : 1)
    let diameter = DecimalFigure.text(key.diameterCentimetres, digits: 0)
    let face = EnumWord.text(of: key.face.rawValue, Face.schema)
    return (["\(distance) \(unit)", "\(face) \(diameter) cm"] + conditions(key))
      .joined(separator: ", ")
  }

  /// The conditions that make the stratum.
  private static func conditions(_ key: StratumKey) -> [String] {
    var words: [String] = []
    if key.weather != .unspecified {
      words.append(EnumWord.text(of: key.weather.rawValue, Weather.schema))
    }
    if key.wind != .unspecified {
      words.append(EnumWord.text(of: key.wind.rawValue, Wind.schema) + " wind")
    }
    if key.light != .unspecified {
      words.append(EnumWord.text(of: key.light.rawValue, Light.schema) + " light")
    }
    if !key.place.isEmpty { words.append("at " + Terminal.oneLine(key.place)) }
    return words
  }

  private static func name(_ place: UInt32, _ names: [String]) -> String? {
    names.indices.contains(Int(place)) ? names[Int(place)] : nil
  }

  private static func label(_ metric: ComparisonMetric) -> String {
    switch metric {
    case .accuracy: "Accuracy"
    case .consistency: "Consistency"
    default: "Average score"
    }
  }
}
