import Testing

@testable import QuiverRules

@Suite("Sections and filters of the weight log", .timeLimit(.minutes(5)))
struct WeightFilterTests {
  /// 2024-02-26, a Monday, to 2024-03-09.
  static let entries = (0..<13).map { (index: Int64) -> WeighIn in
    let day = Int32(19_779 + index)
    return weighIn(day: day, 180_000 - index * 400, id: index, hasNote: index % 3 == 0)
  }
  static let rows = WeightRow.all(of: entries, in: .pound, average: .exponential(span: 7))

  @Test("Months and rows come newest first")
  func order() {
    let sections = WeightSection.all(of: Self.rows)
    #expect(sections.map(\.month.month) == [3, 2] && sections.map(\.rows.count) == [9, 4])
    let ids = sections.flatMap(\.rows).map(\.entry.id)
    #expect(ids == (0..<13).reversed().map(Int64.init))
    #expect(sections[1].rows.map(\.weekday) == [5, 4, 3, 2])
  }

  @Test("A filter changes which rows are there, and nothing in them")
  func computedFirst() {
    let filter = WeightFilter(withNotes: true, weekdays: [1, 2, 5])
    let shown = WeightSection.all(of: Self.rows, filter).flatMap(\.rows)
    // Mondays, Thursdays and Sundays with a note: the 1st, 4th, and 7th day.
    #expect(shown.map(\.entry.id) == [6, 3, 0])
    for row in shown { #expect(Self.rows.contains(row)) }
  }

  @Test("What no row passes leaves no section")
  func nothing() {
    #expect(WeightSection.all(of: Self.rows, WeightFilter(milestones: true)).isEmpty)
    #expect(WeightSection.all(of: []).isEmpty)
  }

  @Test("Milestone rows are the first at each milestone or beyond, from the plan's day on")
  func milestones() throws {
    let plan = MilestonePlan(
      unit: .pound, startThousandths: 200_000, goalThousandths: 170_000, stepThousandths: 5_000,
      startDay: 1)
    let crossings = plan.crossings([
      weighIn(day: 0, 170_000), weighIn(day: 1, 195_001), weighIn(day: 2, 195_000),
      weighIn(day: 3, 196_000), weighIn(day: 4, 184_999), weighIn(day: 5, 190_000),
    ])
    #expect(
      crossings.map(\.milestoneThousandths) == [195, 190, 185, 180, 175, 170].map { $0 * 1_000 })
    #expect(crossings.map { $0.entry?.day } == [2, 4, 4, nil, nil, nil])
    let gain = MilestonePlan(
      unit: .kilogram, startThousandths: 60_500, goalThousandths: 66_000, stepThousandths: 2_000,
      startDay: 0)
    #expect(gain.milestones == [62_000, 64_000, 66_000])
    // In the plan's unit: 140 lb are 63.503 kg.
    #expect(gain.crossings([weighIn(day: 0, 140_000)]).map { $0.entry?.day } == [0, nil, nil])
  }

  @Test("A start on a multiple is none of the milestones, and the goal comes once")
  func bounds() {
    for (start, goal, expected) in [
      (200, 195, [195]), (200, 190, [195, 190]), (201, 199, [200, 199]), (195, 200, [200]),
      (194, 201, [195, 200, 201]),
    ] as [(Int64, Int64, [Int64])] {
      let plan = MilestonePlan(
        unit: .pound, startThousandths: start * 1_000, goalThousandths: goal * 1_000,
        stepThousandths: 5_000, startDay: 0)
      #expect(plan.milestones == expected.map { $0 * 1_000 })
    }
  }

  @Test("The smallest step is a thousandth")
  func smallestStep() {
    func milestones(step: Int64) -> [Int64] {
      MilestonePlan(
        unit: .pound, startThousandths: 4, goalThousandths: 1, stepThousandths: step, startDay: 0
      ).milestones
    }
    #expect(milestones(step: 1) == [3, 2, 1] && milestones(step: 0) == [1])
  }

  @Test("A plan that cannot be is refused by its field")
  func badPlans() {
    let good = MilestonePlan(
      unit: .pound, startThousandths: 200_000, goalThousandths: 160_000, stepThousandths: 5_000,
      startDay: 0)
    func field(_ change: (inout MilestonePlan) -> Void) -> String? {
      var plan = good
      change(&plan)
      do {
        _ = try plan.validated(prefix: "plan")
        return nil
      } catch {
        return error.field
      }
    }
    #expect(field { _ in } == nil)
    #expect(field { $0.startThousandths = 999 } == "plan.start_thousandths")
    #expect(field { $0.goalThousandths = .max } == "plan.goal_thousandths")
    #expect(field { $0.goalThousandths = 200_000 } == "plan.goal_thousandths")
    #expect(field { $0.stepThousandths = 0 } == "plan.step_thousandths")
    #expect(
      field { ($0.unit, $0.stepThousandths) = (.kilogram, 10_000) } == "plan.step_thousandths")
    #expect(field { $0.startDay = .max } == "plan.start_day")
  }
}
