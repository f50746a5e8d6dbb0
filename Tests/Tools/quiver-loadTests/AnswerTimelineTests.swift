import Testing

@testable import quiver_load

@Suite("Answer timeline", .timeLimit(.minutes(1)))
struct AnswerTimelineTests {
  private static let second: UInt64 = 1_000_000_000

  private func timeline(_ answers: [Double]) -> AnswerTimeline {
    var timeline = AnswerTimeline()
    timeline.start = 5 * Self.second
    for answer in answers { timeline.record(UInt64(answer * 1e9)) }
    return timeline
  }

  @Test("Only times without an answer that are long enough are added up")
  func outages() {
    // Answers from 5 to 6 s, none until 9 s, none from 9.1 to 10 s.
    let answers = timeline((0..<11).map { 5.05 + Double($0) / 10 } + [9.05, 10.05])
    let seconds = answers.outageSeconds(until: 10 * Self.second, shortest: 1)
    #expect((2.8...3.0).contains(seconds))
    #expect(answers.outageSeconds(until: 10 * Self.second, shortest: 0.5) > seconds)
  }

  @Test(
    "The time before the first and behind the last answer counts, answers of the warm-up do not")
  func ends() {
    let answers = timeline([1, 4.9, 7.05])
    #expect((3.8...4.0).contains(answers.outageSeconds(until: 9 * Self.second, shortest: 1)))
    #expect(timeline([]).outageSeconds(until: 8 * Self.second, shortest: 1) == 3)
    #expect(timeline([]).outageSeconds(until: 5 * Self.second, shortest: 1) == 0)
  }

  @Test("Timelines of several reactors are merged")
  func merged() {
    var one = timeline([5.05, 6.05])
    one.merge(timeline([7.05, 8.05]))
    #expect(one.outageSeconds(until: 9 * Self.second, shortest: 1) == 0)
  }

  @Test("A slow method and a low rate are no outage")
  func shortest() {
    #expect(AnswerTimeline.shortestOutage(rate: nil, medianMicroseconds: 100) == 1)
    #expect(AnswerTimeline.shortestOutage(rate: 0.5, medianMicroseconds: 100) == 20)
    #expect(AnswerTimeline.shortestOutage(rate: nil, medianMicroseconds: 2e6) == 20)
  }
}
