package import QuiverProtobuf
import QuiverWire
import Synchronization

/// A streaming call as its caller has it: messages in both directions, and how it ended.
///
/// May be used from any task; one at a time reads. Messages that have come wait here, bounded by
/// the stream's credit, which is given back as they are taken.
// Sendable because what is its own is behind a lock, and the end is reached on its reactor.
package final class ClientStream: Sendable {
  private let route: any CallRoute
  private let state = Mutex(State())

  private struct State {
    var attempt: StreamAttempt?
    /// Credit is given back as soon as nothing waits to be taken.
    var returnsCreditAtOnce = false
    var end: ClientEnd?
    var inbox = Fifo<(bytes: [UInt8], charge: UInt64)>()
    /// Taken and not yet given back as credit.
    var taken: (count: Int, charge: UInt64) = (0, 0)
    /// nil while the call is open.
    var outcome: Result<Void, RPCError>?
    var reader: UnsafeContinuation<Void, Never>?
    var writers: [UnsafeContinuation<Void, Never>] = []
    var starters: [UnsafeContinuation<Void, Never>] = []
    var hasBegun = false
    var initialMetadata = Metadata()
    var trailingMetadata = Metadata()
    /// Messages that wait to be carried to the reactor, their bytes, and whether somebody is on
    /// the way there.
    var outgoing: [[UInt8]] = []
    var outgoingBytes = 0
    var endsRequest = false
    var isCarrying = false
    /// The machine's queue was full when it was last asked.
    var isFull = false
    /// Why the call was given up; nil: it was not.
    var givenUp: RPCError?
    var history = CallHistory()
  }

  /// Messages that may wait on their way to the reactor, in bytes, with the charge of a frame each.
  private static let outgoingLimit = 64 * 1024
  /// Credit is given back in lots of this size, or when nothing is left to read; of a watch with
  /// the last message.
  private static let lot: UInt64 = 8 * 1024

  private let onEnd: (@Sendable (RPCError?) -> Void)?

  /// - Parameter onEnd: called once with how the call ended; nil is OK.
  package init(route: any CallRoute, onEnd: (@Sendable (RPCError?) -> Void)? = nil) {
    self.route = route
    self.onEnd = onEnd
  }

  /// Starts the call.
  package func start(
    _ method: MethodInfo, message: [UInt8], deadlineNanoseconds: UInt64,
    head: ClientCall.HeadOptions
  ) {
    let attempt = StreamAttempt(
      self, method: method, message: message, deadlineNanoseconds: deadlineNanoseconds, head: head)
    state.withLock { state in
      state.attempt = attempt
      state.returnsCreditAtOnce = head.returnsCreditAtOnce
    }
    route.send(attempt)
  }

  // MARK: Reading

  /// The next message; nil once the stream has ended OK. Throws how it ended otherwise.
  ///
  /// Cancelling the task gives the call up.
  package func next() async throws(RPCError) -> [UInt8]? {
    while true {
      let (message, outcome) = takeNow()
      if let message { return message }
      switch outcome {
      case .success: return nil
      case .failure(let error): throw error
      case nil: break
      }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { wait($0) }
      } onCancel: {
        cancel(Self.cancelled)
      }
    }
  }

  private func takeNow() -> (message: [UInt8]?, outcome: Result<Void, RPCError>?) {
    let (message, outcome, lot) = state.withLock { state in
      let message = state.inbox.popFirst()
      if let message {
        state.taken.count += 1
        state.taken.charge += message.charge
      }
      let isDue =
        state.taken.charge >= Self.lot || message == nil
        || state.returnsCreditAtOnce && state.inbox.isEmpty
      let lot = isDue ? Self.takeLot(&state) : nil
      return (message?.bytes, state.outcome, lot)
    }
    giveBack(lot)
    return (message, outcome)
  }

  private typealias Lot = (attempt: StreamAttempt, end: ClientEnd, count: Int, charge: UInt64)

  private static func takeLot(_ state: inout State) -> Lot? {
    guard state.taken.count > 0, let attempt = state.attempt, let end = state.end,
      state.outcome == nil
    else { return nil }
    defer { state.taken = (0, 0) }
    return (attempt, end, state.taken.count, state.taken.charge)
  }

  private func giveBack(_ lot: Lot?) {
    guard let (attempt, end, count, charge) = lot, charge > 0 else { return }
    end.withMachine { $0.took(attempt, count: count, charge: charge) }
  }

  private func wait(_ continuation: UnsafeContinuation<Void, Never>) {
    let isThere = state.withLock { state in
      precondition(state.reader == nil, "one task at a time reads a call's replies")
      guard state.inbox.isEmpty, state.outcome == nil else { return true }
      state.reader = continuation
      return false
    }
    if isThere { continuation.resume() }
  }

  /// Waits until the server's handler has started, and answers the initial metadata; the end of the
  /// call counts too.
  package func started() async throws(RPCError) -> Metadata {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isThere = state.withLock { state in
          guard !state.hasBegun, state.outcome == nil else { return true }
          state.starters.append(continuation)
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      cancel(Self.cancelled)
    }
    let (metadata, hasBegun, outcome) = state.withLock {
      ($0.initialMetadata, $0.hasBegun, $0.outcome)
    }
    if !hasBegun, case .failure(let error) = outcome { throw error }
    return metadata
  }

  /// What came with the end; empty before it.
  package var trailingMetadata: Metadata { state.withLock { $0.trailingMetadata } }

  // MARK: Sending

  /// Sends a message and waits until there is room for more. Throws how the call ended, if it has.
  package func send(_ bytes: [UInt8]) async throws(RPCError) {
    let (mustCarry, isFull) = try queue(bytes)
    if mustCarry { carry() }
    guard isFull else { return }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let hasRoom = state.withLock { state in
          guard state.outcome == nil, Self.isFull(state) else { return true }
          state.writers.append(continuation)
          return false
        }
        if hasRoom { continuation.resume() }
      }
    } onCancel: {
      cancel(Self.cancelled)
    }
    if case .failure(let error) = state.withLock({ $0.outcome }) { throw error }
  }

  private func queue(_ bytes: [UInt8]) throws(RPCError) -> (mustCarry: Bool, isFull: Bool) {
    try state.withLock { state throws(RPCError) in
      switch state.outcome {
      case .failure(let error): throw error
      case .success: throw Self.ended
      case nil: break
      }
      precondition(!state.endsRequest, "nothing is sent after the end of the request")
      state.outgoing.append(bytes)
      state.outgoingBytes += bytes.count + Limits.frameCharge
      defer { state.isCarrying = true }
      return (!state.isCarrying, Self.isFull(state))
    }
  }

  private static func isFull(_ state: borrowing State) -> Bool {
    state.isFull || state.outgoingBytes >= outgoingLimit
  }

  /// Ends the request side; more messages may not be sent.
  package func finishRequest() {
    let mustCarry = state.withLock { state in
      guard !state.endsRequest else { return false }
      state.endsRequest = true
      defer { state.isCarrying = true }
      return !state.isCarrying
    }
    if mustCarry { carry() }
  }

  /// Goes to the reactor, once for all that is queued until it is there. A call that has no
  /// connection yet is carried to it when it has.
  private func carry() {
    guard let end = state.withLock({ $0.end }) else { return }
    end.withMachine { [self] machine in
      let (attempt, messages, ends) = state.withLock { state in
        // Meanwhile the call may have gone to another connection, which has a driver of its own.
        guard state.end === end else { return (StreamAttempt?.none, [[UInt8]](), false) }
        state.isCarrying = false
        defer {
          state.outgoing = []
          state.outgoingBytes = 0
        }
        return (state.attempt, state.outgoing, state.endsRequest)
      }
      guard let attempt else { return }
      var sent = SendResult.room
      for message in messages { sent = machine.send(attempt, message) }
      if ends { machine.endRequest(attempt) }
      updateRoom(isFull: sent == .full)
    }
  }

  /// On the reactor: notes whether the machine's queue is full, and wakes who waits if it is not.
  private func updateRoom(isFull: Bool) {
    let writers = state.withLock { state in
      state.isFull = isFull
      guard !isFull else { return [UnsafeContinuation<Void, Never>]() }
      defer { state.writers = [] }
      return state.writers
    }
    for writer in writers { writer.resume() }
  }

  // MARK: Ending

  /// Cancels the call: it ends with `error` here, and CANCEL is sent.
  package func cancel(_ error: RPCError) {
    let attempt = state.withLock { state in
      if state.givenUp == nil { state.givenUp = error }
      return state.attempt
    }
    if let attempt { route.giveUp(attempt, error) }
  }

  static let cancelled = RPCError(
    .cancelled, "the task that made the call was cancelled", origin: .client)
  private static let ended = RPCError(
    .cancelled, "the server ended the call before the request was sent", origin: .server)

  // MARK: From the reactor

  fileprivate func placed(_ attempt: StreamAttempt, on end: ClientEnd) {
    let isCurrent = state.withLock { state in
      guard state.attempt === attempt else { return false }
      state.end = end
      return true
    }
    // What was queued while the call had no connection goes ahead of its start, and waits there.
    if isCurrent { carry() }
  }

  fileprivate func began(_ metadata: Metadata) {
    let starters = state.withLock { state in
      state.hasBegun = true
      state.initialMetadata = metadata
      defer { state.starters = [] }
      return state.starters
    }
    for starter in starters { starter.resume() }
  }

  fileprivate func received(_ bytes: UnsafeRawBufferPointer, charge: UInt64) {
    let message = Array(bytes)
    let (reader, starters) = state.withLock { state in
      state.inbox.append((message, charge))
      state.hasBegun = true
      defer {
        state.reader = nil
        state.starters = []
      }
      return (state.reader, state.starters)
    }
    reader?.resume()
    for starter in starters { starter.resume() }
  }

  fileprivate func ended(_ outcome: Result<Void, RPCError>, trailing: Metadata) {
    let (reader, waiters) = state.withLock { state in
      state.outcome = outcome
      state.trailingMetadata = trailing
      defer {
        state.reader = nil
        state.writers = []
        state.starters = []
        state.attempt = nil
        state.end = nil
      }
      return (state.reader, state.writers + state.starters)
    }
    reader?.resume()
    for waiter in waiters { waiter.resume() }
    switch outcome {
    case .success:
      route.succeeded()
      onEnd?(nil)
    case .failure(let error): onEnd?(error)
    }
  }

  fileprivate func received(trailing: Metadata) { route.received(trailing: trailing) }

  fileprivate func hasRoom() { updateRoom(isFull: false) }

  /// An attempt has failed, and so has the call unless its route lets it be sent again: only while
  /// nothing of the reply has come.
  fileprivate func attemptFailed(_ attempt: StreamAttempt, _ error: RPCError) {
    var (history, hasBegun) = state.withLock { ($0.history, $0.hasBegun) }
    let resending =
      hasBegun ? Resending.no : route.resending(attempt, after: error, &history)
    if case .no = resending {
      return ended(.failure(history.ending(with: error)), trailing: attempt.trailingMetadata)
    }
    let next = StreamAttempt(after: attempt, attempt: history.attempt)
    let givenUp = state.withLock { state in
      state.history = history
      guard state.givenUp == nil else { return state.givenUp }
      state.attempt = next
      state.end = nil
      return nil
    }
    if var givenUp {
      givenUp.isNotProcessed = !history.mayHaveRun
      return ended(.failure(givenUp), trailing: [:])
    }
    if case .at(let due) = resending {
      route.send(next, atNanoseconds: due)
    } else {
      route.send(next)
    }
  }
}

