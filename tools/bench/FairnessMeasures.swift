import Foundation

/// The costs of an attack for others: the latency of a regular principal alone and during each
/// attack of `quiver-load`, its refused calls, and the memory of the server.
struct FairnessMeasures {
  /// The attacks of `quiver-load`, with what differs from their usual numbers.
  static let attacks: [(name: String, settings: String)] = [
    ("unread-watches", ""), ("unread-exports", ""), ("unfinished-messages", ""),
    ("wrong-tokens", ""), ("wrong-codes", ""),
    ("anonymous-connections", #", "connections": 15000, "addresses": 20"#),
    ("bulk-storing", ""), ("pipelined-creates", ""), ("leaderboard-topics", ""),
    ("change-listeners", ""), ("half-open-handshakes", ""),
  ]
  static let prefix = "fairness-"
  static let names = attacks.map { prefix + $0.name }

  static let ratio = "p99 to p99 alone"
  static let refusals = "calls refused to others"
  static let memory = "peak memory"
  static let alone = "p99 alone"
  static let attacked = "p99 attacked"

  /// `process-bytes` of the server and 64 MiB, in MiB.
  private static let memoryBound: Double = 512 + 64
  private static let runs = 3
  /// Calls a second of the regular principal.
  private static let rate = 200

  let options: Options
  let peers: Peers

  /// What `quiver-load run --json` prints, as far as it is wanted here.
  private struct Sample: Decodable {
    struct Stage: Decodable {
      var latency: [String: Double]

      enum CodingKeys: String, CodingKey { case latency = "latency_us" }
    }

    var failed: Double
    var lateShare: Double
    var stages: [Stage]
    var peakMebibytes: Double?

    enum CodingKeys: String, CodingKey {
      case failed, stages, peakMebibytes
      case lateShare = "late_share"
    }
  }

  func run() -> [Report.Measure] {
    Self.attacks.filter { options.wants(Self.prefix + $0.name) }.map { attack in
      progress(Self.prefix + attack.name)
      return measure(attack)
    }
  }

  private func measure(_ attack: (name: String, settings: String)) -> Report.Measure {
    var measure = Report.Measure(
      name: Self.prefix + attack.name,
      sentence: "a principal with \(Self.rate) calls a second while another attacks")
    var samples: [(alone: Double, attacked: Double, failed: Double, memory: Double)] = []
    for run in 0..<min(options.runs, Self.runs) {
      do {
        let sample = try sample(attack)
        guard sample.stages.count == 2, let alone = sample.stages[0].latency["p99"],
          let attacked = sample.stages[1].latency["p99"], alone > 0,
          let memory = sample.peakMebibytes
        else { throw Unmeasured("quiver-load did not report two stages") }
        samples.append((alone / 1_000, attacked / 1_000, sample.failed, memory))
        if sample.lateShare > 0.01 {
          measure.remarks.append("run \(run + 1): the generator was late for some calls")
        }
      } catch {
        measure.remarks.append("run \(run + 1): \(error)")
      }
    }
    measure.subjects = [
      Report.Subject(name: Self.alone, unit: "ms", samples: samples.map(\.alone)),
      Report.Subject(name: Self.attacked, unit: "ms", samples: samples.map(\.attacked)),
    ]
    measure.figures = [
      Report.Figure(
        name: Self.ratio, unit: "", samples: samples.map { $0.attacked / $0.alone }, bound: 2),
      // The median of refusals would hide those of one run.
      Report.Figure(
        name: Self.refusals, unit: "", samples: samples.map(\.failed).max().map { [$0] } ?? [],
        bound: 0),
      Report.Figure(
        name: Self.memory, unit: "MiB", samples: samples.map(\.memory).max().map { [$0] } ?? [],
        bound: Self.memoryBound),
    ]
    return measure
  }

  private func sample(_ attack: (name: String, settings: String)) throws -> Sample {
    guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
      throw Unmeasured("no server to attack")
    }
    let server = try Server(subject)
    defer { server.stop() }
    let file = server.folder.appendingPathComponent("scenario.json")
    try Data(scenario(attack).utf8).write(to: file)
    let token = server.folder.appendingPathComponent("data/admin.token").path
    var sample = try Programs.json(
      Sample.self,
      [
        peers.load, "run", file.path, "--server", "127.0.0.1:\(server.port)", "--token-file",
        token, "--quiet", "--json",
      ], core: Programs.loadCore)
    sample.peakMebibytes = Self.peakMebibytes(of: server.pid)
    return sample
  }

  /// The most memory that a process has had in RAM; nil if the kernel does not say.
  private static func peakMebibytes(of process: Int32) -> Double? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    return words.count == 3 ? Double(words[1]).map { $0 / 1_024 } : nil
  }

  private func scenario(_ attack: (name: String, settings: String)) -> String {
    let seconds = max(2, options.seconds * 5)
    return """
      {"version": 1, "name": "\(attack.name)", "late_after": "1s", "warm_up": "1s",
       "verify": true,
       "roles": [
        {"kind": "mix", "name": "regular", "actors": 16, "connections": 8, "rate": \(Self.rate),
         "arrivals": "poisson", "methods": [
          {"method": "Health/Check", "weight": 2},
          {"method": "Equipment/GetHub", "weight": 4},
          {"method": "Logbook/CreateWeightEntry", "weight": 4, "body": {"weight_entry": {
           "thousandths": "${random:55000:95000}", "unit": "WEIGHT_UNIT_KILOGRAM"}}}]},
        {"kind": "reconnect-storm", "name": "new connections", "rate": 5},
        {"kind": "attackers", "name": "attackers", "attack": "\(attack.name)"\(attack.settings),
         "stages": [{"shape": "hold", "duration": "\(seconds)s", "share": 0},
          {"shape": "hold", "duration": "\(seconds)s"}]}],
       "stages": [{"name": "alone", "shape": "hold", "duration": "\(seconds)s"},
        {"name": "attacked", "shape": "hold", "duration": "\(seconds)s"}]}
      """
  }
}
