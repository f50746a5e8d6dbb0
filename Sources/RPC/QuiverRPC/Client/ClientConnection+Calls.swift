import QuiverProtobuf
import QuiverWire

extension ClientConnection {
  /// Takes a call on: it is written as soon as a stream, credit and room allow.
  package mutating func start(_ call: ClientCall, now: UInt64) {
    guard takesCalls else {
      return complete(call, refusal)
    }
    guard hasRoomToWait() else {
      return complete(call, .tooManyWaiting(core.limits.maxWaitingCalls))
    }
    if let fault = call.head.extras?.metadata.fault() {
      var fault = fault
      fault.origin = .client
      return complete(call, fault)
    }
    if call.deadlineNanoseconds != 0, now >= call.deadlineNanoseconds {
      return complete(call, Self.expired(wasWritten: false))
    }
    core.noteDeadline(call.deadlineNanoseconds)
    waiting.append(call)
  }

  /// Whether one more call may wait; those that were given up meanwhile make room.
  private mutating func hasRoomToWait() -> Bool {
    guard waiting.count - waitingHead >= core.limits.maxWaitingCalls else { return true }
    waiting.removeSubrange(..<waitingHead)
    waitingHead = 0
    waiting.removeAll(where: \.isOver)
    return waiting.count < core.limits.maxWaitingCalls
  }

  /// Frames what may go: CREDIT and open calls first, then the calls that wait.
  package mutating func pump(now: UInt64) {
    core.pump()
    // Before the server's HELLO, calls go out on what every server allows.
    guard takesCalls else { return }
    while hasWaiting, core.egress.output.count < core.limits.outputHighWater {
      let call = waiting[waitingHead]
      guard !call.isOver else {
        dropFirstWaiting()
        continue
      }
      guard core.streams.count < core.peer.maxConcurrentStreams else { return }
      guard write(call, now: now) else { return }
      dropFirstWaiting()
      // Ids have run out: another connection takes over.
      if core.highestStreamID >= Limits.largestStreamID { shutDown() }
    }
    core.pump()
  }

  private mutating func dropFirstWaiting() {
    waitingHead += 1
    if waitingHead == waiting.count {
      waiting.removeAll(keepingCapacity: waiting.count <= 256)
      waitingHead = 0
    } else if waitingHead >= 256, waitingHead * 2 >= waiting.count {
      waiting.removeSubrange(0..<waitingHead)
      waitingHead = 0
    }
  }

  /// Frames a call's REQUEST; answers false if it has to wait on.
  private mutating func write(_ call: ClientCall, now: UInt64) -> Bool {
    // What a request stream will carry is not known yet: it keeps to what the server has stated.
    if call.method.kind.clientStreams, serverHello == nil { return false }
    if call.message.count > core.peer.maxMessageBytes {
      guard serverHello != nil else { return false }
      complete(
        call,
        RPCError(
          .resourceExhausted,
          "the request has \(call.message.count) bytes,"
            + " the server takes \(core.peer.maxMessageBytes)",
          isNotProcessed: true, origin: .client))
      return true
    }
    if call.unopenedMessages.largestMessage > core.peer.maxMessageBytes {
      complete(
        call,
        RPCError(
          .resourceExhausted,
          "a message of the request has \(call.unopenedMessages.largestMessage) bytes,"
            + " the server takes \(core.peer.maxMessageBytes)",
          isNotProcessed: true, origin: .client))
      return true
    }
    compress(call)
    let headCount = call.encodeHead(to: &headScratch, now: now)
    defer { if headScratch.count > Self.largestHeadScratch { headScratch = [] } }
    let prefix = Varint.byteCount(of: UInt64(headCount)) + headCount
    let ceiling = Self.roomCeiling(core.peer)
    guard prefix <= ceiling else {
      guard serverHello != nil else { return false }
      complete(
        call,
        RPCError(
          .resourceExhausted, "the call's metadata does not fit in a frame of the server's",
          isNotProcessed: true, origin: .client))
      return true
    }
    let room = min(ceiling, core.window.sendRoom)
    let wanted = min(prefix + min(call.body.count, Limits.smallestPart), ceiling)
    guard room >= wanted else { return false }
    let part = min(call.body.count, room - prefix)
    open(call, headCount: headCount, prefix: prefix, part: part, now: now)
    return true
  }

