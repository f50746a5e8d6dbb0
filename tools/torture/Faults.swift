import ChildProcesses
import Foundation
import QuiverRules
import QuiverStore
import ServerPrograms

/// Errors and delays of system calls, clocks that jump, and files that are moved or replaced.
extension Kills {
  /// What strace injects into a system call; `first` is the earliest call that it may meet, past
  /// those of the dynamic linker.
  private static let injections: [(call: String, fault: String, first: Int)] = [
    ("pwrite64", "error=ENOSPC", 1), ("pwrite64", "error=EDQUOT", 1),
    ("pwrite64", "error=EFBIG", 1), ("pwrite64", "error=EIO", 1),
    ("fdatasync", "error=EIO", 1), ("fdatasync", "error=ENOSPC", 1),
    ("fsync", "error=EIO", 1), ("pread64", "error=EIO", 20), ("ftruncate", "error=EIO", 1),
    ("ftruncate", "error=ENOSPC", 1), ("unlink", "error=EIO", 1),
    ("openat", "error=EMFILE", 120), ("openat", "error=ENOSPC", 120),
    ("fdatasync", "delay_enter=200000", 1), ("pwrite64", "delay_enter=20000", 1),
    ("pread64", "delay_enter=20000", 20),
  ]

  /// Injects a fault into a writer, once for each count, and checks what it left.
  func systemCalls(_ count: Int) throws -> Outcome {
    try Child.requireStrace()
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    for index in 0..<count {
      let (call, fault, first) = Self.injections[index % Self.injections.count]
      let place = first + Int.random(in: 0..<(call == "pwrite64" ? 200 : 20), using: &random)
      let last = place + Int.random(in: 0...12, using: &random)
      let injection = "\(call):\(fault):when=\(place)..\(last)"
      let data = scratch.make()
      let before = try Child(scratch: scratch, arguments: Self.arguments(data, 1...20)).run()
      let ending = try Child(
        scratch: scratch, arguments: Self.arguments(data, 21...150), injection: injection
      ).run()
      let events = before.events + ending.events
      outcome.killedCount += 1
      outcome.acknowledgedCount += HistoryChecker(events).acknowledgedCount
      // 1: it could not open the store, and said so. 127: the dynamic linker could not open a file.
      if ![0, 1, 74, 127].contains(ending.code) {
        outcome.findings.append(
          "\(injection): it ended with \(ending.code.map(String.init) ?? "a signal")")
      }
      outcome.findings += try Recovery(directory: data, events: events).findings()
        .map { "\(injection), seed \(seed): \($0)" }
      try? FileManager.default.removeItem(atPath: data)
    }
    return outcome
  }

  /// Reopens a store with a wall clock that is up to 90 days off, sends operations again, and
  /// checks that each had its effect once.
  func clocks(_ count: Int) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    for index in 0..<count {
      let (data, history) = (scratch.make(), History())
      var next: Int64 = 1
      for _ in 0..<4 {
        let again = (max(1, next - 40)..<next).map { $0 }
        var run = WriterRun(directory: data, numbers: again + Array(next..<(next + 60)))
        run.wallOffsetMilliseconds = Int64.random(in: -90...90, using: &random) * 86_400_000
        let ending = try run.run(history)
        if ending != .closed {
          outcome.findings.append("clock \(index), seed \(seed): the run ended \(ending)")
        }
        outcome.killedCount += 1
        next += 60
      }
      var configuration = StoreConfiguration(directory: data)
      configuration.clockPolicy = .accept
      let store = try Store(configuration)
      var checker = HistoryChecker(history.events)
      outcome.acknowledgedCount += checker.acknowledgedCount
      outcome.findings += try checker.check(store).map { "clock \(index), seed \(seed): \($0)" }
      store.close()
      try? FileManager.default.removeItem(atPath: data)
    }
    return outcome
  }

  /// Moves or replaces a file of a running writer, which must end with 74, and checks what is in
  /// the files that it had.
  func files(_ count: Int) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    let names = ["quiver.db", "quiver.db-wal", "quiver.lock"]
    for index in 0..<count {
      let data = scratch.make()
      let name = names[index % names.count]
      let isReplaced = index / names.count % 2 == 1
      let path = data + "/" + name
      var child = Child(scratch: scratch, arguments: Self.arguments(data, 1...500_000, window: 32))
      child.killAfterAcknowledged = Int.random(in: 1...1_500, using: &random)
      child.disturbance = {
        let files = FileManager.default
        try? files.moveItem(atPath: path, toPath: path + ".away")
        if isReplaced { try? files.copyItem(atPath: path + ".away", toPath: path) }
      }
      let ending = try child.run()
      let what = "\(name) \(isReplaced ? "replaced" : "removed")"
      if ending.code != 74 {
        outcome.findings.append(
          "\(what): it ended with \(ending.code.map(String.init) ?? "a signal")")
      }
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      outcome.killedCount += 1
      outcome.acknowledgedCount += HistoryChecker(ending.events).acknowledgedCount
      outcome.findings += try Recovery.check(data, ending.events)
        .map { "\(what), seed \(seed): \($0)" }
      try? FileManager.default.removeItem(atPath: data)
    }
    return outcome
  }
}
