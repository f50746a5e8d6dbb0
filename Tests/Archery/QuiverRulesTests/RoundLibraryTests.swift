import Foundation
import QuiverRules
import Testing

@Suite("Round library", .timeLimit(.minutes(5)))
struct RoundLibraryTests {
  @Test("Every round is valid, and no two rounds share a codename or a name")
  func valid() throws {
    let formats = RoundLibrary.formats
    #expect(formats.count == 239)
    #expect(Set(formats.map(\.codename)).count == formats.count)
    #expect(Set(formats.map(\.name)).count == formats.count)
    for format in formats {
      #expect(try format.validated(prefix: "format") == format, "\(format.codename)")
      #expect(!format.body.isEmpty && RoundLibrary.format(format.codename) == format)
    }
  }

  @Test("Every later round has the arrows, the maximum and the handicap scores of its source")
  func handicaps() throws {
    let rows = try Self.rows("more_rounds.csv")
    let handicaps = try #require(rows.first).dropFirst(3).compactMap { Int($0.dropFirst()) }
    #expect(handicaps == Array(stride(from: 0, through: 150, by: 25)))
    for row in rows.dropFirst() {
      let format = try #require(RoundLibrary.format(row[0]), "\(row[0])")
      let numbers = row.dropFirst().compactMap(Int.init)
      #expect(numbers.count == handicaps.count + 2)
      #expect(format.arrowCount == numbers[0] && format.maximumScore == numbers[1], "\(row[0])")
      var table = try #require(HandicapTable(format.handicapPasses))
      #expect(handicaps.map { table.score($0) } == Array(numbers.dropFirst(2)), "\(row[0])")
    }
    let known = Set(rows.dropFirst().map { $0[0] })
    let unknown = RoundLibrary.formats.dropFirst(43).map(\.codename).filter { !known.contains($0) }
    #expect(unknown == ["wa_3d_24_red", "wa_3d_24_blue"])
  }

  @Test("Rounds agree with what other organisations publish about them")
  func published() throws {
    let rows = try Self.rows("published_rounds.csv").dropFirst()
    #expect(rows.count == 36)
    for row in rows {
      let format = try #require(RoundLibrary.format(row[0]), "\(row[0])")
      let arrows = row[1].split(separator: " ").compactMap { Int($0) }
      #expect(format.passes.map(\.arrowCount) == arrows, "\(row[0])")
      #expect(format.maximumScore == Int(row[2]), "\(row[0])")
    }
  }

  @Test("The IFAA field round has the 28 targets of the NFAA's guidelines")
  func fieldUnit() throws {
    // One unit of 14 targets with four arrows each: yards, and the number of arrows.
    let unit: [Double: [Double: Int]] = [
      35: [15: 4, 20: 4, 25: 4, 30: 4],
      50: [40: 5, 45: 5, 50: 4, 35: 5, 30: 1],
      65: [55: 4, 60: 5, 65: 4, 80: 1, 70: 1, 50: 1],
      20: [35 / 3: 1, 10: 1, 25 / 3: 1, 20 / 3: 1],
    ]
    for (codename, units) in [("ifaa_field_unit", 1), ("ifaa_field", 2), ("nfaa_field", 2)] {
      let format = try #require(RoundLibrary.format(codename))
      for (diameter, distances) in unit {
        for (distance, arrows) in distances {
          let count = format.passes.reduce(0) { sum, pass in
            let isAlike =
              pass.diameterCentimetres == diameter && abs(pass.distance - distance) < 0.001
            return isAlike ? sum + pass.arrowCount : sum
          }
          #expect(count == arrows * units, "\(codename): \(distance) yards at \(diameter) cm")
        }
      }
    }
  }

  @Test("A 3D round scores 11 to 5 by buttons and has no handicap")
  func animals() throws {
    let format = try #require(RoundLibrary.format("wa_3d_24_red"))
    #expect(format.maximumScore == 528 && format.endCount == 24)
    #expect(HandicapTable(format.handicapPasses) == nil)
    #expect(throws: RuleViolation.self) {
      try HandicapScheme.handicap(score: 500, passes: format.handicapPasses)
    }
  }

  private static func rows(_ name: String) throws -> [[String]] {
    let data = try Data(contentsOf: ArcheryFixtures.url(name))
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
