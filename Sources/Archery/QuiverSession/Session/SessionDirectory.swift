import QuiverCrypto
import QuiverSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The app's directory: a file for each identity, and one that stores the sign-ins.
///
/// A token is stored as a salted digest only. The file is opened for each use, so that several
/// sessions can share a directory.
struct SessionDirectory: Sendable {
  let path: String
  private let queue = StorageQueue(label: "quiver.session.directory")

  private static let patienceMilliseconds: Int32 = 5_000
  private static let fingerprintByteCount = 16
  private static let salt = SQLText("SELECT bytes FROM salt")
  private static let current = SQLText(
    """
    SELECT epoch, principal, shown_name FROM identity
    WHERE fingerprint = ?1 AND is_current = 1
    """)
  private static let former = SQLText(
    """
    SELECT epoch, principal FROM identity WHERE fingerprint = ?1 AND is_current = 0
    ORDER BY seen_at_ms DESC
    """)
  private static let retire = SQLText(
    "UPDATE identity SET is_current = 0 WHERE fingerprint = ?1")
  private static let remember = SQLText(
    "INSERT OR REPLACE INTO identity VALUES (?1, ?2, ?3, ?4, 1, ?5)")
  private static let forget = SQLText(
    "DELETE FROM identity WHERE epoch = ?1 AND principal = ?2")

  private init(path: String) { self.path = path }

  /// Opens the directory, or creates it.
  static func open(path: String) async throws(SessionError) -> SessionDirectory {
    let directory = SessionDirectory(path: path)
    try await directory.queue.run { () throws(SessionError) in
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } catch {
        throw SessionError(.storage, "cannot create the directory \(path): \(error)")
      }
    }
    return directory
  }

  /// The key of a sign-in.
  func fingerprint(server: String, token: String) async throws(SessionError) -> [UInt8] {
    try await using { (transaction) throws(SessionError) in
      let salt = try transaction.first(Self.salt) { $0.bytes(0) } ?? []
      let digest = SHA256.hash(salt + Array(server.utf8) + [0] + Array(token.utf8))
      return Array(digest.prefix(Self.fingerprintByteCount))
    }
  }

  /// The identity of the last sign-in with this key; nil if there was none.
  func current(
    _ fingerprint: [UInt8]
  ) async throws(SessionError) -> (identity: StoreIdentity, shownName: String)? {
    try await using { (transaction) throws(SessionError) in
      try transaction.first(Self.current, .blob(fingerprint)) { row in
        (Self.identity(row.int64(0), row.int64(1)), row.text(2))
      }
    }
  }

  /// Earlier identities of the same sign-in.
  func former(_ fingerprint: [UInt8]) async throws(SessionError) -> [StoreIdentity] {
    try await using { (transaction) throws(SessionError) in
      try transaction.all(Self.former, .blob(fingerprint)) {
        Self.identity($0.int64(0), $0.int64(1))
      }
    }
  }

  /// Stores the identity of a sign-in.
  func remember(
    _ fingerprint: [UInt8], _ identity: StoreIdentity, shownName: String, at milliseconds: Int64
  ) async throws(SessionError) {
    try await using { (transaction) throws(SessionError) in
      try transaction.run(Self.retire, .blob(fingerprint))
      try transaction.run(
        Self.remember, .blob(fingerprint), .integer(Int64(bitPattern: identity.storeEpoch)),
        .integer(identity.principalID), .text(shownName), .integer(milliseconds))
    }
  }

  /// Deletes an identity for all sign-ins.
  func forget(_ identity: StoreIdentity) async throws(SessionError) {
    try await using { (transaction) throws(SessionError) in
      try transaction.run(
        Self.forget, .integer(Int64(bitPattern: identity.storeEpoch)),
        .integer(identity.principalID))
    }
  }

  func storePath(_ identity: StoreIdentity) -> String { "\(path)/\(identity.fileName)" }

  /// Deletes an identity's file with its companions.
  func removeStore(_ identity: StoreIdentity) async throws(SessionError) {
    try await forget(identity)
    let path = storePath(identity)
    try await queue.run { () throws(SessionError) in
      for file in ["\(path)-wal", "\(path)-shm", path] {
        guard FileManager.default.fileExists(atPath: file) else { continue }
        do {
          try FileManager.default.removeItem(atPath: file)
        } catch {
          throw SessionError(.storage, "cannot remove \(file): \(error)")
        }
      }
    }
  }

  func hasStore(_ identity: StoreIdentity) async -> Bool {
    let path = storePath(identity)
    let isThere = try? await queue.run { () throws(SessionError) in
      FileManager.default.fileExists(atPath: path)
    }
    return isThere ?? false
  }

  private func using<Result: Sendable>(
    _ body: @escaping @Sendable (LocalTransaction) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    try await queue.run { [path] () throws(SessionError) in
      let file = try LocalFile(
        path: "\(path)/sessions.db", applicationID: LocalSchema.directoryApplicationID,
        migrations: LocalSchema.directory, patienceMilliseconds: Self.patienceMilliseconds)
      defer { file.close() }
      return try file.write(body)
    }
  }

  private static func identity(_ epoch: Int64, _ principal: Int64) -> StoreIdentity {
    StoreIdentity(storeEpoch: UInt64(bitPattern: epoch), principalID: principal)
  }
}
