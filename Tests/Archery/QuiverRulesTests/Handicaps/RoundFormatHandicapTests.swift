import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct RoundFormatHandicapTests {
  @Test("every round of the first source has the passes of its definition")
  func library() throws {
    let facts = try HandicapFacts()
    let known = RoundLibrary.formats.filter { facts.passes[$0.codename] != nil }
    #expect(known.count == 43)
    for format in known {
      let passes = try #require(facts.passes[format.codename])
      #expect(format.handicapPasses.count == passes.count)
      for (one, two) in zip(format.handicapPasses, passes) {
        #expect(one.arrows == two.arrows && one.rings == two.rings, "\(format.codename)")
        #expect(one.arrowDiameterMetres == two.arrowDiameterMetres)
        #expect(abs(one.distanceMetres - two.distanceMetres) < 1e-9)
        #expect(abs(one.faceDiameterMetres - two.faceDiameterMetres) < 1e-9)
      }
    }
  }

  @Test("a table answers as the scheme does, whatever was asked of it before")
  func table() throws {
    let format = try #require(RoundLibrary.format("wa720_70"))
    var table = try #require(HandicapTable(format.handicapPasses))
    for score in [1, 720, 500, 283, 719, 2] {
      let handicap = try HandicapScheme.handicap(score: score, passes: format.handicapPasses)
      #expect(table.handicap(score) == handicap)
    }
    #expect(table.handicap(0) == nil && table.handicap(721) == nil)
  }

  @Test("a round at animals has no handicap")
  func animals() {
    let pass = RoundPass(
      arrowCount: 24, arrowsPerEnd: 1, distance: 20, unit: .metre, face: .threeD,
      diameterCentimetres: 60)
    let format = RoundFormat(name: "3D", location: .field, passes: [pass])
    #expect(HandicapTable(format.handicapPasses) == nil)
    #expect(ValueFloors(Face.threeD) == ValueFloors(top: 11, second: 10))
    #expect(ValueFloors(Face.beiterHitMiss) == ValueFloors(top: 1, second: 1))
  }
}
