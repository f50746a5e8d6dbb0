import QuiverProtobuf
package import QuiverWire

/// The client's end of one connection as a value: calls, bytes and timers in, outcomes and framed
/// output out. Its preface and HELLO are queued from the start, and calls may be too.
package struct ClientConnection: ~Copyable {
  package var core: ConnectionCore
  /// Calls that wait for a stream or for credit, in order.
  var waiting: [ClientCall] = []
  var waitingHead = 0
  /// Where the head of a call is encoded; kept for the next one while it is small.
  var headScratch: [UInt8] = []
  /// The versions of a server that does not speak this one: by its HELLO, which has the same form
  /// in every version, and before it by the preface. Nil: it speaks this one.
  var otherVersion: (lowest: UInt32, highest: UInt32)?
  /// What answers is no server of Quiver.
  var speaksOtherProtocol = false
  /// The server's HELLO, once it has come.
  package internal(set) var serverHello: Hello?
  /// The server's latest GOAWAY; nil: none was received.
  package internal(set) var goAway: GoAwayMessage?
  /// Outcomes that have not been delivered.
  var outcomes: [(call: ClientCall, error: RPCError)] = []
  /// The call of a `reply` event, and its message; valid until the next event.
  package internal(set) var repliedCall: ClientCall?
  package internal(set) var message = UnsafeRawBufferPointer(start: nil, count: 0)
  package internal(set) var messageCharge: UInt64 = 0
  var completed: Reassembly?
  var closingReported = false
  var lostReason = ""
  /// As what calls fail when the connection is lost.
  var lostCode = StatusCode.unavailable
  /// Bytes of output that the transport has taken.
  var writtenByteCount: UInt64 = 0
  /// This side opens no more calls, and has sent GOAWAY.
  var isShutDown = false

  /// What a ``ClientConnection`` asks of its transport.
  package enum Event: Sendable {
    case needsBytes
    /// ``repliedCall`` has its reply in ``message``.
    case reply
    /// The server has started with ``repliedCall``: its initial metadata is there.
    case headers
    /// A message of a reply stream of ``repliedCall`` is in ``message``, its charge in
    /// ``messageCharge``.
    case message
    /// The reply stream of ``repliedCall`` has ended OK.
    case ended
    /// The server is known: its limits are in force.
    case opened
    /// The server drains: this connection takes no more calls.
    case draining
    /// Flush what is queued, then close.
    case closing
  }

  /// - Parameters:
  ///   - token: as it is written in the HELLO; empty: none.
  ///   - gatewayToken: the same of a gateway that connects for its callers.
  ///   - compressor: what messages may be packed with; nil: they never are.
  package init(
    limits: Limits, software: String, token: [UInt8], gatewayToken: [UInt8] = [],
    compressor: (any Compressor)? = nil, now: UInt64
  ) {
    core = ConnectionCore(
      role: .client, limits: SharedLimits(limits), own: Settings(limits),
      peer: Settings(token.isEmpty ? .anonymous : Limits()), compressor: compressor, now: now)
    core.egress.output.append(Preface.bytes)
    var hello = Hello()
    hello.versionMin = UInt32(truncatingIfNeeded: Preface.majorVersion)
    hello.versionMax = UInt32(truncatingIfNeeded: Preface.majorVersion)
    hello.software = software
    hello.authToken = token
    hello.gatewayToken = gatewayToken
    if let compressor {
      hello.compression = [compressor.name]
      core.inflates = true
    }
    core.own.state(in: &hello, defaults: Settings(Limits()))
    core.appendControl(.hello, stream: 0, hello)
    core.isHelloQueued = true
  }

  var hasWaiting: Bool { waitingHead < waiting.count }

  /// Calls that are open or wait.
  package var callCount: Int { core.streams.count + waiting.count - waitingHead }

  /// Whether new calls may still be started here.
  package var takesCalls: Bool {
    !core.isClosing && goAway == nil && !isShutDown
  }

  /// The next outcome that the transport has to deliver; nil if there is none.
  package mutating func nextOutcome() -> (call: ClientCall, error: RPCError)? {
    outcomes.isEmpty ? nil : outcomes.removeFirst()
  }

  /// The next thing that the bytes of `chunk`, from `offset` on, ask for. Deliver the outcomes
  /// before the next chunk.
  package mutating func next(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) -> Event {
    do throws(ConnectionFault) {
      while true {
        switch core.phase {
        case .open:
          if let event = try nextOpen(chunk, at: &offset, now: now) { return event }
        case .preface:
          do throws(ConnectionCore.PrefaceFault) {
            guard try core.readPreface(chunk, at: &offset) else { return .needsBytes }
          } catch {
            switch error {
            case .wrongMagic(let other):
              speaksOtherProtocol = true
              throw Self.wrongPeer(other)
            case .otherVersion(let version):
              otherVersion = (
                UInt32(truncatingIfNeeded: version), UInt32(truncatingIfNeeded: version)
              )
            }
          }
          core.phase = .hello
        case .hello:
          guard try readHello(chunk, at: &offset) else { return .needsBytes }
          return .opened
        case .authenticating, .closing, .closed:
          core.discard(chunk.count - offset)
          offset = chunk.count
          guard closingReported || core.phase != .closing else {
            closingReported = true
            return .closing
          }
          return .needsBytes
        }
      }
    } catch {
      fail(error)
      closingReported = true
      return .closing
    }
  }

  /// - Parameter other: what answers; nil: nothing that is known.
  private static func wrongPeer(_ other: OtherProtocol?) -> ConnectionFault {
    switch other {
    case .tls:
      ConnectionFault(.protocolError, "the server uses TLS on this port: connect to tls://")
    case .http1, .http2:
      ConnectionFault(.protocolError, "what answers is not a Quiver server: it speaks HTTP")
    case .ssh:
      ConnectionFault(.protocolError, "what answers is not a Quiver server: it speaks SSH")
    case .quiver, nil:
      ConnectionFault(.protocolError, "what answers is not a Quiver server")
    }
  }

  private mutating func nextOpen(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) throws(ConnectionFault) -> Event? {
    guard let header = core.deframer.header(chunk, at: &offset) else { return .needsBytes }
    try core.validate(header)
    guard let payload = core.deframer.payload(of: header, chunk, at: &offset) else {
      return .needsBytes
    }
    core.framesSeen &+= 1
    return try receive(header, payload, now: now)
  }

  private mutating func readHello(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(ConnectionFault) -> Bool {
    guard let header = core.deframer.header(chunk, at: &offset) else { return false }
    try core.validate(header)
    guard let payload = core.deframer.payload(of: header, chunk, at: &offset) else { return false }
    core.framesSeen &+= 1
    guard header.stream == 0 else {
      throw ConnectionFault(.protocolError, "HELLO belongs to no stream")
    }
    let decoded = try? Hello(serializedBytes: Array(payload))
    if otherVersion != nil {
      if let decoded, decoded.versionMax > 0 {
        otherVersion = (decoded.versionMin, decoded.versionMax)
      }
      throw ConnectionFault(.unsupportedVersion, "the server speaks another version")
    }
    guard let hello = decoded else {
      throw ConnectionFault(.protocolError, "a HELLO that does not decode")
    }
    serverHello = hello
    core.peer = core.peer.raised(to: try Settings(hello, defaults: core.peer))
    core.window.sendAllowance = max(core.window.sendAllowance, core.peer.connectionCredit)
    core.noteCompression(of: hello.compression)
    for slot in 0..<core.streams.slotEnd where core.streams.isOccupied(slot) {
      let allowance = max(core.streams[slot].window.sendAllowance, core.peer.streamCredit)
      core.streams[slot].window.sendAllowance = allowance
      if !core.streams[slot].outbound.isEmpty { core.makeReady(slot) }
    }
    core.phase = .open
    return true
  }
}

@available(*, unavailable)
extension ClientConnection: Sendable {}
