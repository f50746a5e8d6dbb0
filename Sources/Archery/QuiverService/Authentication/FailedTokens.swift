import Synchronization

/// Counts refused tokens or invite codes per address and minute, so that no caller can try many.
///
/// Any thread may use it. The number of addresses is limited.
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

  /// Counts an attempt; returns how many there were before it in the same minute.
  func count(_ address: String, now: UInt64) -> Int {
    windows.withLock { windows in
      Self.count(address, now, &windows)
      return (windows[address]?.count ?? 1) - 1
    }
  }

  /// Counts an attempt before its result is known; returns false above the limit of the minute.
  func take(_ address: String, now: UInt64) -> Bool {
    windows.withLock { windows in
      guard !isExhausted(address, now, windows) else { return false }
      Self.count(address, now, &windows)
      return true
    }
  }

  /// Subtracts a successful attempt that was counted at `now`.
  func giveBack(_ address: String, now: UInt64) {
    windows.withLock { windows in
      guard var window = windows[address], Self.isCurrent(window, now), window.count > 0 else {
        return
      }
      window.count -= 1
      windows[address] = window
    }
  }

  private func isExhausted(
    _ address: String, _ now: UInt64, _ windows: [String: Window]
  ) -> Bool {
    guard let window = windows[address], Self.isCurrent(window, now) else { return false }
    return window.count >= limitPerMinute
  }

  private static func count(
    _ address: String, _ now: UInt64, _ windows: inout [String: Window]
  ) {
    if var window = windows[address], isCurrent(window, now) {
      window.count += 1
      windows[address] = window
      return
    }
    if windows.count >= maxAddresses {
      windows = windows.filter { isCurrent($0.value, now) }
      if windows.count >= maxAddresses { windows = [:] }
    }
    windows[address] = Window(startNanoseconds: now, count: 1)
  }

  private static func isCurrent(_ window: Window, _ now: UInt64) -> Bool {
    now &- window.startNanoseconds < minuteNanoseconds
  }
}
