import QuiverCrypto

/// One row of the audit: who changed what, when, and why.
package struct AuditEntry: Sendable, Equatable {
  /// The action, for example `token.revoke`.
  package var action: String

  package var kind: ObjectKind
  package var objectID: Int64

  /// The object's parent, for example a tournament's id; 0 if it has none.
  package var topic: Int64 = 0

  /// The object before and after, in a form that the action defines; empty if there is none.
  package var before: [UInt8] = []
  package var after: [UInt8] = []

  package var device = ""
  package var reason = ""
}

extension Transaction {
  private static let lastHash = Query("SELECT hash FROM audit ORDER BY sequence DESC LIMIT 1")
  private static let insertEntry = Query(
    """
    INSERT INTO audit (at_ms, actor_id, principal_id, token_id, action, kind, object_id, topic,
      before, after, device, reason, hash)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
    """)

  /// Appends a row to the audit, chained to the previous row by its hash.
  package func audit(_ entry: AuditEntry) throws(StoreError) {
    let previous = try snapshot.first(Self.lastHash) { row in row.bytes(0) }
    let values: [SQLValue] = [
      .integer(nowMilliseconds), .integer(caller.actor), .integer(caller.principal),
      .integer(caller.tokenID), .text(entry.action), .integer(entry.kind.rawValue),
      .integer(entry.objectID), .integer(entry.topic), .blob(entry.before), .blob(entry.after),
      .text(entry.device), .text(entry.reason),
    ]
    let hash = AuditChain.hash(previous: previous ?? AuditChain.beginning, values)
    try run(Self.insertEntry, values: values + [.blob(hash)])
  }
}

/// The hash chain of the audit.
enum AuditChain {
  /// The hash before the first row.
  static let beginning = [UInt8](repeating: 0, count: SHA256.byteCount)

  /// SHA-256 of the previous hash and of every value of the row.
  static func hash(previous: [UInt8], _ values: [SQLValue]) -> [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.blob(previous))
    for value in values { encoding.append(value) }
    return SHA256.hash(encoding.bytes)
  }
}
