import ServerPrograms
import Testing

@testable import torture

/// Row 2 of the fault matrix.
@Suite(.serialized, .timeLimit(.minutes(20))) struct PowerLossTests {
  @Test(
    "after a power loss with unsynced data dropped, torn or reordered nothing is lost or doubled")
  func seeds() async throws {
    let outcome = try await onThread { try Self.run(seeds: 1...200) }
    #expect(outcome.findings.isEmpty, "\(outcome.findings.prefix(20))")
    #expect(outcome.killedCount > 150)
    #expect(outcome.acknowledgedCount > 1_000)
  }

  @Test("A disk that ignores syncs is detected, which shows that the check can fail")
  func lyingDisk() async throws {
    let outcome = try await onThread { try Self.run(seeds: 1...20, losesSyncs: true) }
    #expect(outcome.findings.contains { $0.contains("was acknowledged and is lost") })
  }

  private static func run(
    seeds: ClosedRange<UInt64>, losesSyncs: Bool = false
  ) throws -> Kills.Outcome {
    try PowerLoss.prepare()
    let loss = PowerLoss(directory: try ScratchDirectory(), losesSyncs: losesSyncs)
    return try loss.run(seeds: seeds)
  }
}
