import QuiverRPC
import QuiverWire

/// The state of a channel, behind its lock: its connections, the calls that wait, and the back-off.
///
/// Its methods append to ``actions`` what the channel does after it has released the lock.
struct ChannelState {
  let limits: ChannelLimits
  let transport: ChannelTransport
  /// Connections that take calls, in the order in which they were made: the first with room takes
  /// the next call, so that the last ones become idle first.
  private(set) var connections: [PooledConnection] = []
  /// Every connection that is not closed, those that take no more calls included.
  private(set) var ends: [ClientEnd] = []
  /// Calls that wait for a connection with room, in order; withdrawn ones are skipped.
  private(set) var waiting: [ClientCall] = []
  private var waitingHead = 0
  private(set) var waitingCount = 0
  private(set) var isClosed = false
  /// Tasks that wait until the channel is closed and its last connection with it.
  var closeWaiters: [UnsafeContinuation<Void, Never>] = []
  /// Tasks that wait until the channel begins to close.
  var runners: [Waiter] = []
  var actions: [Action] = []
  /// Receives the state changes of connections.
  weak var observer: (any ClientEndObserver)?
  /// The software of the server of the last connection that was made; nil: none was made.
  var serverSoftware: String?

  /// What was met last at each address; of one that has greeted this channel nothing else is noted.
  private var peers: [Peer]
  /// The address that is tried next, and how many in a row have failed since one succeeded.
  private var address = 0
  private var failedAddresses = 0
  /// How often in a row all addresses have failed.
  private var failureCount = 0
  /// Connections in a row that the server drained before it had answered a call on them.
  private var unansweredDrains = 0
  /// All addresses have failed, and none has been tried since.
  private(set) var haveAllAddressesFailed = false
  /// No connection is tried before this time, in monotonic nanoseconds; 0: none has failed.
  private(set) var backoffEnd: UInt64 = 0
  private var lastError = RPCError(.unavailable, "no connection was made", origin: .connection)
  /// The times of the timers for the next connection, for the first deadline of a waiting call, for
  /// the check for idle connections and for the one for another token, in monotonic nanoseconds; 0:
  /// none is set.
  private var connectDue: UInt64 = 0
  private var expiryDue: UInt64 = 0
  private var idleDue: UInt64 = 0
  private var tokenDue: UInt64 = 0

  /// Who answers at an address.
  private enum Peer {
    case unknown
    /// A server of Quiver has sent its HELLO.
    case server
    /// Something that speaks another protocol, or another version of this one.
    case other
  }

  struct PooledConnection {
    let end: ClientEnd
    let address: Int
    /// The server's HELLO has come.
    var isOpen = false
    /// It had a call at the last check for idle connections, or was given one since.
    var wasUsed = true
    /// How many checks in a row found it idle.
    var idleChecks = 0
  }

  enum Action {
    case submit(ClientCall, ClientEnd)
    case fail(ClientCall, RPCError)
    case shutDown(ClientEnd)
    case schedule(UInt64, Timer)
    case resume(UnsafeContinuation<Void, Never>)
    case wake(Waiter)
  }

  /// An `expire` whose time is no longer ``expiryDue`` has been replaced.
  enum Timer {
    case connect, idle, token
    case expire(UInt64)
  }

  init(_ limits: ChannelLimits, _ transport: ChannelTransport) {
    self.limits = limits
    self.transport = transport
    peers = Array(repeating: .unknown, count: transport.addressCount)
  }

  // MARK: Calls

  /// Whether the channel is closed, and its last connection with it.
  var isDone: Bool { isClosed && ends.isEmpty }

  /// Takes room for a call on a connection; nil: none has room.
  mutating func takeConnection() -> ClientEnd? {
    var first: Int?
    var hasOpen = false
    for index in connections.indices {
      if connections[index].isOpen {
        hasOpen = true
        if connections[index].end.takeRoom() {
          connections[index].wasUsed = true
          return connections[index].end
        }
      } else if first == nil {
        first = index
      }
    }
    // Before its HELLO a server takes as many calls as every server must.
    guard !hasOpen, let first, connections[first].end.takeRoom() else { return nil }
    connections[first].wasUsed = true
    return connections[first].end
  }

  /// Sends a call, or queues it, or fails it.
  mutating func admit(_ call: ClientCall) {
    if case .withdrawn = call.place { return }
    guard !isClosed else { return fail(call, Channel.closed) }
    if waitingCount == 0, let end = takeConnection() { return submit(call, to: end) }
    if connections.isEmpty {
      guard transport.now() < backoffEnd else {
        openConnection()
        if waitingCount == 0, let end = takeConnection() { return submit(call, to: end) }
        return enqueue(call)
      }
      guard mayWait(call) else { return fail(call, refusal) }
    }
    enqueue(call)
  }

  private func mayWait(_ call: ClientCall) -> Bool {
    call.waitsForReady && lastError.code == .unavailable && !meetsOthers
  }

  /// Whether other programs than servers answer at all addresses, where no server has greeted this
  /// channel: none is waited for.
  var meetsOthers: Bool { peers.allSatisfy { $0 == .other } }

