public import QuiverProtobuf
import QuiverWire
import Synchronization

/// Answers a call once, from any thread.
///
/// The first answer counts, later ones are ignored. A responder that is released without an answer
/// ends its call INTERNAL.
public final class Responder<Response: Message>: Sendable {
  private let end: ServerEnd
  private let stream: UInt32
  /// What the connection keeps of the call, so that it does not keep the responder itself.
  @usableFromInline let cancellation = Cancellation()

  @usableFromInline
  init(end: ServerEnd, stream: UInt32) {
    self.end = end
    self.stream = stream
  }

  deinit {
    guard cancellation.claim() else { return }
    let stream = stream
    end.onReactor { $0.fail(stream, RPCError(.internal, "the handler ended without an answer")) }
  }

  /// Ends the call with a reply.
  package func succeed(_ response: Response) {
    guard cancellation.claim() else { return }
    let stream = stream
    end.onReactor { $0.reply(stream, response) }
  }

  /// Ends the call with a reply that is encoded already.
  package func succeed(encoded bytes: [UInt8]) {
    guard cancellation.claim() else { return }
    let stream = stream
    end.onReactor { $0.reply(stream, encoded: bytes) }
  }

  /// Ends the call with a reply that is encoded already, and with trailing metadata.
  package func succeed(encoded bytes: [UInt8], trailing: Metadata) {
    guard cancellation.claim() else { return }
    let stream = stream
    end.onReactor { $0.reply(stream, encoded: bytes, trailing: trailing) }
  }

  /// Ends the call with a status.
  @usableFromInline
  package func fail(_ error: RPCError) {
    guard cancellation.claim() else { return }
    let stream = stream
    end.onReactor { $0.fail(stream, error) }
  }

  /// Runs `action` on the reactor when the call is cancelled; at once if it is already.
  package func onCancel(_ action: @escaping @Sendable () -> Void) {
    cancellation.onCancel(action)
  }
}

/// Whether a call was answered, and what to run when it is cancelled.
@usableFromInline
final class Cancellation: Cancellable, Sendable {
  private let state = Mutex(State())

  private struct State {
    var isAnswered = false
    var isCancelled = false
    var onCancel: (@Sendable () -> Void)?
  }

  func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock {
      if !$0.isCancelled, !$0.isAnswered { $0.onCancel = action }
      return $0.isCancelled
    }
    if isCancelled { action() }
  }

  @usableFromInline
  func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      defer { state.onCancel = nil }
      return state.onCancel
    }
    action?()
  }

  /// Whether the answer that is about to be given is the first.
  func claim() -> Bool {
    state.withLock { state in
      state.onCancel = nil
      defer { state.isAnswered = true }
      return !state.isAnswered
    }
  }
}
