import QuiverRPC
import QuiverWire
import Testing

@testable import simulation

@Suite("Saturated connections", .timeLimit(.minutes(5)))
struct SaturationTests {
  private func program(
    _ kinds: [PlannedCall.Kind], messages: UInt32, bytes: Int, window: UInt64
  ) -> Program {
    var program = Program(seed: 1, packs: false)
    program.calls = []
    program.mishaps = []
    program.drains = []
    program.habits = WireHabits()
    program.habits.chunkBytes = 1...700
    for limits in [\Program.clientLimits, \Program.serverLimits] {
      program[keyPath: limits].maxConcurrentStreams = 100
      program[keyPath: limits].initialStreamCredit = window
      program[keyPath: limits].initialConnectionCredit = window * 2
    }
    for (place, kind) in kinds.enumerated() {
      var ask = Ask()
      ask.number = UInt32(place + 1)
      ask.padding = [UInt8](repeating: 5, count: bytes)
      ask.replyBytes = UInt32(bytes)
      ask.count = messages
      program.calls.append(
        PlannedCall(
          number: ask.number, kind: kind, ask: ask, startNanoseconds: 0, messageCount: messages,
          sendPauseMicroseconds: 0, readPauseMicroseconds: 0))
    }
    return program
  }

  @Test(
    "F10: both directions make progress when they are saturated on small windows",
    arguments: [4_096, 65_536])
  func bothWays(_ window: UInt64) {
    let kinds = [PlannedCall.Kind](repeating: .talk, count: 8)
    let run = Run(program(kinds, messages: 12, bytes: 60_000, window: window))
    #expect(run.findings() == [])
    #expect(run.outcomes.values.allSatisfy { $0.allSatisfy { $0.error == nil } })
  }

  @Test("F08: a hundred slow streams use memory up to the limits")
  func manyStreams() {
    var slow = program(
      [PlannedCall.Kind](repeating: .source, count: 100), messages: 6, bytes: 60_000,
      window: 4_096)
    for place in slow.calls.indices { slow.calls[place].readPauseMicroseconds = 4_000 }
    slow.serverLimits.outputHighWater = 4_096
    slow.serverLimits.streamOutputBytes = 65_536
    let run = Run(slow)
    #expect(run.findings() == [])
    // A stream holds its limit and the message that went over it.
    #expect(run.largestHeld <= 100 * (65_536 + 60_100) + 4_096 + 16_400)
    #expect(run.largestHeld > 0)
  }
}
