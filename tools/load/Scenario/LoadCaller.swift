import GatewayCalls
import QuiverClient
import QuiverRPC
import QuiverWire

/// What carries the calls and streams of a role.
protocol LoadCaller: CallCarrier {
  func openStream(
    _ method: MethodInfo, _ request: [UInt8], _ options: CallOptions
  ) throws(RPCError) -> any LoadStream
}

/// The messages of an open call.
protocol LoadStream: Sendable {
  func next() async throws(RPCError) -> [UInt8]?
  func send(_ message: [UInt8]) async throws(RPCError)
  func finishRequest()
  func cancel(_ error: RPCError)
}

extension RPCClient: LoadCaller {
  func openStream(
    _ method: MethodInfo, _ request: [UInt8], _ options: CallOptions
  ) throws(RPCError) -> any LoadStream {
    try startEncoded(method, request, options: options)
  }
}

extension ClientStream: LoadStream {}

extension GatewayCaller: LoadCaller {
  func openStream(
    _ method: MethodInfo, _ request: [UInt8], _ options: CallOptions
  ) throws(RPCError) -> any LoadStream {
    try startEncoded(method, request, options: options)
  }
}

extension GatewayStream: LoadStream {
  /// Throws: over HTTP/1.1 a request is sent as a whole.
  func send(_ message: [UInt8]) async throws(RPCError) {
    throw RPCError(
      .unimplemented, "a call through the gateway has one request", isNotProcessed: true,
      origin: .client)
  }

  func finishRequest() {}
}
