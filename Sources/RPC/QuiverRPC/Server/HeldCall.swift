/// A call that waits until its handler may start.
///
/// It owns the call's stream until its handler does. Lives on its connection's reactor.
// Sendable because it is touched on its connection's reactor alone.
class HeldCall: Cancellable, @unchecked Sendable {
  private var call: ServerCall
  private let request: [UInt8]
  /// Messages that have come meanwhile, which credit limits.
  final var messages: [(bytes: [UInt8], charge: UInt64)] = []
  /// Whether no more of them come.
  final var hasEnded = false
  final private(set) var isCancelled = false

  /// Copies the current call of a connection.
  init(_ call: ServerCall) {
    self.call = call
    request = Array(call.message)
    self.call.isOpen = true
  }

  final var stream: UInt32 { call.stream }
  final var route: Int { call.route }
  /// Of the request, which the connection's share of memory counts.
  final var byteCount: Int { request.count }

  func cancel() { isCancelled = true }

  /// Calls `body` with the call, whose message is valid until that returns.
  final func withCall(_ body: (ServerCall) -> Void) {
    request.withUnsafeBytes { bytes in
      call.message = bytes
      body(call)
      call.message = UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }
}

extension ServerEnd {
  /// Lets the current call wait, in the memory that is left for its connection.
  func hold(_ call: HeldCall) throws(RPCError) {
    try connection.pointee.core.checkRoom(for: call.byteCount)
    connection.pointee.core.untakenBytes += call.byteCount
    setOwner(call)
  }

  /// The call waits no longer.
  func release(_ call: HeldCall) { connection.pointee.core.untakenBytes -= call.byteCount }

  /// Makes a call that waited the current one, with that caller, and runs `body`, which starts it.
  func start(_ call: HeldCall, as caller: ConnectionInfo, _ body: () -> Void) {
    guard connection.pointee.owner(of: call.stream) === call else { return }
    let own = info
    info = caller
    call.withCall { current in
      connection.pointee.call = current
      connection.pointee.startingStream = current.stream
      connection.pointee.isAnswered = false
      body()
      openUnlessAnswered()
    }
    info = own
    switch connection.pointee.owner(of: call.stream) {
    case let stream as ServerStream:
      for message in call.messages { stream.arrived(message.bytes, charge: message.charge) }
      if call.hasEnded { stream.requestEnded() }
    case let held as HeldCall where held !== call:
      held.messages += call.messages
      held.hasEnded = held.hasEnded || call.hasEnded
    default: break
    }
  }

  /// Ends a call that no interceptor has seen.
  func refuseUnseen(_ stream: UInt32, _ error: RPCError) {
    fail(stream, error)
    connection.pointee.failures[stream] = nil
  }
}
