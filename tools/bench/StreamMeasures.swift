import Foundation

/// Streams and large messages on one connection, and their effect on small calls beside them.
struct StreamMeasures {
  static let names = ["stream-64", "echo-271828", "beside-unread", "wire-bytes"]

  /// The first and the second line of the client's output.
  private struct Sample: Decodable {
    var calls: Double
    var errors: Double
    var seconds: Double
    var p50Nanoseconds: Double
    var p99Nanoseconds: Double
    var serverCPUNanoseconds: Double
  }
  private struct Wire: Decodable {
    var bytesBothWays: Double
  }

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    let wanted = Self.names.filter { options.wants($0) }
    guard !wanted.isEmpty else { return [] }
    var measures: [Report.Measure] = []
    do {
      let subjects = Subject.all(peers)
      guard let quiver = subjects.first(where: { $0.server == "quiverd" }),
        let raw = subjects.first(where: { $0.server == "raw" })
      else { throw Unmeasured("no servers to call") }
      for subject in [quiver, raw] {
        try peers.check(subject.serve(0, .init(fileURLWithPath: ".")))
      }
      let servers = try Servers(quiver, raw)
      defer { servers.stop() }
      for name in wanted {
        begin(name)
        measures.append(measure(name, servers))
      }
    } catch {
      measures = wanted.map { Self.unmeasured($0, error) }
    }
    return measures
  }

  private struct Servers {
    let quiver: Server
    let raw: Server

    init(_ quiver: Subject, _ raw: Subject) throws {
      // With 100 unread streams the default limit of 100 allows no further call.
      var roomy = quiver
      roomy.serve = { quiver.serve($0, $1) + ["--max-concurrent-streams", "128"] }
      self.quiver = try Server(roomy)
      do {
        self.raw = try Server(raw)
      } catch {
        self.quiver.stop()
        throw error
      }
    }

    func stop() {
      quiver.stop()
      raw.stop()
    }
  }

  private func measure(_ name: String, _ servers: Servers) -> Report.Measure {
    do {
      return switch name {
      case "stream-64": try stream(servers)
      case "echo-271828": try large(servers)
      case "beside-unread": try beside(servers)
      default: try wire(servers)
      }
    } catch {
      return Self.unmeasured(name, error)
    }
  }

  private static func unmeasured(_ name: String, _ error: any Error) -> Report.Measure {
    var measure = Report.Measure(name: name, sentence: "streams of one connection")
    measure.figures = [Report.Figure(name: "all", unit: "", samples: [], bound: 0)]
    measure.remarks = [String(describing: error)]
    return measure
  }

  // MARK: The measures

  /// The raw echo has 16 connections with 16 frames in flight on each, as the measure echo-16x16:
  /// with a whole window in flight it would only copy.
  private func stream(_ servers: Servers) throws -> Report.Measure {
    var stream: [Double] = []
    var raw: [Double] = []
    for run in 0..<options.runs {
      let turns = [
        {
          let sample = try sample(servers.quiver, ["--mode", "source", "--bytes", "64"])
          stream.append(sample.serverCPUNanoseconds / sample.calls / 1000)
        },
        { raw.append(try rawFrames(servers.raw)) },
      ]
      for turn in run % 2 == 0 ? turns : turns.reversed() { try turn() }
    }
    var measure = Report.Measure(
      name: "stream-64", sentence: "a server stream of 64-byte messages to one client")
    measure.subjects = [
      Report.Subject(name: "Quiver, a message", unit: "µs", samples: stream),
      Report.Subject(name: "raw epoll echo in C, a frame", unit: "µs", samples: raw),
    ]
    measure.figures = [
      Report.Figure(name: "server CPU a message, µs", unit: "", samples: stream, bound: 0.6),
      Report.Figure(
        name: "to raw", unit: "", samples: Statistics.ratios(stream, raw), bound: 1.6),
    ]
    return measure
  }

  /// Frames of 72 bytes: a header with the length, and a message of 60 bytes.
  private func rawFrames(_ server: Server) throws -> Double {
    let message = String(repeating: "00", count: 60)
    let text = try Programs.output(
      [
        peers.path("load"), "--raw", "--connect", "127.0.0.1:\(server.port)", "--connections",
        "16", "--depth", "16", "--timeout-ms", "0", "--method", "769", "--request", message,
        "--seconds", "\(options.seconds)", "--pid", "\(server.pid)",
      ], core: Programs.loadCore)
    let sample = try JSONDecoder().decode(Sample.self, from: Data(text.utf8))
    return sample.serverCPUNanoseconds / sample.calls / 1000
  }

  private func large(_ servers: Servers) throws -> Report.Measure {
    var shares: [Double] = []
    var rates: (quiver: [Double], raw: [Double]) = ([], [])
    let common = ["--bytes", "271828", "--depth", "4"]
    for run in 0..<options.runs {
      func quiver() throws { rates.quiver.append(try rate(servers.quiver, common)) }
      func raw() throws { rates.raw.append(try rate(servers.raw, common + ["--raw"])) }
      for turn in run % 2 == 0 ? [quiver, raw] : [raw, quiver] { try turn() }
    }
    shares = zip(rates.quiver, rates.raw).map { 100 * $0 / $1 }
    var measure = Report.Measure(
      name: "echo-271828",
      sentence: "a unary echo of 271,828 bytes, 4 calls in flight on one connection")
    measure.subjects = [
      Report.Subject(name: "Quiver", unit: "MB a second", samples: rates.quiver),
      Report.Subject(name: "raw epoll echo in C", unit: "MB a second", samples: rates.raw),
    ]
    measure.figures = [
      // A lower bound: at most half of the rate may be missing.
      Report.Figure(
        name: "lacking to raw, %", unit: "", samples: shares.map { 100 - $0 }, bound: 50)
    ]
    return measure
  }

  private func rate(_ server: Server, _ arguments: [String]) throws -> Double {
    let sample = try sample(server, arguments)
    return sample.calls * 271_828 / sample.seconds / 1e6
  }

  private func beside(_ servers: Servers) throws -> Report.Measure {
    let kinds: [(name: String, unread: Int)] = [("quiet", 0), ("100 MB unread", 1), ("100", 100)]
    var samples: [[Sample]] = [[], [], []]
    for run in 0..<options.runs {
      for offset in kinds.indices {
        let kind = (run + offset) % kinds.count
        samples[kind].append(
          try sample(servers.quiver, ["--unread", "\(kinds[kind].unread)"]))
      }
    }
    var measure = Report.Measure(
      name: "beside-unread",
      sentence: "small unary calls, one at a time, while streams of the connection stay unread")
    for (kind, taken) in zip(["alone", "one stream of 100 MB", "100 streams"], samples) {
      measure.subjects.append(
        Report.Subject(
          name: kind, unit: "p50 µs", samples: taken.map { $0.p50Nanoseconds / 1000 },
          notes: ["p99 µs": (Statistics.median(taken.map(\.p99Nanoseconds)) ?? 0) / 1000]))
    }
    for (name, taken) in [("one unread", samples[1]), ("100 unread", samples[2])] {
      let p50 = Statistics.ratios(taken.map(\.p50Nanoseconds), samples[0].map(\.p50Nanoseconds))
      let p99 = Statistics.ratios(taken.map(\.p99Nanoseconds), samples[0].map(\.p99Nanoseconds))
      measure.figures += [
        Report.Figure(name: "p50, \(name) to alone", unit: "", samples: p50, bound: 1.1),
        Report.Figure(name: "p99, \(name) to alone", unit: "", samples: p99, bound: 1.5),
      ]
    }
    return measure
  }

  private func wire(_ servers: Servers) throws -> Report.Measure {
    let lines = try lines(servers.quiver, ["--depth", "16"])
    let sample = try JSONDecoder().decode(Sample.self, from: Data(lines[0].utf8))
    let wire = try JSONDecoder().decode(Wire.self, from: Data(lines[1].utf8))
    var measure = Report.Measure(
      name: "wire-bytes", sentence: "40 bytes up and 40 down with a deadline, CREDIT averaged in")
    measure.figures = [
      Report.Figure(
        name: "bytes a call, both ways", unit: "", samples: [wire.bytesBothWays / sample.calls],
        bound: 108)
    ]
    return measure
  }

  // MARK: The client

  private func lines(_ server: Server, _ arguments: [String]) throws -> [String] {
    let token = server.folder.appendingPathComponent("data/admin.token").path
    let known = FileManager.default.fileExists(atPath: token) ? ["--token-file", token] : []
    let text = try Programs.output(
      [
        peers.path("streams"), "--connect", "127.0.0.1:\(server.port)", "--seconds",
        "\(options.seconds)", "--pid", "\(server.pid)",
      ] + known + arguments, core: Programs.loadCore)
    return text.split(separator: "\n").map(String.init)
  }

  private func sample(_ server: Server, _ arguments: [String]) throws -> Sample {
    guard let line = try lines(server, arguments).first else {
      throw Unmeasured("the client said nothing")
    }
    let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
    guard sample.errors == 0, sample.calls > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample
  }
}
