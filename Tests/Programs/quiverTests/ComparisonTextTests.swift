import FoundationEssentials
import QuiverAPI
import Testing

@testable import quiver_command

@Suite("Comparisons as text and pictures", .timeLimit(.minutes(20)))
struct ComparisonTextTests {
  private static func setup(_ name: String, _ x: Double) -> SetupResult {
    var result = SetupResult()
    result.setup = ComparedSetup()
    result.setup?.displayName = name
    var performance = SetupPerformance()
    performance.hasData = true
    performance.totalArrows = 60
    performance.roundCount = 6
    performance.averageScore = 8.5
    performance.valueCounts = [0, 0, 0, 0, 0, 0, 0, 10, 20, 20, 10, 0]
    var group = FaceGroup()
    group.diameterCentimetres = 40
    group.positionCount = 60
    group.meanX = x
    group.size = GroupSize()
    group.size?.semiMajor50 = 0.2
    group.size?.semiMinor50 = 0.1
    group.size?.semiMajor95 = 0.4
    group.size?.semiMinor95 = 0.2
    group.size?.meanRadius = 0.157
    performance.groups = [group]
    result.performance = performance
    for place in 0..<5 {
      var shot = ShotPosition()
      shot.x = x + Double(place) / 20
      shot.diameterCentimetres = 40
      result.shots.append(shot)
    }
    return result
  }

  private static var response: CompareResponse {
    var response = CompareResponse()
    response.range = ShownRange()
    response.range?.endMilliseconds = 1_790_000_000_000
    response.setups = [setup("Old & worn", 0.1), setup("New <1>", -0.1)]
    var pair = SetupPair()
    pair.b = 1
    pair.deltas = PairDeltas()
    pair.deltas?.averageScore = ShownDelta()
    pair.deltas?.averageScore?.text = "+0.25"
    pair.deltas?.averageScore?.direction = .bBetter
    pair.deltas?.arrowCountText = "+0"
    pair.inference = PairInference()
    var metric = MetricInference()
    metric.metric = .averageScore
    metric.words = "\"New <1>\" is better by 0.25."
    pair.inference?.metrics = [metric]
    response.pairs = [pair]
    return response
  }

  @Test("With different conditions no delta names a winner, and common distances follow")
  func differentConditions() throws {
    var response = Self.response
    let inference = try #require(response.pairs[0].inference)
    var shown = inference
    shown.conditionsDiffer = true
    shown.metrics[0].verdict = .differentConditions
    shown.metrics[0].words = "Not comparable: 70 m and 18 m."
    shown.pooled = inference.metrics
    shown.overallWords = "One test was made on this pair."
    response.pairs[0].inference = shown
    let text = ComparisonText.text(response)
    #expect(!text.contains("B better") && text.contains("+0.25"))
    #expect(text.contains("Score, accuracy and consistency: Not comparable: 70 m and 18 m."))
    #expect(text.contains("At the distances and faces that both shot: Average score: "))
    #expect(text.contains("Overall: One test"))
    #expect(ComparisonText.text(Self.response).contains("B better"))
  }

