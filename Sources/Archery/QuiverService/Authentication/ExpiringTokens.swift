import QuiverStore
import Synchronization

/// The tokens in use that end by themselves, so that their connections end with them.
///
/// Any thread may use it. There are no more of them than tokens with an end.
package final class ExpiringTokens: Sendable {
  private let wallMilliseconds: @Sendable () -> Int64
  private let endsByID = Mutex<[Int64: Int64]>([:])

  init(wallMilliseconds: @escaping @Sendable () -> Int64) {
    self.wallMilliseconds = wallMilliseconds
  }

  /// Adds a token that a connection came with, or whose expiry was moved forward.
  ///
  /// The earliest expiry of a token counts, since a record may have been read before a rotation.
  func note(_ token: TokenRecord) {
    guard let end = token.expiresAtMilliseconds else { return }
    endsByID.withLock { $0[token.id] = min($0[token.id] ?? .max, end) }
  }

  /// The ids of tokens that have ended since they were noted; each is answered once.
  package func takeExpired() -> [Int64] { takeExpired(at: wallMilliseconds()) }

  /// The same at a time in milliseconds since 1970-01-01.
  package func takeExpired(at now: Int64) -> [Int64] {
    endsByID.withLock { ends in
      guard !ends.isEmpty else { return [] }
      let expired = ends.filter { $0.value <= now }.map(\.key)
      for id in expired { ends[id] = nil }
      return expired.sorted()
    }
  }
}
