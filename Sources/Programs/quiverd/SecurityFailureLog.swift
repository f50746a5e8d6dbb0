import Glibc
import QuiverRPC
import Synchronization

/// Logs connections that could not be encrypted: the first of a kind at once, the others counted
/// and logged each minute, so that a storm of them does not fill the log.
final class SecurityFailureLog: Sendable {
  private let log: Log
  private let kinds = Mutex<[SecureChannelError.Code: Kind]>([:])

  private struct Kind {
    var loggedAtSeconds: Int
    var unloggedCount = 0
  }

  private static let secondsBetweenLines = 60

  init(_ log: Log) { self.log = log }

  /// Notes a failure of a client at `address`. From any thread.
  func note(_ error: SecureChannelError, address: String) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = time.tv_sec
    let count: Int? = kinds.withLock { kinds in
      guard var kind = kinds[error.code], now - kind.loggedAtSeconds < Self.secondsBetweenLines
      else {
        let count = (kinds[error.code]?.unloggedCount ?? 0) + 1
        kinds[error.code] = Kind(loggedAtSeconds: now)
        return count
      }
      kind.unloggedCount += 1
      kinds[error.code] = kind
      return nil
    }
    guard let count else { return }
    log.info(
      "tls-refused",
      [
        "kind": error.code.name, "reason": error.description, "address": address,
        "count": "\(count)",
      ])
  }
}