  /// How calls fail that do not wait for the end of the back-off.
  private var refusal: RPCError {
    var error = lastError
    error.isNotProcessed = true
    return error
  }

  private mutating func submit(_ call: ClientCall, to end: ClientEnd) {
    call.place = .at(end)
    actions.append(.submit(call, end))
  }

  private mutating func fail(_ call: ClientCall, _ error: RPCError) {
    call.place = .withdrawn
    actions.append(.fail(call, error))
  }

  private mutating func enqueue(_ call: ClientCall) {
    guard waitingCount < limits.maxWaitingCalls else {
      return fail(call, .tooManyWaiting(limits.maxWaitingCalls))
    }
    call.place = .held
    waiting.append(call)
    waitingCount += 1
    let deadline = call.deadlineNanoseconds
    if deadline != 0, expiryDue == 0 || deadline < expiryDue {
      scheduleExpiry(deadline)
    }
    setRoomWanted(true)
    sendWaiting()
  }

  /// Ends a call that is not on a connection; returns the connection of one that is.
  mutating func withdraw(_ call: ClientCall, _ error: RPCError) -> ClientEnd? {
    switch call.place {
    case .at(let end): return end
    case .withdrawn: return nil
    case .unsent: break
    case .held: waitingCount -= 1
    }
    var error = error
    error.origin = .client
    error.isNotProcessed = true
    fail(call, error)
    // Withdrawn calls are removed many at a time, so that each costs little.
    if waiting.count - waitingHead > 2 * waitingCount + 64 { failWaiting(error) { _ in false } }
    return nil
  }

  private func setRoomWanted(_ isWanted: Bool) {
    for connection in connections { connection.end.setRoomWanted(isWanted) }
  }

  /// Sends the calls that wait where there is room, else opens another connection or sets the timer
  /// for the next one.
  mutating func sendWaiting() {
    while waitingCount > 0, let end = takeConnection() {
      guard let call = nextWaiting() else { break }
      submit(call, to: end)
    }
    guard waitingCount > 0 else {
      waiting.removeAll(keepingCapacity: waiting.count <= 256)
      waitingHead = 0
      return setRoomWanted(false)
    }
    let now = transport.now()
    if now < backoffEnd {
      if connections.count < limits.maxConnections, connectDue == 0 || connectDue < backoffEnd {
        connectDue = backoffEnd
        actions.append(.schedule(backoffEnd, .connect))
      }
    } else if connections.count < limits.maxConnections, connections.allSatisfy(\.isOpen) {
      openConnection()
      connections[connections.count - 1].end.setRoomWanted(true)
      if connections.count == 1 { sendWaiting() }
    }
  }

  /// Removes the first call that still waits; the caller sets its place.
  private mutating func nextWaiting() -> ClientCall? {
    while waitingHead < waiting.count {
      let call = waiting[waitingHead]
      waitingHead += 1
      if waitingHead >= 256, waitingHead * 2 >= waiting.count {
        waiting.removeSubrange(0..<waitingHead)
        waitingHead = 0
      }
      if case .held = call.place {
        waitingCount -= 1
        return call
      }
    }
    return nil
  }

  /// Fails the waiting calls that `isChosen` accepts, and removes withdrawn ones.
  private mutating func failWaiting(_ error: RPCError, where isChosen: (ClientCall) -> Bool) {
    var left: [ClientCall] = []
    for call in waiting[waitingHead...] {
      guard case .held = call.place else { continue }
      if isChosen(call) { fail(call, error) } else { left.append(call) }
    }
    waiting = left
    waitingHead = 0
    waitingCount = left.count
  }

  // MARK: Connections

  private mutating func openConnection() {
    let end = transport.connect(address)
    haveAllAddressesFailed = false
    connections.append(PooledConnection(end: end, address: address))
    ends.append(end)
    // Before any call can reach it: the end reports nothing before this returns.
    if let observer { end.observe(by: observer) }
    if let idle = limits.idleTimeout, idleDue == 0 { scheduleIdleCheck(idle) }
    if transport.token.canChange, tokenDue == 0 { scheduleTokenCheck() }
  }

  private mutating func scheduleTokenCheck() {
    tokenDue = transport.now() &+ limits.tokenCheckInterval.clampedNanoseconds
    actions.append(.schedule(tokenDue, .token))
  }

  private mutating func scheduleIdleCheck(_ idle: Duration) {
    idleDue = transport.now() &+ max(idle.clampedNanoseconds / 2, 1)
    actions.append(.schedule(idleDue, .idle))
  }

  mutating func opened(_ end: ClientEnd) {
    guard let index = connections.firstIndex(where: { $0.end === end }) else { return }
    connections[index].isOpen = true
    sendWaiting()
  }

