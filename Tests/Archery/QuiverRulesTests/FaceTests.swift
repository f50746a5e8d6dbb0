import Foundation
import QuiverRules
import Testing

@Suite("Faces", .timeLimit(.minutes(5)))
struct FaceTests {
  @Test("Every face is as in its source: rings, X ring and values")
  func source() throws {
    let data = try Data(contentsOf: ArcheryFixtures.url("face_specs.json"))
    let source = try ArcheryFixtures.decoder.decode(FaceSource.self, from: data)
    #expect(Set(source.faces.keys).union(source.valuesOnly.keys) == Set(Face.allCases.map(\.code)))
    for (code, rings) in source.faces {
      let face = try #require(Face(code: code))
      let expected = rings.map { (diameter: Double($0.key) ?? -1, value: $0.value) }
        .sorted { $0.diameter < $1.diameter }
      #expect(face.specification.rings.map(\.diameter) == expected.map(\.diameter), "\(code)")
      #expect(face.specification.rings.map(\.value) == expected.map(\.value), "\(code)")
      #expect(face.specification.xRing == source.xRing[code] ?? nil, "\(code)")
      #expect(face.specification.values == Set(rings.values).sorted(by: >), "\(code)")
    }
    for (code, values) in source.valuesOnly {
      #expect(Face(code: code)?.specification.values == values)
      #expect(Face(code: code)?.specification.rings.isEmpty == true)
    }
    #expect(Face(code: "11_zone_4_ring") == nil)
  }

  @Test(
    "Top and second value; the top again where there is one value only",
    arguments: [
      (Face.tenZone, 10, 9), (.fiveZone, 9, 7), (.elevenZone, 11, 10), (.waField, 6, 5),
      (.threeD, 11, 10), (.beiterHitMiss, 1, 1), (.worcester2Ring, 5, 4),
    ])
  func values(_ face: Face, top: Int, second: Int) {
    #expect(face.specification.topValue == top)
    #expect(face.specification.secondValue == second)
  }

  @Test("A line cutter scores the higher, by half the arrow's diameter and a tolerance of 1e-9")
  func geometry() {
    // A shaft of 9.3 mm on a 40 cm face reaches 0.02325 radii beyond its centre.
    let reach = 9.3 / 400
    let cases: [(x: Double, score: ArrowScore)] = [
      (0, ArrowScore(value: 10, isX: true)), (0.05 + reach, ArrowScore(value: 10, isX: true)),
      (0.05 + reach + 0.9e-9, ArrowScore(value: 10, isX: true)),
      (0.05 + reach + 1.2e-9, ArrowScore(value: 10)), (0.1 + reach, ArrowScore(value: 10)),
      (0.1 + reach + 1e-8, ArrowScore(value: 9)), (1 + reach, ArrowScore(value: 1)),
      (1 + reach + 1e-8, ArrowScore(value: 0)), (9.9, ArrowScore(value: 0)),
    ]
    for (x, score) in cases {
      for (x, y) in [(x, 0), (0, -x), (-x * 0.6, x * 0.8)] {
        let found = Face.tenZone.specification.score(
          x: x, y: y, arrowDiameterMillimetres: 9.3, faceDiameterCentimetres: 40)
        #expect(found == score, "\(x), \(y)")
      }
    }
  }

  @Test("Faces of 5 and 6 rings end at 0.5 and 0.6; animals have no geometry")
  func smallFaces() {
    func score(_ face: Face, _ x: Double) -> Int? {
      face.specification.score(
        x: x, y: 0, arrowDiameterMillimetres: 5.5, faceDiameterCentimetres: 80)?.value
    }
    #expect(score(.tenZone5Ring, 0.5) == 6 && score(.tenZone5Ring, 0.52) == 0)
    #expect(score(.tenZone6Ring, 0.6) == 5 && score(.tenZone6Ring, 0.62) == 0)
    #expect(score(.tenZoneCompound, 0.06) == 9)
    #expect(score(.threeD, 0) == nil)
    func middle(ofFaceWithDiameter centimetres: Double) -> ArrowScore? {
      Face.tenZone.specification.score(
        x: 0, y: 0, arrowDiameterMillimetres: 5.5, faceDiameterCentimetres: centimetres)
    }
    #expect(middle(ofFaceWithDiameter: 1) == ArrowScore(value: 10, isX: true))
    #expect(middle(ofFaceWithDiameter: 0) == nil)
    #expect(RoundLocation.indoor.arrowDiameterMillimetres == 9.3)
    #expect(RoundLocation.field.arrowDiameterMillimetres == 5.5)
  }

  @Test("Arrows are read and written as score sheets have them")
  func sheets() {
    for text in ["X", "M", "11", "10", "9", "1"] {
      #expect(ArrowScore(sheet: text)?.description == text)
    }
    for text in ["", "12", "-1", "+1", "1.0", "XX", "011", " 9"] {
      #expect(ArrowScore(sheet: text) == nil, "\(text)")
    }
  }

  @Test(
    "A value that cannot be on a face is refused by its field",
    arguments: [
      (Face.tenZone, ArrowScore(value: 11), "at.value"),
      (.fiveZone, ArrowScore(value: 8), "at.value"),
      (.tenZone, ArrowScore(value: 9, isX: true), "at.is_x"),
      (.elevenZone, ArrowScore(value: 11, isX: true), "at.is_x"),
      (.threeD, ArrowScore(value: 9), "at.value"), (.tenZone, ArrowScore(value: -1), "at.value"),
    ])
  func impossible(_ face: Face, _ score: ArrowScore, field: String) {
    let violation = #expect(throws: RuleViolation.self) {
      try score.validated(on: face, path: "at.")
    }
    #expect(violation?.field == field)
    #expect(throws: Never.self) { try ArrowScore(value: 0).validated(on: face, path: "at.") }
  }
}

private struct FaceSource: Decodable {
  var faces: [String: [String: Int]]
  var xRing: [String: Double?]
  var valuesOnly: [String: [Int]]
}

/// Where the facts about rounds and faces lie.
enum ArcheryFixtures {
  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  static func url(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Fixtures/archery/\(name)")
  }
}
