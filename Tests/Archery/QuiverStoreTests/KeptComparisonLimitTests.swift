import QuiverRules
import Testing

@testable import QuiverStore

@Suite("Limits of kept comparisons", .timeLimit(.minutes(1)))
struct KeptComparisonLimitTests {
  @Test("Kept positions never take more than their limits")
  func respectsLimits() {
    let kept = KeptComparisons(isShared: false)
    let shot = PlacedShot(point: ShotPoint(x: 0, y: 0), value: 9)
    let round = [0: Array(repeating: shot, count: 2_000)]
    for principal in Int64(1)...64 {
      for id in Int64(0)..<40 {
        kept.reading(of: principal)?.keep(round, of: principal * 100 + id)
        #expect(kept.byteCount <= StoreLimits.keptComparisonBytes)
      }
      #expect(kept.reading(of: principal)?.round(principal * 100 + 39) != nil)
    }
    let long = [
      0: Array(repeating: shot, count: StoreLimits.keptComparisonBytesPerPrincipal / 24 + 1)
    ]
    kept.reading(of: 1)?.keep(long, of: 1)
    #expect(kept.reading(of: 1)?.round(1) == nil)
    #expect(KeptComparisons(isShared: true).reading(of: 1) == nil)
  }

  @Test("Kept rounds never take more than their limits, and replace those of the same setup")
  func limitsRounds() {
    let kept = KeptComparisons(isShared: false)
    let stratum = Stratum(distance: 18, unit: .metre, face: 1, diameterCM: 40)
    let part = RoundPart(
      stratum: stratum, floors: ValueFloors(top: 10, second: 9), rollup: ArrowRollup())
    func rounds(_ count: Int) -> KeptRounds {
      KeptRounds(
        rounds: Array(repeating: ComparedRound(parts: [part]), count: count), passes: [],
        starts: 0...0, ends: 1...1, events: [])
    }
    func scope(_ setup: Int64) -> KeptRounds.Scope {
      KeptRounds.Scope(setupID: setup, version: 0, includesUnfinished: false, withHandicaps: true)
    }
    let span = ShotSpan(start: 0, end: 1)
    for principal in Int64(1)...64 {
      for setup in Int64(0)..<40 {
        kept.reading(of: principal)?.keep(rounds(500), of: scope(setup))
        #expect(kept.byteCount <= StoreLimits.keptComparisonBytes)
      }
      #expect(kept.reading(of: principal)?.rounds(scope(39), span)?.rounds.count == 500)
    }
    kept.reading(of: 1)?.keep(rounds(100_000), of: scope(1))
    #expect(kept.reading(of: 1)?.rounds(scope(1), span) == nil)
    let other = KeptComparisons(isShared: false)
    for count in [10, 30, 20] {
      other.reading(of: 1)?.keep(rounds(count), of: scope(1))
      #expect(other.byteCount == rounds(count).byteCount)
    }
  }
}
