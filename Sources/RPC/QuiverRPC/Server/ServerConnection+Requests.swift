import QuiverWire

extension ServerConnection {
  /// A REQUEST: the start of a call, and for most calls all of it.
  @inline(__always)
  mutating func receiveRequest(
    _ header: FrameHeader, _ payload: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    let id = header.stream
    guard id & 1 == 1, id <= Limits.largestStreamID, id > core.highestStreamID else {
      throw ConnectionFault(.protocolError, "a REQUEST's stream must be odd and above all before")
    }
    core.highestStreamID = id
    try core.charge(payload.count)
    guard UInt64(payload.count &+ Limits.frameCharge) <= core.own.streamCredit else {
      throw core.fault(
        at: .initialStreamCredit, .flowControlError, "more than the stream's allowance")
    }
    guard let (offset, headEnd) = Self.headBounds(payload) else {
      throw ConnectionFault(.protocolError, "a head longer than its REQUEST")
    }
    guard header.hasMessage || headEnd == payload.count else {
      throw ConnectionFault(.protocolError, "bytes after the head of a REQUEST without a message")
    }
    if case .final(let last, _) = core.drain, id > last { return nil }
    call.stream = id
    do throws(RPCError) {
      try openCall(UnsafeRawBufferPointer(rebasing: payload[offset..<headEnd]), now: now)
    } catch {
      core.metrics?.refused(router.route(of: call.head), error.code)
      if core.pressure != .none, error.code == .resourceExhausted { core.refusals.note(at: now) }
      try refuse(error, now: now)
      return nil
    }
    let message = UnsafeRawBufferPointer(rebasing: payload[headEnd...])
    if header.isWholeRequest, router.takesOneMessage(call.route) {
      guard message.count <= core.own.maxMessageBytes else {
        core.metrics?.refused(call.route, .resourceExhausted)
        try refuse(core.messageTooLarge, now: now)
        return nil
      }
      call.message = message
      call.isOpen = false
      return .call
    }
    return try openStream(header, message, now: now)
  }

  /// Where the head of a REQUEST begins and ends; nil where it is longer than the payload, or its
  /// length is not in the shortest form.
  @inline(__always)
  private static func headBounds(_ payload: UnsafeRawBufferPointer) -> (start: Int, end: Int)? {
    if let first = payload.first, first < 0x80 {
      let end = 1 &+ Int(truncatingIfNeeded: first)
      return end <= payload.count ? (1, end) : nil
    }
    return boundsOfLongHead(payload)
  }

  private static func boundsOfLongHead(
    _ payload: UnsafeRawBufferPointer
  ) -> (start: Int, end: Int)? {
    var start = 0
    guard let length = Varint.read(payload, at: &start), length <= UInt64(payload.count &- start),
      Varint.byteCount(of: length) == start
    else { return nil }
    return (start, start &+ Int(truncatingIfNeeded: length))
  }

  /// Validates the head of a call and fills in ``call``; throws the status that refuses it.
  private mutating func openCall(
    _ bytes: UnsafeRawBufferPointer, now: UInt64
  ) throws(RPCError) {
    do throws(RequestHead.Fault) {
      try call.head.decode(bytes, known: &knownMetadata, isGateways: isGateways)
    } catch {
      throw Self.refusal(of: error)
    }
    guard let route = router.route(of: call.head) else { throw unknownMethod(call.head) }
    let isAnonymous = !hasCaller || call.head.isAnonymous
    guard !isAnonymous || !router.needsCaller(route) else {
      throw .needsToken
    }
    if let methods, !isAnonymous, !methods.ids.contains(router.routes[route].method.id) {
      throw RPCError(.permissionDenied, methods.refusal, isNotProcessed: true)
    }
    guard mayMutate || isAnonymous || !router.isMutating(route) else {
      throw RPCError(
        .permissionDenied, "this token may only read; this call takes one of the scope write",
        isNotProcessed: true)
    }
    guard core.streams.count < core.own.maxConcurrentStreams else {
      throw core.exhausted(
        .maxConcurrentStreams,
        "more than \(core.own.maxConcurrentStreams) calls at once on this connection",
        retryAfterMilliseconds: Limits.fullConnectionRetryMilliseconds)
    }
    let outputLimit =
      hasFullLimits ? core.limits.outputBytes : core.limits.anonymousOutputBytes
    guard core.outputByteCount < outputLimit else {
      throw core.exhausted(
        hasFullLimits ? .outputBytes : .anonymousOutputBytes,
        "too many replies wait to be read on this connection")
    }
    guard core.pressure == .none || router.isHealth(route) else {
      throw core.exhausted(.processBytes, "the server is short of memory for this caller")
    }
    if call.head.idempotencyKey != nil, !router.isUnary(route) {
      throw RPCError(
        .invalidArgument, "idempotency_key: only unary calls take one", isNotProcessed: true)
    }
    call.route = route
    call.deadlineNanoseconds =
      call.head.timeoutMilliseconds == 0
      ? 0
      : now
        &+ UInt64(min(call.head.timeoutMilliseconds, core.limits.longestTimeoutMilliseconds))
        &* 1_000_000
  }