/// One attempt at a streaming call, on one connection.
// Sendable as its superclass is.
package final class StreamAttempt: ClientCall, @unchecked Sendable {
  private let owner: ClientStream

  init(
    _ owner: ClientStream, method: MethodInfo, message: [UInt8], deadlineNanoseconds: UInt64,
    head: HeadOptions
  ) {
    self.owner = owner
    super.init(
      method: method, message: message, deadlineNanoseconds: deadlineNanoseconds, options: head)
  }

  init(after other: StreamAttempt, attempt: UInt32) {
    owner = other.owner
    super.init(again: other, attempt: attempt)
  }

  package override func placed(on end: ClientEnd) { owner.placed(self, on: end) }

  package override func began() { owner.began(initialMetadata) }

  package override func received(_ bytes: UnsafeRawBufferPointer, charge: UInt64) {
    owner.received(bytes, charge: charge)
  }

  package override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    owner.received(bytes, charge: 0)
    owner.ended(.success(()), trailing: trailingMetadata)
  }

  package override func receivedTrailing() { owner.received(trailing: trailingMetadata) }

  package override func finished() { owner.ended(.success(()), trailing: trailingMetadata) }

  package override func failed(_ error: RPCError) { owner.attemptFailed(self, error) }

  package override func hasRoom() { owner.hasRoom() }
}