  /// The most memory for encoded heads that is kept between calls.
  private static let largestHeadScratch = 512

  /// The most that the payload of a REQUEST can ever have.
  private static func roomCeiling(_ peer: Settings) -> Int {
    let credit = Int(clamping: min(peer.streamCredit, peer.connectionCredit))
    return min(peer.maxFrameBytes, credit - Limits.frameCharge)
  }

  private mutating func open(
    _ call: ClientCall, headCount: Int, prefix: Int, part: Int, now: UInt64
  ) {
    let id = core.highestStreamID == 0 ? 1 : core.highestStreamID + 2
    core.highestStreamID = id
    if core.streams.isEmpty { core.keepalive.quietSince = now }
    call.stream = id
    let body = call.body
    let isWhole = part == body.count
    let size = prefix + part
    let base = core.egress.output.reserve(FrameHeader.byteCount + size)
    var flags: FrameFlags = call.method.kind.clientStreams ? .none : isWhole ? .end : .more
    if call.compressedMessage != nil { flags.insert(.compressed) }
    FrameHeader(payloadByteCount: size, type: .request, flags: flags, stream: id).write(to: base)
    let start = base + FrameHeader.byteCount
    let lengthBytes = Varint.write(UInt64(headCount), to: start)
    UnsafeMutableRawBufferPointer(start: start + lengthBytes, count: headCount)
      .copyBytes(from: headScratch[..<headCount])
    UnsafeMutableRawBufferPointer(start: start + prefix, count: part)
      .copyBytes(from: body[..<part])
    core.egress.output.commit(FrameHeader.byteCount + size)
    call.outputStart =
      writtenByteCount &+ UInt64(core.egress.output.count - FrameHeader.byteCount - size)

    var stream = StreamState(
      id: id, tag: 0, receiveWindow: core.own.streamCredit, sendAllowance: core.peer.streamCredit)
    core.window.send(size)
    stream.window.send(size)
    stream.deadline = call.deadlineNanoseconds
    stream.owner = call
    if call.head.returnsCreditAtOnce { stream.flags.insert(.creditAtOnce) }
    let slot = core.streams.insert(stream)
    if call.method.kind.clientStreams {
      openRequestStream(call, slot)
    } else if isWhole {
      core.streams[slot].flags.insert(.requestEnded)
    } else {
      core.enqueue(
        .message(body, type: .data, sent: part, endsRequest: true), slot: slot)
    }
  }

  /// Compresses a call's one message, once, where the server takes that and it pays.
  private mutating func compress(_ call: ClientCall) {
    guard call.message.count >= core.compressionThreshold, !call.hasTriedCompression else { return }
    call.hasTriedCompression = true
    call.compressedMessage = call.message.withUnsafeBytes { core.compressed($0) }
  }

  /// Queues what a request stream has gathered while it waited.
  private mutating func openRequestStream(_ call: ClientCall, _ slot: Int) {
    // A sender that was told the queue is full waits for a notification, though less is queued now.
    if call.unopenedMessages.heldBytes >= core.limits.streamOutputBytes {
      core.streams[slot].flags.insert(.awaitsRoom)
    }
    call.unopenedMessages.compressMessages { message in
      message.withUnsafeBytes { core.compressed($0) }
    }
    core.queuedMessageBytes += call.unopenedMessages.unsentBytes
    core.streams[slot].outbound = call.unopenedMessages
    call.unopenedMessages = OutboundQueue()
    if call.hasEndedRequest { core.streams[slot].flags.insert(.requestEnded) }
    if !core.streams[slot].outbound.isEmpty { core.makeReady(slot) }
  }

