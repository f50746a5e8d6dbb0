import QuiverWire

extension ConnectionCore {
  /// Validates the header of a frame: length, type and flags, before any payload is stored.
  @inline(__always)
  func validate(_ header: FrameHeader) throws(ConnectionFault) {
    let length = header.payloadByteCount
    if header.isWholeRequest, phase == .open, role == .server, length <= own.maxFrameBytes {
      return
    }
    try validateInFull(header, length)
  }

  private func validateInFull(_ header: FrameHeader, _ length: Int) throws(ConnectionFault) {
    guard let type = header.type else {
      guard length <= Limits.maxControlBytes else {
        throw fault(at: .maxFrameBytes, .frameSizeError, "a frame is longer than its limit")
      }
      guard header.typeBits != 0, header.flags.contains(.ignorable), phase == .open else {
        throw ConnectionFault(.protocolError, "a frame of an unknown type")
      }
      return
    }
    try validateLength(of: type, length)
    guard role == .server ? type.isFromClient : type.isFromServer else {
      throw ConnectionFault(.protocolError, "a frame that only the other side sends")
    }
    guard header.flags.isSubset(of: Self.flags(of: type, from: role)),
      !header.flags.isSuperset(of: [.end, .more])
    else { throw ConnectionFault(.protocolError, "a flag that the frame's type does not have") }
    guard !header.flags.contains(.compressed) || inflates else {
      throw ConnectionFault(.protocolError, "a compressed message that was not negotiated")
    }
    guard type != .request || header.hasMessage || !header.flags.contains(.compressed) else {
      throw ConnectionFault(.protocolError, "COMPRESSED on a REQUEST without a message")
    }
    if phase < .open, type != .hello {
      throw ConnectionFault(.protocolError, "HELLO must be the first frame")
    }
    if phase == .open, type == .hello {
      throw ConnectionFault(.protocolError, "a second HELLO")
    }
  }

  private func validateLength(of type: FrameType, _ length: Int) throws(ConnectionFault) {
    let fits =
      switch type {
      case .request, .data, .response: length <= own.maxFrameBytes
      case .headers: length <= Limits.maxHeadersBytes
      case .status: length <= Limits.maxStatusBytes
      case .credit: length == Limits.creditBytes
      case .ping: length == Limits.pingBytes
      case .close: length == 0
      case .hello, .cancel, .goAway: length <= Limits.maxControlBytes
      }
    guard fits else {
      if length > own.maxFrameBytes { metrics?.reached(.maxFrameBytes) }
      throw ConnectionFault(.frameSizeError, "a frame's length is not what its type allows")
    }
  }

  /// The flags that a frame of `type` may carry when it comes to `role`.
  private static func flags(of type: FrameType, from role: Role) -> FrameFlags {
    switch type {
    case .request: [.end, .more, .compressed]
    case .data: role == .server ? [.end, .more, .compressed] : [.more, .compressed]
    case .response: [.more, .compressed]
    case .ping: .end
    default: []
    }
  }

