import FoundationEssentials

/// A result from `--json-out`.
struct SavedResult: Decodable {
  let version: Int
  let method: String
  let loop: String
  let rate: Double
  let errorShare: Double
  /// Whether the generator kept up; absent in results of older versions.
  let isValid: Bool?
  let succeeded: UInt64?
  let generatorMicroseconds: Double?
  let serverMicroseconds: Double?
  let latency: Quantiles
  let service: Quantiles
  let series: [Second]

  enum CodingKeys: String, CodingKey {
    case version, method, loop, rate, series, succeeded
    case isValid = "is_valid"
    case errorShare = "error_share"
    case generatorMicroseconds = "generator_us_per_call"
    case serverMicroseconds = "server_us_per_call"
    case latency = "latency_us"
    case service = "service_us"
  }

  struct Quantiles: Decodable {
    let count: UInt64?
    let p50: Double
    let p90: Double
    let p99: Double
    let p999: Double
    let max: Double

    enum CodingKeys: String, CodingKey {
      case count, p50, p90, p99, max
      case p999 = "p99.9"
    }
  }

  struct Second: Decodable {
    /// The number of seconds that it covers; 1 if absent.
    let seconds: Double?
    let succeeded: Double
    let p50: Double
    let p99: Double

    enum CodingKeys: String, CodingKey {
      case seconds, succeeded
      case p50 = "p50_us"
      case p99 = "p99_us"
    }
  }

  /// Reads a file; throws an error that names it.
  init(file: String) throws(Failure) {
    do {
      let data = try Data(contentsOf: URL(filePath: file))
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      throw Failure(.usage, "\(file) is no result of quiver-load --json-out: \(error)")
    }
    guard isValid != false else {
      throw Failure(
        .usage, "\(file) is of a run in which the generator was late; it cannot be compared")
    }
    guard latency.count ?? 1 > 0 else {
      throw Failure(.usage, "\(file) is of a run without a successful call; it cannot be compared")
    }
    guard version == 1 else {
      throw Failure(.usage, "\(file) is of version \(version), and this reads version 1")
    }
  }

  var saved: Comparison.Saved {
    var figures: [(name: String, value: Double, isBetterLow: Bool)] = [
      ("rate", rate, false), ("error share %", errorShare * 100, true),
      ("latency p50 µs", latency.p50, true), ("latency p90 µs", latency.p90, true),
      ("latency p99 µs", latency.p99, true), ("latency p99.9 µs", latency.p999, true),
      ("latency max µs", latency.max, true), ("service p50 µs", service.p50, true),
      ("service p99 µs", service.p99, true),
    ]
    figures.append(("generator µs a call", generatorMicroseconds ?? 0, true))
    figures.append(("server µs a call", serverMicroseconds ?? 0, true))
    return Comparison.Saved(
      method: method, sampleCount: latency.count ?? 0, figures: figures,
      series: [
        "rate": series.map { $0.succeeded / max($0.seconds ?? 1, 1) },
        "latency p50 µs": series.map(\.p50), "latency p99 µs": series.map(\.p99),
      ])
  }
}
