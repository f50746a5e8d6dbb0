import QuiverRules
import TestSupport
import Testing

@Suite("Distances of ianseo", .timeLimit(.minutes(5)))
struct IanseoDistancesTests {
  @Test("Cards are divided into their passes, or into equal distances at the beginnings of ends")
  func distances() throws {
    let pass = IanseoDistances.Pass(arrowCount: 72, arrowsPerEnd: 6)
    #expect(try IanseoDistances([pass]).ranges == [0..<72])
    #expect(try IanseoDistances([pass], count: 2).ranges == [0..<36, 36..<72])
    #expect(try IanseoDistances([pass, pass]).ranges == [0..<72, 72..<144])
    #expect(try IanseoDistances([pass, pass], count: 4).ranges.map(\.count) == [36, 36, 36, 36])
    for (passes, count) in [([pass], 5), ([pass], 8), (Array(repeating: pass, count: 9), nil)] {
      #expect(throws: RuleViolation.self) { try IanseoDistances(passes, count: count) }
    }
    #expect(throws: RuleViolation.self) {
      try IanseoDistances([IanseoDistances.Pass(arrowCount: 3, arrowsPerEnd: 0)])
    }
    // An end that is short, and the next pass behind it.
    let short = IanseoDistances.Pass(arrowCount: 4, arrowsPerEnd: 3)
    let two = try IanseoDistances([short, short])
    let score = ArrowScore(value: 9)
    let divided = two.divided(
      [(1, 0), (2, 1), (3, 0), (9, 0)].map { .init(end: $0.0, arrow: $0.1, score: score) })
    #expect(divided == [[nil, nil, nil, score], [nil, score, nil, score]])
  }

  private func row(_ line: String) throws -> ResultList.Row {
    let count = line.split(separator: ";", omittingEmptySubsequences: false).count / 2
    let names = (1...count).map { "D\($0) Score;D\($0) Arrows" }.joined(separator: ";")
    let text = "WaID;\(names);Score;Hits\n1;\(line);1\n"
    return try #require(try ResultList(Array(text.utf8), .ianseo).rows.first)
  }

  @Test("Arrows are placed in ends, an X has the face's top value, and empty slots stay empty")
  func placed() throws {
    let faces = try IanseoDistances([
      .init(arrowCount: 4, arrowsPerEnd: 3), .init(arrowCount: 3, arrowsPerEnd: 3, topValue: 6),
    ])
    let arrows = try faces.placed(try row("19;X,,9,M;11;X,5;30"))
    #expect(arrows.map(\.end) == [0, 0, 1, 2, 2] && arrows.map(\.arrow) == [0, 2, 0, 0, 1])
    #expect(arrows.map { "\($0.score)" } == ["X", "9", "M", "X", "5"])
    #expect(arrows.map(\.score.value) == [10, 9, 0, 6, 5])
  }

  @Test("Empty distances behind the passes are dropped, unless another archer shot there")
  func shortRounds() throws {
    let pass = IanseoDistances.Pass(arrowCount: 6, arrowsPerEnd: 3)
    let passes = [pass, pass]
    // More arrows than a fourth of the card.
    let full = try row("36;9,9,9,9;9;9;0;;0;,;45")
    let division = try IanseoDistances(of: [full], passes)
    #expect(try division == IanseoDistances(passes))
    let ends = try division.placed(full).map(\.end)
    #expect(ends == [0, 0, 0, 1, 2])
    // Four distances of an end.
    let four = try row("27;9,9,9;9;9;0;;9;9;45")
    let quarters = try IanseoDistances(of: [try row("9;9;9;9;0;;0;;18"), four], passes)
    #expect(try quarters == IanseoDistances(passes, count: 4))
    #expect(try quarters.placed(four).map(\.end) == [0, 0, 0, 1, 3])
    // Both have the same slots, and then other ones.
    let one = try row("9;9;0;;0;;0;;9")
    #expect(try IanseoDistances(of: [one], passes) == IanseoDistances(passes))
    let either = try row("9;9;9;9;0;;0;;18")
    let fault = try #require(throws: RuleViolation.self) {
      try IanseoDistances(of: [either], passes)
    }
    #expect(fault.message.contains("may be the 2 of the round or 4 equal ones"))
    #expect(try IanseoDistances(of: [either, full], passes) == IanseoDistances(passes))
    // A number that cannot divide the card is checked as before.
    let five = try row("9;9;0;;0;;0;;9;9;18")
    #expect(throws: RuleViolation.self) { try IanseoDistances(of: [five], passes) }
  }

  @Test(
    "Arrows that do not fit the card or its scores are refused",
    arguments: [
      ("9;9;9", "has 1 distances, and the card 2"), ("9;9;8;9;17", "has 8 at distance 2"),
      ("9;9;9;9*;18", "the arrow 9* at distance 2"), ("12;12;0;;12", "the arrow 12"),
      ("5;1,1,1,1,1;0;;5", "has 5 arrows at distance 1, of 4"),
      ("9;9 9;0;;9", "the arrow 9 9"),
    ])
  func faults(line: String, part: String) throws {
    let pass = IanseoDistances.Pass(arrowCount: 4, arrowsPerEnd: 3)
    let division = try IanseoDistances([pass, pass])
    let row = try row(line)
    let fault = try #require(throws: RuleViolation.self) { try division.placed(row) }
    let text = "\(fault.field) \(fault.message)"
    #expect(text.hasPrefix("line 2 ") && text.contains(part), "\(line): \(text)")
  }

  @Test("Arrows that are written are placed in the same slots again")
  func roundTrip() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let passes = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        IanseoDistances.Pass(
          arrowCount: Int.random(in: 1...36, using: &random),
          arrowsPerEnd: Int.random(in: 1...12, using: &random),
          topValue: [5, 6, 10, 11].randomElement(using: &random)!)
      }
      let division = try IanseoDistances(passes)
      var arrows: [IanseoDistances.PlacedArrow] = []
      var end = 0
      for pass in passes {
        for slot in 0..<pass.arrowCount where Int.random(in: 0..<4, using: &random) > 0 {
          let value = Int.random(in: 0...pass.topValue, using: &random)
          let isX = value == pass.topValue && Bool.random(using: &random)
          arrows.append(
            .init(
              end: end + slot / pass.arrowsPerEnd, arrow: slot % pass.arrowsPerEnd,
              score: ArrowScore(value: value, isX: isX)))
        }
        end += (pass.arrowCount + pass.arrowsPerEnd - 1) / pass.arrowsPerEnd
      }
      guard !arrows.isEmpty else { continue }
      var row = IanseoResultText.Row()
      (row.code, row.division, row.ageClass) = ("1", "R", "M")
      row.distances = division.divided(arrows)
      row.total = arrows.reduce(0) { $0 + $1.score.value }
      let writer = IanseoResultText(.init(.xFirst), distanceCount: passes.count)
      let text = writer.header + writer.line(row)
      let read = try #require(try ResultList(Array(text.utf8), .ianseo).rows.first, "seed \(seed)")
      #expect(try division.placed(read) == arrows, "seed \(seed)")
    }
  }
}