  /// Sends a message of a request stream.
  package mutating func send(_ call: ClientCall, _ bytes: [UInt8]) -> SendResult {
    guard !call.isOver, !call.hasEndedRequest else { return .over }
    // Before the server's HELLO, what it takes is not known.
    let limit = serverHello == nil ? core.limits.maxMessageBytes : core.peer.maxMessageBytes
    guard bytes.count <= limit else {
      cancel(
        call,
        RPCError(
          .resourceExhausted,
          "a message of the request has \(bytes.count) bytes, the server takes \(limit)"))
      return .over
    }
    guard call.stream != 0 else {
      // As it is: on which connection the call is opened, and what that takes, is not known yet.
      call.unopenedMessages.append(.message(bytes, type: .data, sent: 0, endsRequest: false))
      return call.unopenedMessages.heldBytes < core.limits.streamOutputBytes ? .room : .full
    }
    guard let slot = core.streams.slot(of: call.stream) else { return .over }
    let packed = bytes.withUnsafeBytes { core.compressed($0) }
    core.enqueue(
      .message(
        packed ?? bytes, type: .data, sent: 0, endsRequest: false, isCompressed: packed != nil),
      slot: slot)
    return core.hasRoom(slot) ? .room : .full
  }

  /// Ends a request stream: END on its last message if that waits, else CLOSE.
  package mutating func endRequest(_ call: ClientCall) {
    guard !call.isOver, !call.hasEndedRequest else { return }
    call.hasEndedRequest = true
    guard call.stream != 0 else {
      if !call.unopenedMessages.endWithLastMessage() { call.unopenedMessages.append(.close) }
      return
    }
    guard let slot = core.streams.slot(of: call.stream) else { return }
    core.streams[slot].flags.insert(.requestEnded)
    if !core.streams[slot].outbound.endWithLastMessage() { core.enqueue(.close, slot: slot) }
  }

  /// The application has taken `count` messages of a reply stream.
  package mutating func took(_ call: ClientCall, count: Int, charge: UInt64) {
    guard let slot = core.streams.slot(of: call.stream) else { return }
    core.streams[slot].waitingMessages -= count
    core.returnCredit(slot: slot, charge)
  }

  /// The sender of a stream.
  package func call(on stream: UInt32) -> ClientCall? {
    core.streams.slot(of: stream).flatMap { core.streams[$0].owner as? ClientCall }
  }

  /// Cancels a call: its outcome is `error` whatever the server does, and CANCEL is sent.
  package mutating func cancel(_ call: ClientCall, _ error: RPCError) {
    guard !call.isOver else { return }
    var error = error
    error.origin = .client
    error.isNotProcessed = call.stream == 0
    complete(call, error)
    guard call.stream != 0, let slot = core.streams.slot(of: call.stream) else { return }
    giveUp(slot, code: error.code)
  }

  /// Cancels a stream at the server and removes it.
  mutating func giveUp(_ slot: Int, code: StatusCode) {
    let id = core.streams[slot].id
    core.dropOutbound(slot)
    core.dropReassembly(slot)
    core.streams.remove(slot: slot)
    guard core.phase <= .open else { return }
    var message = CancelMessage()
    message.code = code == .cancelled ? 0 : code.rawValue
    core.appendControl(.cancel, stream: id, message)
  }

  /// Notes how a call ended, once.
  mutating func complete(_ call: ClientCall, _ error: RPCError) {
    guard !call.isOver else { return }
    call.isOver = true
    call.hasLeft = call.stream != 0 && call.outputStart < writtenByteCount
    outcomes.append((call, error))
  }

  static func expired(wasWritten: Bool) -> RPCError {
    RPCError(
      .deadlineExceeded,
      wasWritten
        ? "the call's deadline passed before its reply came"
        : "the call's deadline passed before it could be sent",
      isNotProcessed: !wasWritten, origin: .client)
  }
}
