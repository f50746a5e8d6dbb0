import QuiverProtobuf
import QuiverWire

extension ServerConnection {
  /// Any frame but REQUEST.
  mutating func receiveOther(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    switch header.type {
    case .data: return try receiveData(header, payload, now: now)
    case .close: return try receiveClose(header, now: now)
    case .cancel: return try receiveCancel(header, payload, now: now)
    case .credit:
      if header.stream != 0 { try checkSeen(header.stream) }
      try core.receiveCredit(header, payload)
    case .ping: try receivePing(header, payload, now: now)
    case .goAway:
      guard header.stream == 0 else {
        throw ConnectionFault(.protocolError, "GOAWAY belongs to no stream")
      }
      guard let message = try? GoAwayMessage(serializedBytes: Array(payload)) else {
        throw ConnectionFault(.protocolError, "a GOAWAY that does not decode")
      }
      guard message.lastStreamID <= clientLast else {
        throw ConnectionFault(.protocolError, "GOAWAY's last stream may not rise")
      }
      clientLast = message.lastStreamID
    case nil: break
    case .hello, .request, .headers, .response, .status:
      throw ConnectionFault(.protocolError, "a frame out of place")
    }
    return nil
  }

  /// A stream that frames name must have been opened once.
  private func checkSeen(_ stream: UInt32) throws(ConnectionFault) {
    guard stream & 1 == 1, stream <= core.highestStreamID else {
      throw ConnectionFault(.protocolError, "a frame on a stream that was never opened")
    }
  }

  /// The stream of a call whose outcome the client may not have seen; nil if it is over.
  private func openSlot(_ stream: UInt32) -> Int? {
    guard let slot = core.streams.slot(of: stream) else { return nil }
    return core.streams[slot].phase.isOver ? nil : slot
  }

  private mutating func receiveData(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    try checkSeen(header.stream)
    try core.charge(payload.count)
    if header.flags.contains(.more), payload.count < Limits.smallestPart {
      throw ConnectionFault(.protocolError, "a part of a message under 1024 bytes")
    }
    guard let slot = openSlot(header.stream) else { return nil }
    guard !core.streams[slot].flags.contains(.requestEnded) else {
      throw ConnectionFault(.protocolError, "DATA after the end of the request")
    }
    try core.charge(slot: slot, payload.count)
    guard core.streams[slot].phase != .failing else { return nil }
    return try receivePart(slot, header, payload, now: now)
  }

  /// The first frame of a streaming call, once its handler has been started.
  mutating func receiveFirst(now: UInt64) throws(ConnectionFault) -> ServerEvent? {
    guard let (stream, header, bytes) = pendingFirst else { return nil }
    pendingFirst = nil
    guard let slot = openSlot(stream), core.streams[slot].phase != .failing else {
      return nil
    }
    let kept = Reassembly()
    bytes.withUnsafeBytes { kept.bytes.append($0) }
    firstFrame = kept
    return try receivePart(slot, header, kept.bytes.bytes, now: now)
  }

  /// A message, or a part of one, on an open stream; its frame is charged.
  mutating func receivePart(
    _ slot: Int, _ header: FrameHeader, _ bytes: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    let route = Int(truncatingIfNeeded: core.streams[slot].tag)
    let takesOne = router.takesOneMessage(route)
    let flags = core.streams[slot].flags
    if takesOne, flags.contains(.messageSeen), !flags.contains(.inMessage) {
      try end(
        slot,
        with: RPCError(
          .unimplemented, "this method takes one message, not more", isNotProcessed: true), now: now
      )
      return nil
    }
    guard !flags.contains(.inMessage) || !header.flags.contains(.compressed) else {
      throw ConnectionFault(.protocolError, "COMPRESSED inside a message")
    }
    core.streams[slot].flags.insert(.messageSeen)
    let part: ConnectionCore.Part
    do throws(RPCError) {
      // What waits for its END is kept whether or not it is whole.
      let waits = takesOne && !header.flags.contains(.end)
      part = try core.receivePart(
        slot: slot, bytes, isCompressed: header.flags.contains(.compressed),
        goesOn: header.flags.contains(.more) || waits, now: now)
      if waits, !header.flags.contains(.more) { core.streams[slot].flags.remove(.inMessage) }
    } catch {
      try end(slot, with: error, now: now)
      return nil
    }
    if header.flags.contains(.end) { core.streams[slot].flags.insert(.requestEnded) }
    switch part {
    case .incomplete: return nil
    case .inPlace: message = bytes
    case .assembled(let reassembly):
      completed = reassembly
      message = reassembly.bytes.bytes
    }
    guard !takesOne else { return try startWaiting(slot, now: now) }
    do throws(RPCError) {
      try core.checkRoom(for: message.count)
    } catch {
      try end(slot, with: error, now: now)
      return nil
    }
    return deliver(slot, header.flags.contains(.end))
  }

