import QuiverCommandLine
import QuiverRules
import ServerPrograms

/// Kills two devices and their server, and compares what they stored with the acknowledged edits.
struct KilledDevices {
  let killCount: Int
  let seed: UInt64
  /// The defect that the devices have; nil: none.
  var defect: Device.Defect?
  /// Servers that others run; nil: each pair of devices has a server of its own.
  var servers: SharedServers?

  /// A server and its devices are used for so many kills, because each start of a device reads all
  /// that it has.
  private static let killsPerServer = 100

  /// What was counted, and what was found.
  struct Outcome {
    var serverKillCount = 0
    var counts = Oracle.Counts()
    /// Each once, without the kill after which it was found.
    var findings: [String] = []
    private var known: Set<String> = []

    mutating func add(_ found: [String], _ place: String) {
      for finding in found where known.insert(finding).inserted {
        findings.append("\(place): \(finding)")
      }
    }
  }

  /// Runs everything and prints the counts; returns whether nothing was found.
  func run() async throws -> Bool {
    StandardOutput.printOrExit("session kills: seed \(seed)")
    let scratch = try ScratchDirectory()
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    for first in stride(from: 1, through: killCount, by: Self.killsPerServer) {
      var pair = try await DevicePair(
        directory: scratch.make(), defect: defect, sharing: servers)
      let last = min(first + Self.killsPerServer - 1, killCount)
      try await pair.run(first...last, &random, &outcome)
    }
    for finding in outcome.findings.prefix(50) {
      StandardOutput.printOrExit("seed \(seed), \(finding)")
    }
    let counts = outcome.counts
    StandardOutput.printOrExit(
      """
      session kills: \(killCount) of devices and \(outcome.serverKillCount) of servers with seed \
      \(seed), \(counts.acknowledged) edits acknowledged, \(counts.interrupted) interrupted, of \
      which \(counts.stored) were stored, \(counts.objects) objects at the end, \
      \(outcome.findings.count) findings
      """)
    return outcome.findings.isEmpty
  }
}
