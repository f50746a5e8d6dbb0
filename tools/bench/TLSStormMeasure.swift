import Foundation

/// The latency of calls on open connections while others make full handshakes all the time.
extension TLSMeasures {
  static let stormName = "tls-storm"

  /// Programs that connect with a full handshake, one connection after the other.
  private static let stormPrograms = 4
  private static let rate = 500
  private static let connections = 16

  func storm(_ subject: Secured, _ certificates: String) -> Report.Measure {
    var measure = Report.Measure(
      name: Self.stormName,
      sentence: "\(Self.rate) calls a second over TLS while \(Self.stormPrograms) programs make"
        + " full handshakes all the time")
    var alone: [Double] = []
    var attacked: [Double] = []
    for run in 0..<options.runs {
      do {
        let server = try server(of: subject)
        defer { server.stop() }
        // The first calls of a server take longer.
        _ = try calls(subject, server, certificates)
        let first = try calls(subject, server, certificates)
        let storm = try startStorm(server, certificates)
        defer { for process in storm { process.terminate() } }
        let second = try calls(subject, server, certificates)
        guard first.errors == 0, second.errors == 0, storm.allSatisfy(\.isRunning) else {
          throw Unmeasured("\(first.errors + second.errors) calls failed, or the storm ended")
        }
        alone.append(first.p99Nanoseconds / 1_000)
        attacked.append(second.p99Nanoseconds / 1_000)
      } catch {
        measure.remarks.append("run \(run + 1): \(error)")
      }
    }
    measure.subjects = [
      Report.Subject(name: FairnessMeasures.alone, unit: "µs", samples: alone),
      Report.Subject(name: FairnessMeasures.attacked, unit: "µs", samples: attacked),
    ]
    measure.figures = [
      Report.Figure(
        name: FairnessMeasures.ratio, unit: "", samples: Statistics.ratios(attacked, alone),
        bound: 2)
    ]
    return measure
  }

  private func calls(
    _ subject: Secured, _ server: Server, _ certificates: String
  ) throws -> EchoMeasures.Sample {
    try Programs.json(
      EchoMeasures.Sample.self,
      subject.load(server.folder) + [
        "--ca", certificates + "/ca.pem", "--connect", "127.0.0.1:\(server.port)", "--seconds",
        "\(options.seconds * 5)", "--connections", "\(Self.connections)", "--depth", "16",
        "--rate", "\(Self.rate)", "--pid", "\(server.pid)",
      ], core: Programs.loadCore)
  }

  /// Starts the programs on the core of the load, behind its calls.
  private func startStorm(_ server: Server, _ certificates: String) throws -> [Process] {
    try (0..<Self.stormPrograms).map { number in
      try Programs.start(
        [
          "nice", "-n", "15", peers.path("tls_handshakes"), "--ca", certificates + "/ca.pem",
          "--connect", "127.0.0.1:\(server.port)", "--seconds", "\(options.seconds * 60)", "--pid",
          "\(server.pid)",
        ], log: server.folder.appendingPathComponent("storm-\(number)"), core: Programs.loadCore)
    }
  }
}
