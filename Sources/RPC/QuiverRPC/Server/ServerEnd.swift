public import QuiverProtobuf
package import QuiverWire

/// The server's end of a connection with its handlers: feeds the machine, starts what it asks for,
/// and notifies the driver when there is output.
///
/// Lives on its reactor: everything but `onReactor(_:)` is called there. Its driver owns it: a
/// shard of the Dispatch transport, or the loopback.
// Sendable because it is touched on its reactor alone; others reach it through `onReactor`.
public final class ServerEnd: ConnectionEnd, @unchecked Sendable {
  /// The machine, behind a pointer so that no access to it is checked for exclusivity at run time:
  /// one reactor owns it, and no event is handled while it is being changed.
  package let connection: UnsafeMutablePointer<ServerConnection>
  package let reactor: any Reactor
  @usableFromInline let executor: any TaskExecutor
  @usableFromInline let coder: MessageCoder
  let router: Router
  let authenticator: any Authenticator
  /// Who the peer is beside its token. Set by the transport before the HELLO.
  @exclusivity(unchecked)
  package var peer: ConnectionPeer
  package let id: UInt64
  @exclusivity(unchecked)  // the reactor is the one owner of this and of what follows
  package internal(set) var info: ConnectionInfo
  /// Notified when there is output outside of a turn of input. Released when the end is closed: a
  /// weak reference would make each use of a driver slower.
  @exclusivity(unchecked)
  package var driver: (any ConnectionDriver)?

  @exclusivity(unchecked)
  var isInTurn = false
  /// Input that waits while answers wait to be written, or after calls were refused.
  @exclusivity(unchecked)
  var deferredInput: [UInt8] = []
  @exclusivity(unchecked)
  package private(set) var isAborted = false
  /// The principal among whose connections this one is counted.
  package internal(set) var admittedPrincipal: Int64?
  /// The gateway that connects for its callers; nil: none does.
  var gateway: Caller? { didSet { connection.pointee.isGateways = gateway != nil } }
  /// Of the last call that is not by whom ``info`` names; nil: there was none.
  @exclusivity(unchecked)
  var statedInfo: ConnectionInfo?
  /// The connection is closed so that another one has room.
  package var isMakingRoom = false
  /// Calls that interceptors wait for the end of, by stream.
  @exclusivity(unchecked)
  var observed: [UInt32: AwaitedEnd] = [:]
  /// Calls for users that wait until their callers are found, in the order in which they came.
  var actingCalls: [ActingCall] = []
  /// Whether a call for a user has started: some of its streams may be open.
  var hasActed = false

  package init(
    id: UInt64, address: String, router: Router, limits: SharedLimits, identity: ServerIdentity,
    authenticator: any Authenticator, compressor: (any Compressor)? = nil,
    share: MemoryShare? = nil, metrics: CallMetrics? = nil, reactor: any Reactor,
    coder: ReactorCoder
  ) {
    connection = .allocate(capacity: 1)
    connection.initialize(
      to: ServerConnection(
        router: router, limits: limits, identity: identity, compressor: compressor, share: share,
        metrics: metrics, jitter: (id &* 0x9E37_79B9_7F4A_7C15) &>> 20,
        now: reactor.nowNanoseconds))
    self.reactor = reactor
    executor = reactor
    self.coder = coder.coder
    self.router = router
    self.authenticator = authenticator
    peer = ConnectionPeer(address: address)
    self.id = id
    info = ConnectionInfo(id: id, address: address, caller: nil, reactor: reactor)
  }

  deinit {
    connection.deinitialize(count: 1)
    connection.deallocate()
  }

  // MARK: For the driver

