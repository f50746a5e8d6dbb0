public import QuiverProtobuf
import QuiverWire
import Synchronization

/// A streaming call as its handler has it: messages that have come, room for those that go out, and
/// the end.
///
/// The reactor puts in what the machine hands over; the handler may take and send from anywhere,
/// though on the reactor it costs least.
// Sendable because what is its own is behind a lock, and the end is reached on its reactor.
@usableFromInline
package final class ServerStream: Cancellable, Sendable {
  @usableFromInline let end: ServerEnd
  @usableFromInline let stream: UInt32
  private let state = Mutex(State())

  @usableFromInline
  enum Taken: Sendable {
    case message([UInt8])
    /// The request side has ended.
    case end
    /// The call is over.
    case over
  }

  private struct State {
    var inbox = Fifo<(bytes: [UInt8], charge: UInt64)>()
    var hasEnded = false
    var isOver = false
    /// The handler has returned, or answered.
    var isFinished = false
    var reader: UnsafeContinuation<Taken, Never>?
    var writers: [UnsafeContinuation<Bool, Never>] = []
    var task: Task<Void, Never>?
    var onRoom: (@Sendable () -> Void)?
    var onCancel: (@Sendable () -> Void)?
    var trailingMetadata = Metadata()
  }

  init(end: ServerEnd, stream: UInt32) {
    self.end = end
    self.stream = stream
  }

  // MARK: From the reactor

  /// A message has come.
  func arrived(_ bytes: [UInt8], charge: UInt64) {
    let reader = state.withLock { state in
      let reader = state.reader
      state.reader = nil
      if reader == nil, !state.isOver { state.inbox.append((bytes, charge)) }
      return reader
    }
    guard let reader else { return }
    end.took(stream, charge: charge, byteCount: bytes.count)
    reader.resume(returning: .message(bytes))
  }

  /// No more messages come.
  func requestEnded() {
    let reader = state.withLock { state in
      state.hasEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: .end)
  }

  /// The stream's queue has room again.
  func hasRoom() {
    let (writers, onRoom) = state.withLock { state in
      defer { state.writers = [] }
      return (state.writers, state.onRoom)
    }
    for writer in writers { writer.resume(returning: true) }
    onRoom?()
  }

  /// The call was given up, or its deadline passed.
  @usableFromInline
  package func cancel() {
    let (reader, writers, task, onCancel) = state.withLock { state in
      state.isOver = true
      state.inbox = Fifo()
      defer {
        state.reader = nil
        state.writers = []
        state.onCancel = nil
        state.onRoom = nil
      }
      return (state.reader, state.writers, state.task, state.onCancel)
    }
    task?.cancel()
    reader?.resume(returning: .over)
    for writer in writers { writer.resume(returning: false) }
    onCancel?()
  }

  // MARK: For handlers

  /// Names the task that runs the handler, to be cancelled with the call.
  @usableFromInline
  func setTask(_ task: Task<Void, Never>) {
    let isOver = state.withLock { state in
      if !state.isFinished { state.task = task }
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  /// Whether the caller runs on the call's reactor.
  @usableFromInline var isOnReactor: Bool { end.reactor.isCurrent }

  /// The next message, the end, or that the call is over; waits for one of them.
  ///
  /// One task may wait at a time.
  @usableFromInline
  nonisolated(nonsending) func take() async -> Taken {
    if let taken = takeNow() { return taken }
    return await withUnsafeContinuation { continuation in
      // Something may have come meanwhile.
      let taken = state.withLock { state -> (Taken, charge: UInt64)? in
        precondition(state.reader == nil, "one task at a time reads a call's messages")
        if let taken = Self.pop(&state) { return taken }
        state.reader = continuation
        return nil
      }
      guard let (value, charge) = taken else { return }
      giveBack(value, charge)
      continuation.resume(returning: value)
    }
  }

  private func takeNow() -> Taken? {
    guard let (taken, charge) = state.withLock({ Self.pop(&$0) }) else { return nil }
    giveBack(taken, charge)
    return taken
  }

  private static func pop(_ state: inout State) -> (Taken, charge: UInt64)? {
    if state.isOver { return (.over, 0) }
    if let (bytes, charge) = state.inbox.popFirst() { return (.message(bytes), charge) }
    return state.hasEnded ? (.end, 0) : nil
  }

  private func giveBack(_ taken: Taken, _ charge: UInt64) {
    guard case .message(let bytes) = taken else { return }
    let (stream, byteCount) = (stream, bytes.count)
    end.onReactor { $0.took(stream, charge: charge, byteCount: byteCount) }
  }

  /// Queues an encoded message and waits until there is room for more; answers false if the call is
  /// over.
  @usableFromInline
  package nonisolated(nonsending) func send(encoded bytes: [UInt8]) async -> Bool {
    if isOnReactor {
      switch end.send(stream, encoded: bytes) {
      case .room: return true
      case .over: return false
      case .full: return await room()
      }
    }
    return await withUnsafeContinuation { continuation in
      guard addWriter(continuation) else { return continuation.resume(returning: false) }
      end.onReactor { [self] end in
        switch end.send(stream, encoded: bytes) {
        case .room: hasRoom()
        case .over: cancelWriters()
        case .full: break
        }
      }
    }
  }

  /// Waits until the stream's queue has room; answers false if the call is over. On the reactor,
  /// straight after a message that filled the queue.
  @usableFromInline
  nonisolated(nonsending) func room() async -> Bool {
    await withUnsafeContinuation { continuation in
      if !addWriter(continuation) { continuation.resume(returning: false) }
    }
  }

  private func addWriter(_ continuation: UnsafeContinuation<Bool, Never>) -> Bool {
    state.withLock { state in
      guard !state.isOver, !state.isFinished else { return false }
      state.writers.append(continuation)
      return true
    }
  }

  private func cancelWriters() {
    let writers = state.withLock { state in
      defer { state.writers = [] }
      return state.writers
    }
    for writer in writers { writer.resume(returning: false) }
  }

  /// Runs `action` on the reactor whenever a full queue has room again.
  func onRoom(_ action: @escaping @Sendable () -> Void) {
    state.withLock { if !$0.isOver, !$0.isFinished { $0.onRoom = action } }
  }

  /// Runs `action` on the reactor when the call is over before its handler has ended it; at once if
  /// it is already.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver, !state.isFinished { state.onCancel = action }
      return state.isOver
    }
    if isOver { action() }
  }

  /// Sends initial metadata, if nothing has been sent yet.
  @usableFromInline
  package func send(initialMetadata: Metadata) {
    let stream = stream
    end.onReactor { $0.sendHeaders(stream, initialMetadata) }
  }

  @usableFromInline
  package func set(trailingMetadata: Metadata) {
    state.withLock { $0.trailingMetadata = trailingMetadata }
  }

  /// Ends the call OK, once; its handler has returned.
  @usableFromInline
  package func finish() {
    guard let trailing = claim() else { return }
    let stream = stream
    end.onReactor { $0.finishStream(stream, trailing) }
  }

  /// Ends the call with what its handler threw.
  @usableFromInline
  package func fail(_ error: any Error) {
    guard let trailing = claim() else { return }
    let stream = stream
    end.onReactor { end in
      var status = RPCError(thrown: error)
      if status.metadata.isEmpty { status.metadata = trailing }
      end.fail(stream, status)
    }
  }

  /// Claims the end of the call. Returns the trailing metadata; nil: the call was ended before.
  @usableFromInline
  func claim() -> Metadata? {
    state.withLock { state in
      guard !state.isFinished else { return nil }
      state.isFinished = true
      state.task = nil
      state.onCancel = nil
      state.onRoom = nil
      return state.trailingMetadata
    }
  }

  /// A message of the call did not decode: the call ends INVALID_ARGUMENT, which is answered.
  @usableFromInline
  func refuse(_ error: DecodeError) -> RPCError {
    let stream = stream
    let status = RPCError(.invalidArgument, "a message of the request: \(error)")
    end.onReactor { $0.refuseMessage(stream, status) }
    return status
  }

  /// Ends a call with its one reply, off the reactor or with trailing metadata.
  @usableFromInline
  func reply(encoded bytes: [UInt8], trailing: Metadata) {
    let stream = stream
    end.onReactor { end in
      guard !trailing.isEmpty else { return end.reply(stream, encoded: bytes) }
      _ = end.send(stream, encoded: bytes)
      end.finishStream(stream, trailing)
    }
  }

  /// The error of a handler whose call is over.
  @usableFromInline
  package static let over = RPCError(.cancelled, "the call is over")
}
