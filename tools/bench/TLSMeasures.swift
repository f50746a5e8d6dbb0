import Foundation

/// Echo, handshakes and idle connections over TLS, against an epoll echo in C over libssl and
/// against gRPC C++, with the same cipher.
struct TLSMeasures {
  static let shapes = [
    EchoMeasures.Shape(connections: 16, depth: 1), EchoMeasures.Shape(connections: 16, depth: 16),
  ]
  static let handshakeNames = ["tls-handshake-full", "tls-handshake-resumed"]
  static let idleName = "tls-idle"
  static let names = shapes.map { "tls-" + $0.name } + handshakeNames + [idleName, stormName]
  private static let idleConnections = 4_000

  let options: Options
  let peers: Peers

  /// A server with TLS, and the load client's arguments for the same server without TLS.
  struct Secured {
    var name: String
    var serve: (_ port: Int, _ folder: URL) -> [String]
    var load: (_ folder: URL) -> [String]
    /// Whether it has the protocol of `tls_handshakes`, quiver/1.
    var takesHandshakes = true
  }

  func run() -> [Report.Measure] {
    let wanted = Self.names.filter { options.wants($0) }
    guard !wanted.isEmpty else { return [] }
    do {
      let authority = try makeCertificates()
      let subjects = try subjects(authority)
      let servers = try subjects.map { try server(of: $0) }
      defer { for server in servers { server.stop() } }
      return wanted.map { name in
        begin(name)
        return measure(name, subjects, servers, authority)
      }
    } catch {
      return wanted.map { name in
        var measure = Report.Measure(name: name, sentence: "over TLS")
        measure.remarks = [String(describing: error)]
        measure.figures = [
          Report.Figure(name: "to the C echo", unit: "", samples: [], bound: bound(name))
        ]
        return measure
      }
    }
  }

  /// Creates a folder with the certificates of an authority and a server.
  private func makeCertificates() throws -> String {
    let folder = peers.folder + "/certificates"
    _ = try Programs.output([options.root + "/tools/dev-certificates", "--out", folder])
    return folder
  }

  private func subjects(_ certificates: String) throws -> [Secured] {
    let pair = [certificates + "/server.pem", certificates + "/server.key"]
    let data = { (folder: URL) in folder.appendingPathComponent("data") }
    return [
      Secured(
        name: "TLS epoll echo in C",
        serve: { port, _ in [peers.path("tls_echo"), "\(port)"] + pair },
        load: { _ in [peers.path("load"), "--raw"] }),
      Secured(
        name: "Quiver over TLS, synchronous handler",
        serve: { port, folder in
          [
            peers.quiverd, "--init", "--listen", "tls://127.0.0.1:\(port)", "--data",
            data(folder).path,
            "--diagnostics", "--tls-certificate", pair[0], "--tls-key", pair[1],
          ]
        },
        load: { folder in
          let token = data(folder).appendingPathComponent("admin.token").path
          return [peers.path("load"), "--method", "769", "--token-file", token]
        }),
    ] + (try grpc(pair))
  }

  /// gRPC C++ with the cipher of the others, unless it was not built.
  private func grpc(_ pair: [String]) throws -> [Secured] {
    guard peers.missing["grpc_echo"] == nil else { return [] }
    let settings = peers.folder + "/openssl.cnf"
    try """
    openssl_conf = settings
    [settings]
    ssl_conf = ssl
    [ssl]
    system_default = defaults
    [defaults]
    Ciphersuites = TLS_AES_128_GCM_SHA256

    """.write(toFile: settings, atomically: true, encoding: .utf8)
    let program = ["env", "OPENSSL_CONF=" + settings, peers.path("grpc_echo")]
    return [
      Secured(
        name: "gRPC C++ over TLS", serve: { port, _ in program + ["serve", "\(port)"] + pair },
        load: { _ in program + ["load"] }, takesHandshakes: false)
    ]
  }

  /// The largest ratio to the CPU time of the C echo.
  private func bound(_ name: String) -> Double? {
    switch name {
    case "tls-echo-16x1": 1.25
    case "tls-echo-16x16": 1.6
    default: nil
    }
  }

