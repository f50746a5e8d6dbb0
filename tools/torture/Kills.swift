import Foundation
import QuiverRules
import ServerPrograms

/// Kills the program at chosen system calls, or repeatedly under load, and checks after each kill.
struct Kills {
  let scratch: ScratchDirectory
  var seed: UInt64

  /// The result.
  struct Outcome {
    var findings: [String] = []
    var killedCount = 0
    var acknowledgedCount = 0
  }

  /// Kills at the N-th write or sync of a thread, in a new or a used directory.
  func points(_ count: Int) throws -> Outcome {
    try Child.requireStrace()
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    for index in 0..<count {
      let data = scratch.make()
      var events: [History.Event] = []
      let isUsed = index % 3 != 0
      if isUsed {
        events = try Child(scratch: scratch, arguments: Self.arguments(data, 1...20)).run().events
      }
      let call = index % 2 == 0 ? "fdatasync" : "pwrite64"
      let most = call == "fdatasync" ? 25 : 250
      let place = Int.random(in: 1...most, using: &random)
      let injection = "\(call):signal=SIGKILL:when=\(place)"
      let first: Int64 = isUsed ? 21 : 1
      let ending = try Child(
        scratch: scratch, arguments: Self.arguments(data, first...(first + 150)),
        injection: injection
      ).run()
      if ending.code == nil || ending.code == 137 { outcome.killedCount += 1 }
      events += ending.events
      outcome.acknowledgedCount += HistoryChecker(events).acknowledgedCount
      outcome.findings += try Recovery(directory: data, events: events).findings()
        .map { "\(injection), \(isUsed ? "used" : "new") directory, seed \(seed): \($0)" }
      try? FileManager.default.removeItem(atPath: data)
    }
    return outcome
  }

  /// Kills under load: each round sends the open operations again, then continues.
  ///
  /// A directory is used for 50 rounds, because each check reads all of it.
  func rounds(_ count: Int) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    for first in stride(from: 0, to: count, by: 50) {
      try rounds(first..<min(first + 50, count), &random, &outcome)
    }
    return outcome
  }

  private func rounds(
    _ rounds: Range<Int>, _ random: inout SplitMix64, _ outcome: inout Outcome
  ) throws {
    let data = scratch.make()
    var events: [History.Event] = []
    var next: Int64 = 1
    for round in rounds {
      let open = HistoryChecker(events).openNumbers.filter { Operation($0).kind != .failure }
      var arguments = Self.arguments(data, next...(next + 5_000), window: 32)
      if !open.isEmpty {
        arguments += ["--again", open.map { String($0) }.joined(separator: ",")]
      }
      let ending = try Child(
        scratch: scratch, arguments: arguments,
        killAfterAcknowledged: Int.random(in: 1...1_500, using: &random)
      ).run()
      if ending.code == nil { outcome.killedCount += 1 }
      events += ending.events
      next = max(next, (HistoryChecker.highest(in: events) ?? 0) + 1)
      // The next writer recovers from some crashes, the checker from others.
      if round % 2 == 0 || round == rounds.upperBound - 1 {
        outcome.findings += try Recovery.check(data, events)
          .map { "round \(round), seed \(seed): \($0)" }
      }
    }
    outcome.acknowledgedCount += HistoryChecker(events).acknowledgedCount
    try? FileManager.default.removeItem(atPath: data)
  }

  static func arguments(
    _ directory: String, _ numbers: ClosedRange<Int64>, window: Int = 4
  ) -> [String] {
    [
      "write", directory, "--first", "\(numbers.lowerBound)", "--last", "\(numbers.upperBound)",
      "--window", "\(window)",
    ]
  }
}
