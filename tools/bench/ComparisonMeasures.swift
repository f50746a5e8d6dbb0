import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// The server's cost of a comparison over 90 days: with long and short history, with and without
/// inference.
struct ComparisonMeasures {
  static let name = "compare-90d"
  private static let sentence = "two setups of 20 rounds each compared over 90 days"
  private static let connections = 4

  /// The bound of the whole history's cost divided by that of a tenth of it.
  private static let historyBound = 1.3
  /// Microseconds of server CPU.
  private static let plainBound = 300.0
  private static let inferenceBound = 3_000.0

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    begin(Self.name)
    var measure = Report.Measure(name: Self.name, sentence: Self.sentence)
    var samples: [Case: [Double]] = [:]
    do {
      guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
        throw Unmeasured("no server to call")
      }
      let server = try Server(subject) { folder in try ComparisonArchers.fill(folder) }
      defer { server.stop() }
      for run in 0..<options.runs {
        for place in run % 2 == 0 ? Case.all : Case.all.reversed() {
          samples[place, default: []].append(try sample(place, server))
        }
      }
    } catch {
      measure.remarks.append(String(describing: error))
    }
    for place in Case.all {
      measure.subjects.append(
        Report.Subject(name: place.name, unit: "µs", samples: samples[place] ?? []))
    }
    let plain = samples[Case(.much, infers: false)] ?? []
    let inferred = samples[Case(.much, infers: true)] ?? []
    let little = samples[Case(.little, infers: false)] ?? []
    measure.figures = [
      Report.Figure(
        name: "1,000,000 arrows to 100,000", unit: "", samples: Statistics.ratios(plain, little),
        bound: Self.historyBound),
      Report.Figure(
        name: "without inference", unit: "µs", samples: plain, bound: Self.plainBound),
      Report.Figure(name: "with inference", unit: "µs", samples: inferred),
      Report.Figure(
        name: "inference beside it", unit: "µs", samples: zip(inferred, plain).map { $0 - $1 },
        bound: Self.inferenceBound),
    ]
    return [measure]
  }

  private struct Case: Hashable {
    let archer: ComparisonArchers.Archer
    let infers: Bool

    init(_ archer: ComparisonArchers.Archer, infers: Bool) {
      self.archer = archer
      self.infers = infers
    }

    static let all = [
      Case(.much, infers: false), Case(.little, infers: false), Case(.much, infers: true),
    ]

    var name: String { archer.name + (infers ? ", with inference" : "") }
  }

  /// Microseconds of the server's CPU for one call.
  private func sample(_ place: Case, _ server: Server) throws -> Double {
    var request = CompareRequest()
    request.setups = try ComparisonArchers.setups(of: place.archer, in: server.folder).map { id in
      var setup = ComparedSetup()
      setup.id = id
      return setup
    }
    request.range = RangeChoice()
    request.range?.range = .ninetyDays
    request.asOfMilliseconds = ComparisonArchers.asOf
    request.method = place.infers ? .welch : .none
    let digits = request.serializedBytes().map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    let command = [
      peers.path("load"), "--method", "\(QuiverAPI.Comparison.compare.info.id)", "--request",
      digits.joined(), "--token-file",
      ComparisonArchers.tokenPath(of: place.archer, in: server.folder), "--connect",
      "127.0.0.1:\(server.port)", "--connections", "\(Self.connections)", "--depth", "1",
      "--seconds", "\(options.seconds)", "--pid", "\(server.pid)",
    ]
    let sample = try Programs.json(EchoMeasures.Sample.self, command, core: Programs.loadCore)
    guard sample.errors == 0, sample.calls > 0, sample.serverCPUNanoseconds > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample.serverCPUNanoseconds / sample.calls / 1000
  }
}
