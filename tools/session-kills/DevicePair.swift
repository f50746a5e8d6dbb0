import Foundation
import QuiverClient
import QuiverCommandLine
import QuiverRules
import ServerPrograms

/// A server or several, and two devices of one user that edit and sync.
struct DevicePair {
  private let directory: String
  private let defect: Device.Defect?
  /// The server that is killed now and then; nil: others run the servers.
  private let server: ServerProgram?
  private let servers: SharedServers
  private var oracles: [Oracle]
  private var processes: [DeviceProcess?]

  private static let names = [Device.firstName, "b"]
  /// The stores are compared with the server's after so many kills.
  private static let killsPerCheck = 50
  private static let mostMilliseconds = 400

  /// Starts a server, or makes a user at those that others run.
  init(
    directory: String, defect: Device.Defect?, sharing shared: SharedServers?
  ) async throws {
    self.directory = directory
    self.defect = defect
    oracles = [Oracle](repeating: Oracle(), count: Self.names.count)
    processes = [DeviceProcess?](repeating: nil, count: Self.names.count)
    if let shared {
      server = nil
      servers = try await shared.withNewUser()
    } else {
      let own = ServerProgram(directory: directory)
      try own.start()
      server = own
      servers = SharedServers(own.address, token: try own.token())
    }
  }

  /// Kills the devices at random times, and the server now and then; then ends all of them.
  mutating func run(
    _ kills: ClosedRange<Int>, _ random: inout SplitMix64, _ outcome: inout KilledDevices.Outcome
  ) async throws {
    defer {
      for process in processes { process?.kill() }
      server?.kill()
    }
    // Devices that were killed early have made nothing of some kinds.
    outcome.add(try await checkServer([:]), "before kill \(kills.lowerBound)")
    for kill in kills {
      for index in processes.indices where processes[index] == nil {
        processes[index] = try start(
          index, seed: UInt64.random(in: 1...UInt64(Int64.max), using: &random))
      }
      let index = Int.random(in: processes.indices, using: &random)
      // Some are killed while they start.
      if Int.random(in: 0..<5, using: &random) > 0 { try await processes[index]?.waitUntilReady() }
      try await Task.sleep(
        for: .milliseconds(Int.random(in: 1...Self.mostMilliseconds, using: &random)))
      outcome.add(try end(index), "kill \(kill)")
      if let server, Int.random(in: 0..<20, using: &random) == 0 {
        server.kill()
        outcome.serverKillCount += 1
        try server.start()
      }
      if kill.isMultiple(of: Self.killsPerCheck) || kill == kills.upperBound {
        outcome.add(try await check(), "after kill \(kill)")
        StandardOutput.printOrExit("\(kill) kills, \(outcome.findings.count) findings")
      }
    }
    for oracle in oracles { outcome.counts.add(oracle.counts) }
  }

  private func start(_ index: Int, seed: UInt64) throws -> DeviceProcess {
    let name = Self.names[index]
    return try DeviceProcess(
      [
        servers.list(from: index), servers.token, "\(directory)/\(name)", name, "\(seed)",
        "\(oracles[index].begunCount)",
      ] + (defect.map { [$0.rawValue] } ?? []), output: "\(directory)/\(name)-output")
  }

  /// Kills a device, unless that was done; returns what is wrong with its output.
  private mutating func end(_ index: Int) throws -> [String] {
    guard let process = processes[index] else { return [] }
    processes[index] = nil
    let ending = process.kill()
    var findings = oracles[index].take(try process.lines())
    if let ending { findings.append("device \(Self.names[index]) ended by itself: \(ending)") }
    return findings
  }

  /// Kills the devices, lets each send and load everything, and compares both stores and the
  /// server's with the acknowledged edits.
  private mutating func check() async throws -> [String] {
    var findings: [String] = []
    var wanted: [EditedObject: String] = [:]
    for index in processes.indices {
      findings += try end(index)
      let last = try start(index, seed: 0)
      if let failure = last.wait() {
        findings.append("device \(Self.names[index]) could not send everything: \(failure)")
      }
      findings += oracles[index].take(try last.lines())
      wanted.merge(oracles[index].values) { $1 }
    }
    return findings + (try await checkServer(wanted))
  }

  /// Compares what the server has with the edits.
  private func checkServer(_ wanted: [EditedObject: String]) async throws -> [String] {
    let client = try servers.client()
    let (found, doubles) = try await ServerState.read(client, Self.names)
    await client.close()
    return doubles.map { "the server has \($0) twice" }
      + Oracle.differences(wanted, found).map { "at the server: \($0)" }
  }
}
