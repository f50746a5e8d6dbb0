import QuiverStore

/// The store's limits that flags set.
struct StoreBounds: Sendable, Equatable {
  var queuedCommands = StoreLimits.queuedCommands
  var commandsPerBatch = StoreLimits.commandsPerBatch
  var readMilliseconds = Int(clamping: StoreLimits.readMilliseconds)

  /// Starts even if the clock is far from the stored time.
  var acceptsClock = false

  static let flags = [
    Flag(
      "--sha256", "HEX",
      "with restore: the SHA-256 that the backup must have; one in FILE.sha256 is checked as well"
    ) { (value, configuration) throws(UsageError) in
      guard BackupFile.isChecksum(value) else {
        throw UsageError("--sha256 requires 64 hexadecimal digits")
      }
      configuration.restoreSHA256 = value
    },
    Flag(
      "--accept-clock", nil,
      "start although the clock differs from the last stored time by more than a day, and set"
        + " stored time back if it is more than an hour ahead of the clock"
    ) { (_, configuration) throws(UsageError) in
      configuration.store.acceptsClock = true
    },
    flag(
      "--queued-commands", \.queuedCommands, 1...1_000_000,
      "commands that may wait; further ones end with RESOURCE_EXHAUSTED"),
    flag(
      "--commands-per-batch", \.commandsPerBatch, 1...10_000,
      "largest number of commands in one commit"),
    flag(
      "--read-milliseconds", \.readMilliseconds, 1...600_000,
      "longest time of a read of the store; then it ends with DEADLINE_EXCEEDED"),
  ]

  func apply(to configuration: inout StoreConfiguration) {
    configuration.clockPolicy = acceptsClock ? .accept : .refuse
    configuration.queuedCommands = queuedCommands
    configuration.commandsPerBatch = commandsPerBatch
    configuration.readMilliseconds = UInt64(readMilliseconds)
  }

  private static func flag(
    _ name: String, _ field: any WritableKeyPath<Self, Int> & Sendable, _ range: ClosedRange<Int>,
    _ help: String
  ) -> Flag {
    Flag(name, "N", "\(help); default \(StoreBounds()[keyPath: field])") {
      (text, configuration) throws(UsageError) in
      guard let value = Int(text), range.contains(value) else {
        throw UsageError(
          "\(name) requires a number from \(range.lowerBound) to \(range.upperBound)")
      }
      configuration.store[keyPath: field] = value
    }
  }
}
