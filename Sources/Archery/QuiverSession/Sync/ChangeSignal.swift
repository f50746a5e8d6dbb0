import Synchronization

/// Tells whoever listens that something has changed; changes that come close together are one.
final class ChangeSignal: Sendable {
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var isFinished = false
  }

  deinit { finish() }

  /// A stream of its own for each listener, which ends with the session.
  func listen() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  func send() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield() }
  }

  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}

extension OfflineSession {
  /// Lets a model show each change for as long as the model is there.
  @MainActor
  func showChanges<Model: AnyObject & Sendable>(
    in model: Model, _ show: @escaping @MainActor (Model) -> Void
  ) {
    let changes = changes()
    Task { [weak model] in
      for await _ in changes {
        guard let model else { return }
        show(model)
      }
    }
  }
}
