import Foundation
import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct HandicapSchemeTests {
  private static let facts: HandicapFacts? = try? HandicapFacts()

  @Test("every row of the tables agrees")
  func tables() throws {
    let facts = try #require(Self.facts)
    #expect(facts.rows.count == 19)
    for row in facts.rows {
      let passes = try #require(facts.passes[row.round], "\(row.round)")
      #expect(passes.reduce(0) { $0 + $1.maximumScore } == row.maximum, "\(row.round)")
      for (handicap, score) in row.scores {
        let computed = try HandicapScheme.score(handicap: handicap, passes: passes)
        #expect(computed == score, "\(row.round) at \(handicap)")
      }
    }
  }

  @Test("every handicap of a score agrees with the reference points")
  func points() throws {
    let facts = try #require(Self.facts)
    #expect(facts.points.count == 9)
    for point in facts.points {
      let passes = try #require(facts.passes[point.round], "\(point.round)")
      let handicap = try HandicapScheme.handicap(score: point.score, passes: passes)
      #expect(handicap == point.handicap, "\(point.round) \(point.score)")
    }
  }

  @Test("spreads, single arrows and passes agree with the reference points")
  func arrows() throws {
    let facts = try #require(Self.facts)
    #expect(facts.sigmas.count == 4)
    for sigma in facts.sigmas {
      let value = HandicapScheme.sigmaTheta(
        handicap: sigma.handicap, distanceMetres: sigma.distance)
      #expect(abs(value - sigma.value) < 1e-9, "\(sigma)")
    }
    #expect(facts.arrows.count == 14)
    for (face, score) in facts.arrows {
      let rings = try #require(facts.rings[face])
      let pass = HandicapPass(
        arrows: 1, distanceMetres: 50, faceDiameterMetres: 0.8, rings: rings, isIndoor: false)
      let value = HandicapScheme.expectedArrow(handicap: 38, pass: pass)
      #expect(abs(value - score) < 1e-8, "\(face)")
    }
    let passes = try #require(facts.passes["wa1440_90"])
    for (pass, score) in zip(passes, facts.passScores) {
      #expect(abs(HandicapScheme.expectedScore(handicap: 10, passes: [pass]) - score) < 1e-7)
    }
    #expect(facts.passScores.count == 4)
  }

  @Test("a score's handicap is the largest that gives it, else the smallest that stays below")
  func definition() throws {
    let facts = try #require(Self.facts)
    for round in ["wa720_70", "wa18", "western", "wa720_50_c"] {
      let passes = try #require(facts.passes[round])
      let table = try HandicapScheme.range.map {
        ($0, try HandicapScheme.score(handicap: $0, passes: passes))
      }
      let maximum = passes.reduce(0) { $0 + $1.maximumScore }
      for score in 1...maximum {
        let equal = table.last { $0.1 == score }
        let below = table.first { $0.1 <= score }
        let handicap = try HandicapScheme.handicap(score: score, passes: passes)
        #expect(handicap == (equal ?? below)?.0, "\(round) \(score)")
      }
    }
  }

  @Test("scores of 0 and above the maximum, handicaps off the scale and faces without rings")
  func refused() throws {
    let passes = try #require(Self.facts?.passes["wa720_70"])
    for score in [0, -1, 721, .max, .min] {
      let violation = #expect(throws: RuleViolation.self) {
        try HandicapScheme.handicap(score: score, passes: passes)
      }
      #expect(violation?.field == "score")
    }
    for handicap in [-76, 301, .min, .max] {
      let violation = #expect(throws: RuleViolation.self) {
        try HandicapScheme.score(handicap: handicap, passes: passes)
      }
      #expect(violation?.field == "handicap")
    }
    let bare = HandicapPass(
      arrows: 3, distanceMetres: 18, faceDiameterMetres: 0.4, rings: [], isIndoor: true)
    for passes in [[], [bare]] {
      let violation = #expect(throws: RuleViolation.self) {
        try HandicapScheme.handicap(score: 1, passes: passes)
      }
      #expect(violation?.field == "format")
    }
  }
}