  /// Hands a message of a streaming call over; the end of the request side follows it.
  private mutating func deliver(_ slot: Int, _ ends: Bool) -> ServerEvent {
    messageCharge = core.streams[slot].reassemblyCharge
    let byteCount = Self.untakenBytes(of: message.count, charge: messageCharge)
    core.streams[slot].untakenBytes += byteCount
    core.untakenBytes += byteCount
    core.streams[slot].reassemblyCharge = 0
    core.streams[slot].waitingMessages += 1
    if ends { pendingEnd = core.streams[slot].id }
    return .message(stream: core.streams[slot].id)
  }

  /// What a message weighs until it is taken: it may be larger than its frames were, or smaller.
  static func untakenBytes(of byteCount: Int, charge: UInt64) -> Int {
    max(byteCount, Int(clamping: charge))
  }

  /// Starts a call that takes one message, now that its request side has ended.
  private mutating func startWaiting(
    _ slot: Int, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    let deadline = core.streams[slot].deadline
    guard deadline == 0 || now < deadline else {
      try end(slot, with: Self.expired(isNotProcessed: true), now: now)
      return nil
    }
    takeReassemblyCharge(slot)
    call.stream = core.streams[slot].id
    call.route = Int(truncatingIfNeeded: core.streams[slot].tag)
    call.deadlineNanoseconds = deadline
    // Taken by exchange: read out of the table in one expression with its default, the compiler of
    // 6.3.1 releases the table's copy before it has read the head.
    var head: RequestHead?
    swap(&head, &core.streams[slot].head)
    call.head = head ?? RequestHead()
    call.message = message
    call.isOpen = true
    core.streams[slot].phase.apply(.handlerStarted)
    core.streams[slot].flags.insert(.requestEnded)
    return .call
  }

  private mutating func receiveClose(
    _ header: FrameHeader, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    try checkSeen(header.stream)
    guard let slot = openSlot(header.stream) else { return nil }
    let flags = core.streams[slot].flags
    guard !flags.contains(.requestEnded) else {
      throw ConnectionFault(.protocolError, "CLOSE after the end of the request")
    }
    guard !flags.contains(.inMessage) else {
      throw ConnectionFault(.protocolError, "CLOSE inside a message")
    }
    core.streams[slot].flags.insert(.requestEnded)
    guard core.streams[slot].phase != .failing else { return nil }
    guard router.takesOneMessage(Int(truncatingIfNeeded: core.streams[slot].tag)) else {
      return .requestEnded(stream: header.stream)
    }
    guard flags.contains(.messageSeen) else {
      try end(
        slot, with: RPCError(.unimplemented, "this method takes one message", isNotProcessed: true),
        now: now)
      return nil
    }
    do throws(RPCError) {
      let whole = try core.assembled(slot)
      completed = whole
      message = whole.bytes.bytes
    } catch {
      try end(slot, with: error, now: now)
      return nil
    }
    return try startWaiting(slot, now: now)
  }

  private mutating func receiveCancel(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    try checkSeen(header.stream)
    guard (try? CancelMessage(serializedBytes: Array(payload))) != nil else {
      throw ConnectionFault(.protocolError, "a CANCEL that does not decode")
    }
    guard let slot = core.streams.slot(of: header.stream) else { return nil }
    // What is answered is open until the answer is out.
    let isAnswered = core.streams[slot].phase.isOver
    guard !isAnswered || !core.streams[slot].outbound.isEmpty else { return nil }
    // A CANCEL close to the call's deadline is what a deadline does, and is free.
    let deadline = core.streams[slot].deadline
    let isLate = deadline != 0 && now &+ core.streams[slot].tenthOfTimeout >= deadline
    if !isLate {
      guard resets.spend(at: now) else {
        throw core.fault(at: .resetBudget, .enhanceYourCalm, "too many calls were cancelled")
      }
    }
    core.dropOutbound(slot)
    core.dropReassembly(slot)
    let before = core.streams[slot].phase
    if before.isActive { countEnd(of: slot, .cancelled) }
    core.streams[slot].phase.apply(.cancelled)
    core.forgetIfOver(slot)
    // The handler of a call that has failed was cancelled already.
    return before == .running ? .cancelled(stream: header.stream) : nil
  }

  private mutating func receivePing(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) {
    if !header.flags.contains(.end) {
      let floor = UInt64(core.limits.pingFloorMilliseconds) * 1_000_000
      let isEarly =
        (lastPing != 0 && now &- lastPing < floor) || core.egress.hasTwoPingAnswers
      lastPing = now
      if isEarly, !pings.spend(at: now) {
        throw core.fault(
          at: .pingBudget, .enhanceYourCalm, "more PINGs than ping_floor_ms allows")
      }
    }
    try core.receivePing(header, payload, now: now)
  }

  static func expired(isNotProcessed: Bool) -> RPCError {
    RPCError(
      .deadlineExceeded,
      isNotProcessed
        ? "the call's deadline passed before its handler could start"
        : "the call's deadline passed while its handler ran",
      isNotProcessed: isNotProcessed)
  }
}
