import QuiverClient
package import QuiverRPC
import QuiverWire
import Synchronization

/// A streamed reply through a gateway. One task reads it.
package final class GatewayStream: Sendable {
  private let caller: GatewayCaller
  private let method: MethodInfo
  private let json: [UInt8]
  private let options: CallOptions
  private let state = Mutex(State())

  private struct State {
    var call: HTTPCall?
    var waiting: [UInt8] = []
    var isOver = false
    var givenUp: RPCError?
  }

  init(_ caller: GatewayCaller, _ method: MethodInfo, _ json: [UInt8], _ options: CallOptions) {
    self.caller = caller
    self.method = method
    self.json = json
    self.options = options
  }

  deinit { state.withLock { $0.call }?.giveUp(Self.released) }

  private static let released = RPCError(
    .cancelled, "the stream was released", origin: .client)
  private static let headBytes = 5
  private static let endFlag: UInt8 = 2

  /// The next message; nil at the end. Throws how the call ended otherwise.
  package func next() async throws(RPCError) -> [UInt8]? {
    do throws(RPCError) {
      let call = try await opened()
      while true {
        if let (flags, body) = takeEnvelope() {
          guard flags & Self.endFlag == 0 else { return try end(body) }
          return try GatewayCaller.message(body, method)
        }
        let part = try await call.whileNotCancelled { () async throws(RPCError) in
          try await call.response.next()
        }
        guard let part else {
          throw RPCError(.unavailable, "the stream broke off", origin: .connection)
        }
        call.read()
        state.withLock { $0.waiting += part }
      }
    } catch {
      if error.code == .unauthenticated || error.code == .permissionDenied { caller.forgetToken() }
      throw error
    }
  }

  private func opened() async throws(RPCError) -> HTTPCall {
    let (call, givenUp) = state.withLock { ($0.call, $0.givenUp) }
    if let givenUp { throw givenUp }
    if let call { return call }
    let opened = try await caller.open(method, json, options)
    state.withLock { $0.call = opened }
    return opened
  }

  /// A complete envelope from the front of what has arrived.
  private func takeEnvelope() -> (flags: UInt8, body: [UInt8])? {
    state.withLock { state in
      guard state.waiting.count >= Self.headBytes else { return nil }
      let count = state.waiting[1..<Self.headBytes].reduce(0) { $0 << 8 | Int($1) }
      guard state.waiting.count - Self.headBytes >= count else { return nil }
      let body = Array(state.waiting[Self.headBytes..<Self.headBytes + count])
      let flags = state.waiting[0]
      state.waiting.removeFirst(Self.headBytes + count)
      return (flags, body)
    }
  }

  /// The last envelope says how the call ended.
  private func end(_ body: [UInt8]) throws(RPCError) -> [UInt8]? {
    guard let error = ConnectError.error(inEnd: body) else { return nil }
    throw error
  }

  /// Gives the call up: reading throws `error`.
  package func cancel(_ error: RPCError) {
    let call = state.withLock { state in
      state.givenUp = error
      return state.call
    }
    call?.giveUp(error)
  }
}
