import QuiverProtobuf
import QuiverWire

extension ConnectionCore {
  /// Frames a payload at once, charging nothing.
  mutating func appendFrame(
    _ type: FrameType, _ flags: FrameFlags, stream: UInt32, _ payload: UnsafeRawBufferPointer
  ) {
    let room = egress.output.reserve(FrameHeader.byteCount + payload.count)
    FrameHeader(payloadByteCount: payload.count, type: type, flags: flags, stream: stream)
      .write(to: room)
    if let base = payload.baseAddress {
      (room + FrameHeader.byteCount).copyMemory(from: base, byteCount: payload.count)
    }
    egress.output.commit(FrameHeader.byteCount + payload.count)
  }

  mutating func appendFrame(
    _ type: FrameType, _ flags: FrameFlags = [], stream: UInt32, _ payload: [UInt8]
  ) {
    payload.withUnsafeBytes { appendFrame(type, flags, stream: stream, $0) }
  }

  mutating func appendControl(_ type: FrameType, stream: UInt32, _ message: some Message) {
    appendFrame(type, stream: stream, message.serializedBytes())
  }

  /// Queues a CREDIT, and answers where it begins. One of the same stream that began at `position`
  /// and is not being written yet is replaced.
  private mutating func queueCredit(
    stream: UInt32, _ allowance: UInt64, replacing position: UInt64?
  ) -> UInt64 {
    if let position, let offset = egress.offset(of: position) {
      egress.output.replace(at: offset + FrameHeader.byteCount, with: allowance.bigEndian)
      return position
    }
    let position = egress.position
    withUnsafeBytes(of: allowance.bigEndian) { appendFrame(.credit, [], stream: stream, $0) }
    return position
  }

  /// Answers a PING.
  mutating func answerPing(_ payload: UnsafeRawBufferPointer) {
    appendFrame(.ping, .end, stream: 0, payload)
    egress.pingAnswered()
  }

  /// Sends a PING and answers its number, unless two are unanswered.
  @discardableResult
  mutating func sendPing() -> UInt64 {
    guard let number = keepalive.nextPing() else { return keepalive.pingNumber }
    withUnsafeBytes(of: number.bigEndian) { appendFrame(.ping, [], stream: 0, $0) }
    return number
  }

  /// Gives a stream that has something to write its place in the round.
  mutating func makeReady(_ slot: Int) {
    guard !streams[slot].flags.contains(.inReady) else { return }
    streams[slot].flags.insert(.inReady)
    ready.append(streams[slot].id)
  }

  /// Queues what goes out on a stream, in order.
  mutating func enqueue(_ item: OutboundQueue.Item, slot: Int) {
    queuedMessageBytes += item.unsentBytes
    streams[slot].outbound.append(item)
    makeReady(slot)
    // What is queued outside of a turn, or by many streams in one, is counted at once.
    reportHeld()
  }

  /// Whether ``pump()`` may find something to frame.
  @inline(__always)
  var hasFramesToWrite: Bool {
    isConnectionCreditDue || !ready.isEmpty || !streamsWithPendingCredit.isEmpty
  }

  /// Whether half of the connection's window can be given back to the peer.
  @inline(__always)
  private var isConnectionCreditDue: Bool {
    own.connectionCredit &+ window.received &- window.receiveAllowance
      >= own.connectionCredit / 2
  }

  /// Frames what may go: CREDIT first, then streams in turn, a frame each, until the output holds
  /// its high water or nothing more may go.
  package mutating func pump() {
    // A client sends before it has received anything from the server.
    guard phase == .open || (role == .client && phase < .open) else { return }
    pumpCredit()
    while egress.output.count < limits.outputHighWater, let id = ready.first {
      guard let slot = streams.slot(of: id) else {
        ready.removeFirst()
        continue
      }
      switch writeFrame(slot) {
      case .blockedOnConnection: return noteBlocked(slot, byConnection: true)
      case .blockedOnStream, .drained:
        ready.removeFirst()
        streams[slot].flags.remove(.inReady)
        forgetIfOver(slot)
      case .more:
        ready.removeFirst()
        ready.append(id)
      }
    }
  }

  private mutating func pumpCredit() {
    if isConnectionCreditDue {
      window.receiveAllowance = own.connectionCredit &+ window.received
      egress.creditPosition = queueCredit(
        stream: 0, window.receiveAllowance, replacing: egress.creditPosition)
    }
    guard !streamsWithPendingCredit.isEmpty else { return }
    for id in streamsWithPendingCredit {
      guard let slot = streams.slot(of: id) else { continue }
      streams[slot].flags.remove(.creditPending)
      guard mayStillReceive(slot) else { continue }
      let allowance = streams[slot].grantableAllowance
      guard allowance > streams[slot].window.receiveAllowance else { continue }
      streams[slot].window.receiveAllowance = allowance
      streams[slot].creditPosition = queueCredit(
        stream: id, allowance, replacing: streams[slot].creditPosition)
    }
    streamsWithPendingCredit.removeAll(keepingCapacity: streamsWithPendingCredit.count <= 64)
  }

  private enum Written { case more, drained, blockedOnStream, blockedOnConnection }

