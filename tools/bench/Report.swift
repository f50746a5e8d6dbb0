import Foundation

/// The results of a bench run, as Markdown and JSON, and for comparison with another run.
struct Report: Codable, Equatable {
  /// The result of a bound.
  enum Verdict: String, Codable {
    case goal = "goal met"
    /// The bound is kept, and the goal is missed.
    case goalMissed = "goal missed"
    case met
    case missed
    case unmeasured = "not measured"
  }

  /// One subject's samples in a measure.
  struct Subject: Codable, Equatable {
    var name: String
    var unit: String
    var samples: [Double]
    /// Further values beside the median, for example latencies: the median of the samples by name.
    var notes: [String: Double] = [:]

    var median: Double? { Statistics.median(samples) }
  }

  /// A number that is compared: the median of one value per run.
  struct Figure: Codable, Equatable {
    var name: String
    var unit: String
    var samples: [Double]
    /// The largest allowed value; nil has no bound.
    var bound: Double?
    var goal: Double?

    var median: Double? { Statistics.median(samples) }

    var verdict: Verdict? {
      guard bound != nil || goal != nil else { return nil }
      guard let median else { return .unmeasured }
      if let bound, median > bound { return .missed }
      guard let goal else { return .met }
      return median <= goal ? .goal : .goalMissed
    }
  }

  struct Measure: Codable, Equatable {
    var name: String
    var sentence: String
    var subjects: [Subject] = []
    var figures: [Figure] = []
    /// Why something was not measured.
    var remarks: [String] = []
  }

  var runs: Int
  var secondsPerSample: Double
  var measures: [Measure] = []

  /// Whether every bound was measured and met.
  var isMet: Bool {
    measures.allSatisfy { measure in
      measure.figures.allSatisfy { $0.verdict != .missed && $0.verdict != .unmeasured }
    }
  }

  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
  }

  func figure(_ measure: String, _ figure: String) -> Figure? {
    measures.first { $0.name == measure }?.figures.first { $0.name == figure }
  }
}

enum Statistics {
  /// The middle sample, or the mean of the two in the middle.
  static func median(_ samples: [Double]) -> Double? {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The ratios run by run, for runs that both have.
  static func ratios(_ over: [Double], _ under: [Double]) -> [Double] {
    zip(over, under).filter { $1 > 0 }.map { $0 / $1 }
  }
}
