package import QuiverProtobuf
import QuiverWire

extension ServerConnection {
  /// Room for a reply of up to `byteCount` bytes, which the caller writes; then ``commitReply``.
  @inline(__always)
  package mutating func beginReply(_ byteCount: Int) -> UnsafeMutableRawPointer {
    core.room(byteCount)
  }

  /// The same for a reply that is encoded already; answers false where it would have to be copied
  /// all the same.
  package mutating func adoptReply(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > core.wholeReplyBytes else { return false }
    core.useOwnRoom(bytes)
    return true
  }

  /// Ends a unary call with the `byteCount` bytes in the buffer of ``beginReply``.
  ///
  /// The handler has returned: its slot is free again.
  package mutating func commitReply(stream: UInt32, _ byteCount: Int) {
    guard core.streams.isEmpty, core.phase == .open, core.ready.isEmpty,
      byteCount <= core.plainReplyBytes, core.window.maySend(byteCount)
    else { return commitReplySlowly(stream: stream, byteCount) }
    core.window.send(byteCount)
    frameReply(stream, byteCount)
    core.metrics?.answeredAtOnce()
  }

  @inline(__always)
  private mutating func frameReply(_ stream: UInt32, _ byteCount: Int) {
    let room = core.egress.output.reserve(FrameHeader.byteCount &+ byteCount)
    FrameHeader(payloadByteCount: byteCount, type: .response, flags: .none, stream: stream)
      .write(to: room)
    core.egress.output.commit(FrameHeader.byteCount &+ byteCount)
  }

  private mutating func commitReplySlowly(stream: UInt32, _ byteCount: Int) {
    let own = core.takeOwnRoom(byteCount)
    let slot = core.streams.slot(of: stream)
    if let slot {
      guard handlerReturned(slot) else { return }
    }
    guard core.phase == .open else { return }
    guard byteCount <= core.peer.maxMessageBytes else {
      return failAnswer(stream, slot, replyTooLarge(byteCount))
    }
    if let slot, core.streams[slot].flags.contains(.statesPosition) {
      let packed = compressedReply(own, byteCount)
      return queueReply(
        packed ?? own ?? bytesBehindOutput(byteCount), isCompressed: packed != nil,
        trailing: stating(slot), slot)
    }
    if let packed = compressedReply(own, byteCount) {
      return queueReply(packed, isCompressed: true, stream, slot)
    }
    let room = min(
      core.peer.maxFrameBytes, core.window.sendRoom,
      slot.map { core.streams[$0].window.sendRoom } ?? initialRoom)
    if own == nil, core.ready.isEmpty, byteCount <= room {
      countReply(slot)
      core.window.send(byteCount)
      frameReply(stream, byteCount)
      if let slot { core.forget(slot) }
      return
    }
    queueReply(own ?? bytesBehindOutput(byteCount), isCompressed: false, stream, slot)
  }