  /// Frames the next chunk of the stream's queue.
  private mutating func writeFrame(_ slot: Int) -> Written {
    guard let next = streams[slot].outbound.first else { return .drained }
    let id = streams[slot].id
    switch next {
    case .headers(let bytes): appendFrame(.headers, stream: id, bytes)
    case .status(let bytes):
      appendFrame(.status, stream: id, bytes)
      egress.queuedAnswers += 1
    case .close: appendFrame(.close, stream: id, [])
    case .message(let bytes, let type, let sent, let endsRequest, let isCompressed):
      let left = bytes.count - sent
      let connectionRoom = window.sendRoom
      let streamRoom = streams[slot].window.sendRoom
      let room = min(peer.maxFrameBytes, connectionRoom, streamRoom)
      guard room >= left || room >= Limits.smallestPart else {
        guard connectionRoom > streamRoom else { return .blockedOnConnection }
        noteBlocked(slot, byConnection: false)
        return .blockedOnStream
      }
      let part = min(left, room)
      var flags: FrameFlags = part < left ? .more : endsRequest ? .end : .none
      if isCompressed { flags.insert(.compressed) }
      bytes.withUnsafeBytes {
        appendFrame(
          type, flags, stream: id, UnsafeRawBufferPointer(rebasing: $0[sent..<sent + part]))
      }
      chargeSent(slot, part)
      queuedMessageBytes -= part
      if part < left {
        streams[slot].outbound.replaceFirst(
          .message(bytes, type: .data, sent: sent + part, endsRequest: endsRequest))
        noteRoom(slot)
        return .more
      }
    }
    streams[slot].outbound.removeFirst()
    noteRoom(slot)
    return streams[slot].outbound.isEmpty ? .drained : .more
  }

  /// Frames a message of a stream as DATA where nothing is before it and all of it may go, and
  /// answers whether it did. The bytes lie behind the end of the output already, where a frame's
  /// payload begins.
  mutating func frameInPlace(slot: Int, _ byteCount: Int) -> Bool {
    guard streams[slot].outbound.isEmpty, ready.isEmpty,
      egress.output.count < limits.outputHighWater,
      phase == .open,
      byteCount <= min(peer.maxFrameBytes, window.sendRoom, streams[slot].window.sendRoom)
    else { return false }
    let room = egress.output.reserve(FrameHeader.byteCount &+ byteCount)
    FrameHeader(
      payloadByteCount: byteCount, type: .data, flags: .none, stream: streams[slot].id
    ).write(to: room)
    egress.output.commit(FrameHeader.byteCount &+ byteCount)
    chargeSent(slot, byteCount)
    return true
  }

  /// Whether a sender may queue more on the stream; if not, it is notified when it may.
  mutating func hasRoom(_ slot: Int) -> Bool {
    guard !canQueue(slot, upTo: limits.streamOutputBytes - 1) else { return true }
    streams[slot].flags.insert(.awaitsRoom)
    return false
  }

  /// Whether at most `byteCount` bytes are queued on the stream and, of a server's, all of them may
  /// be sent with the credit that the client has given.
  private func canQueue(_ slot: Int, upTo byteCount: Int) -> Bool {
    let queued = streams[slot].outbound.heldBytes
    guard queued <= byteCount else { return false }
    guard role == .server else { return true }
    if streams[slot].flags.contains(.oneStateAhead), !isTaken(slot) { return false }
    return queued < min(streams[slot].window.sendRoom, window.sendRoom)
  }

  /// Whether the client's application has taken what was sent on the stream, by the credit that it
  /// has returned.
  ///
  /// A client that returns credit at once has returned all of it. Another one may keep less than
  /// half a window back, so less than that counts as taken: a message that waits for more would
  /// wait for ever.
  private func isTaken(_ slot: Int) -> Bool {
    guard streams[slot].outbound.isEmpty else { return false }
    let returned = streams[slot].window.sendAllowance &- peer.streamCredit
    let untaken = Int64(bitPattern: streams[slot].window.sent &- returned)
    guard !streams[slot].flags.contains(.creditAtOnce) else { return untaken <= 0 }
    return untaken < Int64(clamping: peer.streamCredit / 2)
  }

  /// Puts the stream on the list of those with room again: half of what may be queued is framed,
  /// and there is credit for what is queued.
  mutating func noteRoom(_ slot: Int) {
    guard streams[slot].flags.contains(.awaitsRoom),
      canQueue(slot, upTo: limits.streamOutputBytes / 2)
    else { return }
    streams[slot].flags.remove(.awaitsRoom)
    streamsWithRoom.append(streams[slot].id)
  }

  private mutating func chargeSent(_ slot: Int, _ payloadByteCount: Int) {
    window.send(payloadByteCount)
    streams[slot].window.send(payloadByteCount)
    streams[slot].blockedSince = 0
    blockedSince = 0
  }

  /// Drops what is queued on a stream.
  mutating func dropOutbound(_ slot: Int) {
    queuedMessageBytes -= streams[slot].outbound.unsentBytes
    streams[slot].outbound = OutboundQueue()
  }

  /// Drops the message that a stream has in reassembly.
  mutating func dropReassembly(_ slot: Int) {
    reassemblyBytes -= streams[slot].reassembly?.bytes.count ?? 0
    streams[slot].reassembly = nil
    streams[slot].flags.remove(.inMessage)
  }

  /// Takes a stream out of the table once its outcome stands, its handler has returned and its
  /// output is framed.
  mutating func forgetIfOver(_ slot: Int) {
    guard streams[slot].phase == .ended, streams[slot].outbound.isEmpty else { return }
    forget(slot)
  }

  /// Takes a stream out of the table with what it holds of the peer's messages.
  mutating func forget(_ slot: Int) {
    dropReassembly(slot)
    untakenBytes -= streams[slot].untakenBytes
    streams.remove(slot: slot)
  }

  /// The transport wrote `byteCount` of the output.
  package mutating func wrote(_ byteCount: Int, now: UInt64) {
    egress.wrote(byteCount, now: now)
  }

  /// The transport found no room for the output.
  package mutating func writeBlocked(now: UInt64) {
    egress.blocked(now: now)
  }
}
