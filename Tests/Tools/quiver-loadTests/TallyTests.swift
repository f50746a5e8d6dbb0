import QuiverWire
import Testing

@testable import quiver_load

@Suite("What a role's calls come to", .timeLimit(.minutes(5)))
struct TallyTests {
  private func tally(_ gate: Tally.Gate, late: Double = 0.01) -> Tally {
    Tally(role: "r", method: "m", counting: gate, lateSeconds: late)
  }

  @Test("Nothing counts before the gate is open, but for what is open")
  func warmUp() {
    let gate = Tally.Gate()
    let tally = tally(gate)
    tally.began()
    tally.began()
    tally.ended(intended: 0, sent: 0, now: 1_000, nil)
    tally.notSent()
    tally.note("n")
    tally.message(sinceSent: 1, sinceLast: 1, isFirst: true)
    let result = tally.result(series: Series())
    #expect(result.counts.summary.ended == 0 && result.notes.isEmpty && result.mostOpen == 2)
    #expect(result.counts.firstMessages == nil && result.counts.summary.unsent == 0)
    #expect(tally.turn().openCalls == 1)
  }

  @Test("Seconds and the whole agree, with failures by code and the first one's words")
  func counting() {
    let gate = Tally.Gate()
    gate.open()
    let tally = tally(gate)
    for number in 1...6 as ClosedRange<UInt64> {
      tally.began()
      tally.ended(
        intended: 0, sent: number * 4_000_000, now: 30_000_000,
        number == 6 ? (.aborted, "late \(number)") : nil)
      if number == 3 {
        let (counts, open) = tally.turn()
        #expect(counts.summary.succeeded == 3 && counts.summary.late == 1 && open == 0)
      }
    }
    tally.began()
    tally.broke((.unavailable, "gone"))
    tally.notSent()
    let result = tally.result(series: Series())
    #expect(result.counts.summary.succeeded == 5 && result.firstFailure == "late 6")
    #expect(result.counts.summary.failures == [10: 1, 14: 1])
    // Only successful calls have a latency; a call that was sent over 10 ms late is late.
    #expect(result.counts.summary.latency.count == 5 && result.counts.summary.late == 4)
    #expect(result.counts.summary.unsent == 1 && result.mostOpen == 1)
  }

  @Test("Calls count by the time when they were meant; one without an answer is a failure")
  func unanswered() {
    let gate = Tally.Gate()
    gate.open(from: 1_000)
    let tally = tally(gate)
    for intended in [900, 1_000, 1_100, 1_200, 1_300] as [UInt64] {
      tally.began(intended: intended, sent: intended)
    }
    gate.rest(from: 1_300)
    #expect(tally.isWaiting)
    tally.ended(intended: 1_000, sent: 1_000, now: 1_400, nil)
    tally.ended(intended: 1_100, sent: 1_100, now: 1_500, (.aborted, "no"))
    // Of the warm-up; and after the last that counts.
    tally.ended(intended: 900, sent: 900, now: 1_600, nil)
    #expect(tally.isWaiting)
    tally.giveUp(at: 9_200)
    gate.close()
    #expect(!tally.isWaiting)
    tally.left(intended: 1_200, sent: 1_200)
    tally.ended(intended: 1_300, sent: 1_300, now: 9_999, nil)
    let summary = tally.result(series: Series()).counts.summary
    #expect(summary.succeeded == 1 && summary.failed == 2 && summary.unanswered == 1)
    #expect(summary.latency.count == 1 && summary.latencyMicroseconds(at: 0.9) == .infinity)
    #expect(tally.turn().openCalls == 0)
  }

  @Test("The time in which calls failed and none was answered is an outage")
  func outage() {
    let gate = Tally.Gate()
    gate.open()
    let tally = tally(gate)
    func ended(_ seconds: UInt64, _ code: StatusCode?) {
      tally.began()
      let now = seconds * 1_000_000_000
      tally.ended(intended: now, sent: now, now: now, code.map { ($0, "") })
    }
    ended(10, nil)
    // A quiet time without failures is no outage, nor is an answer with a status.
    ended(20, nil)
    ended(21, .notFound)
    ended(22, .unavailable)
    ended(24, .deadlineExceeded)
    ended(27, nil)
    ended(28, nil)
    #expect(tally.result(series: Series()).counts.summary.outageSeconds == 6)
  }

  @Test("Messages, gaps and delays have histograms once there are any")
  func messages() {
    let gate = Tally.Gate()
    gate.open()
    let tally = tally(gate)
    tally.message(sinceSent: 2_000, sinceLast: 2_000, isFirst: true)
    tally.message(sinceSent: 9_000, sinceLast: 7_000, isFirst: false)
    tally.delays([CommitLedger.Delay(sinceAnswer: 0, sinceSending: 5_000)])
    tally.note("a")
    tally.note("a")
    _ = tally.turn()
    let result = tally.result(series: Series())
    #expect(result.counts.firstMessages?.maxNanoseconds == 2_000)
    #expect(result.counts.gaps?.maxNanoseconds == 7_000 && result.counts.summary.messages == 2)
    #expect(result.counts.sinceSending?.count == 1 && result.counts.sinceAnswer?.count == 1)
    #expect(result.notes == ["a": 2])
  }
}
