import Foundation
import QuiverWire
import Testing

@testable import simulation

@Suite("Recorded traces", .timeLimit(.minutes(5)))
struct TraceTests {
  /// Seeds whose calls are small and of every kind.
  private static let seeds: [UInt64] = [533, 1_517, 1_725]

  private static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Protos/vectors/traces.json")

  private static func recorded() -> [Trace] {
    seeds.map { Trace.recorded(seed: $0, about: "the calls of seed \($0), without mishaps") }
  }

  @Test("V01: a server replies to the clients of recorded traces as it did then")
  func replay() throws {
    if ProcessInfo.processInfo.environment["QUIVER_RECORD_TRACES"] == "1" {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(Self.recorded()).write(to: Self.file)
    }
    let traces = try JSONDecoder().decode([Trace].self, from: Data(contentsOf: Self.file))
    #expect(traces.count == Self.seeds.count)
    for (trace, seed) in zip(traces, Self.seeds) {
      let limits = Program(seed: seed).serverLimits
      let now = Trace.streams(trace.replayed(limits: limits))
      #expect(now == Trace.streams(trace.said(by: "server")), "\(trace.about)")
      #expect(now.count > 3)
    }
  }

  @Test("V01: the current ends have the same conversations as the traces")
  func same() throws {
    let traces = try JSONDecoder().decode([Trace].self, from: Data(contentsOf: Self.file))
    for (then, now) in zip(traces, Self.recorded()) {
      for side in ["client", "server"] {
        let said = (Trace.streams(then.said(by: side)), Trace.streams(now.said(by: side)))
        #expect(said.0 == said.1, "\(then.about): the \(side)")
      }
    }
  }
}
