import Dispatch
import QuiverPlatform
package import QuiverRPC
package import QuiverWire
import Synchronization

/// A serial queue that owns its share of the connections: their readiness, one timer, one read
/// buffer, one coder.
///
/// Everything but ``run(_:)`` and ``enqueue(_:)`` happens on its queue, a turn at a time.
// Sendable because its state is touched on its queue alone, apart from `inbox` and
// `currentThread`, which have their own owners.
package final class Shard: Reactor, @unchecked Sendable {
  let queue: DispatchQueue
  let coder = ReactorCoder()
  /// Counts the calls of the connections; nil: they are not counted.
  let metrics: CallMetrics?
  /// Shared by the connections that are encrypted. Set once.
  private(set) var secure: SecureReactor!
  let limits: Limits
  /// Watches the sockets. Set once.
  private(set) var readiness: (any Readiness)!
  #if os(Linux) || os(Android)
    /// ``readiness``, where it is by epoll.
    private let epoll: EpollReadiness?
  #endif
  private let timer: any DispatchSourceTimer
  private let readBuffer: UnsafeMutableRawPointer
  private let readBufferSize: Int
  var table = SocketTable()
  var anonymousEnds: [UInt64: ServerEnd] = [:]
  /// Memory that is lent to whichever connection has output.
  private var spareOutput = ByteQueue()
  var now: UInt64
  private var armedFor: UInt64 = .max
  /// Connections that have output outside a turn of input.
  private var unflushed: [Socket] = []
  let handshakes = HandshakeThread()
  /// Connections of other protocols whose TLS handshake is not over, by number.
  var unfinishedHandshakes: [UInt64: Socket] = [:]
  /// Jobs that were added on the shard, to be run before its turn ends.
  private var runList: [UnownedJob] = []
  private let currentThread = Atomic<UInt>(0)
  private let inbox = Mutex(JobInbox())
  /// Jobs that were taken from the inbox.
  private var backlog = JobBacklog()
  private var backgroundBacklog = JobBacklog()
  /// The callers of connections, and those connections whose input waits.
  var turnShares = TurnShares()
  private var postponed = PostponedSockets()
  private var eventWait = EventWait()
  /// When the turn should end: after it each kind of work does one job at most.
  private var turnEnd: UInt64 = 0

  /// How often a turn asks for events before other work of the queue gets its chance.
  private static let pollsPerTurn = 8
  /// How often a turn runs tasks that the writing of output has woken, before others have theirs.
  private static let roundsPerTurn = 8
  /// How long a turn runs jobs and tasks: each may be a handler that computes for long.
  private static let nanosecondsPerTurn: UInt64 = 1_000_000
  /// How long a turn runs background jobs.
  private static let backgroundNanosecondsPerTurn: UInt64 = 250_000
  /// The most memory for output that is kept between turns.
  private static let largestSpare = 1024 * 1024

  package init(
    label: String, limits: Limits, metrics: CallMetrics? = nil,
    readiness mechanism: ReadinessMechanism = .standard
  ) throws(SystemError) {
    queue = DispatchQueue(label: label)
    #if os(Linux) || os(Android)
      epoll = mechanism == .epoll ? try EpollReadiness(queue) : nil
    #endif
    self.metrics = metrics
    self.limits = limits
    readBufferSize = limits.readTurnBytes
    readBuffer = .allocate(byteCount: readBufferSize, alignment: 16)
    now = SystemCall.monotonicNanoseconds()
    timer = DispatchSource.makeTimerSource(queue: queue)
    secure = SecureReactor(self, limits: limits)
    // Weak: the last owner may release the shard while the queue is about to call.
    timer.setEventHandler { [weak self] () -> Void in
      guard let self else { return }
      turn { self.fireTimers() }
    }
    timer.schedule(deadline: .distantFuture)
    timer.activate()
    #if os(Linux) || os(Android)
      if let epoll {
        readiness = epoll
        epoll.start { [weak self] in
          guard let self, let epoll = self.epoll else { return }
          turn { self.drainEvents(epoll) }
        }
      }
    #endif
    if readiness != nil { return }
    readiness = SourceReadiness(queue) { [weak self] tag, events in
      guard let self else { return }
      turn { self.ready(tag, events) }
    }
  }

  deinit {
    handshakes.stop()
    readiness.stop()
    timer.cancel()
    readBuffer.deallocate()
  }

  // MARK: Reactor

  package var isCurrent: Bool {
    currentThread.load(ordering: .relaxed) == Platform.currentThread
  }

  package var nowNanoseconds: UInt64 { isCurrent ? now : SystemCall.monotonicNanoseconds() }

  package var exactNanoseconds: UInt64 { SystemCall.monotonicNanoseconds() }

  package func run(_ job: @escaping @Sendable () -> Void) {
    post { $0.jobs.append(.closure(job)) }
  }

  package func runInBackground(_ job: @escaping @Sendable () -> Void) {
    post { $0.backgroundJobs.append(.closure(job)) }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent { runList.append(job) } else { post { $0.jobs.append(.task(job)) } }
  }

  @inline(__always)
  private func post(_ append: (inout JobInbox) -> Void) {
    let (mustSchedule, mustWake) = inbox.withLock { inbox in
      append(&inbox)
      defer { (inbox.isScheduled, inbox.isWaiting) = (true, false) }
      return (!inbox.isScheduled && !inbox.isWaiting, inbox.isWaiting)
    }
    if mustSchedule { queue.async { self.turn { self.drainInbox() } } }
    #if os(Linux) || os(Android)
      if mustWake { epoll?.wake() }
    #else
      assert(!mustWake)
    #endif
  }

  /// Runs jobs in their order until the turn should end, then background jobs for a part of a turn;
  /// the others run in a later turn, after the events of sockets and timers.
  private func drainInbox() {
    inbox.withLock { inbox in
      backlog.refill(&inbox.jobs)
      backgroundBacklog.refill(&inbox.backgroundJobs)
    }
    while let job = backlog.popFirst() {
      perform(job)
      if isTurnOver { break }
    }
    if !backgroundBacklog.isEmpty { runBackgroundJobs() }
    backlog.release()
    backgroundBacklog.release()
    let mustContinue = inbox.withLock { inbox in
      inbox.isScheduled = !backlog.isEmpty || !backgroundBacklog.isEmpty || !inbox.isEmpty
      return inbox.isScheduled
    }
    if mustContinue { queue.async { self.turn { self.drainInbox() } } }
  }

  /// Runs at least one background job, behind the input that has arrived.
  private func runBackgroundJobs() {
    #if os(Linux) || os(Android)
      if let epoll { drainEvents(epoll, found: epoll.poll()) }
    #endif
    let end = SystemCall.monotonicNanoseconds() &+ Self.backgroundNanosecondsPerTurn
    while let job = backgroundBacklog.popFirst() {
      perform(job)
      if SystemCall.monotonicNanoseconds() >= end { return }
    }
  }

  private func perform(_ job: JobInbox.Job) {
    switch job {
    case .closure(let closure): closure()
    case .task(let task): task.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  // MARK: Turns

  /// One turn of the queue: the shard is current; then pending jobs run, output is written and
  /// timers are set.
  private func turn(_ body: () -> Void) {
    currentThread.store(Platform.currentThread, ordering: .relaxed)
    now = SystemCall.monotonicNanoseconds()
    turnEnd = now &+ Self.nanosecondsPerTurn
    body()
    var rounds = 0
    repeat {
      runTasks()
      flushAll()
      rounds += 1
    } while !runList.isEmpty && rounds < Self.roundsPerTurn
    // A stream whose client reads as fast as it is written would never let the turn end.
    if !runList.isEmpty { run {} }
    armTimer()
    currentThread.store(0, ordering: .relaxed)
  }

  private var isTurnOver: Bool { SystemCall.monotonicNanoseconds() >= turnEnd }

  /// Runs tasks, and those that they wake, in their order until the turn should end.
  private func runTasks() {
    var index = 0
    while index < runList.count {
      let job = runList[index]
      index += 1
      job.runSynchronously(on: asUnownedTaskExecutor())
      if isTurnOver { break }
    }
    runList.removeFirst(index)
  }

  #if os(Linux) || os(Android)
    /// Handles what is ready, and waits for more while a caller is alone.
    private func drainEvents(_ epoll: EpollReadiness) {
      let end = now &+ EventWait.longestTurnNanoseconds
      eventWait.begin(at: now)
      var count = epoll.poll()
      while drainEvents(epoll, found: count), let found = waitForEvents(epoll, until: end) {
        count = found
        eventWait.goOn(at: now)
      }
    }

    /// Handles the events that were found, and those after them; returns whether there are no more.
    @discardableResult
    private func drainEvents(_ epoll: EpollReadiness, found: Int) -> Bool {
      var count = found
      for round in 0..<Self.pollsPerTurn {
        if round > 0 {
          // What a caller sends who is alone, the wait finds.
          if count == 1, eventWait.isWanted(at: now) { return true }
          count = epoll.poll()
        }
        if count == 1 {
          let (tag, events) = epoll[0]
          if tag == EpollReadiness.wakeTag { epoll.acknowledgeWake() } else { ready(tag, events) }
        } else if count > 1 {
          handleEvents(epoll, count)
        }
        handlePostponed()
        if !runList.isEmpty { runTasks() }
        flushAll()
        if count == 0 { return true }
        if isTurnOver { return false }
      }
      return false
    }

    /// Waits for the next event, if there is nothing else to be done; returns how many sockets are
    /// ready, nil if the turn has to end. A job ends the wait, and runs.
    private func waitForEvents(_ epoll: EpollReadiness, until end: UInt64) -> Int? {
      let time = SystemCall.monotonicNanoseconds()
      guard time < end, eventWait.isWanted(at: time),
        table.earliestDue > time &+ EventWait.nanoseconds
      else { return nil }
      let waits = inbox.withLock { inbox in
        inbox.isWaiting = !inbox.isScheduled
        return inbox.isWaiting
      }
      guard waits else { return nil }
      let count = epoll.wait(milliseconds: Int32(EventWait.nanoseconds / 1_000_000))
      now = SystemCall.monotonicNanoseconds()
      turnEnd = now &+ Self.nanosecondsPerTurn
      let hasJobs = inbox.withLock { inbox in
        defer { inbox.isWaiting = false }
        return !inbox.isWaiting
      }
      if hasJobs {
        drainInbox()
        // Background jobs have looked for events, too.
        return epoll.poll()
      }
      return count > 0 ? count : nil
    }

    /// Handles the events of several connections, those of busy callers later.
    private func handleEvents(_ epoll: EpollReadiness, _ count: Int) {
      var time = SystemCall.monotonicNanoseconds()
      eventWait.foundSeveral(at: time)
      for index in 0..<count {
        let (tag, events) = epoll[index]
        guard let socket = table.socket(tagged: tag) else {
          if tag == EpollReadiness.wakeTag { epoll.acknowledgeWake() }
          continue
        }
        if let share = socket.turnShare, share.isBusy(at: time) {
          postponed.add(socket, events)
        } else {
          time = handle(socket, events, since: time)
        }
      }
    }
  #endif

  /// Handles at least one of the postponed connections, and more until the turn should end.
  private func handlePostponed() {
    guard var next = postponed.popFirst() else { return }
    var time = SystemCall.monotonicNanoseconds()
    while true {
      if let socket = table.socket(tagged: next.tag) {
        socket.isPostponed = false
        // The interest of the connection may have changed.
        let events = next.events.intersection(socket.watchedEvents.union(.failed))
        time = handle(socket, events, since: time)
      }
      guard time < turnEnd, let another = postponed.popFirst() else { return }
      next = another
    }
  }

  /// Handles events and counts the time for the caller of the connection; returns the time.
  private func handle(_ socket: Socket, _ events: SocketEvents, since start: UInt64) -> UInt64 {
    let share = socket.turnShare
    handle(socket, events)
    let end = SystemCall.monotonicNanoseconds()
    share?.use(from: start, to: end)
    return end
  }

  @inline(__always)
  private func ready(_ tag: UInt64, _ events: SocketEvents) {
    if let socket = table.socket(tagged: tag) { handle(socket, events) }
  }

  private func handle(_ socket: Socket, _ events: SocketEvents) {
    if socket.isConnecting {
      guard !events.isDisjoint(with: [.writable, .failed]) else { return }
      if let reason = socket.finishConnecting() { return connectOn(socket, after: reason) }
    }
    if let secure = socket.secure, secure.isInStep {
      // Input waits for the end of the step; the end of the connection is reported all the same.
      guard events.isDisjoint(with: .failed) else {
        return drop(socket, SecureEnd.peerClosed)
      }
      return flush(socket)
    }
    if !events.isDisjoint(with: [.readable, .failed]) { read(socket) }
    if !socket.isClosed { flush(socket) }
  }

  func read(_ socket: Socket) {
    var size = readBufferSize
    if let secure = socket.secure, secure.isInHandshake {
      size = min(size, HandshakeStep.inputBytes)
    }
    switch SystemCall.read(socket.descriptor, readBuffer, size) {
    case .moved(let count):
      eventWait.read(count, at: now)
      socket.end.exchangeOutput(&spareOutput)
      received(UnsafeRawBufferPointer(start: readBuffer, count: count), socket)
    case .wouldBlock: break
    case .gone(let code):
      drop(socket, code == 0 ? SecureEnd.peerClosed : SystemError(code).description)
    }
  }

  /// Passes received bytes to the connection's end, through the layers between the socket and the
  /// end.
  @inline(__always)
  func received(_ bytes: UnsafeRawBufferPointer, _ socket: Socket) {
    if socket.proxyHeader != nil {
      receiveProxyHeader(bytes, socket)
    } else if let secure = socket.secure, secure.isInHandshake {
      beginStep(secure, bytes, socket.tag)
    } else {
      socket.end.receive(bytes, now: now)
    }
  }

  // MARK: Output

  /// Notes that a connection has output; it is written before the turn ends.
  func needsFlush(_ socket: Socket) {
    guard !socket.isInUnflushed else { return }
    socket.isInUnflushed = true
    unflushed.append(socket)
    // Outside of a turn no later step would run it.
    if !isCurrent { run {} }
  }

  private func flushAll() {
    while let socket = unflushed.popLast() {
      socket.isInUnflushed = false
      if !socket.isClosed { flush(socket) }
    }
  }

  /// Writes the framed output of the end, as much as the socket accepts.
  func flush(_ socket: Socket) {
    guard !socket.isConnecting else { return updateConnecting(socket) }
    let end = socket.end
    var output = end.output
    while !output.isEmpty {
      switch SystemCall.write(socket.descriptor, output) {
      case .moved(let count):
        let isShort = count < output.count
        end.wrote(count, now: now)
        output = end.output
        guard isShort else { continue }
        end.writeBlocked(now: now)
        return reconcile(socket)
      case .wouldBlock:
        end.writeBlocked(now: now)
        return reconcile(socket)
      case .gone(let code): return drop(socket, SystemError(code).description)
      }
    }
    end.reclaimOutput(into: &spareOutput)
    if spareOutput.allocatedByteCount > Self.largestSpare { spareOutput.release() }
    reconcile(socket)
  }

  /// A socket that is not connected yet keeps the time of its calls, and ends with its end.
  func updateConnecting(_ socket: Socket) {
    guard socket.end.phase < .closing else {
      return drop(socket, "the connection was closed before it was made")
    }
    var due = Self.coarse(socket.end.nextTimer, now: now)
    if socket.addressDue != 0 { due = min(due, socket.addressDue) }
    table.setDue(socket, due)
  }

  /// After a flush: the phase, the events to wait for, and the time.
  @inline(__always)
  private func reconcile(_ socket: Socket) {
    switch socket.end.phase {
    case .closing:
      if socket.end.output.isEmpty, !socket.isLingering {
        socket.isLingering = true
        shutdown(socket.descriptor, Int32(SHUT_WR))
        socket.end.didHalfClose(now: now)
      }
    case .closed: return drop(socket, "the connection was closed")
    default: break
    }
    watch(socket)
    table.setDue(socket, Self.coarse(socket.end.nextTimer, now: now))
  }

  /// Updates the interest of the readiness from the end.
  @inline(__always)
  private func watch(_ socket: Socket) {
    var wanted: SocketEvents = []
    if socket.end.wantsInput { wanted.insert(.readable) }
    if !socket.end.output.isEmpty { wanted.insert(.writable) }
    guard wanted != socket.watchedEvents else { return }
    socket.watchedEvents = wanted
    readiness.change(socket, wanted)
  }

  // MARK: Time

  /// Timers that are far ahead are rounded up, so that idle connections share their wake-ups.
  static func coarse(_ due: UInt64, now: UInt64) -> UInt64 {
    guard due != 0 else { return .max }
    let grain: UInt64 = 500_000_000
    guard due > now &+ 20 * grain else { return due }
    return (due / grain &+ 1) &* grain
  }

  private func fireTimers() {
    armedFor = .max
    for socket in table.takeDue(now) where !socket.isClosed {
      if socket.addressDue != 0, now >= socket.addressDue {
        connectOn(socket, after: socket.reason(ETIMEDOUT))
        if socket.isClosed { continue }
      }
      socket.end.timerFired(now: now)
      flush(socket)
    }
  }

  private func armTimer() {
    guard table.earliestDue < armedFor else { return }
    armedFor = table.earliestDue
    let wait = armedFor > now ? armedFor - now : 0
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: wait)), leeway: .microseconds(100))
  }
}