  private func measure(
    _ name: String, _ subjects: [Secured], _ servers: [Server], _ certificates: String
  ) -> Report.Measure {
    if name == Self.idleName { return idle(subjects[1], certificates) }
    if name == Self.stormName { return storm(subjects[1], certificates) }
    var measure = Report.Measure(name: name, sentence: sentence(name))
    let isHandshake = Self.handshakeNames.contains(name)
    let subjects = subjects.filter { !isHandshake || $0.takesHandshakes }
    if let reason = peers.missing["grpc_echo"], !isHandshake {
      measure.remarks.append("gRPC C++ was not built: \(reason)")
    }
    var cpu = subjects.map { _ in [Double]() }
    var rates = cpu
    for run in 0..<options.runs {
      for offset in subjects.indices {
        let index = (run + offset) % subjects.count
        do {
          let command = command(name, subjects[index], servers[index], certificates)
          let sample = try Programs.json(
            EchoMeasures.Sample.self, command, core: Programs.loadCore)
          guard sample.errors == 0, sample.calls > 0 else {
            throw Unmeasured("\(sample.errors) of \(sample.calls) failed")
          }
          cpu[index].append(sample.serverCPUNanoseconds / sample.calls / 1000)
          rates[index].append(sample.calls / options.seconds)
        } catch {
          measure.remarks.append("\(subjects[index].name), run \(run + 1): \(error)")
        }
      }
    }
    for (index, subject) in subjects.enumerated() {
      measure.subjects.append(
        Report.Subject(
          name: subject.name, unit: "µs", samples: cpu[index],
          notes: ["a second": Statistics.median(rates[index]) ?? 0]))
    }
    func ratios(_ index: Int) -> [Double] {
      let isWhole = [1, index].allSatisfy { cpu[$0].count == options.runs }
      return isWhole ? Statistics.ratios(cpu[1], cpu[index]) : []
    }
    measure.figures = [
      Report.Figure(name: "to the C echo", unit: "", samples: ratios(0), bound: bound(name))
    ]
    if subjects.count > 2 {
      measure.figures.append(Report.Figure(name: "to gRPC C++", unit: "", samples: ratios(2)))
    }
    return measure
  }

  private func sentence(_ name: String) -> String {
    switch name {
    case "tls-handshake-full": "full TLS 1.3 handshakes, one after the other; CPU of the server"
    case "tls-handshake-resumed": "handshakes by a ticket, one after the other; CPU of the server"
    default: "\(name.dropFirst("tls-echo-".count)) connections x calls in flight, over TLS"
    }
  }

  private func command(
    _ name: String, _ subject: Secured, _ server: Server, _ certificates: String
  ) -> [String] {
    let common = [
      "--ca", certificates + "/ca.pem", "--connect", "127.0.0.1:\(server.port)", "--seconds",
      "\(options.seconds)", "--pid", "\(server.pid)",
    ]
    if Self.handshakeNames.contains(name) {
      let resume = name == "tls-handshake-resumed" ? ["--resume"] : []
      return [peers.path("tls_handshakes")] + resume + common
    }
    guard let shape = Self.shapes.first(where: { "tls-" + $0.name == name }) else { return [] }
    return subject.load(server.folder) + common + [
      "--connections", "\(shape.connections)", "--depth", "\(shape.depth)",
    ]
  }

  /// Starts a server of its own.
  func server(of subject: Secured) throws -> Server {
    try Server(
      Subject(name: subject.name, serve: subject.serve, load: subject.load, server: subject.name))
  }

  /// The memory of an idle connection in the server's process. In a server that was used before,
  /// the connections would take memory that earlier ones have left free.
  private func idle(_ subject: Secured, _ certificates: String) -> Report.Measure {
    var measure = Report.Measure(
      name: Self.idleName, sentence: "\(Self.idleConnections) idle connections over TLS")
    var bytes: [Double] = []
    do {
      let server = try server(of: subject)
      defer { server.stop() }
      let sample = try Programs.json(
        IdleMeasure.Sample.self,
        subject.load(server.folder) + [
          "--ca", certificates + "/ca.pem", "--connect", "127.0.0.1:\(server.port)", "--idle",
          "\(Self.idleConnections)", "--sources", "250", "--seconds", "5", "--warmup", "2",
          "--pid", "\(server.pid)",
        ], core: Programs.loadCore)
      guard sample.closed == 0 else {
        throw Unmeasured("the server closed \(sample.closed) of them")
      }
      bytes = [sample.pssBytes / sample.connections]
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.figures = [
      Report.Figure(
        name: "memory of a connection", unit: "bytes", samples: bytes)
    ]
    return measure
  }
}
