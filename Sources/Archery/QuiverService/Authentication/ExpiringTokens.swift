package import QuiverStore
import Synchronization

/// The tokens in use that have an expiry, so that their connections can be closed, and the shares
/// on which open streams rest.
///
/// Any thread may use it. It has at most as many entries as there are tokens with an expiry and
/// shares, and one for each second in which tokens of spectators end.
package final class ExpiringTokens: Sendable {
  private let wallMilliseconds: @Sendable () -> Int64
  private let endsByID = Mutex<[Int64: Int64]>([:])
  private let shares = Mutex<Set<ShareEnd>>([])

  private struct ShareEnd: Hashable {
    let user: Int64
    let end: Int64
  }

  init(wallMilliseconds: @escaping @Sendable () -> Int64) {
    self.wallMilliseconds = wallMilliseconds
  }

  /// Adds a token of a connection, or one whose expiry became earlier.
  ///
  /// The earliest expiry of a token counts, since a record may be older than a rotation.
  func note(_ token: TokenRecord) {
    guard let end = token.expiresAtMilliseconds else { return }
    note(token.id, end)
  }

  /// Adds the token of a spectator; those that end within a second share an entry.
  func note(_ token: SpectatorToken.Access) { note(token.endID, token.endMilliseconds) }

  /// Adds tokens that were replaced at another server.
  package func note(_ ends: [TokenEnd]) {
    for end in ends { note(end.id, end.expiresAtMilliseconds) }
  }

  private func note(_ id: Int64, _ end: Int64) {
    endsByID.withLock { $0[id] = min($0[id] ?? .max, end) }
  }

  /// The ids of added tokens that have expired; each is returned once.
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

  /// Adds the end of a share of a user, on which a stream rests.
  func noteShare(of user: Int64, endsAt end: Int64) {
    shares.withLock { _ = $0.insert(ShareEnd(user: user, end: end)) }
  }

  /// The users of whom an added share has ended; each end is returned once.
  package func takeEndedShares() -> [Int64] { takeEndedShares(at: wallMilliseconds()) }

  /// The same at a time in milliseconds since 1970-01-01.
  package func takeEndedShares(at now: Int64) -> [Int64] {
    shares.withLock { shares in
      guard !shares.isEmpty else { return [] }
      let ended = shares.filter { $0.end <= now }
      shares.subtract(ended)
      return Set(ended.map(\.user)).sorted()
    }
  }
}
