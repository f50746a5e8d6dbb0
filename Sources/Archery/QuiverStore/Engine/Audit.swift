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
  private static let lastHashOfPrincipal = Query(
    "SELECT hash FROM audit WHERE principal_id = ?1 ORDER BY sequence DESC LIMIT 1")
  // Without the columns of texts: a restored backup of an older schema has none.
  private static let insertEntry = Query(
    """
    INSERT INTO audit (at_ms, actor_id, principal_id, token_id, action, kind, object_id, topic,
      before, after, device, reason, hash)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
    """)
  private static let insertEntryWithTexts = Query(
    """
    INSERT INTO audit (at_ms, actor_id, principal_id, token_id, action, kind, object_id, topic,
      before, after, device, reason, hash, salt, text_hash)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    """)

  /// Appends a row to the audit, chained to the previous row by its hash.
  ///
  /// In PostgreSQL the previous row is the previous one of the principal: one chain would let all
  /// commands that write to the audit conflict with one another.
  package func audit(_ entry: AuditEntry) throws(StoreError) {
    let previous = try lastHash() ?? AuditChain.beginning
    let values: [SQLValue] = [
      .integer(nowMilliseconds), .integer(caller.actor), .integer(caller.principal),
      .integer(caller.tokenID), .text(entry.action), .integer(entry.kind.rawValue),
      .integer(entry.objectID), .integer(entry.topic), .blob(entry.before), .blob(entry.after),
    ]
    let texts: [SQLValue] = [.text(entry.device), .text(entry.reason)]
    guard !entry.device.isEmpty || !entry.reason.isEmpty else {
      let hash = AuditChain.hash(previous: previous, values + texts)
      try run(Self.insertEntry, values: values + texts + [.blob(hash)])
      return
    }
    let salt = try Self.salt()
    let textHash = AuditChain.textHash(salt: salt, texts)
    let hash = AuditChain.hash(
      previous: previous, values + AuditChain.chained(texts, textHash: textHash))
    try run(
      Self.insertEntryWithTexts,
      values: values + texts + [.blob(hash), .blob(salt), .blob(textHash)])
  }

  private func lastHash() throws(StoreError) -> [UInt8]? {
    guard snapshot.session.isPostgreSQL else {
      return try snapshot.first(Self.lastHash) { row in row.bytes(0) }
    }
    return try snapshot.first(
      Self.lastHashOfPrincipal, .integer(caller.principal)
    ) { row in row.bytes(0) }
  }

  private static func salt() throws(StoreError) -> [UInt8] {
    do {
      return try RandomBytes.make(AuditChain.saltByteCount)
    } catch {
      throw StoreError(.internalError, "the system gave no random bytes", notProcessed: true)
    }
  }
}

/// The hash chain of the audit.
///
/// The chain includes the texts of a row only by their salted hash. When an account is erased, its
/// texts are removed with their salts, and the chain stays valid; without the salt, nobody can find
/// the text from the hash by trying. Rows without a text, and rows of before the salts, are chained
/// with their texts.
enum AuditChain {
  /// The hash before the first row.
  static let beginning = [UInt8](repeating: 0, count: SHA256.byteCount)

  static let saltByteCount = 16

  /// SHA-256 of the previous hash and of every value of the row.
  static func hash(previous: [UInt8], _ values: [SQLValue]) -> [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.blob(previous))
    for value in values { encoding.append(value) }
    return SHA256.hash(encoding.bytes)
  }

  /// SHA-256 of the salt and of the texts of a row.
  static func textHash(salt: [UInt8], _ texts: [SQLValue]) -> [UInt8] {
    hash(previous: salt, texts)
  }

  /// The texts of a row as the chain includes them.
  static func chained(_ texts: [SQLValue], textHash: [UInt8]?) -> [SQLValue] {
    textHash.map { [.blob($0)] } ?? texts
  }
}
