/// The memory of a server with ten thousand connections without calls.
struct IdleMeasure {
  struct Sample: Decodable {
    var connections: Double
    var closed: Double
    var seconds: Double
    var rssBytes: Double
    var pssBytes: Double
    var serverCPUNanoseconds: Double
  }

  static let name = "idle"
  static let connections = 10_000
  private static let seconds = 20

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    begin(Self.name)
    var measure = Report.Measure(
      name: Self.name, sentence: "\(Self.connections) connections, held for \(Self.seconds) s")
    var bytes: [Double] = []
    var shares: [Double] = []
    do {
      let sample = try sample()
      bytes = [sample.pssBytes / sample.connections]
      shares = [sample.serverCPUNanoseconds / sample.seconds / 1e7]
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.figures = [
      Report.Figure(
        name: "memory of a connection", unit: "bytes", samples: bytes, bound: 2_048),
      Report.Figure(name: "share of a core", unit: "%", samples: shares, bound: 0.5),
    ]
    return [measure]
  }

  private func sample() throws -> Sample {
    guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
      throw Unmeasured("no server to hold connections to")
    }
    let server = try Server(subject)
    defer { server.stop() }
    let sample = try Programs.json(
      Sample.self,
      subject.load(server.folder) + [
        "--connect", "127.0.0.1:\(server.port)", "--idle", "\(Self.connections)", "--sources",
        "250", "--seconds", "\(Self.seconds)", "--warmup", "2", "--pid", "\(server.pid)",
      ], core: Programs.loadCore)
    guard sample.closed == 0 else {
      throw Unmeasured("the server closed \(sample.closed) of them")
    }
    return sample
  }
}
