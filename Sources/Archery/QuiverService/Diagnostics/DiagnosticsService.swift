import QuiverAPI
import QuiverRPC
import QuiverWire

/// Returns `quiver.v1.Diagnostics`, if the server is started with `--diagnostics`.
struct DiagnosticsService {
  let isEnabled: Bool
  let view: ConnectionView

  var routes: [Route] {
    // The echo methods are benchmarked, and a method reference adds two thunks to each call.
    [
      .synchronous(Diagnostics.echo) { (request, call) throws in
        try echo(request, call)
      },
      .asynchronous(Diagnostics.echoAsync) { request, call in
        try await echoAsync(request, call)
      },
      .asynchronous(Diagnostics.delay, delay),
      .synchronous(Diagnostics.fail, fail),
      .asynchronousReply(Diagnostics.echoMetadata, echoMetadata),
      .bidirectional(Diagnostics.echoStream, echoStream),
      .clientStreaming(Diagnostics.sink, sink),
      .serverStreaming(Diagnostics.source, source),
      .serverStreaming(Diagnostics.failSource, failSource),
      .clientStreaming(Diagnostics.failSink, failSink),
      .bidirectional(Diagnostics.failStream, failStream),
      .asynchronous(Diagnostics.connections, connections),
    ]
  }

  private static let longestDelayMilliseconds: UInt32 = 600_000

  func echo(_ request: EchoMessage, _ call: CallContext) throws -> EchoMessage {
    try checkEnabled()
    return request
  }

  func echoAsync(_ request: EchoMessage, _ call: CallContext) async throws -> EchoMessage {
    try checkEnabled()
    return request
  }

  func delay(_ request: DelayRequest, _ call: CallContext) async throws -> DelayResponse {
    try checkEnabled()
    guard request.delayMilliseconds <= Self.longestDelayMilliseconds else {
      throw RPCError(
        .invalidArgument, "delay_ms: must be at most \(Self.longestDelayMilliseconds)")
    }
    var response = DelayResponse()
    response.timeLeftMilliseconds = call.timeLeftMilliseconds
    if request.delayMilliseconds > 0 {
      try await Task.sleep(for: .milliseconds(request.delayMilliseconds))
    }
    return response
  }

  func fail(_ request: FailRequest, _ call: CallContext) throws -> FailResponse {
    try checkEnabled()
    throw try Self.status(request)
  }

  /// The status that a request asks for; throws if the request is not valid.
  static func status(_ request: FailRequest) throws -> RPCError {
    let code = StatusCode(rawValue: request.code)
    guard code.isKnown, code != .ok else {
      throw RPCError(.invalidArgument, "code: must be from 1 to 16")
    }
    var metadata = Metadata()
    for entry in request.metadata { metadata.append(entry.key, entry.value) }
    if let fault = metadata.fault() {
      throw RPCError(.invalidArgument, "metadata: \(fault.message)")
    }
    let pushBack = request.retryAfterMilliseconds
    return RPCError(
      code, request.message,
      details: request.details.map { RPCError.Detail(type: $0.type, value: $0.value) },
      metadata: metadata, isNotProcessed: request.notProcessed,
      retryAfterMilliseconds: pushBack == 0 ? nil : pushBack)
  }

  @inline(__always)
  func checkEnabled() throws {
    guard isEnabled else { throw Self.disabled }
  }

  private static let disabled = RPCError(
    .unimplemented, "diagnostics are off; start the server with --diagnostics")
}
