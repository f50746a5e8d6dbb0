import Synchronization

/// Counts refused tokens an address and minute, so that nobody can try many.
///
/// Any thread may use it. It remembers a bounded number of addresses.
final class FailedTokens: Sendable {
  private let limitPerMinute: Int
  private let windows = Mutex<[String: Window]>([:])

  private struct Window {
    var startNanoseconds: UInt64
    var count: Int
  }

  private static let minuteNanoseconds: UInt64 = 60_000_000_000
  private static let maxAddresses = 16_384

  init(limitPerMinute: Int) { self.limitPerMinute = limitPerMinute }

  /// Whether the address has used up its minute.
  func isExhausted(_ address: String, now: UInt64) -> Bool {
    windows.withLock { windows in
      guard let window = windows[address], Self.isCurrent(window, now) else { return false }
      return window.count >= limitPerMinute
    }
  }

  /// Notes a token that was refused.
  func note(_ address: String, now: UInt64) {
    windows.withLock { windows in
      if var window = windows[address], Self.isCurrent(window, now) {
        window.count += 1
        windows[address] = window
        return
      }
      if windows.count >= Self.maxAddresses {
        windows = windows.filter { Self.isCurrent($0.value, now) }
        if windows.count >= Self.maxAddresses { windows = [:] }
      }
      windows[address] = Window(startNanoseconds: now, count: 1)
    }
  }

  private static func isCurrent(_ window: Window, _ now: UInt64) -> Bool {
    now &- window.startNanoseconds < minuteNanoseconds
  }
}
