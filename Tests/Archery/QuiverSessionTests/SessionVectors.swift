import Foundation
import QuiverRules

/// The cases of Tests/Fixtures/session; its README.md says what they mean.
enum SessionVectors {
  struct FaceCase: Decodable {
    let face: String
    let number: Int32
    let buttons: [String]
    let hits: [Hit]

    struct Hit: Decodable {
      let x: Double
      let y: Double
      let arrowMm: Double
      let faceCm: Double
      let arrow: String?
    }
  }

  struct FormatCase: Decodable {
    let name: String
    let location: String
    let passes: [Pass]
    let endSizes: [Int]
    let slots: [[Int]]
    let arrowCount: Int
    let maximum: Int

    struct Pass: Decodable {
      let arrows: Int
      let arrowsPerEnd: Int
      let face: String
    }

    /// The round; faces by their names in `faces`.
    func definition(_ faces: [String: TargetFace]) -> RoundDefinition {
      RoundDefinition(
        name: name, location: location.hasSuffix("OUTDOOR") ? .outdoor : .indoor,
        passes: passes.map {
          PassDefinition(
            arrowCount: $0.arrows, arrowsPerEnd: $0.arrowsPerEnd, distance: 18, unit: .metre,
            face: faces[$0.face] ?? .tenZone, diameterCentimetres: 40)
        })
    }
  }

  struct CardCase: Decodable {
    let format: String
    let standing: [Standing]
    let waiting: [Waiting]
    let slots: [Slot]
    let ends: [End]
    let tally: Tally
    let open: [Int]?

    struct Standing: Decodable {
      let slot: [Int]
      let arrow: String
      let retracted: Bool
    }

    struct Waiting: Decodable {
      let slot: [Int]
      let arrow: String?
      let state: String
    }

    struct Slot: Decodable, Equatable {
      let slot: [Int]
      let arrow: String?
      let held: String?
      let mark: String
    }

    struct End: Decodable, Equatable {
      let total: Int
      let runningTotal: Int
      let complete: Bool
    }

    struct Tally: Decodable, Equatable {
      let total: Int
      let x: Int
      let tens: Int
      let hits: Int
      let golds: Int
      let arrows: Int
      let endsCompleted: Int
      let counts: [Int]
    }
  }

  struct TurnCase: Decodable {
    let last: Last
    let candidates: [Candidate]
    let turn: Turn

    struct Last: Decodable {
      let participant: String
      let order: Int64
      let end: Int
      let open: [Int]?
    }

    struct Candidate: Decodable {
      let participant: String
      let order: Int64
      let open: [Int]?
    }

    struct Turn: Decodable {
      let kind: String
      let participant: String?
      let slot: [Int]?
    }
  }

  struct MatchCase: Decodable {
    let system: String
    let number: Int32
    let face: String
    let ruleDay: Int32
    let repeatedMaximum: String?
    let cards: [Card]
    let forfeits: [Int]
    let score: Score

    struct Card: Decodable {
      let ends: [String: [String]]
      let shootOffs: [String: Shot]
    }

    struct Shot: Decodable {
      let arrows: [String]
      let distances: [UInt32]
      let closer: Bool
    }

    struct Score: Decodable, Equatable {
      let setPoints: [Int]
      let totals: [Int]
      let endsCounted: Int
      let progress: Progress
    }

    struct Progress: Decodable, Equatable {
      let name: String
      var index: Int?
      var winner: Int?
      var decision: String?
    }
  }

  struct EndsCase: Decodable {
    let first: [String]
    let second: [String]
    let agrees: Bool
  }

  struct VerdictCase: Decodable {
    let kind: String
    let verdict: String
    let number: Int32
    let state: String
  }

  /// The cases of a file.
  static func cases<Case: Decodable>(_ name: String, of type: Case.Type) throws -> [Case] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(
      [Case].self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  /// The faces by the names of `quiver.v1`.
  static func faces() throws -> [String: TargetFace] {
    let pairs = try cases("faces", of: FaceCase.self).compactMap { one in
      TargetFace(rawValue: one.number).map { (one.face, $0) }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/session")
}
