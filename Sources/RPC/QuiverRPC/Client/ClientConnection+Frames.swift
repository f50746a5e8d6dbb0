import QuiverProtobuf
import QuiverWire

extension ClientConnection {
  /// Any frame of the server's after its HELLO.
  mutating func receive(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> Event? {
    switch header.type {
    case .response, .data: return try receiveMessage(header, payload, now: now)
    case .headers: return try receiveHeaders(header, payload)
    case .status: return try receiveStatus(header, payload)
    case .cancel: try receiveCancel(header, payload)
    case .credit:
      if header.stream != 0 { try checkUsed(header.stream) }
      try core.receiveCredit(header, payload)
    case .ping: try core.receivePing(header, payload, now: now)
    case .goAway: return try receiveGoAway(header, payload)
    case nil: break
    case .hello, .request, .close:
      throw ConnectionFault(.protocolError, "a frame out of place")
    }
    return nil
  }

  private func checkUsed(_ stream: UInt32) throws(ConnectionFault) {
    guard stream & 1 == 1, stream <= core.highestStreamID else {
      throw ConnectionFault(.protocolError, "a frame on a stream that was never opened")
    }
  }

  /// The open stream that a frame names; nil if its call is over.
  private func openSlot(_ header: FrameHeader) throws(ConnectionFault) -> Int? {
    try checkUsed(header.stream)
    return core.streams.slot(of: header.stream)
  }

  private func call(_ slot: Int) -> ClientCall? { core.streams[slot].owner as? ClientCall }

  private mutating func receiveMessage(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> Event? {
    try core.charge(payload.count)
    if header.flags.contains(.more), payload.count < Limits.smallestPart {
      throw ConnectionFault(.protocolError, "a part of a message under 1024 bytes")
    }
    guard let slot = try openSlot(header) else { return nil }
    try core.charge(slot: slot, payload.count)
    guard let call = call(slot) else { return nil }
    let flags = core.streams[slot].flags
    let isResponse = header.type == .response
    guard !isResponse || !flags.contains(.inMessage) else {
      throw ConnectionFault(.protocolError, "a RESPONSE inside a message")
    }
    if isResponse, flags.contains(.messageSeen) || call.method.kind.serverStreams {
      reject(slot, call, RPCError(.unimplemented, "a RESPONSE that the call's kind does not have"))
      return nil
    }
    if flags.contains(.messageSeen), !flags.contains(.inMessage), !call.method.kind.serverStreams {
      reject(slot, call, RPCError(.unimplemented, "more than one reply to a unary call"))
      return nil
    }
    let isCompressed = header.flags.contains(.compressed)
    guard !isCompressed || !flags.contains(.inMessage) else {
      throw ConnectionFault(.protocolError, "COMPRESSED inside a message")
    }
    core.streams[slot].flags.insert(isResponse ? [.messageSeen, .inResponse] : .messageSeen)
    do throws(RPCError) {
      let part = try core.receivePart(
        slot: slot, payload, isCompressed: isCompressed, goesOn: header.flags.contains(.more),
        now: now)
      switch part {
      case .incomplete: return nil
      case .inPlace:
        // An earlier reply of the turn may have been assembled.
        completed = nil
        message = payload
      case .assembled(let reassembly):
        completed = reassembly
        message = reassembly.bytes.bytes
      }
    } catch {
      var error = error
      if error.code == .invalidArgument { error.code = .internal }
      reject(slot, call, error)
      return nil
    }
    guard core.streams[slot].flags.contains(.inResponse) else {
      if call.method.kind.serverStreams { return deliver(slot, call) }
      hold(slot, call)
      return nil
    }
    finish(slot, call)
    return .reply
  }

  /// Hands a message of a reply stream over.
  private mutating func deliver(_ slot: Int, _ call: ClientCall) -> Event {
    messageCharge = core.streams[slot].reassemblyCharge
    core.streams[slot].reassemblyCharge = 0
    core.streams[slot].waitingMessages += 1
    repliedCall = call
    return .message
  }

  /// A single reply as DATA waits for the STATUS behind it.
  private mutating func hold(_ slot: Int, _ call: ClientCall) {
    let held = completed ?? Reassembly()
    if completed == nil { held.bytes.append(message) }
    completed = nil
    call.held = held
    let charge = core.streams[slot].reassemblyCharge
    core.streams[slot].reassemblyCharge = 0
    core.returnCredit(slot: slot, charge)
  }

  private mutating func finish(_ slot: Int, _ call: ClientCall) {
    call.isOver = true
    repliedCall = call
    core.dropOutbound(slot)
    core.streams.remove(slot: slot)
  }

  /// The server answered against the rules of the call: it is cancelled, and fails here.
  private mutating func reject(_ slot: Int, _ call: ClientCall, _ error: RPCError) {
    var error = error
    error.origin = .client
    error.isNotProcessed = false
    complete(call, error)
    giveUp(slot, code: .cancelled)
  }

  private mutating func receiveHeaders(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer
  ) throws(ConnectionFault) -> Event? {
    guard let head = try? ResponseHead(serializedBytes: Array(payload)) else {
      throw ConnectionFault(.protocolError, "HEADERS that do not decode")
    }
    guard let slot = try openSlot(header) else { return nil }
    guard core.streams[slot].flags.isDisjoint(with: [.replyBegun, .messageSeen]) else {
      throw ConnectionFault(.protocolError, "HEADERS must come first, and once")
    }
    core.streams[slot].flags.insert(.replyBegun)
    guard let call = call(slot) else { return nil }
    let metadata = StatusCoder.metadata(head.metadata)
    if let fault = metadata.fault() {
      let code = fault.code == .invalidArgument ? StatusCode.internal : fault.code
      reject(slot, call, RPCError(code, "the reply's \(fault.message)"))
      return nil
    }
    call.initialMetadata = metadata
    repliedCall = call
    return .headers
  }

  private mutating func receiveStatus(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer
  ) throws(ConnectionFault) -> Event? {
    guard let status = try? StatusMessage(serializedBytes: Array(payload)) else {
      throw ConnectionFault(.protocolError, "a STATUS that does not decode")
    }
    guard let slot = try openSlot(header), let call = call(slot) else { return nil }
    let metadata = StatusCoder.metadata(status.metadata)
    if let fault = metadata.fault() {
      // A failure stays what it is; a success without its metadata would not be one.
      if status.code == 0 {
        let code = fault.code == .invalidArgument ? StatusCode.internal : fault.code
        reject(slot, call, RPCError(code, "the reply's \(fault.message)"))
        return nil
      }
    } else {
      call.trailingMetadata = metadata
      if status.code == 0, !metadata.isEmpty { call.receivedTrailing() }
    }
    guard status.code != 0 else {
      guard !core.streams[slot].flags.contains(.inMessage) else {
        throw ConnectionFault(.protocolError, "STATUS OK inside a message")
      }
      if call.method.kind.serverStreams {
        finish(slot, call)
        return .ended
      }
      guard let held = call.held else {
        reject(slot, call, RPCError(.unimplemented, "a unary call ended OK without a reply"))
        return nil
      }
      completed = held
      message = held.bytes.bytes
      finish(slot, call)
      return .reply
    }
    var error = StatusCoder.error(status)
    let hasBegun = !core.streams[slot].flags.isDisjoint(with: [.replyBegun, .messageSeen])
    if hasBegun { error.isNotProcessed = false }
    close(slot, call, error)
    return nil
  }

  /// The server has ended the call without a reply.
  private mutating func close(_ slot: Int, _ call: ClientCall, _ error: RPCError) {
    complete(call, error)
    core.dropOutbound(slot)
    core.dropReassembly(slot)
    core.streams.remove(slot: slot)
  }

  private mutating func receiveCancel(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer
  ) throws(ConnectionFault) {
    guard let cancel = try? CancelMessage(serializedBytes: Array(payload)) else {
      throw ConnectionFault(.protocolError, "a CANCEL that does not decode")
    }
    guard let slot = try openSlot(header), let call = call(slot) else { return }
    let code = cancel.code == 0 ? StatusCode.cancelled : StatusCode(rawValue: cancel.code)
    close(slot, call, RPCError(code, cancel.reason.isEmpty ? "the server gave up" : cancel.reason))
  }

  private mutating func receiveGoAway(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer
  ) throws(ConnectionFault) -> Event? {
    guard header.stream == 0, let message = try? GoAwayMessage(serializedBytes: Array(payload))
    else { throw ConnectionFault(.protocolError, "a GOAWAY that does not decode") }
    if let before = goAway, message.lastStreamID > before.lastStreamID {
      throw ConnectionFault(.protocolError, "GOAWAY's last stream may not rise")
    }
    goAway = message
    guard message.code == ConnectionErrorCode.noError.rawValue else {
      failAll()
      core.phase = .closing
      return nil
    }
    failWaiting()
    for slot in 0..<core.streams.slotEnd where core.streams.isOccupied(slot) {
      guard core.streams[slot].id > message.lastStreamID, let call = call(slot) else { continue }
      close(slot, call, Self.notTaken)
    }
    return .draining
  }

  static let notTaken = RPCError(
    .unavailable, "the connection is being closed and did not take the call", isNotProcessed: true,
    origin: .connection)
}
