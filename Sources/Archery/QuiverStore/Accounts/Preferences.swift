import QuiverRules

/// Stores a value under one of the caller's keys, in place of the previous value.
///
/// The same value again changes nothing.
package struct SetPreference: Command {
  private let key: String
  private let value: String

  private static let put = Query(
    """
    INSERT INTO preference (principal_id, key, value, updated_at_ms) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (principal_id, key) DO UPDATE SET value = ?3, updated_at_ms = ?4
    """, key: "id")
  private static let count = Query("SELECT count(*) FROM preference WHERE principal_id = ?1")

  /// Validates the key and the value; paths are those of the request.
  package init(key: String, value: String) throws(StoreError) {
    try PreferenceKey.check(key, field: "preference.key")
    guard value.utf8.count <= StoreLimits.preferenceValueByteCount else {
      throw .invalid(
        "preference.value", "must have at most \(StoreLimits.preferenceValueByteCount) bytes")
    }
    guard !value.hasZeroCharacter else {
      throw .invalid("preference.value", TextLimits.zeroCharacterComplaint)
    }
    self.key = key
    self.value = value
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> PreferenceRecord {
    let owner = transaction.caller.principal
    let known = try transaction.snapshot.preference(principal: owner, key: key)
    if let known, known.value == value { return known }
    if known == nil { try checkRoom(transaction) }
    let now = transaction.nowMilliseconds
    let made = try transaction.insert(
      Self.put, .integer(owner), .text(key), .text(value), .integer(now))
    let id = known?.id ?? made
    try transaction.record(
      known == nil ? .created : .updated, of: .preference, id: id, principal: owner)
    return PreferenceRecord(id: id, key: key, value: value, updatedAtMilliseconds: now)
  }

  private func checkRoom(_ transaction: borrowing Transaction) throws(StoreError) {
    let count = try transaction.snapshot.first(
      Self.count, .integer(transaction.caller.principal)
    ) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.preferencesPerPrincipal else {
      throw StoreError.reached(
        .preferencesPerPrincipal,
        "one principal may have \(StoreLimits.preferencesPerPrincipal) preferences; delete one")
    }
  }
}

/// Deletes a preference; throws `notFound` if there is none.
package struct DeletePreference: Command {
  package static var storesContent: Bool { false }

  private let key: String

  private static let delete = Query("DELETE FROM preference WHERE id = ?1")

  package init(key: String) throws(StoreError) {
    try PreferenceKey.check(key, field: "key")
    self.key = key
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let owner = transaction.caller.principal
    guard let known = try transaction.snapshot.preference(principal: owner, key: key) else {
      throw StoreError(.notFound, "there is no such preference", field: "key")
    }
    try transaction.run(Self.delete, .integer(known.id))
    try transaction.record(.deleted, of: .preference, id: known.id, principal: owner)
  }
}

/// Validates the key of a preference.
private enum PreferenceKey {
  static func check(_ key: String, field: String) throws(StoreError) {
    let isKey = key.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isKey, !key.isEmpty, key.utf8.count <= StoreLimits.preferenceKeyLength else {
      throw .invalid(
        field, "must be 1 to \(StoreLimits.preferenceKeyLength) characters of a-z 0-9 . _ -")
    }
  }
}

extension Snapshot {
  private static let columns = "SELECT id, key, value, updated_at_ms FROM preference"
  private static let byKey = Query(columns + " WHERE principal_id = ?1 AND key = ?2")
  private static let allByKey = Query(columns + " WHERE principal_id = ?1 ORDER BY key")
  private static let afterID = Query(
    columns + " WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3")

  /// The value of a key; nil if there is none.
  package func preference(principal: Int64, key: String) throws(StoreError) -> PreferenceRecord? {
    try first(Self.byKey, .integer(principal), .text(key)) { row in PreferenceRecord(row: row) }
  }

  /// All preferences of a principal by key; their number is limited.
  package func preferences(principal: Int64) throws(StoreError) -> [PreferenceRecord] {
    try all(Self.allByKey, .integer(principal)) { row in PreferenceRecord(row: row) }
  }

  /// Preferences by id, for an export.
  func preferences(
    principal: Int64, after id: Int64, limit: Int64
  ) throws(StoreError) -> [PreferenceRecord] {
    try all(Self.afterID, .integer(principal), .integer(id), .integer(limit)) { row in
      PreferenceRecord(row: row)
    }
  }
}

extension PreferenceRecord {
  fileprivate init(row: Row) {
    self.init(
      id: row.int64(0), key: row.text(1), value: row.text(2), updatedAtMilliseconds: row.int64(3))
  }
}

/// A preference of a principal.
package struct PreferenceRecord: Sendable, Equatable {
  package let id: Int64
  package let key: String
  package let value: String
  package let updatedAtMilliseconds: Int64
}
