import Dispatch
import QuiverCrypto
import Synchronization

/// The refused tokens of the last minute: how many each address and each token has had, how long
/// the next refusal waits, and which tokens are bad without another lookup.
///
/// Only refusals are counted and delayed: a good token is accepted whatever was refused. Any thread
/// may use it.
final class TokenRefusals: Sendable {
  /// Above the limit of the minute a refusal says so.
  private let limited: FailedTokens
  private let byAddress = FailedTokens(limitPerMinute: .max)
  private let byToken = FailedTokens(limitPerMinute: .max)
  private let state = Mutex(State())

  private struct State {
    /// When tokens were refused, by their hash.
    var refused: [[UInt8]: UInt64] = [:]
    /// The refusals that wait, by address.
    var delayed: [String: Int] = [:]
    var delayedCount = 0
  }

  private static let keptNanoseconds = LookupLimits.refusedTokenMilliseconds * 1_000_000

  init(limitPerMinute: Int) { limited = FailedTokens(limitPerMinute: limitPerMinute) }

  /// Whether the token was refused a moment ago.
  func isKnownBad(_ token: [UInt8], now: UInt64) -> Bool {
    let hash = SHA256.hash(token)
    return state.withLock { state in
      guard let time = state.refused[hash] else { return false }
      return now &- time < Self.keptNanoseconds
    }
  }

  /// Notes that a lookup has found the token to be bad.
  func note(_ token: [UInt8], now: UInt64) {
    let hash = SHA256.hash(token)
    state.withLock { state in
      if state.refused.count >= LookupLimits.refusedTokens {
        state.refused = state.refused.filter { now &- $0.value < Self.keptNanoseconds }
        if state.refused.count >= LookupLimits.refusedTokens { state.refused = [:] }
      }
      state.refused[hash] = now
    }
  }

  /// Counts a refusal; returns whether its address has had more than its limit in this minute.
  func isOverLimit(_ address: String, now: UInt64) -> Bool { !limited.take(address, now: now) }

  /// Counts the refusal of a token of an address, and calls `answer` after its delay.
  ///
  /// The first of a minute are answered at once, and so are those that find too many waiting.
  func delay(
    _ token: [UInt8], of address: String, now: UInt64, _ answer: @escaping @Sendable () -> Void
  ) {
    let hash = Base64URL.encode(SHA256.hash(token))
    let count = max(byAddress.count(address, now: now), byToken.count(hash, now: now))
    let milliseconds = Self.delayMilliseconds(count)
    guard milliseconds > 0, beginDelay(address) else { return answer() }
    let end = DispatchTime.now() + .milliseconds(milliseconds)
    DispatchQueue.global().asyncAfter(deadline: end) { [self] in
      endDelay(address)
      answer()
    }
  }

  /// The delay of the refusal after `count` others of the same minute.
  static func delayMilliseconds(_ count: Int) -> Int {
    guard count >= LookupLimits.promptRefusals else { return 0 }
    let doublings = min(count - LookupLimits.promptRefusals, 16)
    return min(
      LookupLimits.firstDelayMilliseconds << doublings, LookupLimits.longestDelayMilliseconds)
  }

  private func beginDelay(_ address: String) -> Bool {
    state.withLock { state in
      let count = state.delayed[address, default: 0]
      guard count < LookupLimits.delayedPerAddress, state.delayedCount < LookupLimits.delayed else {
        return false
      }
      state.delayed[address] = count + 1
      state.delayedCount += 1
      return true
    }
  }

  private func endDelay(_ address: String) {
    state.withLock { state in
      guard let count = state.delayed[address] else { return }
      state.delayed[address] = count > 1 ? count - 1 : nil
      state.delayedCount -= 1
    }
  }
}
