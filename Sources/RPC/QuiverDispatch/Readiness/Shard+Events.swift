#if os(Linux) || os(Android)
  import QuiverPlatform
  import Synchronization

  extension Shard {
    /// How long the shard keeps its thread and waits for further events after the last one: to get
    /// the thread back from Dispatch costs more than to answer a call.
    private static let waitMilliseconds: Int32 = 2
    /// How often a turn asks for events before background jobs.
    private static let pollsPerTurn = 8

    /// Handles events, and waits for more for a moment before it gives the thread back.
    ///
    /// Meanwhile jobs do not pass the queue: they end the wait, and are the last that it runs.
    /// Timers fire here while events keep the queue from it.
    func serve(_ epoll: EpollReadiness) {
      inbox.withLock { $0.isServing = true }
      var count = epoll.poll(milliseconds: 0)
      while true {
        turn {
          // Input first: it may be what a timer would miss.
          handleEvents(epoll, count)
          if now >= armedFor { fireTimers() }
        }
        let hasJobs = inbox.withLock { inbox in
          if inbox.isScheduled { inbox.isServing = false }
          return inbox.isScheduled
        }
        // After jobs the shard gives the thread back: they answer callers, whose next calls come
        // together a moment later, and share a commit.
        if hasJobs { return turn { drainInbox() } }
        let wait = waitMilliseconds
        let mayWait = inbox.withLock { inbox in
          inbox.isWaiting = !inbox.isScheduled && wait > 0
          return inbox.isWaiting
        }
        count = epoll.poll(milliseconds: mayWait ? wait : 0)
        let isOver = inbox.withLock { inbox in
          inbox.isWaiting = false
          guard count == 0, !inbox.isScheduled, postponed.isEmpty else { return false }
          inbox.isServing = false
          return true
        }
        if isOver { return }
      }
    }

    /// How long the shard may wait for events: until the next timer, and not while input waits.
    private var waitMilliseconds: Int32 {
      guard postponed.isEmpty else { return 0 }
      guard armedFor != .max else { return Self.waitMilliseconds }
      let time = SystemCall.monotonicNanoseconds()
      let left = armedFor > time ? (armedFor - time) / 1_000_000 : 0
      return Int32(min(left, UInt64(Self.waitMilliseconds)))
    }

    /// Handles what ``EpollReadiness/poll(milliseconds:)`` has found, and what it leads to.
    func handleEvents(_ epoll: EpollReadiness, _ count: Int) {
      if count == 1 {
        let (tag, events) = epoll[0]
        ready(tag, events)
      } else if count > 1 {
        handleMany(epoll, count)
      }
      handlePostponed()
      if !runList.isEmpty { runTasks() }
      flushAll()
    }

    /// Handles all events that have arrived, at most ``pollsPerTurn`` times as many as fit.
    func handleAll(_ epoll: EpollReadiness) {
      for _ in 0..<Self.pollsPerTurn {
        let count = epoll.poll(milliseconds: 0)
        handleEvents(epoll, count)
        guard count == epoll.capacity, !isTurnOver else { return }
      }
    }

    /// Handles the events of several connections, those of busy callers later.
    private func handleMany(_ epoll: EpollReadiness, _ count: Int) {
      var time = SystemCall.monotonicNanoseconds()
      for index in 0..<count {
        let (tag, events) = epoll[index]
        guard let socket = table.socket(tagged: tag) else { continue }
        if let share = socket.turnShare, share.isBusy(at: time) {
          postponed.add(socket, events)
        } else {
          time = handle(socket, events, since: time)
        }
      }
    }
  }
#endif
