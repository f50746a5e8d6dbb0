import Foundation

/// The load tester's own cost for each call.
struct GeneratorMeasure {
  static let name = "load-generator"
  private static let connections = 16
  private static let depth = 16

  /// The fields of `quiver-load --json` that are used here.
  private struct Sample: Decodable {
    var succeeded: Double
    var failed: Double
    var generatorMicroseconds: Double
    var serverMicroseconds: Double

    enum CodingKeys: String, CodingKey {
      case succeeded, failed
      case generatorMicroseconds = "generator_us_per_call"
      case serverMicroseconds = "server_us_per_call"
    }
  }

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    begin(Self.name)
    var measure = Report.Measure(
      name: Self.name,
      sentence: "quiver-load drives an echo over \(Self.connections) connections,"
        + " \(Self.depth) calls in flight on each")
    var samples: [Sample] = []
    var allocations: [Double] = []
    do {
      guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
        throw Unmeasured("no server to load")
      }
      let server = try Server(subject)
      defer { server.stop() }
      for _ in 0..<options.runs {
        samples.append(try sample(server, length: ["--duration", "\(options.seconds)s"]))
      }
      allocations = [try allocationsEach(server)]
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.subjects = [
      Report.Subject(
        name: "quiver-load", unit: "µs", samples: samples.map(\.generatorMicroseconds)),
      Report.Subject(name: "quiverd", unit: "µs", samples: samples.map(\.serverMicroseconds)),
    ]
    measure.figures = [
      Report.Figure(
        name: "generator to server", unit: "",
        samples: samples.map { $0.generatorMicroseconds / $0.serverMicroseconds }, bound: 2),
      Report.Figure(
        name: "allocations a call", unit: "", samples: allocations, bound: 0.01),
    ]
    return [measure]
  }

  private func sample(
    _ server: Server, length: [String], warmUp: String = "500ms", environment: [String] = []
  ) throws -> Sample {
    let token = server.folder.appendingPathComponent("data/admin.token").path
    let message = #"{"payload": "cXVpdmVyAAECAwQFBgcICQ==", "text": "twelve arrows.", "number": "#
    let sample = try Programs.json(
      Sample.self,
      ["env"] + environment + [
        peers.load, "--server", "127.0.0.1:\(server.port)", "--token-file", token, "--method",
        "quiver.v1.Diagnostics/Echo", "-d", message + "4294967295}", "--connections",
        "\(Self.connections)", "--concurrency", "\(Self.connections * Self.depth)", "--warm-up",
        warmUp, "--quiet", "--json", "--server-pid", "\(server.pid)",
      ] + length, core: Programs.loadCore)
    guard sample.failed == 0, sample.succeeded > 0, sample.serverMicroseconds > 0 else {
      throw Unmeasured("\(sample.failed) of quiver-load's calls failed")
    }
    return sample
  }

  /// Allocations per call, from two runs: what a run allocates once cancels out.
  private func allocationsEach(_ server: Server) throws -> Double {
    func total(_ length: [String]) throws -> (calls: Double, allocations: Double) {
      let file = server.folder.appendingPathComponent("allocations")
      let library = peers.path("allocations")
      let sample = try sample(
        server, length: length, warmUp: "0",
        environment: ["LD_PRELOAD=\(library)", "QUIVER_ALLOCATIONS=\(file.path)"])
      let text = try String(contentsOf: file, encoding: .utf8)
      guard let count = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw Unmeasured("the allocations were not counted: \(text)")
      }
      return (sample.succeeded, count)
    }
    try peers.check([peers.path("allocations")])
    let short = try total(["--duration", "500ms"])
    let long = try total(["--count", "2000000"])
    guard long.calls > short.calls else { throw Unmeasured("the longer run made fewer calls") }
    return (long.allocations - short.allocations) / (long.calls - short.calls)
  }
}
