import Synchronization

/// What one principal may store, and how fast. 0 is no limit.
package struct StoreQuotas: Sendable, Equatable {
  /// Bytes of content and of kept replies.
  package var storedBytes = StoreLimits.storedBytesPerPrincipal

  /// Rows of content.
  package var storedRows = StoreLimits.storedRowsPerPrincipal

  /// Bytes written in a minute; as many may come at once.
  package var storedBytesPerMinute = StoreLimits.storedBytesPerMinute

  /// Idempotency keys, and the bytes of these with their replies.
  package var idempotencyKeys = StoreLimits.idempotencyKeysPerPrincipal
  package var keyBytes = StoreLimits.keyBytesPerPrincipal

  /// Idempotency keys of all principals, and their bytes.
  package var totalIdempotencyKeys = StoreLimits.idempotencyKeys
  package var totalKeyBytes = StoreLimits.keyBytes

  package init() {}

  /// No limits, for programs that measure a store.
  package static let none: StoreQuotas = {
    var quotas = StoreQuotas()
    quotas.storedBytes = 0
    quotas.storedRows = 0
    quotas.storedBytesPerMinute = 0
    quotas.idempotencyKeys = 0
    quotas.keyBytes = 0
    quotas.totalIdempotencyKeys = 0
    quotas.totalKeyBytes = 0
    return quotas
  }()
}

/// Refuses commands of principals that store too much or too fast.
///
/// A command is refused before it changes anything, once its principal has reached a quota; the
/// command that reaches it is the last one, so that a principal exceeds a quota by one command at
/// most, or by as many as its servers run at once on PostgreSQL. Any thread may use it.
final class QuotaCheck: Sendable {
  private let quotas: StoreQuotas
  private let monotonicNanoseconds: @Sendable () -> UInt64
  private let rates: Mutex<WriteRates>

  init(_ quotas: StoreQuotas, monotonicNanoseconds: @escaping @Sendable () -> UInt64) {
    self.quotas = quotas
    self.monotonicNanoseconds = monotonicNanoseconds
    rates = Mutex(WriteRates(bytesPerMinute: quotas.storedBytesPerMinute))
  }

  /// Throws `resourceExhausted` with the quota, its limit and the usage.
  func check(_ command: QueuedCommand, in transaction: borrowing Transaction) throws(StoreError) {
    let principal = transaction.caller.principal
    guard principal > 0 else { return }
    let usage = try transaction.snapshot.usage(principal: principal)
    if command.options.idempotency != nil {
      try checkKeys(usage)
      try checkAllKeys(usage, transaction)
    }
    guard command.storesContent else { return }
    try Self.check(
      .storedBytesPerPrincipal, "stored-bytes", usage.storedBytes, quotas.storedBytes,
      "bytes are stored", Self.advice)
    try Self.check(
      .storedRowsPerPrincipal, "stored-rows", usage.rows, quotas.storedRows, "rows are stored",
      Self.advice)
    let now = monotonicNanoseconds()
    let wait = rates.withLock {
      $0.wait(of: principal, writtenBytes: usage.writtenBytes, now: now)
    }
    if let wait {
      throw StoreError.reached(
        .storedBytesPerMinute,
        "stored-bytes-per-minute: the limit is \(quotas.storedBytesPerMinute) bytes a minute, and"
          + " more were written; try again in \(wait) ms", retryAfterMilliseconds: wait)
    }
  }

  private static let advice = """
    delete what is not needed (deleted weight entries count until they are removed after 30 days), \
    or ask an administrator for a higher limit
    """
  private static let keyAdvice =
    "keys are removed 24 hours after their call; until then calls without a key are accepted"

  private func checkKeys(_ usage: UsageRecord) throws(StoreError) {
    try Self.check(
      .idempotencyKeysPerPrincipal, "idempotency-keys", usage.keys, quotas.idempotencyKeys,
      "keys are stored", Self.keyAdvice)
    try Self.check(
      .keyBytesPerPrincipal, "idempotency-key-bytes", usage.keyBytes, quotas.keyBytes,
      "bytes of keys and replies are stored", Self.keyAdvice)
  }

  /// When the keys of all are too many, those are refused who have many themselves.
  private func checkAllKeys(
    _ usage: UsageRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard usage.keys >= StoreLimits.sparedIdempotencyKeys else { return }
    let all = try transaction.snapshot.keptKeys()
    // Those of the commands before this one of its batch are stored with the last one.
    let batch = transaction.effects.storedCounts
    try Self.check(
      .idempotencyKeys, "total-idempotency-keys", all.count + batch.keys,
      quotas.totalIdempotencyKeys,
      "keys of all callers are stored", Self.keyAdvice)
    try Self.check(
      .keyBytes, "total-idempotency-key-bytes", all.bytes + batch.keyBytes, quotas.totalKeyBytes,
      "bytes of all callers' keys and replies are stored", Self.keyAdvice)
  }

  private static func check(
    _ quota: StoreLimit, _ name: String, _ usage: Int64, _ limit: Int64, _ what: String,
    _ advice: String
  ) throws(StoreError) {
    guard limit > 0, usage >= limit else { return }
    throw StoreError.reached(
      quota, "\(name): the limit is \(limit) and \(usage) \(what); \(advice)")
  }
}

/// How much each principal has written lately: a level that sinks by the rate.
///
/// It is reset by each start of the store.
private struct WriteRates: Sendable {
  private let bytesPerMinute: Int64
  private var levels: [Int64: Level] = [:]

  private struct Level: Sendable {
    var bytes: Int64
    var atNanoseconds: UInt64
    var writtenBytes: Int64
  }

  init(bytesPerMinute: Int64) { self.bytesPerMinute = bytesPerMinute }

  /// Counts what was written since the last call; returns for how many milliseconds the principal
  /// has to wait, nil if it may write.
  mutating func wait(of principal: Int64, writtenBytes: Int64, now: UInt64) -> Int32? {
    guard bytesPerMinute > 0 else { return nil }
    var level =
      levels[principal] ?? Level(bytes: 0, atNanoseconds: now, writtenBytes: writtenBytes)
    // A batch that was rolled back has written less than was seen, which was counted.
    level.bytes = remaining(level, now: now)
    level.bytes = max(0, level.bytes + writtenBytes - level.writtenBytes)
    level.writtenBytes = writtenBytes
    level.atNanoseconds = now
    if levels.count >= StoreLimits.ratedPrincipals, levels[principal] == nil { forget(now: now) }
    levels[principal] = level
    guard level.bytes >= bytesPerMinute else { return nil }
    let excess = Double(level.bytes - bytesPerMinute + 1)
    return Int32(clamping: Int64((excess * 60_000 / Double(bytesPerMinute)).rounded(.up)))
  }

  private func remaining(_ level: Level, now: UInt64) -> Int64 {
    guard now > level.atNanoseconds else { return level.bytes }
    let sunk = Double(now - level.atNanoseconds) / 60e9 * Double(bytesPerMinute)
    return max(0, level.bytes - Int64(sunk))
  }

  /// Forgets the levels that have sunk to zero; if there are none, the lower half.
  private mutating func forget(now: UInt64) {
    levels = levels.filter { remaining($1, now: now) > 0 }
    guard levels.count >= StoreLimits.ratedPrincipals else { return }
    let sorted = levels.sorted { $0.value.bytes < $1.value.bytes }
    for (principal, _) in sorted.prefix(sorted.count / 2) { levels[principal] = nil }
  }
}
