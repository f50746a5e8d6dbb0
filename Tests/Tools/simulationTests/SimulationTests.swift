import QuiverLoopback
import QuiverRPC
import QuiverWire
import Testing

@testable import simulation

@Suite("The simulation", .timeLimit(.minutes(5)))
struct SimulationTests {
  @Test("X01: the invariants hold", arguments: 1..<101 as Range<UInt64>)
  func holds(_ seed: UInt64) {
    let found = Run(seed: seed).findings()
    #expect(found == [], "seed \(seed)")
  }

  @Test("X01: messages are compressed in both directions and arrive unchanged")
  func compressed() {
    var packed = (up: 0, down: 0)
    for seed in 1..<61 as Range<UInt64> {
      var program = Program(seed: seed)
      program.mishaps = []
      program.drains = []
      guard program.clientPacks, program.serverPacks else { continue }
      // Nothing is given up, so that whatever was packed arrives.
      for place in program.calls.indices {
        program.calls[place].timeoutNanoseconds = nil
        program.calls[place].cancelNanoseconds = nil
        program.calls[place].ask.enough = 0
        program.calls[place].ask.code = 0
      }
      program.serverLimits.maxConcurrentStreams = 100
      let run = Run(program)
      #expect(run.findings() == [], "seed \(seed)")
      let (client, server) = run.packers
      #expect(client?.packedCount == server?.unpackedCount, "seed \(seed)")
      #expect(server?.packedCount == client?.unpackedCount, "seed \(seed)")
      packed.up += client?.packedCount ?? 0
      packed.down += server?.packedCount ?? 0
    }
    #expect(packed.up > 20 && packed.down > 20)
  }

  @Test("The same seed gives the same trace", arguments: [7, 42, 99] as [UInt64])
  func repeatable(_ seed: UInt64) {
    let traces = (0..<3).map { _ in
      let run = Run(seed: seed)
      _ = run.findings()
      return run.trace
    }
    #expect(Set(traces).count == 1, "\(traces)")
    #expect(!traces[0].isEmpty)
  }

  @Test("X01: the invariants hold over TLS", arguments: 1..<61 as Range<UInt64>)
  func holdsOverTLS(_ seed: UInt64) throws {
    let found = Run(seed: seed, authority: try SimulatedAuthority()).findings()
    #expect(found == [], "seed \(seed)")
  }

  @Test("The same seed gives the same trace over TLS", arguments: 1..<21 as Range<UInt64>)
  func repeatableOverTLS(_ seed: UInt64) throws {
    let authority = try SimulatedAuthority()
    let traces = (0..<3).map { _ in
      let run = Run(seed: seed, authority: authority)
      _ = run.findings()
      return run.trace
    }
    #expect(Set(traces).count == 1, "\(traces)")
  }

  @Test("Corrupted bytes end connections over TLS, and calls continue over others")
  func corruption() throws {
    let authority = try SimulatedAuthority()
    var broken = 0
    for seed in 1..<61 as Range<UInt64> {
      let run = Run(seed: seed, authority: authority)
      guard run.program.mishaps.contains(where: { $0.kind == .corruption }) else { continue }
      #expect(run.findings() == [], "seed \(seed)")
      if run.network.wires.count > 1 { broken += 1 }
    }
    #expect(broken > 3)
  }

  @Test("The seeds cover every kind of call and of fault")
  func variety() {
    let programs = (1..<301 as Range<UInt64>).map { Program(seed: $0) }
    let kinds = Set(programs.flatMap { $0.calls.map { "\($0.kind)" } })
    #expect(kinds.count == PlannedCall.Kind.allCases.count)
    let mishaps = Set(programs.flatMap { $0.mishaps.map { "\($0.kind)" } })
    #expect(mishaps.count == Mishap.ofPlainWires.count)
    #expect(programs.contains { !$0.drains.isEmpty })
    #expect(Set(programs.map { [$0.clientPacks, $0.serverPacks] }).count == 4)
  }
}