  /// Not all of a message may go now: it moves from the output's end to its stream's queue.
  private mutating func bytesBehindOutput(_ byteCount: Int) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: core.roomBehindOutput(byteCount), count: byteCount))
  }

  /// Queues the reply of a call that has a slot, or was answered at once and has none.
  private mutating func queueReply(
    _ bytes: [UInt8], isCompressed: Bool, _ stream: UInt32, _ open: Int?
  ) {
    let slot = open ?? insertAnswered(stream)
    guard core.hasRoomToQueue(bytes.count) else {
      noteFailure(core.streams[slot].id, Self.noRoomForReply)
      countFailure(open, Self.noRoomForReply)
      core.refusals.isDue = true
      return finish(slot, Self.noRoomForReply)
    }
    countReply(open)
    core.streams[slot].phase.apply(.answered)
    core.enqueue(
      .message(bytes, type: .response, sent: 0, endsRequest: false, isCompressed: isCompressed),
      slot: slot)
  }

  /// Queues the reply of an open call with trailing metadata: as DATA and STATUS.
  private mutating func queueReply(
    _ bytes: [UInt8], isCompressed: Bool, trailing: Metadata, _ slot: Int
  ) {
    guard core.hasRoomToQueue(bytes.count) else {
      noteFailure(core.streams[slot].id, Self.noRoomForReply)
      countFailure(slot, Self.noRoomForReply)
      core.refusals.isDue = true
      return finish(slot, Self.noRoomForReply)
    }
    countReply(slot)
    core.streams[slot].phase.apply(.answered)
    core.enqueue(
      .message(bytes, type: .data, sent: 0, endsRequest: false, isCompressed: isCompressed),
      slot: slot)
    var status = StatusMessage()
    status.metadata = StatusCoder.entries(trailing)
    core.enqueue(.status(status.serializedBytes()), slot: slot)
  }

  /// The trailing metadata with the position of the store, where the replies of the method state
  /// it.
  private func stating(_ slot: Int, _ trailing: Metadata = Metadata()) -> Metadata {
    guard core.streams[slot].flags.contains(.statesPosition), let positions = router.positions,
      trailing.entries.allSatisfy({ $0.key != StorePosition.key })
    else { return trailing }
    var stating = trailing
    stating.append(StorePosition.key, positions.stated.bytes)
    return stating.fault() == nil ? stating : trailing
  }

  /// The message of `byteCount` bytes in the buffer of ``beginReply``, compressed;
  /// nil: it goes as it is.
  private mutating func compressedReply(_ own: [UInt8]?, _ byteCount: Int) -> [UInt8]? {
    guard byteCount >= core.compressionThreshold else { return nil }
    if let own { return own.withUnsafeBytes { core.compressed($0) } }
    let room = core.roomBehindOutput(byteCount)
    return core.compressed(UnsafeRawBufferPointer(start: room, count: byteCount))
  }

  private static let noRoomForReply = RPCError(
    .resourceExhausted, "too many replies wait to be read by this caller")

  /// Ends a call whose reply the client does not read: the client has given no credit for too long.
  mutating func dropUnread(_ slot: Int) {
    let error = core.exhausted(
      .unreadTimeoutMilliseconds, "the reply was not read in time", isNotProcessed: false)
    guard core.streams[slot].phase == .ended else { return abortCall(slot, error) }
    core.dropOutbound(slot)
    core.enqueue(.status(StatusCoder.encode(error)), slot: slot)
  }

  private func replyTooLarge(_ byteCount: Int) -> RPCError {
    RPCError(
      .resourceExhausted,
      "the reply has \(byteCount) bytes, the caller takes \(core.peer.maxMessageBytes)")
  }

  private var initialRoom: Int { Int(clamping: core.peer.streamCredit) - Limits.frameCharge }

  private mutating func insertAnswered(_ stream: UInt32) -> Int {
    core.streams.insert(
      StreamState(
        id: stream, tag: 0, receiveWindow: core.own.streamCredit,
        sendAllowance: core.peer.streamCredit))
  }

  /// Ends a call with a status other than OK; its handler has returned.
  package mutating func failReply(_ stream: UInt32, _ error: RPCError) {
    var error = error
    // The code of an error can be set after it was made, and a status of OK would be no failure.
    if error.code == .ok { error.code = .unknown }
    let slot = core.streams.slot(of: stream)
    guard let slot else { return failAnswer(stream, nil, error) }
    noteFailure(stream, error)
    guard handlerReturned(slot) else { return }
    countFailure(slot, error)
    finish(slot, error)
  }

  /// The same once the handler of the call is known to have returned; nil: it has no slot.
  private mutating func failAnswer(_ stream: UInt32, _ slot: Int?, _ error: RPCError) {
    noteFailure(stream, error)
    countFailure(slot, error)
    if let slot { return finish(slot, error) }
    guard core.phase == .open else { return }
    core.appendFrame(.status, stream: stream, StatusCoder.encode(error))
    core.egress.queuedAnswers += 1
  }

  /// The handler of an open call has returned, and its slot is free; answers whether the answer
  /// that it brings still counts.
  private mutating func handlerReturned(_ slot: Int) -> Bool {
    let before = core.streams[slot].phase
    // What a handler does after its answer changes nothing.
    guard before.hasHandler else { return false }
    core.streams[slot].phase.apply(.handlerReturned)
    switch before {
    case .abandoned: core.forgetIfOver(slot)
    case .failing: finish(slot, status: core.streams[slot].failure)
    default: return true
    }
    return false
  }

  /// Ends an open call whose handler has not started, or has returned, with a status.
  private mutating func finish(_ slot: Int, _ error: RPCError) {
    var error = error
    if core.streams[slot].flags.contains(.replyBegun) { error.isNotProcessed = false }
    finish(slot, status: StatusCoder.encode(error))
  }

  private mutating func finish(_ slot: Int, status: [UInt8]) {
    core.dropOutbound(slot)
    core.dropReassembly(slot)
    core.streams[slot].phase.apply(.answered)
    guard core.phase == .open else { return core.forgetIfOver(slot) }
    core.enqueue(.status(status), slot: slot)
  }

  /// Ends an open call for a fault of the peer's, or for want of room.
  mutating func end(
    _ slot: Int, with error: RPCError, now: UInt64
  ) throws(ConnectionFault) {
    try count(error, now: now)
    if error.code == .resourceExhausted { core.refusals.note(at: now) }
    abortCall(slot, error)
  }

  /// Notes that a call was refused for want of room: from some number on the connection is not
  /// read for a while.
  mutating func noteRefusal(now: UInt64) { core.refusals.note(at: now) }

  /// Ends an open call: now if no handler runs, else that is cancelled and the status goes out when
  /// it has returned, so that who counts ends is never refused.
  mutating func abortCall(_ slot: Int, _ error: RPCError) {
    guard core.streams[slot].phase != .open else {
      countFailure(slot, error)
      return finish(slot, error)
    }
    guard core.streams[slot].phase == .running else { return }
    var error = error
    // The handler of a call that is held has not started.
    if !(core.streams[slot].owner is HeldCall) { error.isNotProcessed = false }
    countFailure(slot, error)
    noteFailure(core.streams[slot].id, error)
    core.dropOutbound(slot)
    core.dropReassembly(slot)
    core.streams[slot].failure = StatusCoder.encode(error)
    core.streams[slot].phase.apply(.failed)
    cancelled.append(core.streams[slot].id)
  }

  /// Keeps the first failure of a call, whose handler was started, for its interceptors.
  mutating func noteFailure(_ stream: UInt32, _ error: RPCError) {
    guard keepsFailures, failures[stream] == nil else { return }
    failures[stream] = error
  }

  /// Counts a stream error that the peer provoked.
  mutating func count(_ error: RPCError, now: UInt64) throws(ConnectionFault) {
    guard error.code == .invalidArgument || error.code == .unimplemented else { return }
    guard resets.spend(at: now) else {
      throw core.fault(
        at: .resetBudget, .enhanceYourCalm, "too many calls that cannot be answered")
    }
  }

  /// Takes the current call into the stream table: its handler has started and not yet answered.
  package mutating func openCurrentCall(owner: AnyObject?) {
    let slot: Int
    if call.isOpen, let open = core.streams.slot(of: call.stream) {
      slot = open
    } else {
      guard !call.isOpen, core.phase == .open else { return }
      slot = insertCall()
    }
    if core.streams[slot].phase == .open { core.streams[slot].phase.apply(.handlerStarted) }
    if router.takesOneMessage(call.route) { core.streams[slot].flags.insert(.requestEnded) }
    core.streams[slot].owner = owner
    // Nothing of a reply is sent before its caller is known.
    if !router.isUnary(call.route), !(owner is HeldCall) { pendingHeaders.append(call.stream) }
  }

  /// Sends HEADERS for streaming calls whose handlers started in this turn, unless something else
  /// of the reply was sent.
  mutating func sendPendingHeaders() {
    for stream in pendingHeaders { sendHeaders(stream: stream, Metadata()) }
    pendingHeaders.removeAll(keepingCapacity: pendingHeaders.count <= 64)
  }

  /// A message of an open streaming call did not decode: it ends INVALID_ARGUMENT, and that is
  /// counted as provoked.
  package mutating func refuseMessage(stream: UInt32, _ error: RPCError, now: UInt64) {
    guard let slot = openForReply(stream) else { return }
    do throws(ConnectionFault) {
      try end(slot, with: error, now: now)
    } catch {
      fail(error)
    }
  }

  /// The object to notify when the call on `stream` is cancelled.
  package func owner(of stream: UInt32) -> AnyObject? {
    core.streams.slot(of: stream).flatMap { core.streams[$0].owner }
  }

  /// Queues initial metadata; it goes first, and once.
  package mutating func sendHeaders(stream: UInt32, _ metadata: Metadata) {
    guard let slot = openForReply(stream), !core.streams[slot].flags.contains(.replyBegun) else {
      return
    }
    if let fault = metadata.fault() { return abortCall(slot, fault) }
    core.streams[slot].flags.insert(.replyBegun)
    var head = ResponseHead()
    head.metadata = StatusCoder.entries(metadata)
    core.enqueue(.headers(head.serializedBytes()), slot: slot)
  }

  private mutating func queueMessage(_ bytes: [UInt8], isCompressed: Bool, on slot: Int)
    -> SendResult
  {
    guard core.hasRoomToQueue(bytes.count) else {
      core.refusals.isDue = true
      abortCall(slot, Self.noRoomForReply)
      return .over
    }
    core.enqueue(
      .message(bytes, type: .data, sent: 0, endsRequest: false, isCompressed: isCompressed),
      slot: slot)
    return core.hasRoom(slot) ? .room : .full
  }

  /// Sends the message of `byteCount` bytes in the buffer of ``beginReply``.
  package mutating func commitMessage(stream: UInt32, _ byteCount: Int) -> SendResult {
    let own = core.takeOwnRoom(byteCount)
    guard let slot = slotForMessage(stream, byteCount) else { return .over }
    if let packed = compressedReply(own, byteCount) {
      return queueMessage(packed, isCompressed: true, on: slot)
    }
    if own == nil, core.frameInPlace(slot: slot, byteCount) {
      return core.hasRoom(slot) ? .room : .full
    }
    return queueMessage(own ?? bytesBehindOutput(byteCount), isCompressed: false, on: slot)
  }

  /// Whether a message should be queued on the stream now; if not, it is listed once it should.
  package mutating func hasRoom(stream: UInt32) -> Bool {
    openForReply(stream).map { core.hasRoom($0) } ?? false
  }

  /// From now on the stream has room when the client's application has taken all that was sent.
  package mutating func sendOneStateAhead(stream: UInt32) {
    guard let slot = openForReply(stream) else { return }
    core.streams[slot].flags.insert(.oneStateAhead)
  }

  /// The open stream that a message of a streaming reply goes out on; nil if the call is over, or
  /// ends because the caller does not take a message of that size.
  private mutating func slotForMessage(_ stream: UInt32, _ byteCount: Int) -> Int? {
    guard let slot = openForReply(stream) else { return nil }
    guard byteCount <= core.peer.maxMessageBytes else {
      abortCall(slot, replyTooLarge(byteCount))
      return nil
    }
    core.streams[slot].flags.insert(.replyBegun)
    return slot
  }

  /// Ends a streaming reply with OK and trailing metadata; its handler has returned.
  package mutating func finishStream(stream: UInt32, trailing: Metadata) {
    guard let slot = core.streams.slot(of: stream) else { return }
    guard handlerReturned(slot) else { return }
    if let fault = trailing.fault() {
      let error = RPCError(fault.code, "trailing " + fault.message)
      countFailure(slot, error)
      return finish(slot, error)
    }
    countReply(slot)
    core.streams[slot].phase.apply(.answered)
    guard core.phase == .open else { return core.forgetIfOver(slot) }
    var status = StatusMessage()
    status.metadata = StatusCoder.entries(stating(slot, trailing))
    core.enqueue(.status(status.serializedBytes()), slot: slot)
  }

  private func openForReply(_ stream: UInt32) -> Int? {
    guard core.phase == .open, let slot = core.streams.slot(of: stream),
      core.streams[slot].phase.isActive
    else { return nil }
    return slot
  }

  /// The application has taken a message of a streaming call, of so many bytes.
  package mutating func took(stream: UInt32, charge: UInt64, byteCount: Int) {
    guard let slot = core.streams.slot(of: stream) else { return }
    core.streams[slot].waitingMessages -= 1
    if core.streams[slot].waitingMessages == 0, let partial = core.streams[slot].reassembly {
      core.streams[slot].measuredFrom = (core.turnTime, partial.bytes.count)
    }
    let taken = Self.untakenBytes(of: byteCount, charge: charge)
    core.streams[slot].untakenBytes -= taken
    core.untakenBytes -= taken
    core.returnCredit(slot: slot, charge)
  }
}

extension ServerConnection {
  /// The message of a call did not scan or decode: INVALID_ARGUMENT, and counted as provoked.
  package mutating func refuseMessage(stream: UInt32, _ error: DecodeError, now: UInt64) {
    let status = RPCError(.invalidArgument, "the request: \(error)", isNotProcessed: true)
    do throws(ConnectionFault) {
      try count(status, now: now)
      failReply(stream, status)
    } catch {
      fail(error)
    }
  }
}
