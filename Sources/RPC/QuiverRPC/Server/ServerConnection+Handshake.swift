import QuiverProtobuf
package import QuiverWire

/// A client's HELLO that waits for authentication.
final class ReceivedHello {
  let hello: Hello

  init(_ hello: Hello) { self.hello = hello }
}

extension ServerConnection {
  /// The client's HELLO, until its caller is authenticated or refused; empty before and after.
  package var hello: Hello { receivedHello?.hello ?? Hello() }

  /// Reads the client's HELLO; answers false while it is not whole.
  mutating func readHello(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(ConnectionFault) -> Bool {
    guard let header = core.deframer.header(chunk, at: &offset) else { return false }
    try core.validate(header)
    guard header.stream == 0 else {
      throw ConnectionFault(.protocolError, "HELLO belongs to no stream")
    }
    guard let payload = core.deframer.payload(of: header, chunk, at: &offset) else { return false }
    core.framesSeen &+= 1
    guard let hello = try? Hello(serializedBytes: Array(payload)) else {
      throw ConnectionFault(.protocolError, "a HELLO that does not decode")
    }
    receivedHello = ReceivedHello(hello)
    core.peer = try Settings(hello, defaults: Settings(Limits()))
    core.window.sendAllowance = core.peer.connectionCredit
    return true
  }

  /// Answers a wrong preface: another version in the words of every version, another protocol in
  /// its own words, and anything else not at all.
  mutating func refuse(_ fault: ConnectionCore.PrefaceFault) -> ServerEvent {
    switch fault {
    case .wrongMagic(nil):
      core.phase = .closed
      return .abort
    case .wrongMagic(let other?):
      core.egress.output.append(other.answer(Self.spokenHere))
      core.phase = .closing
    case .otherVersion:
      fail(ConnectionFault(.unsupportedVersion, "this server speaks version 1"))
    }
    closingReported = true
    return .closing
  }

  private static let spokenHere =
    "this port speaks the Quiver protocol without TLS; quiver-gateway speaks HTTP"

  /// The caller is authenticated or anonymous: `isKnown` states whether methods that need a caller
  /// are accepted, `mayMutate` whether methods that change stored state are, `isGateway` whether
  /// the connection has the limits of a caller although it may have none, and `methods` the only
  /// methods that a caller may call. Reading resumes.
  package mutating func authenticated(
    isKnown: Bool, mayMutate: Bool = true, isGateway: Bool = false, methods: MethodSet? = nil
  ) {
    guard core.phase == .authenticating else { return }
    let hello = hello
    receivedHello = nil
    hasCaller = isKnown
    hasFullLimits = isKnown || isGateway
    self.mayMutate = mayMutate
    self.methods = methods
    // A client that sent a token reads 0 as the defaults, one that sent none as the least; it has
    // kept to them so far, and what is stated may only raise them.
    let assumed = hello.authToken.isEmpty ? Settings(.anonymous) : Settings(Limits())
    core.own = hasFullLimits ? assumed.raised(to: Settings(core.limits)) : assumed
    core.window.receiveAllowance = core.own.connectionCredit
    if !hasFullLimits { core.lifetime.limitIdle(to: core.limits.anonymousIdleMilliseconds) }
    // Compression is not used before the caller is known.
    if isKnown {
      core.inflates = core.compressor != nil
      core.noteCompression(of: hello.compression)
    }
    core.phase = .open
    queueHello(assumed: assumed)
  }

  /// The caller's token is rejected, or cannot be checked.
  package mutating func authenticationFailed(
    _ reason: StaticString, code: ConnectionErrorCode = .unauthenticated
  ) {
    authenticationFailed(ConnectionFault(code, reason))
  }

  /// The caller is refused: the connection ends with `fault`.
  package mutating func authenticationFailed(_ fault: ConnectionFault) {
    guard core.phase == .authenticating else { return }
    receivedHello = nil
    if fault.code == .unauthenticated {
      core.metrics?.note(.authenticationFailed(reason: fault.reason))
    }
    fail(fault)
  }

  /// Queues the preface and HELLO, once.
  private mutating func queueHello(assumed: Settings) {
    guard !core.isHelloQueued else { return }
    core.isHelloQueued = true
    core.egress.output.append(Preface.bytes)
    var hello = Hello()
    hello.versionMin = UInt32(truncatingIfNeeded: Preface.majorVersion)
    hello.versionMax = UInt32(truncatingIfNeeded: Preface.majorVersion)
    hello.software = identity.software
    hello.instanceID = identity.instanceID
    hello.pingFloorMilliseconds = UInt32(clamping: core.limits.pingFloorMilliseconds)
    hello.idleTimeoutMilliseconds = UInt32(clamping: core.lifetime.idleMilliseconds)
    hello.schemaFingerprint = identity.schemaFingerprint
    if core.inflates, let compressor = core.compressor { hello.compression = [compressor.name] }
    core.own.state(in: &hello, defaults: assumed)
    core.appendControl(.hello, stream: 0, hello)
  }

  /// Ends the connection with an error: a GOAWAY behind the queued output, then flush and close.
  package mutating func fail(_ fault: ConnectionFault) {
    guard core.phase < .closing else { return }
    if fault.code != .noError {
      core.metrics?.note(.connectionFailed(fault.code, reason: fault.reason))
    }
    queueHello(assumed: core.own)
    var message = GoAwayMessage()
    message.code = fault.code.rawValue
    message.reason = fault.reason
    message.lastStreamID = lastThatMayHaveRun
    core.appendControl(.goAway, stream: 0, message)
    core.fault = fault
    core.phase = .closing
    cancelAll()
  }

  /// Cancels every handler that runs: the client is gone, or the connection ends.
  package mutating func cancelAll() {
    for slot in 0..<core.streams.slotEnd where core.streams.isOccupied(slot) {
      core.dropOutbound(slot)
      core.dropReassembly(slot)
      let phase = core.streams[slot].phase
      guard phase.hasHandler else {
        if phase == .open { countEnd(of: slot, .cancelled) }
        core.forget(slot)
        continue
      }
      guard phase != .abandoned else { continue }
      if phase == .running { countEnd(of: slot, .cancelled) }
      core.streams[slot].phase.apply(.cancelled)
      if phase == .running { cancelled.append(core.streams[slot].id) }
    }
  }

  private var lastThatMayHaveRun: UInt32 {
    if case .final(let last, _) = core.drain { return last }
    return core.highestStreamID
  }
}
