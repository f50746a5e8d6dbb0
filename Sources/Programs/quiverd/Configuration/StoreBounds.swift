import QuiverCommandLine
import QuiverStore

/// The store's limits that flags set.
struct StoreBounds: Sendable, Equatable {
  var queuedCommands = StoreLimits.queuedCommands
  var commandsPerBatch = StoreLimits.commandsPerBatch
  var databaseWorkers = StoreLimits.databaseWorkers
  var quotas = StoreQuotas()
  var readMilliseconds = Int(clamping: StoreLimits.readMilliseconds)

  /// Starts even if the clock is far behind the stored time.
  var acceptsClock = false

  static let flags = [
    Flag(
      "--sha256", "HEX",
      "with restore: the SHA-256 that the backup must have; one in FILE.sha256 is checked as well",
      .commandLineOnly
    ) { (value, configuration) throws(UsageError) in
      guard BackupFile.isChecksum(value) else {
        throw UsageError("--sha256 requires 64 hexadecimal digits")
      }
      configuration.restoreSHA256 = value
    }
    .shown { $0.restoreSHA256.map { [$0] } ?? [] },
    Flag(
      "--accept-clock", nil,
      "start although the clock is more than a day behind the last stored time, and set stored"
        + " time back if it is more than an hour ahead of the clock",
      .commandLineOnly
    ) { (_, configuration) throws(UsageError) in
      configuration.store.acceptsClock = true
    }
    .shown { $0.store.acceptsClock ? ["yes"] : ["no"] },
    flag(
      "--queued-commands", \.queuedCommands, 1...1_000_000,
      "commands that may wait; further ones end with RESOURCE_EXHAUSTED"),
    flag(
      "--commands-per-batch", \.commandsPerBatch, 1...10_000,
      "largest number of commands in one commit"),
    flag(
      "--database-workers", \.databaseWorkers, 1...256,
      "commands that run at once on PostgreSQL, each on a connection of its own"),
    flag(
      "--read-milliseconds", \.readMilliseconds, 1...600_000,
      "longest time of a read of the store; then it ends with DEADLINE_EXCEEDED"),
    quota(
      "--stored-bytes-per-principal", \.storedBytes,
      "bytes of content and kept replies that one principal may store"),
    quota(
      "--stored-rows-per-principal", \.storedRows, "rows of content that one principal may store"),
    quota(
      "--stored-bytes-per-minute", \.storedBytesPerMinute,
      "bytes that one principal may write in a minute"),
    quota(
      "--idempotency-keys-per-principal", \.idempotencyKeys,
      "idempotency keys of one principal that are stored, each for 24 hours"),
    quota(
      "--key-bytes-per-principal", \.keyBytes,
      "bytes of one principal's idempotency keys and their replies"),
    quota("--idempotency-keys", \.totalIdempotencyKeys, "idempotency keys of all principals"),
    quota("--key-bytes", \.totalKeyBytes, "bytes of all idempotency keys and their replies"),
  ]

  func apply(to configuration: inout StoreConfiguration) {
    configuration.clockPolicy = acceptsClock ? .accept : .refuse
    configuration.queuedCommands = queuedCommands
    configuration.commandsPerBatch = commandsPerBatch
    configuration.databaseWorkers = databaseWorkers
    configuration.readMilliseconds = UInt64(readMilliseconds)
    configuration.quotas = quotas
  }

  private static func quota(
    _ name: String, _ field: any WritableKeyPath<StoreQuotas, Int64> & Sendable, _ help: String
  ) -> Flag {
    let standard = StoreQuotas()[keyPath: field]
    return Flag(
      name, "N", "\(help); 0: no limit; default \(standard)"
    ) {
      (text, configuration) throws(UsageError) in
      guard let value = Int64(text), (0...largestQuota).contains(value) else {
        throw UsageError("\(name) requires a number from 0 to \(largestQuota)")
      }
      configuration.store.quotas[keyPath: field] = value
    }
    .shown { ["\($0.store.quotas[keyPath: field])"] }
  }

  /// A pebibyte.
  private static let largestQuota: Int64 = 1 << 50

  private static func flag(
    _ name: String, _ field: any WritableKeyPath<Self, Int> & Sendable, _ range: ClosedRange<Int>,
    _ help: String
  ) -> Flag {
    Flag(
      name, "N", "\(help); default \(StoreBounds()[keyPath: field])"
    ) {
      (text, configuration) throws(UsageError) in
      guard let value = Int(text), range.contains(value) else {
        throw UsageError(
          "\(name) requires a number from \(range.lowerBound) to \(range.upperBound)")
      }
      configuration.store[keyPath: field] = value
    }
    .shown { ["\($0.store[keyPath: field])"] }
  }
}
