import Foundation
import QuiverRules

/// The tables and points of `Tests/Fixtures/archery`, read.
struct HandicapFacts {
  struct Row {
    let round: String
    let maximum: Int
    let scores: [(handicap: Int, score: Int)]
  }

  private(set) var rows: [Row] = []
  private(set) var rings: [String: [ScoringRing]] = [:]
  private(set) var passes: [String: [HandicapPass]] = [:]
  private(set) var points: [(round: String, score: Int, handicap: Int)] = []
  private(set) var sigmas: [(handicap: Double, distance: Double, value: Double)] = []
  private(set) var arrows: [(face: String, score: Double)] = []
  private(set) var passScores: [Double] = []

  /// The reference points' names of two rounds that the library has under others: the Metric 122-30
  /// is 72 arrows at 30 m and 122 cm, too.
  private static let otherNames = [
    "vegas_300_20yd_40cm_indoor": "vegas_300", "metric122_30": "wa720_30_b",
  ]

  private struct Malformed: Error {}

  private struct Round: Decodable {
    struct Pass: Decodable {
      let nArrows: Int
      let diameter: Double
      let scoring: String
      let distance: Double
      let distUnit: String
    }
    let codename: String
    let location: String
    let passes: [Pass]
  }

  init() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/archery")
    func data(_ name: String) throws -> Data {
      try Data(contentsOf: folder.appendingPathComponent(name))
    }
    try readFaces(data("face_specs.json"))
    try readRounds(data("rounds.json"))
    try readTable(String(decoding: data("agb2023_handicap_table.csv"), as: UTF8.self))
    try readPoints(data("agb2023_reference_points.json"))
  }

  private mutating func readFaces(_ data: Data) throws {
    let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    guard let faces = json?["faces"] as? [String: [String: Int]] else { throw Malformed() }
    rings = faces.mapValues { face in
      face.map { ScoringRing(diameterShare: Double($0.key) ?? .nan, value: $0.value) }
    }
  }

  private mutating func readRounds(_ data: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    for round in try decoder.decode([Round].self, from: data) {
      passes[round.codename] = round.passes.map { pass in
        HandicapPass(
          arrows: pass.nArrows,
          distanceMetres: pass.distance * (pass.distUnit == "yard" ? 0.9144 : 1),
          // The Worcester face alone is given in inches.
          faceDiameterMetres: pass.diameter * (pass.scoring == "Worcester" ? 0.0254 : 0.01),
          rings: rings[pass.scoring] ?? [],
          isIndoor: round.location == "indoor")
      }
    }
  }

  private mutating func readTable(_ text: String) throws {
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",").map(String.init)
    }
    guard let header = lines.first else { throw Malformed() }
    let handicaps = header.dropFirst(2).compactMap { Int($0.dropFirst()) }
    rows = try lines.dropFirst().map { line in
      let numbers = line.dropFirst().compactMap(Int.init)
      guard line.count == header.count, numbers.count == handicaps.count + 1 else {
        throw Malformed()
      }
      return Row(
        round: line[0], maximum: numbers[0],
        scores: Array(zip(handicaps, numbers.dropFirst())).map { ($0.0, $0.1) })
    }
  }

  private mutating func readPoints(_ data: Data) throws {
    let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    points = (json?["score_to_handicap_int"] as? [[Any]] ?? []).compactMap { point in
      guard let round = point[0] as? String, let score = point[1] as? Int,
        let handicap = point[2] as? Int
      else { return nil }
      return (Self.otherNames[round] ?? round, score, handicap)
    }
    sigmas = (json?["sigma_t"] as? [[Double]] ?? []).map { ($0[0], $0[1], $0[2]) }
    let arrow = json?["arrow_score_h38_80cm_50m"] as? [String: Double] ?? [:]
    arrows = arrow.map { ($0.key, $0.value) }
    passScores = json?["pass_scores_h10_wa1440_90"] as? [Double] ?? []
  }
}
