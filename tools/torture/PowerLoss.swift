import CCrashFiles
import Foundation
import QuiverRules
import QuiverStore
import ServerPrograms

/// Cuts the power at an event chosen by a seed, and checks what the disk has.
struct PowerLoss {
  var directory: ScratchDirectory
  /// Ignores every sync; a checker that then finds nothing does not work.
  var losesSyncs = false

  /// The result of one seed.
  struct Outcome {
    var findings: [String]
    var acknowledgedCount: Int
    var hasCrashed: Bool
  }

  /// Call it before the first run of the process.
  static func prepare() throws {
    guard isPrepared else { throw Complaint("SQLite refused the crash layer") }
  }

  private static let isPrepared = crash_files_register() == 0

  /// Runs all seeds, and adds up the results.
  func run(seeds: ClosedRange<UInt64>) throws -> Kills.Outcome {
    var sum = Kills.Outcome()
    for seed in seeds {
      let outcome = try run(seed: seed)
      sum.findings += outcome.findings.map { "seed \(seed): \($0)" }
      sum.acknowledgedCount += outcome.acknowledgedCount
      sum.killedCount += outcome.hasCrashed ? 1 : 0
    }
    return sum
  }

  func run(seed: UInt64) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    let shape = Shape(&random)
    let eventCount = try Self.eventCount(of: shape, in: directory.make())
    let crashEvent = Int64.random(in: 1...max(1, eventCount), using: &random)
    crash_files_begin(seed, crashEvent, losesSyncs ? 1 : 0)
    let history = History()
    let before = directory.make()
    try shape.run(in: before, history)
    let hasCrashed = crash_files_has_crashed() != 0
    let after = directory.make()
    guard crash_files_write_image(after) == 0 else { throw Complaint("cannot write the image") }
    let outcome = Outcome(
      findings: try Recovery(directory: after, events: history.events).findings(),
      acknowledgedCount: HistoryChecker(history.events).acknowledgedCount, hasCrashed: hasCrashed)
    try? FileManager.default.removeItem(atPath: before)
    try? FileManager.default.removeItem(atPath: after)
    return outcome
  }

  /// The parameters of a run.
  private struct Shape {
    let parts: [Int]
    let window: Int
    let noteByteCount: Int

    init(_ random: inout SplitMix64) {
      let isLarge = Int.random(in: 0..<8, using: &random) == 0
      parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Int.random(in: isLarge ? 100...250 : 1...30, using: &random)
      }
      window = [1, 2, 8, 32].randomElement(using: &random) ?? 1
      noteByteCount = isLarge ? 4_000 : Int.random(in: 1...2_000, using: &random)
    }

    /// Opens and closes a store for each part, until the power is cut.
    func run(in directory: String, _ history: History) throws {
      var first: Int64 = 1
      for count in parts {
        let last = first + Int64(count)
        let run = WriterRun(
          directory: directory, fileSystem: "crash", numbers: Array(first..<last), window: window,
          noteByteCount: noteByteCount)
        guard try run.run(history) == .closed else { return }
        first = last
      }
    }
  }

  private static func eventCount(of shape: Shape, in directory: String) throws -> Int64 {
    crash_files_begin(0, 0, 0)
    try shape.run(in: directory, History())
    try? FileManager.default.removeItem(atPath: directory)
    return crash_files_event_count()
  }
}
