import Testing

@testable import QuiverRules

@Suite("Sums that are typed from a paper", .timeLimit(.minutes(5)))
struct TypedScoreTests {
  private static func pass(_ face: TargetFace, _ arrows: Int = 6) -> PassDefinition {
    PassDefinition(
      arrowCount: arrows, arrowsPerEnd: 3, distance: 18, unit: .metre, face: face,
      diameterCentimetres: 40)
  }

  private static func refusal(
    _ score: TypedScore, _ faces: [TargetFace] = [.tenZone]
  ) -> RuleViolation? {
    do throws(RuleViolation) {
      _ = try score.validated(for: faces.map { pass($0) })
      return nil
    } catch {
      return error
    }
  }

  @Test("Sums that no arrows can have are refused, with the field that is wrong")
  func refused() {
    let cases: [(TypedScore, String)] = [
      (TypedScore(total: 61), "total"), (TypedScore(total: -1), "total"),
      (TypedScore(total: 60, hits: 7), "hits"), (TypedScore(total: 60, golds: 7), "golds"),
      (TypedScore(total: 30, hits: 3, golds: 4), "golds"),
      (TypedScore(total: 40, golds: 2, xCount: 3), "x_count"),
      (TypedScore(total: 40, hits: 2, xCount: 3), "x_count"),
      (TypedScore(total: 19, golds: 2), "total"),
      (TypedScore(total: 23, hits: 6, golds: 2), "total"),
      (TypedScore(total: 57, golds: 2), "total"), (TypedScore(total: 31, hits: 3), "total"),
      (TypedScore(total: 5, hits: 0), "total"), (TypedScore(total: 0, hits: 1), "total"),
    ]
    for (score, field) in cases {
      #expect(Self.refusal(score)?.field == field, "\(score)")
    }
    #expect(Self.refusal(TypedScore(total: 30, xCount: 1), [.fiveZone])?.field == "x_count")
    for score in [
      TypedScore(total: 60, hits: 6, golds: 6, xCount: 6), TypedScore(total: 0),
      TypedScore(total: 24, hits: 6, golds: 2), TypedScore(total: 56, hits: 6, golds: 2),
    ] {
      #expect(Self.refusal(score) == nil, "\(score)")
    }
    #expect(Self.refusal(TypedScore(total: 100, golds: 8), [.tenZone, .fiveZone]) == nil)
  }

  @Test("Every sum that some arrows have is taken, whatever the faces are")
  func taken() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      let faces = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        TargetFace.allCases.randomElement(using: &generator) ?? .tenZone
      }
      let passes = faces.map { Self.pass($0, Int.random(in: 1...7, using: &generator)) }
      var sums = TypedScore(total: 0, hits: 0, golds: 0, xCount: 0)
      for pass in passes {
        let face = pass.face.specification
        for _ in 0..<pass.arrowCount {
          let value = (face.values + [0]).randomElement(using: &generator) ?? 0
          sums.total += value
          sums.hits? += value > 0 ? 1 : 0
          sums.golds? += value == face.topValue ? 1 : 0
          if face.hasX(value: value), Bool.random(using: &generator) { sums.xCount? += 1 }
        }
      }
      for (hits, golds, xCount) in [(true, true, true), (false, true, true), (true, false, false)] {
        let typed = TypedScore(
          total: sums.total, hits: hits ? sums.hits : nil, golds: golds ? sums.golds : nil,
          xCount: xCount ? sums.xCount : nil)
        let taken = try typed.validated(for: passes)
        #expect(taken.total == sums.total)
      }
    }
  }

  @Test("A count that a paper does not have is missing, and one that follows from others is not")
  func missing() throws {
    func missing(_ score: TypedScore, _ faces: [TargetFace] = [.tenZone]) throws -> MissingCounts {
      let passes = faces.map { Self.pass($0) }
      var tally = ScoreTally()
      tally.add(try score.validated(for: passes), for: passes)
      return tally.missing
    }
    let values = (1...9).reduce(MissingCounts()) { $0.union(.of(value: $1)) }
    #expect(try missing(TypedScore(total: 50, hits: 6, golds: 2)) == values.union(.x))
    #expect(try missing(TypedScore(total: 50, hits: 6, golds: 2, xCount: 1)) == values)
    #expect(try missing(TypedScore(total: 30, hits: 3, golds: 3, xCount: 1)) == [])
    #expect(try missing(TypedScore(total: 0)) == [])
    #expect(try missing(TypedScore(total: 60, golds: 6)) == .x)
    let all = values.union(.of(value: 10)).union(.of(value: 0)).union(.golds)
    #expect(try missing(TypedScore(total: 50, xCount: 1)) == all)
    // The face has no X ring.
    #expect(
      try missing(TypedScore(total: 30, hits: 6, golds: 1), [.fiveZone])
        == [.of(value: 7), .of(value: 5), .of(value: 3), .of(value: 1)])
  }

  @Test("Where one of a tie lacks the next count, all of the tie share the rank")
  func ties() {
    let ranking = Ranking(TiePolicyForm.of(.xFirst, onDay: 0), inProgress: false)
    func row(_ id: Int64, _ total: Int, _ x: Int?) -> Ranking.Contender {
      var tally = ScoreTally()
      tally.add(
        TypedScore(total: total, hits: 6, golds: 6, xCount: x), for: [Self.pass(.tenZone)])
      return Ranking.Contender(id: id, tally: tally)
    }
    let rows = [
      row(1, 60, 2), row(2, 60, 5), row(3, 60, nil), row(4, 61, nil), row(5, 59, 6), row(6, 59, 3),
    ]
    let ranked = ranking.ranked(rows)
    #expect(ranked.map(\.contender.id) == [4, 2, 1, 3, 5, 6])
    #expect(ranked.map(\.rank) == [1, 2, 2, 2, 5, 6])
    #expect(ranked.map(\.missing) == [nil, .x, .x, .x, nil, nil])
    let why = ranking.explain(rows[0], over: rows[2])
    #expect(why.key == nil && why.order == 0 && why.missing == .x)
    #expect(why.text("Ann", "Ben").contains("X of one with equal keys is not known"))
    // A decided tie is told apart again.
    let ties = DecidedTies([
      1: .init(decision: 1, place: 1), 2: .init(decision: 1, place: 2),
      3: .init(decision: 1, place: 3),
    ])
    #expect(ties.split(ranked).map(\.ranked.rank) == [1, 2, 3, 4, 5, 6])
    // The sums of a team lack what one of its members lacks.
    let team = ScoreTally(sumOf: [rows[0].tally, rows[2].tally])
    #expect(team.missing == .x && team.total == 120)
  }
}
