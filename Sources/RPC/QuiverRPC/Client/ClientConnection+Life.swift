import QuiverWire

extension ClientConnection {
  /// Time has passed: expires calls, pings, gives up. Deliver the outcomes afterwards.
  package mutating func timerFired(now: UInt64) {
    if core.phase == .closing {
      if (core.closeBy != 0 && now >= core.closeBy) || core.lifeFault(now: now) != nil {
        core.phase = .closed
      }
      return
    }
    if let fault = core.lifeFault(now: now) {
      fail(fault)
      return
    }
    guard core.earliestDeadline != 0, now >= core.earliestDeadline else { return }
    let expired = core.expiredSlots(now: now)
    for slot in expired.deadlines {
      guard let call = core.streams[slot].owner as? ClientCall else { continue }
      complete(call, Self.expired(wasWritten: true))
      giveUp(slot, code: .deadlineExceeded)
    }
    for slot in expired.stuck {
      guard let call = core.streams[slot].owner as? ClientCall else { continue }
      complete(
        call,
        RPCError(.resourceExhausted, "the rest of a reply did not come in time", origin: .client))
      giveUp(slot, code: .resourceExhausted)
    }
    for call in waiting[waitingHead...] where !call.isOver && call.deadlineNanoseconds != 0 {
      if now >= call.deadlineNanoseconds {
        complete(call, Self.expired(wasWritten: false))
      } else {
        core.noteDeadline(call.deadlineNanoseconds)
      }
    }
  }

  /// The end of a turn: notes the input and frames what may go.
  package mutating func endTurn(now: UInt64, gotInput: Bool) {
    if gotInput { core.noteInputTurn(now: now) }
    if completed != nil { completed = nil }
    if repliedCall != nil { repliedCall = nil }
    pump(now: now)
    // A drained connection without calls closes.
    if goAway != nil || isShutDown, core.phase == .open, core.streams.isEmpty {
      core.phase = .closing
    }
  }

  /// The transport wrote some of the output.
  package mutating func wrote(_ byteCount: Int, now: UInt64) {
    writtenByteCount &+= UInt64(byteCount)
    core.wrote(byteCount, now: now)
    endTurn(now: now, gotInput: false)
  }

  /// Ends the connection with an error: a GOAWAY, then flush and close; every call fails.
  package mutating func fail(_ fault: ConnectionFault) {
    guard core.phase < .closing else { return }
    var message = GoAwayMessage()
    message.code = fault.code.rawValue
    message.reason = fault.reason
    core.appendControl(.goAway, stream: 0, message)
    core.fault = fault
    failAll()
    core.phase = .closing
  }

  /// Says that no more calls come, and closes once the open ones have ended.
  package mutating func shutDown() {
    guard core.phase <= .open, !isShutDown else { return }
    var message = GoAwayMessage()
    message.reason = "the client is done"
    core.appendControl(.goAway, stream: 0, message)
    isShutDown = true
    failWaiting()
    if core.streams.isEmpty { core.phase = .closing }
  }

  /// The server is gone: every call fails with whether it may have been processed.
  package mutating func peerClosed(_ reason: String) {
    lostReason = reason
    failAll()
    core.phase = .closed
  }

  mutating func failWaiting() {
    for call in waiting[waitingHead...] {
      complete(call, Self.notTaken)
    }
    waiting = []
    waitingHead = 0
  }

  /// Fails every call for what ended the connection.
  mutating func failAll() {
    let error = endError
    for call in waiting[waitingHead...] {
      var error = error
      error.isNotProcessed = true
      complete(call, error)
    }
    waiting = []
    waitingHead = 0
    for slot in 0..<core.streams.slotEnd where core.streams.isOccupied(slot) {
      guard let call = core.streams[slot].owner as? ClientCall else { continue }
      var error = error
      let last = goAway?.lastStreamID ?? Limits.largestStreamID
      error.isNotProcessed =
        call.outputStart >= writtenByteCount || core.streams[slot].id > last || isOtherPeer
      complete(call, error)
      core.dropOutbound(slot)
      core.dropReassembly(slot)
      core.streams.remove(slot: slot)
    }
  }

  /// Whether the peer is no server of this version, which therefore has processed nothing, or one
  /// of another protocol that says so.
  var isOtherPeer: Bool {
    otherVersion != nil || speaksOtherProtocol
      || goAway?.code == ConnectionErrorCode.protocolError.rawValue && goAway?.lastStreamID == 0
  }

  /// Why calls are not taken.
  var refusal: RPCError {
    guard core.phase >= .closing, !endedByDrain else { return Self.notTaken }
    var error = endError
    error.isNotProcessed = true
    return error
  }

  private var endedByDrain: Bool {
    goAway?.code == ConnectionErrorCode.noError.rawValue && core.fault == nil
  }

  /// Why calls fail when the connection ends.
  private var endError: RPCError {
    if let (lowest, highest) = otherVersion {
      let versions = lowest < highest ? "versions \(lowest) to \(highest)" : "version \(highest)"
      return RPCError(
        .unavailable,
        "the server speaks \(versions) of the protocol, and this client version"
          + " \(Preface.majorVersion)",
        origin: .connection)
    }
    if let goAway, goAway.code != ConnectionErrorCode.noError.rawValue {
      let code = ConnectionErrorCode(rawValue: goAway.code)
      return RPCError(
        code == .unauthenticated ? .unauthenticated : .unavailable,
        "the server ended the connection with \(code.name): \(goAway.reason)",
        origin: .connection)
    }
    if let fault = core.fault {
      return RPCError(
        .unavailable, "the connection ended with \(fault.code.name): \(fault.reason)",
        origin: .connection)
    }
    return RPCError(
      lostCode, lostReason.isEmpty ? "the connection was lost" : lostReason,
      origin: .connection)
  }
}
