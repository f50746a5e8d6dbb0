import Foundation
import QuiverStore

/// Durable commands and reads of a server, compared with SQLite's C API, the disk and the echo.
struct StoreMeasures {
  /// What the load client prints.
  struct Sample: Decodable {
    var calls: Double
    var errors: Double
    var seconds: Double
    var p50Nanoseconds: Double
    var p99Nanoseconds: Double
    var p999Nanoseconds: Double
    var serverCPUNanoseconds: Double

    var rate: Double { calls / seconds }
    var cpuMicroseconds: Double { serverCPUNanoseconds / calls / 1000 }
  }

  struct Direct: Decodable {
    var commands: Double
    var seconds: Double
    var cpuNanoseconds: Double

    var cpuMicroseconds: Double { cpuNanoseconds / commands / 1000 }
    var rate: Double { commands / seconds }
  }

  struct Sync: Decodable {
    var syncs: Double
    var p50Nanoseconds: Double
  }

  typealias Run = @Sendable (inout StoreRun) throws -> Void

  /// A measure: its figures are computed from the samples of each run.
  struct Plan: Sendable {
    var name: String
    var sentence: String
    var run: Run
    var figures: [(name: String, unit: String, bound: Double?)]
  }

  let options: Options
  let peers: Peers

  static let names = plans.map(\.name)

  func run() -> [Report.Measure] {
    let wanted = Self.plans.filter { options.wants($0.name) }
    guard !wanted.isEmpty else { return [] }
    var fault: String?
    do {
      try peers.check([peers.path("load")])
      try peers.check([peers.path("store_direct")])
      try peers.check([peers.path("lifts_direct")])
      for peer in StatementTrace.Peer.allCases {
        let path = peers.path(peer.rawValue)
        if let difference = try peer.difference(ofProgramAt: path) { throw Unmeasured(difference) }
      }
    } catch {
      fault = String(describing: error)
      progress("bench: \(error)")
    }
    return wanted.map { plan in
      begin(plan.name)
      return measure(plan, fault)
    }
  }

  private func measure(_ plan: Plan, _ fault: String?) -> Report.Measure {
    var measure = Report.Measure(name: plan.name, sentence: plan.sentence)
    var samples: [String: [Double]] = [:]
    var subjects: [(name: String, unit: String)] = []
    if fault == nil {
      for number in 0..<options.runs {
        do {
          // New servers for each plan, because a store gets slower as it grows.
          let servers = try StoreServers(peers)
          defer { servers.stop() }
          var run = StoreRun(number: number, servers: servers, peers: peers, options: options)
          try plan.run(&run)
          for (name, value) in run.figures { samples[name, default: []].append(value) }
          for (name, unit, value) in run.subjects {
            if samples["subject " + name] == nil { subjects.append((name, unit)) }
            samples["subject " + name, default: []].append(value)
          }
        } catch {
          measure.remarks.append("run \(number + 1): \(error)")
        }
      }
    }
    if let fault { measure.remarks.append(fault) }
    measure.subjects = subjects.map { name, unit in
      Report.Subject(name: name, unit: unit, samples: samples["subject " + name] ?? [])
    }
    measure.figures = plan.figures.map { name, unit, bound in
      Report.Figure(name: name, unit: unit, samples: samples[name] ?? [], bound: bound)
    }
    return measure
  }
}

/// The servers of one run: one with the defaults, one that commits each command separately.
final class StoreServers {
  let grouped: Server
  let single: Server
  /// A store with the same contents for the peer that writes with the C API.
  let direct: URL

  /// The number of writing archers, because the items of one archer are limited.
  static let callers = 16
  /// The file with the tokens of all archers.
  static let tokens = "tokens"
  /// The file with the first archer's token.
  static let firstToken = "first-token"

  init(_ peers: Peers) throws {
    guard var subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
      throw Unmeasured("no server to call")
    }
    grouped = try Server(subject, prepare: Self.fill)
    let serve = subject.serve
    subject.serve = { serve($0, $1) + ["--commands-per-batch", "1"] }
    do {
      single = try Server(subject, prepare: Self.fill)
    } catch {
      grouped.stop()
      throw error
    }
    direct = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: direct, withIntermediateDirectories: true)
      try Self.fill(direct)
    } catch {
      stop()
      throw error
    }
  }

  func stop() {
    grouped.stop()
    single.stop()
    try? FileManager.default.removeItem(at: direct)
  }

  /// Creates the data directory in `folder`, with the writing archers.
  private static func fill(_ folder: URL) throws {
    let data = folder.appendingPathComponent("data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let store = try Store(.unlimited(data.path))
    defer { store.close() }
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let secrets = try (0..<callers).map { number in
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: "Archer \(number)"), nobody)
      return try store.perform(CreateToken(principal: archer.id, label: ""), nobody).secret
    }
    try Data(secrets.joined(separator: "\n").utf8)
      .write(to: folder.appendingPathComponent(tokens))
    try Data((secrets.first ?? "").utf8).write(to: folder.appendingPathComponent(firstToken))
  }
}
