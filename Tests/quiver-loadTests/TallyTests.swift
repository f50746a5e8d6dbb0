import QuiverWire
import Testing

@testable import quiver_load

@Suite("What a role's calls come to")
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
    // What broke off has no time; what was sent over 10 ms late is late.
    #expect(result.counts.summary.latency.count == 6 && result.counts.summary.late == 4)
    #expect(result.counts.summary.unsent == 1 && result.mostOpen == 1)
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
