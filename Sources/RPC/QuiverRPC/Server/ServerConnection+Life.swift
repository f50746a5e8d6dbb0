import QuiverWire

extension ServerConnection {
  /// Time has passed: expires calls, pings, drains, gives up. Ask for events and output afterwards.
  package mutating func timerFired(now: UInt64) {
    core.refusals.resume(at: now)
    if core.phase == .closing {
      if (core.closeBy != 0 && now >= core.closeBy) || core.lifeFault(now: now) != nil {
        core.phase = .closed
      }
      return
    }
    if let fault = core.lifeFault(now: now) {
      // A handshake that is late is not answered.
      guard core.phase == .open else {
        core.phase = .closed
        return
      }
      return fail(fault)
    }
    guard core.phase == .open else { return }
    let expired = core.expiredSlots(now: now)
    for slot in expired.deadlines {
      let isRunning =
        core.streams[slot].phase == .running && !(core.streams[slot].owner is HeldCall)
      abortCall(slot, Self.expired(isNotProcessed: !isRunning))
    }
    for slot in expired.unread { dropUnread(slot) }
    for slot in expired.stuck {
      abortCall(
        slot,
        core.exhausted(
          .reassemblyTimeoutMilliseconds, "the rest of a message did not come in time"))
    }
    if let reason = retirement(now: now) { startDrain(now: now, reason) }
    advanceDrain(now: now)
  }

  /// Why the connection is to be drained for its age or its idleness; nil: it stays.
  private func retirement(now: UInt64) -> StaticString? {
    guard core.retireDue(now: now) else { return nil }
    let isAged = core.isAged(now: now)
    core.metrics?.reached(isAged ? .connectionAgeMilliseconds : .connectionIdleMilliseconds)
    return isAged
      ? "the connection is as old as it may get" : "the connection had no call for too long"
  }

  /// Begins to drain: the client opens no more calls, those that are open finish until
  /// `drainMilliseconds`.
  package mutating func startDrain(
    now: UInt64, _ reason: StaticString = "the server is draining"
  ) {
    guard core.phase == .open else {
      // No call was received: the GOAWAY states that none was accepted.
      return fail(ConnectionFault(.noError, "the server is draining"))
    }
    guard core.drain == .none else { return }
    drainReason = reason
    sendGoAway(last: Limits.largestStreamID)
    let number = core.sendPing()
    core.drain = .announced(
      until: now &+ ConnectionCore.nanoseconds(core.limits.drainRoundTripMilliseconds),
      pingNumber: number)
  }

  private mutating func sendGoAway(last: UInt32) {
    var message = GoAwayMessage()
    message.code = ConnectionErrorCode.noError.rawValue
    message.reason = drainReason.description
    message.lastStreamID = last
    message.drainMilliseconds = UInt32(clamping: core.limits.drainMilliseconds)
    core.appendControl(.goAway, stream: 0, message)
  }

  /// Takes the drain's next step if it is due; call it at the end of each turn.
  package mutating func advanceDrain(now: UInt64) {
    guard core.phase == .open else { return }
    if case .announced(let until, _) = core.drain, now >= until {
      sendGoAway(last: core.highestStreamID)
      core.drain = .final(
        last: core.highestStreamID,
        until: now &+ ConnectionCore.nanoseconds(core.limits.drainMilliseconds))
    }
    guard case .final(_, let until) = core.drain else { return }
    if now >= until { cancelOpenCalls() }
    if core.streams.isEmpty {
      core.phase = .closing
    }
  }

  private mutating func cancelOpenCalls() {
    var message = CancelMessage()
    message.code = StatusCode.unavailable.rawValue
    message.reason = "the server stops"
    for slot in 0..<core.streams.slotEnd where core.streams.isOccupied(slot) {
      core.metrics?.reached(.drainMilliseconds)
      // A call that the client cancelled gets no further frame.
      let isOver = core.streams[slot].phase.isOver && core.streams[slot].outbound.isEmpty
      if !isOver { core.appendControl(.cancel, stream: core.streams[slot].id, message) }
    }
    cancelAll()
    core.phase = .closing
  }

  /// The end of a turn: notes the input, takes due steps, frames what may go.
  package mutating func endTurn(now: UInt64, gotInput: Bool) {
    core.turnTime = now
    if gotInput { core.noteInputTurn(now: now) }
    core.noteCalls(now: now)
    // What came in parts has been handed over: an idle connection owns none of it.
    if completed != nil { completed = nil }
    if firstFrame != nil { firstFrame = nil }
    if core.drain.hasBegun { advanceDrain(now: now) }
    if !pendingHeaders.isEmpty { sendPendingHeaders() }
    if core.hasFramesToWrite { core.pump() }
    if core.refusals.isDue { core.refusals.note(at: now) }
    core.reportHeld()
  }

  /// The peer is gone: every handler is to be cancelled.
  package mutating func peerClosed() {
    cancelAll()
    core.phase = .closed
    core.releaseReportedBytes()
  }
}
