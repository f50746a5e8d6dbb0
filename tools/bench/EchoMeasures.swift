import Foundation

/// Unary echo of a 40-byte message through whole servers.
struct EchoMeasures {
  /// Connections and calls in flight on each.
  struct Shape {
    var connections: Int
    var depth: Int

    var name: String { "echo-\(connections)x\(depth)" }
  }

  /// What the load client prints.
  struct Sample: Decodable {
    var calls: Double
    var errors: Double
    var p50Nanoseconds: Double
    var p99Nanoseconds: Double
    var serverCPUNanoseconds: Double
  }

  static let shapes = [
    Shape(connections: 1, depth: 1), Shape(connections: 16, depth: 1),
    Shape(connections: 64, depth: 1), Shape(connections: 16, depth: 16),
    Shape(connections: 64, depth: 16),
  ]

  let options: Options
  let peers: Peers

  private var wanted: [Shape] { Self.shapes.filter { options.wants($0.name) } }

  func run() -> [Report.Measure] {
    guard !wanted.isEmpty else { return [] }
    let subjects = Subject.all(peers)
    var remarks: [String] = []
    var servers: [String: Server] = [:]
    defer { for server in servers.values { server.stop() } }
    for subject in subjects where servers[subject.server] == nil {
      do {
        try peers.check(subject.serve(0, .init(fileURLWithPath: ".")))
        servers[subject.server] = try Server(subject)
      } catch {
        remarks.append(String(describing: error))
      }
    }
    return wanted.map { shape in
      begin(shape.name)
      var measure = measure(shape, subjects, servers)
      for remark in Set(remarks).sorted() { measure.remarks.append(remark) }
      return measure
    }
  }

  private func measure(
    _ shape: Shape, _ subjects: [Subject], _ servers: [String: Server]
  ) -> Report.Measure {
    var measure = Report.Measure(
      name: shape.name,
      sentence: "\(shape.connections) connections, \(shape.depth) calls in flight on each")
    var samples: [String: [Sample]] = [:]
    for run in 0..<options.runs {
      // The order of the subjects rotates, so that each one runs first in turn.
      for offset in subjects.indices {
        let subject = subjects[(run + offset) % subjects.count]
        guard let server = servers[subject.server] else { continue }
        do {
          samples[subject.name, default: []].append(try sample(subject, server, shape))
        } catch {
          measure.remarks.append("\(subject.name), run \(run + 1): \(error)")
        }
      }
    }
    var byServer: [[Double]] = []
    for subject in subjects {
      let taken = samples[subject.name] ?? []
      // A failed run has no ratio; runs are matched by their order.
      let cpu =
        taken.count == options.runs ? taken.map { $0.serverCPUNanoseconds / $0.calls / 1000 } : []
      byServer.append(cpu)
      measure.subjects.append(
        Report.Subject(
          name: subject.name, unit: "µs", samples: cpu,
          notes: [
            "p50 µs": (Statistics.median(taken.map(\.p50Nanoseconds)) ?? 0) / 1000,
            "p99 µs": (Statistics.median(taken.map(\.p99Nanoseconds)) ?? 0) / 1000,
            "calls a second": Statistics.median(taken.map { $0.calls / options.seconds }) ?? 0,
          ]))
    }
    measure.figures = figures(shape, byServer)
    return measure
  }

  private func sample(_ subject: Subject, _ server: Server, _ shape: Shape) throws -> Sample {
    let command =
      subject.load(server.folder) + [
        "--connect", "127.0.0.1:\(server.port)", "--connections", "\(shape.connections)",
        "--depth", "\(shape.depth)", "--seconds", "\(options.seconds)", "--pid", "\(server.pid)",
      ]
    let sample = try Programs.json(Sample.self, command, core: Programs.loadCore)
    guard sample.errors == 0, sample.calls > 0, sample.serverCPUNanoseconds > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample
  }

  /// - Parameter samples: the samples of all subjects, in order.
  private func figures(_ shape: Shape, _ samples: [[Double]]) -> [Report.Figure] {
    let (raw, synchronous, async) = (samples[0], samples[1], samples[2])
    let (grpc, ttrpc) = (samples[3], samples[4])
    func figure(
      _ name: String, _ samples: [Double], bound: Double? = nil, goal: Double? = nil
    ) -> Report.Figure {
      Report.Figure(name: name, unit: "", samples: samples, bound: bound, goal: goal)
    }
    var bounds: (sync: Double?, goal: Double?, async: Double?)
    if (shape.connections, shape.depth) == (16, 1) { bounds = (1.3, 1.1, nil) }
    if (shape.connections, shape.depth) == (16, 16) { bounds = (3.0, 2.0, 4.5) }
    return [
      figure(
        "synchronous to raw", Statistics.ratios(synchronous, raw), bound: bounds.sync,
        goal: bounds.goal),
      figure("async to raw", Statistics.ratios(async, raw), bound: bounds.async),
      figure("synchronous to gRPC C++", Statistics.ratios(synchronous, grpc)),
      figure("synchronous to ttrpc in Go", Statistics.ratios(synchronous, ttrpc)),
    ]
  }
}
