import Glibc
import QuiverRPC

/// Whether a watch has begun, and since when its connection is lost.
struct WatchConnection {
  /// Whether a message has arrived: from then on a lost connection is waited for.
  private(set) var hasBegun = false
  /// As in `disconnected since 12:30:00: the server is down`; nil while the connection is there.
  private(set) var disconnection: String?

  /// A message has arrived. Returns whether the connection was lost before it.
  mutating func arrive() -> Bool {
    hasBegun = true
    return find()
  }

  /// The server is reached. Returns whether the connection was lost before.
  mutating func find() -> Bool {
    defer { disconnection = nil }
    return disconnection != nil
  }

  /// The connection was lost. Returns false if that is known.
  mutating func lose(_ error: RPCError) -> Bool {
    guard disconnection == nil else { return false }
    disconnection = "disconnected since \(Self.timeOfDay()): \(Terminal.oneLine(error.message))"
    return true
  }

  private static func timeOfDay() -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { number in
      (number < 10 ? "0" : "") + String(number)
    }.joined(separator: ":")
  }
}
