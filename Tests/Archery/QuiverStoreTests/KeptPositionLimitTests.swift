import QuiverRules
import Testing

@testable import QuiverStore

@Suite("Limits of kept positions", .timeLimit(.minutes(1)))
struct KeptPositionLimitTests {
  @Test("Kept positions never take more than their limits")
  func respectsLimits() {
    let kept = KeptPositions(isShared: false)
    let shot = PlacedShot(point: ShotPoint(x: 0, y: 0), value: 9)
    let round = [0: Array(repeating: shot, count: 2_000)]
    for principal in Int64(1)...64 {
      for id in Int64(0)..<40 {
        kept.reading(of: principal)?.keep(round, of: principal * 100 + id)
        #expect(kept.byteCount <= StoreLimits.keptPositionBytes)
      }
      #expect(kept.reading(of: principal)?.round(principal * 100 + 39) != nil)
    }
    let long = [
      0: Array(repeating: shot, count: StoreLimits.keptPositionBytesPerPrincipal / 24 + 1)
    ]
    kept.reading(of: 1)?.keep(long, of: 1)
    #expect(kept.reading(of: 1)?.round(1) == nil)
    #expect(KeptPositions(isShared: true).reading(of: 1) == nil)
  }
}
