import QuiverRPC
import QuiverWire
import Synchronization

/// The connection that a client's calls go to: made for the first call, and anew once it drains or
/// is lost. Calls that are open on an older one end there.
final class Channel: CallRoute {
  private let connect: @Sendable () -> ClientEnd
  private let state = Mutex(State())

  private struct State {
    var end: ClientEnd?
    var isClosed = false
  }

  init(connect: @escaping @Sendable () -> ClientEnd) {
    self.connect = connect
  }

  deinit {
    state.withLock { $0.end }?.shutDown()
  }

  /// The end that takes calls now. Throws once the channel is closed.
  func end() throws(RPCError) -> ClientEnd {
    let (end, isFresh) = try state.withLock { state throws(RPCError) -> (ClientEnd, Bool) in
      guard !state.isClosed else {
        throw RPCError(
          .unavailable, "this client is closed", isNotProcessed: true, origin: .client)
      }
      if let end = state.end { return (end, false) }
      let end = connect()
      state.end = end
      return (end, true)
    }
    if isFresh {
      let identity = ObjectIdentifier(end)
      end.whenUnusable { [weak self] in self?.forget(identity) }
    }
    return end
  }

  /// Takes no more calls; open ones finish.
  func close() {
    let end = state.withLock { state in
      state.isClosed = true
      defer { state.end = nil }
      return state.end
    }
    end?.shutDown()
  }

  private func forget(_ identity: ObjectIdentifier) {
    state.withLock { state in
      if let end = state.end, ObjectIdentifier(end) == identity { state.end = nil }
    }
  }
}
