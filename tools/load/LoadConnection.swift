import QuiverRPC
import QuiverWire

/// One connection of the load and its calls, each of which is sent again when it has ended.
///
/// Only the reactor of its end uses it.
// Sendable because only that reactor uses it.
final class LoadConnection: @unchecked Sendable {
  let plan: Plan
  let recorder: Recorder
  private(set) var end: ClientEnd
  private let connect: @Sendable () -> ClientEnd
  /// All call objects; as many as were open at a time.
  private var calls: [LoadCall] = []
  private var idle: [LoadCall] = []
  private var openCount = 0
  private var keyNumber: UInt64
  /// The calls of a closed loop that wait for a connection.
  private var parked = 0
  private var isStopped = false
  private var isResting = false
  /// In a closed loop each call is sent again at once.
  private let isClosedLoop: Bool
  private let maxOpen: Int
  /// Nil if the number of calls is not limited.
  private let budget: CallBudget?

  init(
    _ plan: Plan, number: Int, _ end: ClientEnd, _ recorder: Recorder, isClosedLoop: Bool,
    maxOpen: Int, budget: CallBudget?, connect: @escaping @Sendable () -> ClientEnd
  ) {
    self.plan = plan
    self.end = end
    self.recorder = recorder
    self.connect = connect
    self.isClosedLoop = isClosedLoop
    self.maxOpen = maxOpen
    self.budget = budget
    keyNumber = UInt64(number) << 40
  }

  /// A key that no other call of this run has.
  func nextKey() -> IdempotencyKey {
    keyNumber &+= 1
    return IdempotencyKey(high: plan.runID, low: keyNumber)
  }

  /// Sends a call that was due at `intended`.
  func send(intended: UInt64, now: UInt64) {
    guard !isStopped, !isResting else { return }
    guard openCount < maxOpen else { return recorder.notSent(intended: intended) }
    guard budget?.take() ?? true else { return }
    openCount += 1
    recorder.began()
    (idle.popLast() ?? makeCall()).send(intended: intended, now: now)
  }

  private func makeCall() -> LoadCall {
    let call = LoadCall(self)
    calls.append(call)
    return call
  }

  func ended(_ call: LoadCall, now: UInt64, hasFailed: Bool) {
    openCount -= 1
    guard !isStopped else { return }
    idle.append(call)
    guard isClosedLoop else { return }
    // A call that fails at once would be sent again endlessly.
    if hasFailed { parked += 1 } else { send(intended: now, now: now) }
  }

  /// Runs periodically: replaces a lost connection, and sends the calls that wait for it.
  func look(now: UInt64) {
    guard !isStopped else { return }
    if !end.takesCalls, openCount == 0 { end = connect() }
    let count = parked
    parked = 0
    for _ in 0..<count { send(intended: now, now: now) }
  }

  /// Sends nothing more; open calls may end.
  func rest() { isResting = true }

  /// Counts open calls without a reply.
  func countUnanswered() {
    for call in calls { call.countUnanswered() }
  }

  /// Sends nothing more, and cancels open calls, since a watch is endless.
  func stop() {
    isStopped = true
    for call in calls { call.giveUp() }
    calls = []
    idle = []
  }

  /// Ends the connection.
  func close() { end.shutDown() }
}

/// The calls of a run.
struct Plan: Sendable {
  let method: MethodInfo
  /// Encoded.
  let request: [UInt8]
  /// The number of messages of a request stream.
  let messagesPerCall: Int
  let metadata: Metadata
  /// 0 for none.
  let timeoutNanoseconds: UInt64
  /// The start of all keys of the run; random.
  let runID: UInt64
}