  private static func refusal(of fault: RequestHead.Fault) -> RPCError {
    switch fault {
    case .malformed:
      RPCError(.invalidArgument, "the head of the call does not decode", isNotProcessed: true)
    case .keyLength:
      RPCError(.invalidArgument, "idempotency_key: must be 16 bytes", isNotProcessed: true)
    case .metadataKey:
      RPCError(
        .invalidArgument, "metadata: a key is 1 to 64 characters of a-z 0-9 . _ -",
        isNotProcessed: true)
    case .metadataSize:
      RPCError(
        .resourceExhausted, "metadata: at most 64 entries and 8192 bytes", isNotProcessed: true)
    }
  }

  private func unknownMethod(_ head: RequestHead) -> RPCError {
    let name = head.extras?.methodName ?? ""
    guard (head.methodID == 0) != name.isEmpty else {
      return RPCError(
        .invalidArgument, "method_id and method_name: one of them is wanted, not both",
        isNotProcessed: true)
    }
    return RPCError(
      .unimplemented,
      head.methodID != 0
        ? "no method has the id \(head.methodID)" : "no method has the name that was asked for",
      isNotProcessed: true)
  }

  /// Takes the call into the stream table: its message comes in parts, or it takes several.
  private mutating func openStream(
    _ header: FrameHeader, _ message: UnsafeRawBufferPointer, now: UInt64
  ) throws(ConnectionFault) -> ServerEvent? {
    let slot = insertCall()
    let charge = header.payloadByteCount
    core.streams[slot].window.received = FlowWindow.charge(of: charge)
    core.streams[slot].reassemblyCharge = FlowWindow.charge(of: charge)
    if !header.hasMessage {
      // A REQUEST without a message counts as taken at once.
      takeReassemblyCharge(slot)
      if router.takesOneMessage(call.route) {
        core.streams[slot].head = call.head
        return nil
      }
    }
    guard !router.takesOneMessage(call.route) else {
      core.streams[slot].head = call.head
      return try receivePart(slot, header, message, now: now)
    }
    core.streams[slot].phase.apply(.handlerStarted)
    call.message = UnsafeRawBufferPointer(start: nil, count: 0)
    call.isOpen = true
    if !header.hasMessage { return .call }
    // The handler starts before its first message is handed over.
    pendingFirst = (call.stream, header, Array(message))
    return .call
  }

  /// Puts the current call into the table, and answers its slot.
  mutating func insertCall() -> Int {
    let stream = StreamState(
      id: call.stream, tag: UInt64(call.route), receiveWindow: core.own.streamCredit,
      sendAllowance: core.peer.streamCredit)
    let slot = core.streams.insert(stream)
    core.streams[slot].deadline = call.deadlineNanoseconds
    noteStart(of: slot)
    if call.head.returnsCreditAtOnce { core.streams[slot].flags.insert(.creditAtOnce) }
    if router.statesPosition(call.route) { core.streams[slot].flags.insert(.statesPosition) }
    core.streams[slot].tenthOfTimeout =
      UInt64(min(call.head.timeoutMilliseconds, core.limits.longestTimeoutMilliseconds)) &* 100_000
    core.noteDeadline(call.deadlineNanoseconds)
    return slot
  }

  /// Frees what the message in reassembly was charged: it has been taken, or it will not be taken.
  mutating func takeReassemblyCharge(_ slot: Int) {
    let charge = core.streams[slot].reassemblyCharge
    core.streams[slot].reassemblyCharge = 0
    core.returnCredit(slot: slot, charge)
  }

  /// Ends the current call, which no handler has seen, with a status.
  mutating func refuse(_ error: RPCError, now: UInt64) throws(ConnectionFault) {
    try count(error, now: now)
    core.appendFrame(.status, stream: call.stream, StatusCoder.encode(error))
    core.egress.queuedAnswers += 1
  }
}
