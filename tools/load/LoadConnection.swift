import QuiverRPC
import QuiverWire

/// One connection of the load: its calls, of which each is sent again when it has ended.
///
/// Lives on its end's reactor.
// Sendable because it is touched there alone.
final class LoadConnection: @unchecked Sendable {
  let plan: Plan
  let recorder: Recorder
  private(set) var end: ClientEnd
  private let connect: @Sendable () -> ClientEnd
  /// Every call that was made, which are at most as many as were ever open at once.
  private var calls: [LoadCall] = []
  private var idle: [LoadCall] = []
  private var openCount = 0
  private var keyNumber: UInt64
  /// Calls of a closed loop that wait for a connection.
  private var parked = 0
  private var isStopped = false
  private var isResting = false
  /// In a closed loop each call is sent again at once.
  private let isClosedLoop: Bool
  private let maxOpen: Int
  /// nil: the number of calls has no limit.
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

  /// Sends a call that was meant to be sent at `intended`.
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
    // What fails at once would be sent again without end.
    if hasFailed { parked += 1 } else { send(intended: now, now: now) }
  }

  /// From time to time: makes a lost connection anew, and sends what waited for that.
  func look(now: UInt64) {
    guard !isStopped else { return }
    if !end.takesCalls, openCount == 0 { end = connect() }
    let count = parked
    parked = 0
    for _ in 0..<count { send(intended: now, now: now) }
  }

  /// Sends nothing more; what is open may end.
  func rest() { isResting = true }

  /// Counts what is open and has no answer.
  func countUnanswered() {
    for call in calls { call.countUnanswered() }
  }

  /// Sends nothing more, and gives up what is open: a watch would go on for ever.
  func stop() {
    isStopped = true
    for call in calls { call.giveUp() }
    calls = []
    idle = []
  }

  /// Ends the connection.
  func close() { end.shutDown() }
}

/// What a run sends.
struct Plan: Sendable {
  let method: MethodInfo
  /// Encoded.
  let request: [UInt8]
  /// Of a request stream.
  let messagesPerCall: Int
  let metadata: Metadata
  /// 0: none.
  let timeoutNanoseconds: UInt64
  /// With which all keys of the run begin; random.
  let runID: UInt64
}
