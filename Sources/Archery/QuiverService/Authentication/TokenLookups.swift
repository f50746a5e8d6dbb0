import Dispatch
import QuiverStore
import Synchronization

/// The waiting lookups of tokens: few lookups of each address run at a time, and the addresses take
/// turns.
///
/// A lookup waits here however many lookups of its address wait before it, so that wrong tokens
/// never cause the refusal of a valid one. Only when more wait than connections of one address can
/// wait for, the oldest, whose connection has most likely ended, is answered that the token cannot
/// be checked. Any thread may use it.
final class TokenLookups: Sendable {
  /// A lookup. It is called once, on a thread for reads with nil, or with the reason why it must
  /// not read.
  typealias Lookup = @Sendable (StoreError?) -> Void

  /// Starts a lookup for an address, or returns why it cannot be started now.
  typealias Start = @Sendable (_ address: String, _ lookup: @escaping Lookup) -> StoreError?

  /// The lookups of one address; those before `head` were taken.
  private struct Waiting {
    var lookups: [Lookup] = []
    var head = 0
    var running = 0
    /// Whether the address is among the turns.
    var hasTurn = false
    var count: Int { lookups.count - head }

    mutating func take() -> Lookup {
      defer {
        head += 1
        if head > lookups.count / 2 {
          lookups.removeFirst(head)
          head = 0
        }
      }
      return lookups[head]
    }
  }

  private struct State {
    var addresses: [String: Waiting] = [:]
    /// The addresses of which a lookup may start, in the order of their turns.
    var turns: [String] = []
    var running = 0
    /// The store has refused a lookup; the next one is started later.
    var isPaused = false
  }

  private struct Turn {
    let address: String
    let lookup: Lookup
  }

  private let state = Mutex(State())
  private let start: Start

  init(start: @escaping Start) { self.start = start }

  /// How many lookups wait.
  var waitingCount: Int { state.withLock { $0.addresses.values.reduce(0) { $0 + $1.count } } }

  /// Looks a token up for `address` in its turn.
  func submit(_ address: String, _ lookup: @escaping Lookup) {
    let dropped = state.withLock { state -> Lookup? in
      var waiting = state.addresses.removeValue(forKey: address) ?? Waiting()
      waiting.lookups.append(lookup)
      let dropped =
        waiting.count > LookupLimits.waitingPerAddress ? waiting.take() : nil
      Self.giveTurn(address, &waiting, &state)
      state.addresses[address] = waiting
      return dropped
    }
    dropped?(Self.tooMany)
    startNext()
  }

  private static let tooMany = StoreError(
    .resourceExhausted, "too many tokens of this address wait", notProcessed: true)

  private static func giveTurn(
    _ address: String, _ waiting: inout Waiting, _ state: inout State
  ) {
    guard !waiting.hasTurn, waiting.count > 0,
      waiting.running < LookupLimits.startedPerAddress
    else { return }
    waiting.hasTurn = true
    state.turns.append(address)
  }

  /// Starts lookups until enough are at the store.
  private func startNext() {
    while let turn = state.withLock({ Self.next(&$0) }) {
      let refusal = start(turn.address) { [self] refusal in
        turn.lookup(refusal)
        ended(turn.address)
      }
      guard let refusal else { continue }
      if refusal.code == .resourceExhausted {
        putBack(turn)
      } else {
        turn.lookup(refusal)
        ended(turn.address)
      }
    }
  }

  private static func next(_ state: inout State) -> Turn? {
    guard !state.isPaused, state.running < LookupLimits.started, !state.turns.isEmpty else {
      return nil
    }
    let address = state.turns.removeFirst()
    guard var waiting = state.addresses.removeValue(forKey: address) else { return nil }
    waiting.hasTurn = false
    let lookup = waiting.take()
    waiting.running += 1
    state.running += 1
    giveTurn(address, &waiting, &state)
    state.addresses[address] = waiting
    return Turn(address: address, lookup: lookup)
  }

  private func ended(_ address: String) {
    state.withLock { Self.end(address, &$0) }
    startNext()
  }

  private static func end(_ address: String, _ state: inout State) {
    guard var waiting = state.addresses.removeValue(forKey: address) else { return }
    waiting.running -= 1
    state.running -= 1
    giveTurn(address, &waiting, &state)
    if waiting.count > 0 || waiting.running > 0 { state.addresses[address] = waiting }
  }

  /// Requeues a lookup for which the store has no room, and starts it later.
  private func putBack(_ turn: Turn) {
    let mustWait = state.withLock { state in
      var waiting = state.addresses.removeValue(forKey: turn.address) ?? Waiting()
      waiting.lookups.insert(turn.lookup, at: waiting.head)
      state.addresses[turn.address] = waiting
      Self.end(turn.address, &state)
      defer { state.isPaused = true }
      return !state.isPaused
    }
    guard mustWait else { return }
    let wait = DispatchTimeInterval.milliseconds(LookupLimits.retryMilliseconds)
    DispatchQueue.global().asyncAfter(deadline: .now() + wait) { [self] in
      state.withLock { $0.isPaused = false }
      startNext()
    }
  }
}
