import Foundation
import QuiverRules
import Testing

@Suite("Round formats", .timeLimit(.minutes(5)))
struct RoundFormatTests {
  @Test("The library begins with the 43 rounds of its first source, pass by pass")
  func library() throws {
    let data = try Data(contentsOf: ArcheryFixtures.url("rounds.json"))
    let source = try ArcheryFixtures.decoder.decode([RoundSource].self, from: data)
    #expect(source.count == 43)
    #expect(RoundLibrary.formats.prefix(43).map(\.codename) == source.map(\.codename))
    for round in source {
      let format = try #require(RoundLibrary.format(round.codename))
      #expect(format.name == round.name && format.body == round.body)
      #expect(format.family == round.family ?? "")
      #expect("\(format.location)" == round.location)
      #expect(format.passes.count == round.passes.count)
      for (pass, expected) in zip(format.passes, round.passes) {
        #expect(pass.arrowCount == expected.nArrows, "\(round.codename)")
        #expect(pass.face.code == expected.scoring)
        #expect(pass.distance == expected.distance && "\(pass.unit)" == expected.distUnit)
        let factor = expected.diameterUnit == "inches" ? 2.54 : 1
        #expect(abs(pass.diameterCentimetres - expected.diameter * factor) < 1e-9)
        #expect(pass.arrowsPerEnd == (format.location == .outdoor ? 6 : 3))
      }
      #expect(throws: Never.self) { try format.validated(prefix: "format") }
    }
  }

  @Test("Ends are counted through all passes, and the last of a pass may be short")
  func ends() throws {
    let format = RoundFormat(
      name: "Odd", location: .outdoor,
      passes: [.make(arrows: 7, perEnd: 3, .tenZone), .make(arrows: 6, perEnd: 6, .fiveZone)])
    #expect(format.endCount == 4 && format.arrowCount == 13)
    #expect(format.maximumScore == 7 * 10 + 6 * 9)
    #expect((0..<4).compactMap { format.end($0)?.arrowCount } == [3, 3, 1, 6])
    #expect((0..<4).compactMap { format.end($0)?.passIndex } == [0, 0, 0, 1])
    #expect(format.end(4) == nil && format.end(-1) == nil)
    let slots = (0..<13).compactMap { format.slot(ofArrow: $0) }
    #expect(slots.count == 13 && slots == slots.sorted() && Set(slots).count == 13)
    #expect(format.slot(ofArrow: 13) == nil && format.slot(ofArrow: -1) == nil)
    #expect(slots[6] == ArrowSlot(endIndex: 2, arrowIndex: 0))
    #expect(slots[7] == ArrowSlot(endIndex: 3, arrowIndex: 0))
  }

  @Test("A format is cut to its first arrows")
  func cut() throws {
    let format = try #require(RoundLibrary.format("wa18"))
    #expect(format.cut(toArrows: 30).passes.map(\.arrowCount) == [30])
    #expect(format.cut(toArrows: 45).passes.map(\.arrowCount) == [30, 15])
    #expect(format.cut(toArrows: 1_000) == format)
    #expect(format.cut(toArrows: -1).passes.isEmpty)
  }

  @Test(
    "A format that cannot be is refused by the path of its field",
    arguments: BadFormat.all)
  func bad(_ bad: BadFormat) {
    var format = RoundFormat(
      name: "Club", location: .indoor, passes: [.make(arrows: 30, perEnd: 3, .tenZone)])
    bad.spoil(&format)
    let violation = #expect(throws: RuleViolation.self) {
      try format.validated(prefix: "format")
    }
    #expect(violation?.field == bad.field)
  }

  @Test("A slot outside the format is refused by its index")
  func slots() throws {
    let format = try #require(RoundLibrary.format("wa18"))
    for (end, arrow, field) in [(20, 0, "end_index"), (-1, 0, "end_index"), (0, 3, "arrow_index")] {
      let violation = #expect(throws: RuleViolation.self) {
        try ArrowSlot(endIndex: end, arrowIndex: arrow).end(in: format, path: "operation.")
      }
      #expect(violation?.field == "operation." + field)
    }
  }
}

struct BadFormat: Sendable, CustomTestStringConvertible {
  let field: String
  let spoil: @Sendable (inout RoundFormat) -> Void
  var testDescription: String { field }

  static let all: [BadFormat] = [
    BadFormat(field: "format.name") { $0.name = " \u{2003}" },
    BadFormat(field: "format.name") { $0.name = String(repeating: "n", count: 201) },
    BadFormat(field: "format.body") { $0.body = String(repeating: "n", count: 201) },
    BadFormat(field: "format.passes") { $0.passes = [] },
    BadFormat(field: "format.passes") { format in
      format.passes = Array(repeating: format.passes[0], count: 33)
    },
    BadFormat(field: "format.passes") { format in
      format.passes[0].arrowCount = 600
      format.passes.append(format.passes[0])
    },
    BadFormat(field: "format.passes[0].arrows") { $0.passes[0].arrowCount = 0 },
    BadFormat(field: "format.passes[0].arrows") { $0.passes[0].arrowCount = 1_001 },
    BadFormat(field: "format.passes[0].arrows_per_end") { $0.passes[0].arrowsPerEnd = 13 },
    BadFormat(field: "format.passes[0].distance") { $0.passes[0].distance = 0 },
    BadFormat(field: "format.passes[0].distance") { $0.passes[0].distance = .nan },
    BadFormat(field: "format.passes[0].distance") { $0.passes[0].distance = 1_000.5 },
    BadFormat(field: "format.passes[0].diameter_cm") { $0.passes[0].diameterCentimetres = -1 },
    BadFormat(field: "format.passes[0].diameter_cm") {
      $0.passes[0].diameterCentimetres = .infinity
    },
  ]
}

extension RoundPass {
  static func make(arrows: Int, perEnd: Int, _ face: Face) -> RoundPass {
    RoundPass(
      arrowCount: arrows, arrowsPerEnd: perEnd, distance: 18, unit: .metre, face: face,
      diameterCentimetres: 40)
  }
}

private struct RoundSource: Decodable {
  struct Pass: Decodable {
    var nArrows: Int
    var diameter: Double
    var diameterUnit: String?
    var scoring: String
    var distance: Double
    var distUnit: String
  }
  var name: String
  var codename: String
  var location: String
  var body: String
  var family: String?
  var passes: [Pass]
}
