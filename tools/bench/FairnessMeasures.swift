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
  /// While the same attackers attack another server on the same cores: what of ``ratio`` the cores
  /// and the disk cost that both servers share.
  static let control = "p99 to p99 alone, another server attacked"
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
      begin(Self.prefix + attack.name)
      return measure(attack)
    }
  }

  private func measure(_ attack: (name: String, settings: String)) -> Report.Measure {
    var measure = Report.Measure(
      name: Self.prefix + attack.name,
      sentence: "a principal with \(Self.rate) calls a second while another attacks")
    var controls: [Double] = []
    var samples: [(alone: Double, attacked: Double, failed: Double, memory: Double)] = []
    for run in 0..<min(options.runs, Self.runs) {
      do {
        let sample = try sample(attack)
        guard sample.stages.count == 2, let alone = sample.stages[0].latency["p99"],
          let attacked = sample.stages[1].latency["p99"], alone > 0,
          let memory = sample.peakMebibytes
        else { throw Unmeasured("quiver-load did not report two stages") }
        samples.append((alone / 1_000, attacked / 1_000, sample.failed, memory))
        controls.append(try control(attack))
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
      Report.Figure(name: Self.control, unit: "", samples: controls),
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

  private func quiverd() throws -> Server {
    guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
      throw Unmeasured("no server to attack")
    }
    return try Server(subject)
  }

  /// The ratio of a run whose attackers attack another server.
  private func control(_ attack: (name: String, settings: String)) throws -> Double {
    let other = try quiverd()
    defer { other.stop() }
    let stages = try sample(attack, attacked: other).stages
    guard stages.count == 2, let alone = stages[0].latency["p99"], alone > 0,
      let attacked = stages[1].latency["p99"]
    else { throw Unmeasured("quiver-load did not report two stages") }
    return attacked / alone
  }

  /// Calls one server while another is attacked, or the same one.
  private func sample(
    _ attack: (name: String, settings: String), attacked: Server? = nil
  ) throws -> Sample {
    let server = try quiverd()
    defer { server.stop() }
    let victim = attacked ?? server
    // In a process of their own and behind the regular calls, so that attackers do not delay the
    // program that measures.
    let attackers = try Programs.start(
      ["nice", "-n", "15"] + (try run("attackers", attackers(attack), victim)),
      log: victim.folder.appendingPathComponent("attackers.log"), core: Programs.loadCore)
    defer {
      attackers.terminate()
      attackers.waitUntilExit()
    }
    try waitForFirstSecond(of: attackers, victim)
    var sample = try Programs.json(
      Sample.self, try run("regular", scenario(attack), server) + ["--quiet", "--json"],
      core: Programs.loadCore)
    guard attackers.isRunning else { throw Unmeasured("the attackers ended too early") }
    sample.peakMebibytes = Self.peakMebibytes(of: server.pid)
    return sample
  }

  /// The command that runs a scenario.
  private func run(_ name: String, _ scenario: String, _ server: Server) throws -> [String] {
    let file = server.folder.appendingPathComponent(name + ".json")
    try Data(scenario.utf8).write(to: file)
    let token = server.folder.appendingPathComponent("data/admin.token").path
    return [
      peers.load, "run", file.path, "--server", "127.0.0.1:\(server.port)", "--token-file", token,
    ]
  }

  /// Waits until the accounts of the attackers exist and their first stage has begun.
  private func waitForFirstSecond(of attackers: Process, _ server: Server) throws {
    let log = server.folder.appendingPathComponent("attackers.log")
    for _ in 0..<600 {
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      if text.contains(#/(?m)^ +1s /#) { return }
      guard attackers.isRunning else {
        throw Unmeasured("the attackers ended: \(text.suffix(400))")
      }
      usleep(100_000)
    }
    throw Unmeasured("the attackers did not start")
  }

  /// The most memory that a process has had in RAM; nil if the kernel does not say.
  private static func peakMebibytes(of process: Int32) -> Double? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    return words.count == 3 ? Double(words[1]).map { $0 / 1_024 } : nil
  }

  /// The length of each stage of the regular calls.
  private var stageSeconds: Double { max(2, options.seconds * 3) }

  /// The attackers wait during the first stage of the regular calls, which begin later, and attack
  /// until they are ended.
  private func attackers(_ attack: (name: String, settings: String)) -> String {
    let (wait, attackSeconds) = (stageSeconds + 1, 10 * stageSeconds)
    return """
      {"version": 1, "name": "\(attack.name)", "warm_up": "0s",
       "roles": [
        {"kind": "attackers", "name": "attackers", "attack": "\(attack.name)"\(attack.settings),
         "stages": [{"shape": "hold", "duration": "\(wait)s", "share": 0},
          {"shape": "hold", "duration": "\(attackSeconds)s"}]}],
       "stages": [{"shape": "hold", "duration": "\(wait)s"},
        {"shape": "hold", "duration": "\(attackSeconds)s"}]}
      """
  }

  private func scenario(_ attack: (name: String, settings: String)) -> String {
    let seconds = stageSeconds
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
        {"kind": "reconnect-storm", "name": "new connections", "rate": 5}],
       "stages": [{"name": "alone", "shape": "hold", "duration": "\(seconds)s"},
        {"name": "attacked", "shape": "hold", "duration": "\(seconds)s"}]}
      """
  }
}
