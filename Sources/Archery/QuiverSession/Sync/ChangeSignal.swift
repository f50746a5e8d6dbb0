import Synchronization

/// Collects the changed keys for each listener until it reads them.
final class ChangeSignal: Sendable {
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var listeners: [Int: Listener] = [:]
    var isFinished = false
  }

  private struct Listener {
    let continuation: AsyncStream<Void>.Continuation
    var keys: Set<ChangeKey> = []
  }

  deinit { finish() }

  /// A new sequence for each listener; it ends with the session.
  func listen() -> SessionChanges {
    let (wakeups, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let id: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.next += 1
      state.listeners[state.next] = Listener(continuation: continuation)
      return state.next
    }
    guard let id else {
      continuation.finish()
      return SessionChanges(wakeups: wakeups) { [] }
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return SessionChanges(wakeups: wakeups) { [weak self] in self?.takeKeys(of: id) ?? [] }
  }

  func send(_ keys: Set<ChangeKey>) {
    guard !keys.isEmpty else { return }
    let continuations = state.withLock { state in
      for id in state.listeners.keys { state.listeners[id]?.keys.formUnion(keys) }
      return state.listeners.values.map(\.continuation)
    }
    for continuation in continuations { continuation.yield() }
  }

  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.continuation.finish() }
  }

  private func takeKeys(of id: Int) -> Set<ChangeKey> {
    state.withLock { state in
      defer { state.listeners[id]?.keys = [] }
      return state.listeners[id]?.keys ?? []
    }
  }
}

/// The changes of a session's state, as sets of the keys that changed since the last element.
///
/// Changes are not queued: a slow reader receives one set with all keys. Ends with the session.
public struct SessionChanges: AsyncSequence, Sendable {
  public typealias Element = Set<ChangeKey>

  private let wakeups: AsyncStream<Void>
  private let takeKeys: @Sendable () -> Set<ChangeKey>

  init(wakeups: AsyncStream<Void>, takeKeys: @escaping @Sendable () -> Set<ChangeKey>) {
    self.wakeups = wakeups
    self.takeKeys = takeKeys
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var wakeups: AsyncStream<Void>.Iterator
    fileprivate let takeKeys: @Sendable () -> Set<ChangeKey>

    /// The keys that changed; nil once the session has ended.
    public mutating func next() async -> Set<ChangeKey>? { await next(isolation: #isolation) }

    /// The keys that changed; nil once the session has ended.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Set<ChangeKey>? {
      while await wakeups.next(isolation: actor) != nil {
        let keys = takeKeys()
        if !keys.isEmpty { return keys }
      }
      return nil
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(wakeups: wakeups.makeAsyncIterator(), takeKeys: takeKeys)
  }
}

extension OfflineSession {
  /// Calls `show` after each change of one of the keys, for as long as the model exists.
  @MainActor
  func observe<Model: AnyObject & Sendable>(
    for model: Model, _ show: @escaping @MainActor (Model, Set<ChangeKey>) async -> Void
  ) {
    let changes = changes()
    Task { [weak model] in
      for await keys in changes {
        guard let model else { return }
        await show(model, keys)
      }
    }
  }
}
