import QuiverLoopback
import QuiverRPC
import Testing

@testable import simulation

@Suite("The simulation")
struct SimulationTests {
  @Test("X01: what must hold, holds", arguments: 1..<101 as Range<UInt64>)
  func holds(_ seed: UInt64) {
    let found = Run(seed: seed).findings()
    #expect(found == [], "seed \(seed)")
  }

  @Test("The same seed does the same", arguments: [7, 42, 99] as [UInt64])
  func repeatable(_ seed: UInt64) {
    let traces = (0..<3).map { _ in
      let run = Run(seed: seed)
      _ = run.findings()
      return run.trace
    }
    #expect(Set(traces).count == 1, "\(traces)")
    #expect(!traces[0].isEmpty)
  }

  @Test("The seeds try every kind of call and every mishap")
  func variety() {
    let programs = (1..<301 as Range<UInt64>).map { Program(seed: $0) }
    let kinds = Set(programs.flatMap { $0.calls.map { "\($0.kind)" } })
    #expect(kinds.count == PlannedCall.Kind.allCases.count)
    let mishaps = Set(programs.flatMap { $0.mishaps.map { "\($0.kind)" } })
    #expect(mishaps.count == Mishap.allCases.count)
    #expect(programs.contains { !$0.drains.isEmpty })
  }
}