  @Test("Each stratum has the handicaps, the mean radius and the pair's handicap")
  func strata() throws {
    var response = Self.response
    response.strata = [18.0, 30].map { distance in
      var result = StratumResult()
      result.stratum = StratumKey()
      result.stratum?.distance = distance
      result.stratum?.diameterCentimetres = 40
      result.performances = response.setups.compactMap(\.performance)
      result.performances[0].meanHandicap = 41.25
      result.performances[0].handicapRoundCount = 6
      result.pairs = response.pairs
      var handicap = MetricInference()
      handicap.verdict = .bBetter
      handicap.words = "\"New <1>\" is better by 2.00 points of handicap."
      result.pairs[0].inference?.handicap = handicap
      return result
    }
    let lines = ComparisonText.text(response).split(separator: "\n").map(String.init)
    let header = try #require(lines.firstIndex { $0.hasPrefix("18 m") })
    #expect(lines[header].contains("HANDICAP") && lines[header].contains("MEAN RADIUS"))
    #expect(lines[header + 1].contains("41.2") && lines[header + 1].contains("15.7 %"))
    #expect(lines[header + 2].contains(" - "))
    #expect(
      lines.count { $0 == "Handicap: \"New <1>\" is better by 2.00 points of handicap." } == 2)
  }

  @Test("the table has both sides, the difference and the verdict")
  func table() {
    let lines = ComparisonText.text(Self.response).split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("From all time, up to 2026-"))
    #expect(lines.contains { $0.hasSuffix("B - A") && $0.contains("Old & worn") })
    #expect(lines.contains { $0.hasPrefix("average score") && $0.hasSuffix("+0.25  B better") })
    #expect(lines.contains { $0.hasPrefix("mean radius at 40 cm") && $0.contains("15.7") })
    #expect(lines.contains { $0.hasPrefix("drift at 40 cm") && $0.contains("+10.0, 0.0") })
    #expect(lines.last == "Average score: \"New <1>\" is better by 0.25.")
  }

  @Test("a side without arrows shows no numbers")
  func noData() {
    var response = Self.response
    response.setups[1].performance = SetupPerformance()
    response.pairs[0].deltas = nil
    let rows = ComparisonText.text(response).split(separator: "\n")
    let average = rows.first { $0.hasPrefix("average score") }
    #expect(average?.split(separator: " ").last == "-")
  }

  @Test("The picture is one document with shots, ellipses and a bar for each value")
  func picture() throws {
    let svg = ComparisonPlot.svg(Self.response)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>"))
    #expect(svg.contains("Old &amp; worn") && svg.contains("New &lt;1&gt;"))
    #expect(!svg.contains("New <1>"))
    func count(_ part: String) -> Int { svg.ranges(of: part).count }
    #expect(count("<ellipse") == 4 && count("fill-opacity") == 10)
    #expect(count("<g ") == count("</g>") && count("<text") == count("</text>"))
    #expect(count("<title>") == 22 && count("face of 40 cm") == 1)
  }

  @Test("A picture without arrows is a document too")
  func empty() {
    let svg = ComparisonPlot.svg(CompareResponse())
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>") && !svg.contains("nan"))
  }

  @Test(
    "Ranges are lengths or days",
    arguments: [
      ("7d", QuiverAPI.ComparisonRange.sevenDays, nil, nil), ("30d", .thirtyDays, nil, nil),
      ("90d", .ninetyDays, nil, nil), ("all", .allTime, nil, nil),
      ("2w", .custom, 790_400_000, 2_000_000_000),
      ("1970-01-02..1970-01-03", .custom, 86_400_000, 259_200_000),
    ] as [(String, QuiverAPI.ComparisonRange, Int64?, Int64?)])
  func ranges(word: String, range: QuiverAPI.ComparisonRange, start: Int64?, end: Int64?) {
    let choice = RangeWord.range(word, now: 2_000_000_000)
    #expect(choice?.range == range)
    #expect(choice?.startMilliseconds == start && choice?.endMilliseconds == end)
  }

  @Test(
    "Other texts are refused as ranges",
    arguments: ["", "d", "0d", "1970-01-02", "1970-01-02..", "a..b", "1970-01-02...1970-01-03"])
  func refused(word: String) {
    #expect(RangeWord.range(word, now: 2_000_000_000) == nil)
  }

  @Test("Numbers are rounded and have signs")
  func figures() {
    #expect(DecimalFigure.text(3.14159) == "3.14" && DecimalFigure.text(-0.004) == "0.00")
    #expect(DecimalFigure.signed(0.5) == "+0.50" && DecimalFigure.signed(0) == "0.00")
    #expect(DecimalFigure.percent(0.314) == "31.4 %" && DecimalFigure.text(7, digits: 0) == "7")
    #expect(DecimalFigure.text(1e300) == "1e+300")
  }
}
