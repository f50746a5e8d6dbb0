import Foundation
import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct ReportTests {
  @Test(
    "the median is the middle, or the mean of the two in the middle",
    arguments: [([], nil), ([3], 3), ([9, 1, 2], 2), ([4, 1, 3, 2], 2.5)] as [([Double], Double?)])
  func median(samples: [Double], expected: Double?) {
    #expect(Statistics.median(samples) == expected)
  }

  @Test("Ratios pair the samples of a run and omit a zero divisor")
  func ratios() {
    #expect(Statistics.ratios([2, 9, 8], [1, 0, 4]) == [2, 2])
    #expect(Statistics.ratios([2, 3], [1]) == [2])
  }

  @Test(
    "A figure is compared by its median",
    arguments: [
      ([1, 2, 9], 2, nil, .met), ([1, 2, 9], 1.9, nil, .missed), ([1, 2, 9], 3, 2, .goal),
      ([1, 2, 9], 3, 1.9, .goalMissed), ([], 3, nil, .unmeasured), ([1], nil, nil, nil),
      ([1], nil, 1, .goal), ([1], nil, 0.9, .goalMissed), ([], nil, 1, .unmeasured),
    ] as [([Double], Double?, Double?, Report.Verdict?)])
  func verdict(samples: [Double], bound: Double?, goal: Double?, expected: Report.Verdict?) {
    let figure = Report.Figure(name: "f", unit: "", samples: samples, bound: bound, goal: goal)
    #expect(figure.verdict == expected)
  }

  private func report(_ samples: [Double]) -> Report {
    let figure = Report.Figure(name: "to raw", unit: "", samples: samples, bound: 3, goal: 2)
    let subjects = [Report.Subject(name: "raw", unit: "µs", samples: [0.5, 0.25, 0.75])]
    let measure = Report.Measure(
      name: "echo-16x16", sentence: "", subjects: subjects, figures: [figure], remarks: ["a\nb"])
    return Report(runs: 3, secondsPerSample: 2, measures: [measure])
  }

  @Test("Attacks are shown in a table of their own, and a refusal misses the bound")
  func fairness() {
    var measure = Report.Measure(name: "fairness-wrong-codes", sentence: "")
    measure.subjects = [
      Report.Subject(name: FairnessMeasures.alone, unit: "ms", samples: [2, 1, 3]),
      Report.Subject(name: FairnessMeasures.attacked, unit: "ms", samples: [3, 5, 4]),
    ]
    measure.figures = [
      Report.Figure(name: FairnessMeasures.ratio, unit: "", samples: [1.5], bound: 2),
      Report.Figure(name: FairnessMeasures.control, unit: "", samples: [1.25]),
      Report.Figure(name: FairnessMeasures.refusals, unit: "", samples: [1], bound: 0),
      Report.Figure(name: FairnessMeasures.memory, unit: "MiB", samples: [90], bound: 576),
    ]
    let report = Report(runs: 3, secondsPerSample: 2, measures: [measure])
    let text = Markdown.text(report, before: nil)
    #expect(text.contains("\n| wrong-codes | 2 ms | 4 ms | 1.50 | 1.25 | 1 | 90 MiB |\n"))
    #expect(!text.contains("fairness-wrong-codes, p99 alone"))
    #expect(!report.isMet)
  }

  @Test("A bound that was exceeded or not measured is not met")
  func isMet() {
    #expect(report([2.5]).isMet)
    #expect(!report([3.5]).isMet)
    #expect(!report([]).isMet)
  }

  @Test("The performance page has the tables of the report in the repository")
  func performancePage() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: root.appendingPathComponent("docs/bench.json")))
    let page = try String(
      contentsOf: root.appendingPathComponent(PerformancePage.path), encoding: .utf8)
    #expect(try PerformancePage.text(page, with: report) == page)
    var other = report
    other.measures[0].figures[0].samples = [12_345]
    #expect(try PerformancePage.text(page, with: other).contains("12345"))
    #expect(throws: Unmeasured.self) { try PerformancePage.text("# Quiver", with: report) }
  }

  @Test("The figures of goals have them, and a table says of each whether it is met")
  func goals() {
    var report = Report(runs: 1, secondsPerSample: 1, measures: [])
    #expect(Markdown.goals(report) == [])
    for (number, goal) in Goal.all.enumerated() {
      let samples = number == 0 ? [] : [goal.most + (number == 1 ? 1 : 0)]
      let figure = Report.Figure(name: goal.figure, unit: "", samples: samples, bound: nil)
      if let index = report.measures.firstIndex(where: { $0.name == goal.measure }) {
        report.measures[index].figures.append(figure)
      } else {
        report.measures.append(
          Report.Measure(name: goal.measure, sentence: "", figures: [figure]))
      }
    }
    report.setGoals()
    let figures = report.measures.flatMap(\.figures)
    #expect(figures.contains { $0.goal != nil })
    let table = Markdown.goals(report)
    #expect(table.contains { $0.hasSuffix("| 1.25 | not measured |") })
    #expect(table.contains { $0.hasSuffix("| 1.40 | missed |") })
    #expect(table.contains("| point read to an echo | 1.50 |  | 1.50 | met |"))
  }

  @Test("Each goal is of a measure of the bench")
  func measuresOfGoals() {
    for goal in Goal.all { #expect(Bench.measureNames.contains(goal.measure), "\(goal.measure)") }
  }

  @Test("A report survives conversion to JSON and back")
  func json() throws {
    let data = try JSONEncoder().encode(report([1, 2, 4]))
    #expect(try JSONDecoder().decode(Report.self, from: data) == report([1, 2, 4]))
  }

  @Test("The table has the verdict, the earlier figure and each remark once")
  func markdown() {
    let text = Markdown.text(report([1, 2, 4]), before: report([4]))
    #expect(text.contains("| server | 16x16 |\n|---|---|\n| raw | 0.50 |"))
    #expect(
      text.contains("| echo-16x16 | to raw | 2 (was 4, -50 %) | 1 to 4 | 3 | 2 | goal met |"))
    #expect(text.hasSuffix("\n- echo-16x16: a b\n"))
  }

  @Test(
    "Numbers have three significant digits",
    arguments: [(3, "3"), (0.123, "0.12"), (12.34, "12.3"), (123.4, "123"), (-50, "-50")])
  func number(value: Double, expected: String) {
    #expect(Markdown.number(value) == expected)
  }
}
