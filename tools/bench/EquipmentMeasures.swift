import Foundation

/// Compares the server's CPU time of a call for archers with many and with few objects.
struct EquipmentMeasures {
  /// One comparison.
  struct Comparison {
    var name: String
    var sentence: String
    var method: UInt32
    /// The message in hexadecimal digits.
    var request: String
    var much: EquipmentOwners.Owner
    var little: EquipmentOwners.Owner
    /// The largest ratio for each number of calls in flight per connection; nil has no bound.
    var bounds: [(depth: Int, bound: Double?)]
    /// Whether no reply to much is kept, as after a change: each call has other bytes.
    var isFirst = false
  }

  static let all = [
    Comparison(
      name: "hub-10000", sentence: "the hub of 10,000 items against that of 10", method: 4097,
      request: "", much: .many, little: .few, bounds: [(1, 2), (16, 2)]),
    Comparison(
      name: "page-50", sentence: "a page of 50 items against an empty one", method: 4098,
      request: "1032", much: .many, little: .nobody, bounds: [(1, 12), (16, nil)]),
    Comparison(
      name: "first-page-50",
      sentence: "a page of 50 items that is not kept against an empty one", method: 4098,
      request: "1032", much: .many, little: .nobody, bounds: [(16, nil)], isFirst: true),
    Comparison(
      name: "weight-section", sentence: "a month out of 20,000 weight entries against one of 2,000",
      method: 4871, request: LoggedData.monthRequest, much: .manyWeights, little: .fewWeights,
      bounds: [(1, 1.5), (16, 1.5)]),
    Comparison(
      name: "lift-window", sentence: "93 daily maxima out of 100,000 sets against 10,000",
      method: 4887, request: LoggedData.windowRequest, much: .manySets, little: .fewSets,
      bounds: [(1, 1.5), (16, 1.5)]),
  ]

  private static let connections = 16

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    let wanted = Self.all.filter { options.wants($0.name) }
    guard !wanted.isEmpty else { return [] }
    do {
      guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
        throw Unmeasured("no server to call")
      }
      let server = try Server(subject) { folder in try EquipmentOwners.fill(folder) }
      defer { server.stop() }
      return wanted.map { comparison in
        begin(comparison.name)
        return measure(comparison, server)
      }
    } catch {
      return wanted.map { comparison in
        var measure = Report.Measure(name: comparison.name, sentence: comparison.sentence)
        measure.figures = comparison.bounds.map { depth, bound in
          figure(comparison, depth, bound, [])
        }
        measure.remarks.append(String(describing: error))
        return measure
      }
    }
  }

  private func measure(_ comparison: Comparison, _ server: Server) -> Report.Measure {
    var measure = Report.Measure(
      name: comparison.name,
      sentence: "\(comparison.sentence), \(Self.connections) connections")
    for (depth, bound) in comparison.bounds {
      var much: [Double] = []
      var little: [Double] = []
      for run in 0..<options.runs {
        do {
          // The order alternates, so that each owner runs first in turn.
          var samples: [EquipmentOwners.Owner: Double] = [:]
          let pair = [comparison.much, comparison.little]
          for owner in run % 2 == 0 ? pair : pair.reversed() {
            samples[owner] = try sample(comparison, owner, depth, server)
          }
          much += [samples[comparison.much] ?? 0]
          little += [samples[comparison.little] ?? 0]
        } catch {
          measure.remarks.append("run \(run + 1): \(error)")
        }
      }
      for (owner, samples) in [(comparison.much, much), (comparison.little, little)] {
        measure.subjects.append(
          Report.Subject(name: "\(owner.rawValue), depth \(depth)", unit: "µs", samples: samples))
      }
      measure.figures += [
        figure(comparison, depth, bound, Statistics.ratios(much, little)),
        Report.Figure(
          name: "\(comparison.much.rawValue), depth \(depth)", unit: "µs", samples: much),
      ]
    }
    return measure
  }

  private func figure(
    _ comparison: Comparison, _ depth: Int, _ bound: Double?, _ samples: [Double]
  ) -> Report.Figure {
    Report.Figure(
      name: "\(comparison.much.rawValue) to \(comparison.little.rawValue), depth \(depth)",
      unit: "", samples: samples, bound: bound)
  }

  /// Microseconds of the server's CPU for one call.
  private func sample(
    _ comparison: Comparison, _ owner: EquipmentOwners.Owner, _ depth: Int, _ server: Server
  ) throws -> Double {
    let command =
      [
        peers.path("load"), "--method", "\(comparison.method)", "--request", comparison.request,
        "--token-file", EquipmentOwners.tokenPath(of: owner, in: server.folder), "--connect",
        "127.0.0.1:\(server.port)", "--connections", "\(Self.connections)", "--depth",
        "\(depth)", "--seconds", "\(options.seconds)", "--pid", "\(server.pid)",
      ] + (comparison.isFirst && owner == comparison.much ? ["--distinct"] : [])
    let sample = try Programs.json(
      EchoMeasures.Sample.self, command, core: Programs.loadCore)
    guard sample.errors == 0, sample.calls > 0, sample.serverCPUNanoseconds > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample.serverCPUNanoseconds / sample.calls / 1000
  }
}