  /// A connection takes no more calls: decides whether its address has failed, and sends or fails
  /// the calls that wait.
  mutating func lost(_ end: ClientEnd, _ ending: ClientEnding) {
    guard let index = connections.firstIndex(where: { $0.end === end }) else { return }
    let removed = connections.remove(at: index)
    note(ending, at: removed.address)
    let hasOtherToken =
      ending.reason.code == .unauthenticated && end.token != transport.token.value
    if ending.hasAnswered || hasOtherToken {
      restart()
    } else if ending.isDrained, unansweredDrains == 0 {
      // Once is a server that restarts; again and again is a failure.
      unansweredDrains += 1
    } else {
      addressFailed(ending.reason)
    }
    guard waitingCount > 0 else { return }
    if connections.isEmpty, haveAllAddressesFailed {
      let refusal = refusal
      let isFinal = refusal.code != .unavailable || meetsOthers
      failWaiting(refusal) { isFinal || !$0.waitsForReady }
    }
    sendWaiting()
  }

  /// Notes who has answered at an address. A port of another protocol may say so in a connection
  /// that begins as a server's.
  private mutating func note(_ ending: ClientEnding, at address: Int) {
    let isOther = ending.isOtherPeer && !ending.hasAnswered
    let hasGreeted =
      ending.hasOpened && !isOther
      || connections.contains { $0.address == address && $0.isOpen }
    if hasGreeted {
      peers[address] = .server
    } else if peers[address] != .server {
      peers[address] = isOther ? .other : .unknown
    }
  }

  private mutating func addressFailed(_ error: RPCError) {
    lastError = error
    address = (address + 1) % transport.addressCount
    failedAddresses += 1
    guard failedAddresses >= transport.addressCount else { return }
    failedAddresses = 0
    haveAllAddressesFailed = true
    let wait = limits.reconnect.nanoseconds(step: failureCount)
    failureCount += 1
    backoffEnd = transport.now() &+ wait
  }

  /// Forgets the failures: the next connection is tried at once.
  private mutating func restart() {
    failedAddresses = 0
    failureCount = 0
    unansweredDrains = 0
    backoffEnd = 0
    haveAllAddressesFailed = false
  }

  /// Ends the back-off; calls that wait have a connection tried now.
  mutating func reconnect() {
    restart()
    if waitingCount > 0 { sendWaiting() }
  }

  /// Takes no more calls; open ones finish.
  mutating func close() {
    isClosed = true
    for connection in connections { actions.append(.shutDown(connection.end)) }
    connections = []
    failWaiting(Channel.closed) { _ in true }
    for waiter in runners { actions.append(.wake(waiter)) }
    runners = []
    resumeCloseWaiters()
  }

  /// A connection is closed.
  mutating func closed(_ end: ClientEnd) {
    ends.removeAll { $0 === end }
    resumeCloseWaiters()
  }

  private mutating func resumeCloseWaiters() {
    guard isDone else { return }
    for waiter in closeWaiters { actions.append(.resume(waiter)) }
    closeWaiters = []
  }

  // MARK: Time

  mutating func fired(_ timer: Timer) {
    guard !isClosed else { return }
    switch timer {
    case .connect:
      connectDue = 0
      if waitingCount > 0 { sendWaiting() }
    case .expire(let due): if due == expiryDue { expireWaiting() }
    case .idle: closeIdle()
    case .token: closeOutdated()
    }
  }

  /// Closes the connections whose token is not the current one, once their calls have ended.
  private mutating func closeOutdated() {
    tokenDue = 0
    let token = transport.token.value
    for connection in connections where connection.end.token != token {
      actions.append(.shutDown(connection.end))
    }
    connections.removeAll { $0.end.token != token }
    if waitingCount > 0 { sendWaiting() }
    if !connections.isEmpty, tokenDue == 0 { scheduleTokenCheck() }
  }

  private mutating func expireWaiting() {
    expiryDue = 0
    let now = transport.now()
    var error = RPCError(
      .deadlineExceeded, "the call's deadline passed before it could be sent", isNotProcessed: true,
      origin: .client)
    if connections.isEmpty { error.message += ": \(lastError.message)" }
    failWaiting(error) { $0.deadlineNanoseconds != 0 && now >= $0.deadlineNanoseconds }
    let next = waiting.compactMap { $0.deadlineNanoseconds == 0 ? nil : $0.deadlineNanoseconds }
      .min()
    if let next { scheduleExpiry(next) }
  }

  private mutating func scheduleExpiry(_ due: UInt64) {
    expiryDue = due
    actions.append(.schedule(due, .expire(due)))
  }

  /// Closes connections that two checks in a row have found without a call.
  private mutating func closeIdle() {
    idleDue = 0
    guard let idle = limits.idleTimeout else { return }
    var left: [PooledConnection] = []
    for var connection in connections {
      let isIdle = connection.isOpen && connection.end.callCount <= 0 && !connection.wasUsed
      connection.idleChecks = isIdle ? connection.idleChecks + 1 : 0
      connection.wasUsed = connection.end.callCount > 0
      if connection.idleChecks >= 2 {
        actions.append(.shutDown(connection.end))
      } else {
        left.append(connection)
      }
    }
    connections = left
    if !connections.isEmpty { scheduleIdleCheck(idle) }
  }
}
