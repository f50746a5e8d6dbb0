/// What a principal stores.
package struct UsageRecord: Sendable, Equatable {
  /// Rows of content.
  package var rows: Int64 = 0
  /// About how many bytes these take, kept replies excluded.
  package var contentBytes: Int64 = 0
  /// Idempotency keys.
  package var keys: Int64 = 0
  /// About how many bytes these take with the replies that are kept under them.
  package var keyBytes: Int64 = 0
  /// The bytes that were ever written; it only grows.
  var writtenBytes: Int64 = 0

  /// What counts against the quota of bytes.
  package var storedBytes: Int64 { contentBytes + keyBytes }
}

extension Transaction {
  private static let countWritten = Query(
    """
    INSERT INTO usage (principal_id, written_bytes) VALUES (?1, ?2)
    ON CONFLICT (principal_id) DO UPDATE SET
      written_bytes = usage.written_bytes + excluded.written_bytes
    """)

  /// Counts bytes for the rate at which the caller may write, where no table does.
  func countWritten(_ byteCount: Int64) throws(StoreError) {
    try run(Self.countWritten, .integer(caller.principal), .integer(byteCount))
  }
}

extension Snapshot {
  private static let usage = Query(
    "SELECT rows, bytes, keys, key_bytes, written_bytes FROM usage WHERE principal_id = ?1")
  private static let keptKeys = Query("SELECT keys, bytes FROM kept_key")

  /// Sends the query of ``usage(principal:)`` ahead (``Session/prefetch(_:_:)``).
  func prefetchUsage(principal: Int64) throws(StoreError) {
    try session.prefetch(Self.usage, [.integer(principal)])
  }

  /// What a principal stores; zeros where it never stored anything.
  package func usage(principal: Int64) throws(StoreError) -> UsageRecord {
    try first(Self.usage, .integer(principal)) { row in
      UsageRecord(
        rows: row.int64(0), contentBytes: row.int64(1), keys: row.int64(2), keyBytes: row.int64(3),
        writtenBytes: row.int64(4))
    } ?? UsageRecord()
  }

  /// The idempotency keys of all principals, and their bytes.
  package func keptKeys() throws(StoreError) -> (count: Int64, bytes: Int64) {
    try first(Self.keptKeys) { row in (row.int64(0), row.int64(1)) } ?? (0, 0)
  }
}
