import QuiverRPC
import QuiverWire

/// What a channel knows, behind its lock: its connections, the calls that wait, and the back-off.
///
/// Its methods decide, and note in ``todo`` what the channel does when it has let go of the lock.
struct ChannelState {
  let limits: ChannelLimits
  let carrier: ChannelCarrier
  /// Connections that take calls, in the order in which they were made: the first with room takes
  /// the next call, so that the last ones fall idle first.
  private(set) var lanes: [Lane] = []
  /// Calls that wait for a connection with room, in order; those withdrawn are passed over.
  private(set) var held: [ClientCall] = []
  private var heldHead = 0
  private(set) var heldCount = 0
  private(set) var isClosed = false
  var todo: [Todo] = []
  /// Who is told what becomes of connections.
  weak var observer: (any ClientEndObserver)?

  /// The address that is tried next, and how many in a row have failed since one was good.
  private var address = 0
  private var failedAddresses = 0
  /// How often in a row all addresses have failed.
  private var failedRounds = 0
  /// Connections in a row that were drained before they had answered a call.
  private var unansweredDrains = 0
  /// All addresses have failed, and none has been tried since.
  private(set) var isRoundLost = false
  /// No connection is tried before this time; 0: none has failed.
  private(set) var quietUntil: UInt64 = 0
  private var lastError = RPCError(.unavailable, "no connection was made", origin: .connection)
  /// When timers are set for: the next connection, the first deadline of a held call, the look for
  /// idle connections; 0: none is.
  private var connectDue: UInt64 = 0
  private var expiryDue: UInt64 = 0
  private var idleDue: UInt64 = 0

  struct Lane {
    let end: ClientEnd
    /// The server has greeted.
    var isOpen = false
    /// It had a call when it was last looked at or was given one since, and how many looks found
    /// none.
    var wasUsed = true
    var idleLooks = 0
  }

  enum Todo {
    case submit(ClientCall, ClientEnd)
    case fail(ClientCall, RPCError)
    case shutDown(ClientEnd)
    case schedule(UInt64, Timer)
  }

  /// An `expire` whose time is not ``expiryDue`` any more has another in its place.
  enum Timer {
    case connect, idle
    case expire(UInt64)
  }

  init(_ limits: ChannelLimits, _ carrier: ChannelCarrier) {
    self.limits = limits
    self.carrier = carrier
  }

  // MARK: Calls

  /// The end that takes a call at once; nil: none does.
  mutating func pick() -> ClientEnd? {
    var first: Int?
    var hasOpen = false
    for index in lanes.indices {
      if lanes[index].isOpen {
        hasOpen = true
        if lanes[index].end.takeRoom() {
          lanes[index].wasUsed = true
          return lanes[index].end
        }
      } else if first == nil {
        first = index
      }
    }
    // What every server takes need not wait for this one's greeting.
    guard !hasOpen, let first, lanes[first].end.takeRoom() else { return nil }
    lanes[first].wasUsed = true
    return lanes[first].end
  }

  /// Sends a call, or keeps it, or fails it.
  mutating func admit(_ call: ClientCall) {
    if case .withdrawn = call.place { return }
    guard !isClosed else { return fail(call, Channel.closed) }
    if heldCount == 0, let end = pick() { return submit(call, to: end) }
    if lanes.isEmpty {
      guard carrier.now() < quietUntil else {
        openLane()
        if heldCount == 0, let end = pick() { return submit(call, to: end) }
        return hold(call)
      }
      guard mayWait(call) else { return fail(call, refusal) }
    }
    hold(call)
  }

  private func mayWait(_ call: ClientCall) -> Bool {
    call.waitsForReady && lastError.code == .unavailable
  }

  /// Why calls fail that do not wait for the back-off.
  private var refusal: RPCError {
    var error = lastError
    error.isNotProcessed = true
    return error
  }

  private mutating func submit(_ call: ClientCall, to end: ClientEnd) {
    call.place = .at(end)
    todo.append(.submit(call, end))
  }

  private mutating func fail(_ call: ClientCall, _ error: RPCError) {
    call.place = .withdrawn
    todo.append(.fail(call, error))
  }

  private mutating func hold(_ call: ClientCall) {
    guard heldCount < limits.maxWaitingCalls else {
      return fail(call, .tooManyWaiting(limits.maxWaitingCalls))
    }
    call.place = .held
    held.append(call)
    heldCount += 1
    let deadline = call.deadlineNanoseconds
    if deadline != 0, expiryDue == 0 || deadline < expiryDue {
      scheduleExpiry(deadline)
    }
    setRoomWanted(true)
    provide()
  }

  /// Gives a call up that is not on a connection; answers the end of one that is.
  mutating func withdraw(_ call: ClientCall, _ error: RPCError) -> ClientEnd? {
    switch call.place {
    case .at(let end): return end
    case .withdrawn: return nil
    case .unsent: break
    case .held: heldCount -= 1
    }
    var error = error
    error.origin = .client
    error.isNotProcessed = true
    fail(call, error)
    // Those withdrawn are let go of in lots, so that each costs little.
    if held.count - heldHead > 2 * heldCount + 64 { failHeld(error) { _ in false } }
    return nil
  }

  private func setRoomWanted(_ isWanted: Bool) {
    for lane in lanes { lane.end.setRoomWanted(isWanted) }
  }