  /// Reads the peer's eight bytes; answers false while some are missing.
  ///
  /// Throws at the first wrong byte of the seven, and for a major version that this side does not
  /// implement.
  mutating func readPreface(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(PrefaceFault) -> Bool {
    while prefaceBytesSeen < Preface.byteCount {
      guard offset < chunk.count else { return false }
      let byte = chunk[offset]
      offset += 1
      if prefaceBytesSeen < Preface.byteCount - 1 {
        guard byte == Preface.magicByte(at: prefaceBytesSeen) else {
          let first = UnsafeRawBufferPointer(rebasing: chunk[(offset - 1)...])
          throw .wrongMagic(prefaceBytesSeen == 0 ? OtherProtocol(firstBytes: first) : nil)
        }
      } else if byte != Preface.majorVersion {
        throw .otherVersion(byte)
      }
      prefaceBytesSeen += 1
    }
    return true
  }

  enum PrefaceFault: Error {
    /// What the peer speaks, if that is known.
    case wrongMagic(OtherProtocol?)
    /// The major version of the peer.
    case otherVersion(UInt8)
  }

  /// Charges a frame to the connection.
  @inline(__always)
  mutating func charge(_ payloadByteCount: Int) throws(ConnectionFault) {
    guard window.receive(payloadByteCount) else {
      throw fault(
        at: .initialConnectionCredit, .flowControlError, "more than the connection's allowance")
    }
  }

  /// Charges a frame to its stream.
  mutating func charge(slot: Int, _ payloadByteCount: Int) throws(ConnectionFault) {
    streams[slot].reassemblyCharge &+= FlowWindow.charge(of: payloadByteCount)
    guard streams[slot].window.receive(payloadByteCount) else {
      throw fault(
        at: .initialStreamCredit, .flowControlError, "more than the stream's allowance")
    }
  }

  /// The application has taken, or nobody will take, `charge` of the stream's messages.
  mutating func returnCredit(slot: Int, _ charge: UInt64) {
    streams[slot].takenAllowance &+= charge
    noteCreditPending(slot)
  }

  /// Puts the stream's CREDIT on the list if half a window can be stated.
  mutating func noteCreditPending(_ slot: Int) {
    guard !streams[slot].flags.contains(.creditPending), mayStillReceive(slot) else { return }
    let gain = streams[slot].grantableAllowance &- streams[slot].window.receiveAllowance
    let least = statesCreditAtOnce(slot) ? 1 : own.streamCredit / 2
    guard Int64(bitPattern: gain) >= Int64(clamping: least) else { return }
    streams[slot].flags.insert(.creditPending)
    streamsWithPendingCredit.append(streams[slot].id)
  }

  /// Whether CREDIT is stated at once, however little it raises the allowance: the call asks for
  /// it, and the application has taken all that has come.
  private func statesCreditAtOnce(_ slot: Int) -> Bool {
    role == .client && streams[slot].flags.contains(.creditAtOnce)
      && streams[slot].waitingMessages == 0 && !streams[slot].flags.contains(.inMessage)
  }

  /// Whether the peer may still send messages on the stream: only then is its CREDIT of use.
  func mayStillReceive(_ slot: Int) -> Bool {
    streams[slot].phase.isActive
      && (role == .client || !streams[slot].flags.contains(.requestEnded))
  }

  /// What a PING means, whichever side sent it.
  mutating func receivePing(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64)
    throws(ConnectionFault)
  {
    guard header.stream == 0 else {
      throw ConnectionFault(.protocolError, "a PING on a stream")
    }
    guard header.flags.contains(.end) else {
      answerPing(payload)
      return
    }
    let number = UInt64(bigEndian: payload.loadUnaligned(as: UInt64.self))
    guard keepalive.answered(number) else { return }
    drain.pingAnswered(number, now: now)
  }

  /// What a CREDIT means; one that raises nothing, or names a call that is over, is ignored.
  mutating func receiveCredit(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer)
    throws(ConnectionFault)
  {
    let allowance = UInt64(bigEndian: payload.loadUnaligned(as: UInt64.self))
    guard allowance <= Limits.largestCredit else {
      throw ConnectionFault(.protocolError, "a CREDIT above 2^63 - 1")
    }
    if header.stream == 0 {
      guard window.raiseSendAllowance(to: allowance) else { return }
      // Frames that still wait do so for their stream.
      if window.sendRoom > 0 { blockedSince = 0 }
      noteRoomOfAll()
      return
    }
    guard let slot = streams.slot(of: header.stream) else { return }
    guard streams[slot].window.raiseSendAllowance(to: allowance) else { return }
    if !streams[slot].outbound.isEmpty { makeReady(slot) }
    noteRoom(slot)
  }

  /// Gives those streams room again whose senders waited for credit of the connection.
  private mutating func noteRoomOfAll() {
    guard role == .server else { return }
    for slot in 0..<streams.slotEnd where streams.isOccupied(slot) { noteRoom(slot) }
  }

  /// Remembers when a frame began that has not ended, at the end of a turn.
  mutating func noteInputTurn(now: UInt64) {
    keepalive.received(at: now)
    guard deframer.hasPartialFrame else {
      frameStartedAt = 0
      return
    }
    if frameStartedAt == 0 || frameStartedNumber != framesSeen {
      frameStartedAt = now
      frameStartedNumber = framesSeen
    }
  }
}