  package func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    reactor.preconditionOnReactor()
    isInTurn = true
    connection.pointee.core.notePressure()
    // Input that was held back is input of now: its peer could not be heard meanwhile.
    let gotInput = chunk.count > 0 || !deferredInput.isEmpty
    if deferredInput.isEmpty {
      process(chunk, now: now)
    } else {
      let held = deferredInput + Array(chunk)
      deferredInput = []
      held.withUnsafeBytes { process($0, now: now) }
    }
    finishTurn(now: now, gotInput: gotInput)
    isInTurn = false
  }

  /// Ends a turn, then notifies streams that waited for room, which may queue more to frame.
  @inline(__always)
  func finishTurn(now: UInt64, gotInput: Bool) {
    connection.pointee.endTurn(now: now, gotInput: gotInput)
    if connection.pointee.core.hasStreamsWithRoom { notifyRoom(now: now) }
    reportNotes()
  }

  /// Hands what the turn has counted and noted to the metrics of the reactor.
  @inline(__always)
  private func reportNotes() {
    guard let metrics = connection.pointee.core.metrics, metrics.isPending else { return }
    metrics.endTurn(of: info)
  }

  private func notifyRoom(now: UInt64) {
    while let stream = connection.pointee.core.nextWithRoom() {
      (connection.pointee.owner(of: stream) as? ServerStream)?.hasRoom()
    }
    connection.pointee.endTurn(now: now, gotInput: false)
  }

  private func process(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    var offset = 0
    while true {
      switch connection.pointee.next(chunk, at: &offset, now: now) {
      case .call:
        startCall()
        if !connection.pointee.core.wantsInput { return deferInput(chunk, from: offset) }
        if offset == chunk.count, connection.pointee.hasNoEvent { return }
      case .needsBytes:
        if offset < chunk.count { deferInput(chunk, from: offset) }
        return
      case .authenticate: authenticate()
      case .cancelled(let stream): cancelled(stream)
      case .message(let stream): arrived(stream)
      case .requestEnded(let stream): requestEnded(stream)
      case .closing: break
      case .abort: isAborted = true
      }
    }
  }

  private func deferInput(_ chunk: UnsafeRawBufferPointer, from offset: Int) {
    guard offset < chunk.count else { return }
    connection.pointee.core.countFullAnswers()
    deferredInput.append(contentsOf: chunk[offset...])
  }

  package func wrote(_ byteCount: Int, now: UInt64) {
    reactor.preconditionOnReactor()
    connection.pointee.core.wrote(byteCount, now: now)
    let wasInTurn = isInTurn
    isInTurn = true
    finishTurn(now: now, gotInput: false)
    isInTurn = wasInTurn
    processDeferred(now: now)
  }

  package var output: UnsafeRawBufferPointer { connection.pointee.core.egress.output.bytes }
  package var nextTimer: UInt64 { connection.pointee.core.nextTimer }
  package var wantsInput: Bool { connection.pointee.core.wantsInput }
  package var phase: ConnectionCore.Phase { connection.pointee.core.phase }

  package func writeBlocked(now: UInt64) {
    connection.pointee.core.writeBlocked(now: now)
  }

  package func didHalfClose(now: UInt64) {
    connection.pointee.core.linger(now: now)
  }

  package func transportHolds(_ byteCount: Int) {
    connection.pointee.core.transportByteCount = byteCount
    connection.pointee.core.reportHeld()
  }

  package func exchangeOutput(_ spare: inout ByteQueue) {
    guard connection.pointee.core.egress.output.isEmpty else { return }
    swap(&connection.pointee.core.egress.output, &spare)
  }

  package func timerFired(now: UInt64) {
    reactor.preconditionOnReactor()
    isInTurn = true
    connection.pointee.timerFired(now: now)
    notifyCancelled()
    finishTurn(now: now, gotInput: false)
    isInTurn = false
    processDeferred(now: now)
  }

  /// Processes input that was held back, if the connection wants input again.
  private func processDeferred(now: UInt64) {
    guard !deferredInput.isEmpty, connection.pointee.core.wantsInput else { return }
    receive(UnsafeRawBufferPointer(start: nil, count: 0), now: now)
  }

  package func closed(_ reason: String) {
    reactor.preconditionOnReactor()
    connection.pointee.peerClosed()
    notifyCancelled()
    reportNotes()
    driver = nil
  }

  /// Begins the two-step drain.
  package func drain(now: UInt64) {
    reactor.preconditionOnReactor()
    connection.pointee.startDrain(now: now)
    if !isInTurn { connection.pointee.endTurn(now: now, gotInput: false) }
    driver?.hasOutput()
  }

  /// Ends the connection with an error.
  package func fail(_ fault: ConnectionFault, now: UInt64) {
    reactor.preconditionOnReactor()
    connection.pointee.fail(fault)
    connection.pointee.core.reportHeld()
    notifyCancelled()
    reportNotes()
    driver?.hasOutput()
  }

  func notifyCancelled() {
    while let stream = connection.pointee.nextCancelled() { cancelled(stream) }
  }

  /// Sets the address that a proxy named for the caller, before any byte of the caller is received.
  package func setAddress(_ address: String) {
    reactor.preconditionOnReactor()
    peer = ConnectionPeer(address: address)
    info = ConnectionInfo(id: id, address: address, caller: nil, reactor: reactor)
  }

  /// Counts what the connection holds under another share.
  package func move(to share: MemoryShare) { connection.pointee.core.move(to: share) }

  /// The share that counts what the connection holds.
  package var shareKey: ShareKey? { connection.pointee.core.share?.key }
  /// The address of the peer, without its port.
  package var address: String { peer.address }
  /// What the connection holds in memory for its peer.
  package var heldBytes: Int { connection.pointee.core.memoryBytes }
  /// Whether no caller is known, no token is being checked and no call is open.
  package var isIdleAndAnonymous: Bool {
    info.caller == nil && connection.pointee.core.streams.isEmpty
      && connection.pointee.core.phase < .closing
      && connection.pointee.core.phase != .authenticating
  }

  // MARK: Events

  @inline(__always)
  private func startCall() {
    connection.pointee.startingStream = connection.pointee.call.stream
    connection.pointee.isAnswered = false
    connection.pointee.core.metrics?.willStart(connection.pointee.call.route)
    if connection.pointee.call.head.extras == nil {
      router.routes[connection.pointee.call.route].body(self)
    } else {
      startCallWithMetadata()
    }
    openUnlessAnswered()
  }

  /// Takes the call whose handler has started into the table, unless it is answered.
  @inline(__always)
  func openUnlessAnswered() {
    if !connection.pointee.isAnswered {
      connection.pointee.openCurrentCall(owner: connection.pointee.startingOwner)
      connection.pointee.startingOwner = nil
    }
    connection.pointee.startingStream = 0
  }

  private func cancelled(_ stream: UInt32) {
    if !observed.isEmpty { noteCancelled(stream) }
    (connection.pointee.owner(of: stream) as? any Cancellable)?.cancel()
  }

  /// A message of a streaming call has come.
  private func arrived(_ stream: UInt32) {
    let owner = connection.pointee.owner(of: stream)
    let charge = connection.pointee.messageCharge
    if let owner = owner as? ServerStream {
      owner.arrived(Array(connection.pointee.message), charge: charge)
    } else if let owner = owner as? HeldCall {
      owner.messages.append((Array(connection.pointee.message), charge))
    }
  }

  /// No more messages of a streaming call come.
  private func requestEnded(_ stream: UInt32) {
    let owner = connection.pointee.owner(of: stream)
    if let owner = owner as? ServerStream {
      owner.requestEnded()
    } else if let owner = owner as? HeldCall {
      owner.hasEnded = true
    }
  }

  // MARK: For handlers

  /// The call whose handler is being started; 0: none.
  @usableFromInline
  var currentStream: UInt32 { connection.pointee.startingStream }
  /// The call whose handler is being started has been answered.
  @usableFromInline
  var isAnswered: Bool { connection.pointee.isAnswered }

  /// Sets the object to notify when the current call is cancelled.
  @usableFromInline
  func setOwner(_ owner: any Cancellable) { connection.pointee.startingOwner = owner }

  /// Runs `action` on the reactor: now if this is it, else soon.
  package func onReactor(_ action: @escaping @Sendable (ServerEnd) -> Void) {
    if reactor.isCurrent {
      action(self)
    } else {
      reactor.run { action(self) }
    }
  }

  /// The context of the current call.
  @usableFromInline
  func context() -> CallContext {
    let key = connection.pointee.call.head.idempotencyKey
    return CallContext(
      connection: info, methodID: router.routes[connection.pointee.call.route].method.id,
      attempt: connection.pointee.call.head.attempt,
      deadlineNanoseconds: connection.pointee.call.deadlineNanoseconds, idempotencyKey: key,
      keyedRequest: key == nil ? nil : Array(connection.pointee.call.message),
      afterSequence: connection.pointee.call.head.afterSequence,
      storeEpoch: connection.pointee.call.head.storeEpoch,
      extras: connection.pointee.call.head.extras)
  }

  /// The request of the current call; nil if it does not decode, and then the call is answered.
  @inlinable
  func decodeRequest<Request: Message>(_: Request.Type) -> Request? {
    do throws(DecodeError) {
      return try coder.decode(Request.self, from: requestBytes)
    } catch {
      refuseRequest(error)
      return nil
    }
  }

  @usableFromInline
  var requestBytes: UnsafeRawBufferPointer { connection.pointee.call.message }

  @usableFromInline
  func refuseRequest(_ error: DecodeError) {
    connection.pointee.isAnswered = true
    connection.pointee.refuseMessage(
      stream: currentStream, error, now: reactor.nowNanoseconds)
  }

  /// Ends a call with a reply.
  @inlinable
  func reply<Response: Message>(_ stream: UInt32, _ response: borrowing Response) {
    let count = coder.encode(response, reserving: { roomForReply($0) })
    commitReply(stream, count)
  }

  @usableFromInline
  func roomForReply(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: connection.pointee.beginReply(byteCount), count: byteCount)
  }

  @usableFromInline
  func commitReply(_ stream: UInt32, _ byteCount: Int) {
    reactor.preconditionOnReactor()
    connection.pointee.commitReply(stream: stream, byteCount)
    answered(stream)
  }

  /// Ends a call with a reply that is encoded already.
  package func reply(_ stream: UInt32, encoded bytes: [UInt8]) {
    put(bytes)
    connection.pointee.commitReply(stream: stream, bytes.count)
    answered(stream)
  }

  /// The same with trailing metadata, of a call that was not answered when its handler started.
  package func reply(_ stream: UInt32, encoded bytes: [UInt8], trailing: Metadata) {
    guard stream != connection.pointee.startingStream else { return reply(stream, encoded: bytes) }
    _ = send(stream, encoded: bytes)
    finishStream(stream, trailing)
  }

  /// Writes an encoded message where the next reply goes.
  func put(_ bytes: [UInt8]) {
    guard !connection.pointee.adoptReply(bytes) else { return }
    let room = connection.pointee.beginReply(bytes.count)
    UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyBytes(from: bytes)
  }

  /// Ends a call with a status.
  @usableFromInline
  func fail(_ stream: UInt32, _ error: RPCError) {
    reactor.preconditionOnReactor()
    if error.code == .resourceExhausted { noteRefusal() }
    connection.pointee.failReply(stream, error)
    answered(stream)
  }

  /// Notes a refusal after which the caller should wait, or end something, before it calls again.
  /// Refusals of users for whom a service calls do not delay its calls for others.
  private func noteRefusal() {
    guard let caller = info.caller, caller.kind != .service,
      caller.principalID == admittedPrincipal
    else { return }
    connection.pointee.noteRefusal(now: reactor.nowNanoseconds)
  }

  /// Ends a call with what its handler threw.
  @usableFromInline
  func fail(_ stream: UInt32, thrown error: any Error) { fail(stream, RPCError(thrown: error)) }

  private func answered(_ stream: UInt32) {
    if stream == connection.pointee.startingStream {
      connection.pointee.isAnswered = true
    } else {
      if !observed.isEmpty { notifyEnded(stream) }
      flushSoon()
    }
  }

  /// Frames what may go, outside a turn of input, and has it written.
  func flushSoon() {
    reactor.preconditionOnReactor()
    guard !isInTurn else { return }
    isInTurn = true
    finishTurn(now: reactor.nowNanoseconds, gotInput: false)
    isInTurn = false
    driver?.hasOutput()
  }
}

/// How a server identifies itself in its HELLO: one object for all its connections.
package final class ServerIdentity: Sendable {
  package let software: String
  /// New at each start.
  package let instanceID: [UInt8]
  /// A hash of the schema that Reflection returns.
  package let schemaFingerprint: [UInt8]

  package init(software: String, instanceID: [UInt8], schemaFingerprint: [UInt8] = []) {
    self.software = software
    self.instanceID = instanceID
    self.schemaFingerprint = schemaFingerprint
  }
}