  /// Does for the calls that wait what can be done: hands them over, opens another connection, or
  /// sets the time of the next one.
  mutating func provide() {
    while heldCount > 0, let end = pick() {
      guard let call = nextHeld() else { break }
      submit(call, to: end)
    }
    guard heldCount > 0 else {
      held.removeAll(keepingCapacity: held.count <= 256)
      heldHead = 0
      return setRoomWanted(false)
    }
    let now = carrier.now()
    if now < quietUntil {
      if lanes.count < limits.maxConnections, connectDue == 0 || connectDue < quietUntil {
        connectDue = quietUntil
        todo.append(.schedule(quietUntil, .connect))
      }
    } else if lanes.count < limits.maxConnections, lanes.allSatisfy(\.isOpen) {
      openLane()
      lanes[lanes.count - 1].end.setRoomWanted(true)
      if lanes.count == 1 { provide() }
    }
  }

  /// The first call that still waits; its place is the caller's to set.
  private mutating func nextHeld() -> ClientCall? {
    while heldHead < held.count {
      let call = held[heldHead]
      heldHead += 1
      if heldHead >= 256, heldHead * 2 >= held.count {
        held.removeSubrange(0..<heldHead)
        heldHead = 0
      }
      if case .held = call.place {
        heldCount -= 1
        return call
      }
    }
    return nil
  }

  /// Fails the calls that wait and are chosen.
  private mutating func failHeld(_ error: RPCError, where isChosen: (ClientCall) -> Bool) {
    var left: [ClientCall] = []
    for call in held[heldHead...] {
      guard case .held = call.place else { continue }
      if isChosen(call) { fail(call, error) } else { left.append(call) }
    }
    held = left
    heldHead = 0
    heldCount = left.count
  }

  // MARK: Connections

  private mutating func openLane() {
    let end = carrier.connect(address)
    isRoundLost = false
    lanes.append(Lane(end: end))
    // Before any call can reach it: nothing is told before this returns.
    if let observer { end.observe(by: observer) }
    if let idle = limits.idleTimeout, idleDue == 0 { scheduleIdleLook(idle) }
  }

  private mutating func scheduleIdleLook(_ idle: Duration) {
    idleDue = carrier.now() &+ max(RPCClient.nanoseconds(idle) / 2, 1)
    todo.append(.schedule(idleDue, .idle))
  }

  mutating func opened(_ end: ClientEnd) {
    guard let index = lanes.firstIndex(where: { $0.end === end }) else { return }
    lanes[index].isOpen = true
    provide()
  }

  /// A connection takes no more calls: notes what that says of its address, and cares for the calls
  /// that wait.
  mutating func lost(_ end: ClientEnd, _ ending: ClientEnding) {
    guard let index = lanes.firstIndex(where: { $0.end === end }) else { return }
    lanes.remove(at: index)
    if ending.hasAnswered {
      restart()
    } else if ending.isDrained, unansweredDrains == 0 {
      // Once is a restart of the server's; over and over is a failure.
      unansweredDrains += 1
    } else {
      addressFailed(ending.reason)
    }
    guard heldCount > 0 else { return }
    if lanes.isEmpty, isRoundLost {
      let refusal = refusal
      let isHopeless = refusal.code != .unavailable
      failHeld(refusal) { isHopeless || !$0.waitsForReady }
    }
    provide()
  }

  private mutating func addressFailed(_ error: RPCError) {
    lastError = error
    address = (address + 1) % carrier.addressCount
    failedAddresses += 1
    guard failedAddresses >= carrier.addressCount else { return }
    failedAddresses = 0
    isRoundLost = true
    let wait = limits.reconnect.nanoseconds(step: failedRounds)
    failedRounds += 1
    quietUntil = carrier.now() &+ wait
  }

  /// Forgets the failures: the next connection is tried at once.
  private mutating func restart() {
    failedAddresses = 0
    failedRounds = 0
    unansweredDrains = 0
    quietUntil = 0
    isRoundLost = false
  }

  /// Ends the back-off; calls that wait have a connection tried now.
  mutating func reconnect() {
    restart()
    if heldCount > 0 { provide() }
  }

  /// Takes no more calls; open ones finish.
  mutating func close() {
    isClosed = true
    for lane in lanes { todo.append(.shutDown(lane.end)) }
    lanes = []
    failHeld(Channel.closed) { _ in true }
  }

  // MARK: Time

  mutating func fired(_ timer: Timer) {
    guard !isClosed else { return }
    switch timer {
    case .connect:
      connectDue = 0
      if heldCount > 0 { provide() }
    case .expire(let due): if due == expiryDue { expireHeld() }
    case .idle: lookForIdle()
    }
  }

  private mutating func expireHeld() {
    expiryDue = 0
    let now = carrier.now()
    var error = RPCError(
      .deadlineExceeded, "the call's deadline passed before it could be sent", isNotProcessed: true,
      origin: .client)
    if lanes.isEmpty { error.message += ": \(lastError.message)" }
    failHeld(error) { $0.deadlineNanoseconds != 0 && now >= $0.deadlineNanoseconds }
    let next = held.compactMap { $0.deadlineNanoseconds == 0 ? nil : $0.deadlineNanoseconds }.min()
    if let next { scheduleExpiry(next) }
  }

  private mutating func scheduleExpiry(_ due: UInt64) {
    expiryDue = due
    todo.append(.schedule(due, .expire(due)))
  }

  /// Closes connections that two looks in a row have found without a call.
  private mutating func lookForIdle() {
    idleDue = 0
    guard let idle = limits.idleTimeout else { return }
    var left: [Lane] = []
    for var lane in lanes {
      let isIdle = lane.isOpen && lane.end.callCount <= 0 && !lane.wasUsed
      lane.idleLooks = isIdle ? lane.idleLooks + 1 : 0
      lane.wasUsed = lane.end.callCount > 0
      if lane.idleLooks >= 2 { todo.append(.shutDown(lane.end)) } else { left.append(lane) }
    }
    lanes = left
    if !lanes.isEmpty { scheduleIdleLook(idle) }
  }
}
