/// Keys of calls that have had their effect, kept in the effect's own transaction.
///
/// Keys of different principals are separate. Failures leave no key. A reply that must not be kept
/// is stored as NULL: its replay is refused, since the effect is there and the secret is not.
extension Transaction {
  private static let insertKey = Query(
    """
    INSERT INTO idempotency_key (key, principal_id, request_hash, reply, at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5)
    """)

  /// The reply of the call that had this key before; nil where there was none.
  func storedReply(_ idempotency: CommandKey) throws(StoreError) -> [UInt8]? {
    try snapshot.storedReply(idempotency, principal: caller.principal)
  }

  /// Keeps the key with its reply, or without where `reply` is nil.
  func keep(_ idempotency: CommandKey, reply: [UInt8]?) throws(StoreError) {
    try run(
      Self.insertKey, .blob(idempotency.key), .integer(caller.principal),
      .blob(idempotency.requestHash), .optional(reply), .integer(nowMilliseconds))
    countKey(replyByteCount: reply?.count ?? 0)
  }
}

extension Snapshot {
  private static let find = Query(
    "SELECT request_hash, reply FROM idempotency_key WHERE key = ?1 AND principal_id = ?2")

  /// Sends the query of ``storedReply(_:principal:)`` ahead (``Session/prefetch(_:_:)``).
  func prefetchReply(_ idempotency: CommandKey, principal: Int64) throws(StoreError) {
    try session.prefetch(Self.find, [.blob(idempotency.key), .integer(principal)])
  }

  /// The reply of the principal's call that had this key before; nil where there was none.
  ///
  /// Throws `alreadyExists` if the key belongs to another request.
  package func storedReply(
    _ idempotency: CommandKey, principal: Int64
  ) throws(StoreError) -> [UInt8]? {
    let found = try first(Self.find, .blob(idempotency.key), .integer(principal)) { row in
      (hash: row.bytes(0), reply: row.isNull(1) ? nil : row.bytes(1))
    }
    guard let found else { return nil }
    guard found.hash == idempotency.requestHash else {
      throw StoreError(
        .alreadyExists, "the idempotency key belongs to another request",
        field: "idempotency_key", notProcessed: true)
    }
    guard let reply = found.reply else {
      throw StoreError(
        .failedPrecondition,
        "this call has had its effect before; its reply contained a secret and was not stored",
        field: "idempotency_key")
    }
    return reply
  }
}
