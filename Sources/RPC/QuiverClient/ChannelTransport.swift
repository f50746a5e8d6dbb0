import QuiverRPC
import Synchronization

/// What a channel needs of its transport: connections to its addresses, a clock, and timers on it.
struct ChannelTransport: Sendable {
  let addressCount: Int
  /// The token of new connections.
  let token: CurrentToken
  /// Begins a connection to one of the addresses.
  let connect: @Sendable (Int) -> ClientEnd
  /// Monotonic nanoseconds.
  let now: @Sendable () -> UInt64
  /// Runs a closure once at a time in monotonic nanoseconds.
  let schedule: @Sendable (UInt64, @escaping @Sendable () -> Void) -> Void

  init<Base: Transport>(
    _ transport: Base, _ endpoints: [Base.Endpoint], _ options: ConnectOptions,
    _ token: CurrentToken, gatewayToken: (@Sendable () -> String?)? = nil
  ) {
    precondition(!endpoints.isEmpty, "a channel has at least one address")
    addressCount = endpoints.count
    self.token = token
    connect = { address in
      var options = options
      options.token = token.refresh()
      options.gatewayToken = gatewayToken?().map { Array($0.utf8) } ?? []
      return transport.connect(to: endpoints[address], options)
    }
    now = { transport.nowNanoseconds }
    schedule = { transport.schedule(atNanoseconds: $0, $1) }
  }

  /// Waits until a time in monotonic nanoseconds; returns at once where the task is cancelled.
  func sleep(until due: UInt64) async {
    let waiter = Waiter()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        schedule(due) { waiter.resume() }
      }
    } onCancel: {
      waiter.resume()
    }
  }
}

/// Resumes one task once, at the first request.
final class Waiter: Sendable {
  private enum State {
    case new
    case waiting(UnsafeContinuation<Void, Never>)
    case resumed
  }

  private let state = Mutex(State.new)

  /// Keeps a continuation for ``resume()``; false, and resumes it, where that has been called.
  func wait(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
    let isWaiting = state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !isWaiting { continuation.resume() }
    return isWaiting
  }

  /// Resumes the task that waits, or will wait.
  func resume() {
    let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      defer { state = .resumed }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    continuation?.resume()
  }
}
