import QuiverWire

extension ConnectionCore {
  /// When the connection next wants its timer, in monotonic nanoseconds; 0: never.
  ///
  /// Early is harmless: a timer that finds nothing due answers with the next time.
  package var nextTimer: UInt64 {
    var next = UInt64.max
    switch phase {
    case .preface, .hello, .authenticating:
      next = startedAt &+ Self.nanoseconds(limits.handshakeTimeoutMilliseconds)
      if earliestDeadline != 0 { next = min(next, earliestDeadline) }
    case .open:
      if earliestDeadline != 0 { next = earliestDeadline }
      next = min(next, keepaliveDue, retireDue)
      if frameStartedAt != 0 { next = min(next, frameDue) }
      if egress.stalledSince != 0 { next = min(next, stallDue) }
      if let due = drain.due { next = min(next, due) }
    case .closing:
      next = closeBy == 0 ? UInt64.max : closeBy
      if egress.stalledSince != 0 { next = min(next, stallDue) }
    case .closed: return 0
    }
    if refusals.until != 0 { next = min(next, refusals.until) }
    return next == .max ? 0 : next
  }

  static func nanoseconds(_ milliseconds: Int) -> UInt64 {
    UInt64(max(milliseconds, 0)) &* 1_000_000
  }

  private var frameDue: UInt64 {
    frameStartedAt &+ Self.nanoseconds(limits.frameTimeoutMilliseconds)
  }
  private var stallDue: UInt64 {
    egress.stalledSince &+ Self.nanoseconds(limits.outputStallMilliseconds)
  }
  private var keepaliveDue: UInt64 {
    guard keepalive.pingSentAt != 0 || role == .server || !streams.isEmpty else { return .max }
    return keepalive.due(
      interval: Self.nanoseconds(
        role == .server ? limits.serverKeepaliveMilliseconds : limits.clientKeepaliveMilliseconds),
      timeout: Self.nanoseconds(limits.keepaliveTimeoutMilliseconds))
  }

  /// Input of a closing connection is discarded until the linger is over.
  mutating func linger(now: UInt64) {
    closeBy = now &+ Self.nanoseconds(limits.lingerMilliseconds)
  }

  /// Counts input that a closing connection discards: half-closed, it reads on for a moment or a
  /// window, whichever ends first.
  mutating func discard(_ byteCount: Int) {
    guard closeBy != 0 else { return }
    discarded &+= UInt64(byteCount)
    if discarded > own.connectionCredit { phase = .closed }
  }

  /// What ends the connection now, if its time is up; sends the PING that is due.
  mutating func lifeFault(now: UInt64) -> ConnectionFault? {
    if phase < .open {
      guard now >= startedAt &+ Self.nanoseconds(limits.handshakeTimeoutMilliseconds) else {
        return nil
      }
      return fault(at: .handshakeTimeoutMilliseconds, .timeout, "no HELLO in time")
    }
    if egress.stalledSince != 0, now >= stallDue {
      return fault(at: .outputStallMilliseconds, .timeout, "output made no progress")
    }
    guard phase == .open else { return nil }
    if frameStartedAt != 0, now >= frameDue {
      return fault(
        at: .frameTimeoutMilliseconds, .timeout, "a frame was begun and not finished")
    }
    guard now >= keepaliveDue else { return nil }
    guard keepalive.pingSentAt == 0 else {
      return fault(at: .keepaliveTimeoutMilliseconds, .timeout, "no answer to a PING")
    }
    streams.releaseIfEmpty()
    // Where two are unanswered already, what is waited for is any byte.
    sendPing()
    keepalive.pingSentAt = now
    return nil
  }

  /// Calls whose time is up, by their slots.
  struct Expired {
    /// The deadline has passed.
    var deadlines: [Int] = []
    /// A message does not come fast enough.
    var stuck: [Int] = []
    /// The peer takes nothing of what is queued for it.
    var unread: [Int] = []
  }

  /// The calls whose time is up. Finds the next earliest deadline too.
  mutating func expiredSlots(now: UInt64) -> Expired {
    var expired = Expired()
    guard earliestDeadline != 0, now >= earliestDeadline else { return expired }
    var next = UInt64.max
    for slot in 0..<streams.slotEnd where streams.isOccupied(slot) {
      if let due = unreadDue(slot) {
        guard now < due else {
          expired.unread.append(slot)
          continue
        }
        next = min(next, due)
      }
      guard streams[slot].phase.isActive else { continue }
      let deadline = streams[slot].deadline
      if deadline != 0, now >= deadline {
        expired.deadlines.append(slot)
        continue
      }
      if deadline != 0 { next = min(next, deadline) }
      // Whole or not: what waits for its END is kept as well.
      guard streams[slot].reassembly != nil else { continue }
      let due = reassemblyDue(slot)
      if now >= due { expired.stuck.append(slot) } else { next = min(next, due) }
    }
    earliestDeadline = next == .max ? 0 : next
    return expired
  }

  /// When a call ends whose queued messages wait for credit; nil: none do.
  private func unreadDue(_ slot: Int) -> UInt64? {
    guard !streams[slot].outbound.isEmpty else { return nil }
    let since = [streams[slot].blockedSince, blockedSince].filter { $0 != 0 }.min()
    return since.map { $0 &+ Self.nanoseconds(limits.unreadTimeoutMilliseconds) }
  }

  /// Notes that messages wait for credit, of the stream or of the connection; a client waits for
  /// its server as long as its deadline allows.
  mutating func noteBlocked(_ slot: Int, byConnection: Bool) {
    guard role == .server else { return }
    if byConnection {
      if blockedSince == 0 { blockedSince = turnTime }
    } else if streams[slot].blockedSince == 0 {
      streams[slot].blockedSince = turnTime
    }
    if let due = unreadDue(slot) { noteDeadline(due) }
  }
}
