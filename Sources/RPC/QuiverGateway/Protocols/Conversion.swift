import QuiverRPC
import QuiverWire
import Synchronization

/// One conversion of a message, which waits for its turn on another thread. From any thread.
final class Conversion: ExchangeWork, Sendable {
  private enum State {
    case new
    case waiting(@Sendable (RPCError?) -> Void)
    case over(RPCError?)
  }

  /// It belongs to a request and may be refused; that of a reply may not, since its call was made.
  let isRefusable: Bool
  private let state = Mutex(State.new)

  init(isRefusable: Bool) { self.isRefusable = isRefusable }

  /// `work` is called once: to convert, or with the reason why this does not happen.
  func wait(_ work: @escaping @Sendable (RPCError?) -> Void) {
    let error = state.withLock { state -> RPCError?? in
      guard case .over(let error) = state else {
        state = .waiting(work)
        return nil
      }
      return error
    }
    if let error { work(error) }
  }

  /// Its turn has come.
  func run() { end(nil) }

  /// There is no room for it.
  func refuse() {
    end(
      RPCError(
        .resourceExhausted, "the gateway has as many messages to convert as it may",
        isNotProcessed: true, retryAfterMilliseconds: 1_000))
  }

  func cancel() {
    end(RPCError(.cancelled, "the caller of the gateway has disconnected", origin: .client))
  }

  private func end(_ error: RPCError?) {
    let work = state.withLock { state -> (@Sendable (RPCError?) -> Void)? in
      if case .over = state { return nil }
      defer { state = .over(error) }
      guard case .waiting(let work) = state else { return nil }
      return work
    }
    work?(error)
  }
}
