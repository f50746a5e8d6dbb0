import Foundation
import QuiverRules
import Testing

@Suite("Classifications", .timeLimit(.minutes(5)))
struct ClassificationTests {
  @Test(
    "Every class has the score of the tables",
    arguments: [("classifications.csv", 800), ("published_classifications.csv", 18)])
  func tables(_ name: String, _ count: Int) throws {
    let rows = try Self.rows(name)
    #expect(rows.count == count)
    for row in rows {
      let format = try #require(RoundLibrary.format(row[0]), "\(row[0])")
      let category = ArcherCategory(
        bow: try #require(Self.named(row[1])), gender: try #require(Self.named(row[2])),
        age: try #require(Self.named(row[3])))
      let thresholds = try ClassificationScheme.thresholds(format, category)
      let scores = thresholds.map { $0.score.map { "\($0)" } ?? "-" }.joined(separator: " ")
      #expect(scores == row[4], "\(row.prefix(4))")
    }
  }

  @Test("A score gives the highest class whose threshold it reaches")
  func scores() throws {
    let format = try #require(RoundLibrary.format("hereford"))
    let girl = ArcherCategory(bow: .recurve, gender: .female, age: .under18)
    #expect(try ClassificationScheme.classification(score: 858, format, girl)?.code == "B1")
    let woman = ArcherCategory(bow: .recurve, gender: .female, age: .adult)
    for (score, code) in [(1_296, "EMB"), (1_232, "EMB"), (1_231, "GMB"), (336, "A3"), (335, nil)] {
      let found = try ClassificationScheme.classification(score: score, format, woman)
      #expect(found?.code == code, "\(score)")
    }
    #expect(try ClassificationScheme.classification(score: 0, format, woman) == nil)
    for score in [-1, 1_297, .max, .min] {
      let violation = #expect(throws: RuleViolation.self) {
        try ClassificationScheme.classification(score: score, format, woman)
      }
      #expect(violation?.field == "score")
    }
  }

  @Test(
    "Rounds without classes are refused",
    arguments: ["wa_3d_24_red", "ifaa_field", "frostbite", "canberra", "wa660_70", "lancaster"])
  func refused(_ codename: String) throws {
    let format = try #require(RoundLibrary.format(codename))
    let man = ArcherCategory(bow: .recurve, gender: .open, age: .adult)
    let violation = #expect(throws: RuleViolation.self) {
      try ClassificationScheme.thresholds(format, man)
    }
    #expect(violation?.field == "format")
  }

  @Test("Half a round and a round of one's own have no classes")
  func partial() throws {
    let format = try #require(RoundLibrary.format("portsmouth"))
    let man = ArcherCategory(bow: .recurve, gender: .open, age: .adult)
    var own = format
    own.codename = ""
    for other in [format.cut(toArrows: 30), own] {
      #expect(throws: RuleViolation.self) { try ClassificationScheme.thresholds(other, man) }
    }
  }

  @Test("Classes of a round rise by at least a point, for every category")
  func distinct() throws {
    for codename in ["portsmouth", "worcester", "york", "warwick_30", "wa_field_12_white_marked"] {
      let format = try #require(RoundLibrary.format(codename))
      for bow in BowDivision.allCases {
        for gender in GenderDivision.allCases {
          for age in AgeDivision.allCases {
            let scores = try ClassificationScheme.thresholds(
              format, ArcherCategory(bow: bow, gender: gender, age: age)
            ).compactMap(\.score)
            #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 > $1 })
            #expect(scores.allSatisfy { $0 > 0 && $0 <= format.maximumScore })
          }
        }
      }
    }
  }

  @Test("An award asks for arrows by its tier and place")
  func awards() {
    let tiers = Classification.Tier.allCases
    func arrows(_ location: RoundVenue) -> [Int?] {
      tiers.map { ClassificationScheme.arrowsRequired(for: $0, in: location) }
    }
    #expect(arrows(.outdoor) == [144, 216, 432])
    #expect(arrows(.indoor) == [120, 180, 180])
    #expect(arrows(.field) == [nil, nil, nil])
  }

  private static func named<Value: CaseIterable>(_ word: String) -> Value? {
    let plain = word.filter { $0 != "_" }
    return Value.allCases.first { "\($0)".lowercased() == plain }
  }

  private static func rows(_ name: String) throws -> [[String]] {
    return try String(contentsOf: ArcheryFixtures.url(name), encoding: .utf8).split(separator: "\n")
      .dropFirst().map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
  }
}
