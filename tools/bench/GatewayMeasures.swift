import Foundation

/// A gRPC echo through the gateway against gRPC C++, and an idle HTTP/2 connection of the gateway
/// against a bare session of libnghttp2: `tools/bench/gateway` measures them.
struct GatewayMeasures {
  static let shapes = [
    EchoMeasures.Shape(connections: 1, depth: 1), EchoMeasures.Shape(connections: 16, depth: 1),
    EchoMeasures.Shape(connections: 16, depth: 16),
  ]
  static let idleName = "gateway-idle"
  static let names = shapes.map(name) + [idleName]

  static let ratio = "gateway and server to gRPC C++"
  static let more = "more than a bare session"

  let options: Options
  let peers: Peers

  /// What the program prints: microseconds of a call by shape, and bytes of a connection.
  private struct Samples: Decodable {
    var calls: [String: [String: [Double]]]?
    var idle: [String: [Double]]?
  }

  static func name(_ shape: EchoMeasures.Shape) -> String { "gateway-" + size(shape) }

  private static func size(_ shape: EchoMeasures.Shape) -> String {
    "\(shape.connections)x\(shape.depth)"
  }

  func run() -> [Report.Measure] {
    var measures = Self.shapes.filter { options.wants(Self.name($0)) }.map(calls)
    if options.wants(Self.idleName) { measures.append(idle()) }
    return measures
  }

  private func calls(_ shape: EchoMeasures.Shape) -> Report.Measure {
    begin(Self.name(shape))
    var measure = Report.Measure(
      name: Self.name(shape),
      sentence: "a gRPC echo, \(shape.connections) connections, \(shape.depth) calls in flight on"
        + " each; CPU of the gateway and the server behind it")
    // About one second of a sample on this machine.
    let rate: Double = shape.connections == 1 ? 8_000 : shape.depth == 1 ? 20_000 : 60_000
    let count = max(100, Int(rate * options.seconds))
    let found = samples(
      ["--shape", Self.size(shape), "--calls", "\(count)"], needing: "grpc_echo", &measure
    )?.calls?[Self.size(shape)]
    let (own, grpc) = (found?["gateway"] ?? [], found?["grpc"] ?? [])
    measure.subjects = [
      Report.Subject(name: "gateway and server", unit: "µs", samples: own),
      Report.Subject(name: "gRPC C++", unit: "µs", samples: grpc),
    ]
    measure.figures = [
      Report.Figure(name: Self.ratio, unit: "", samples: Statistics.ratios(own, grpc))
    ]
    return measure
  }

  private func idle() -> Report.Measure {
    begin(Self.idleName)
    var measure = Report.Measure(
      name: Self.idleName,
      sentence: "idle HTTP/2 connections of a gateway that has answered nothing before")
    let found = samples(["--idle"], needing: "http2_sessions", &measure)?.idle
    let (own, bare) = (found?["gateway"] ?? [], found?["session"] ?? [])
    measure.subjects = [
      Report.Subject(name: "gateway", unit: "bytes", samples: own),
      Report.Subject(name: "a bare session of libnghttp2", unit: "bytes", samples: bare),
    ]
    measure.figures = [
      Report.Figure(name: Self.more, unit: "bytes", samples: zip(own, bare).map { $0 - $1 })
    ]
    return measure
  }

  /// What the program prints; nil with a remark if it fails.
  private func samples(
    _ arguments: [String], needing peer: String, _ measure: inout Report.Measure
  ) -> Samples? {
    do {
      try peers.check([peers.path(peer)])
      return try Programs.json(
        Samples.self,
        [
          options.root + "/tools/bench/gateway", "--programs", options.programs, "--peers",
          peers.folder, "--runs", "\(options.runs)", "--json",
        ] + arguments)
    } catch {
      measure.remarks.append(String(describing: error))
      return nil
    }
  }
}
