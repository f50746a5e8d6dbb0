package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Diagnostics`: calls that try a connection out.
///
/// UNIMPLEMENTED unless the server is started with `--diagnostics`.
public enum Diagnostics {
  /// Answers what it was sent.
  public static let echo = Method<EchoMessage, EchoMessage>(
    "quiver.v1.Diagnostics/Echo", id: 769)
  /// The same by a handler that is an async function and does not suspend.
  public static let echoAsync = Method<EchoMessage, EchoMessage>(
    "quiver.v1.Diagnostics/EchoAsync", id: 770)
  /// Answers after a while; ends early when the call is cancelled.
  public static let delay = Method<DelayRequest, DelayResponse>(
    "quiver.v1.Diagnostics/Delay", id: 771)
  /// Fails with the status asked for.
  public static let fail = Method<FailRequest, FailResponse>(
    "quiver.v1.Diagnostics/Fail", id: 772)

  package static let methods = [echo.info, echoAsync.info, delay.info, fail.info]
  package static let schema = ServiceSchema(
    "quiver.v1.Diagnostics", number: 3, methods.map(\.schema))
}

/// What answers ``Diagnostics``.
public protocol DiagnosticsHandlers: Sendable {
  func echo(_ request: EchoMessage, _ call: CallContext) throws(RPCError) -> EchoMessage
  func echoAsync(_ request: EchoMessage, _ call: CallContext) async throws -> EchoMessage
  func delay(_ request: DelayRequest, _ call: CallContext) async throws -> DelayResponse
  func fail(_ request: FailRequest, _ call: CallContext) throws(RPCError) -> FailResponse
}

extension DiagnosticsHandlers {
  @inlinable
  public var routes: [Route] {
    // The echoes are measured, and a reference to a method costs two thunks more a call.
    [
      .synchronous(Diagnostics.echo) { (request, call) throws(RPCError) in
        try echo(request, call)
      },
      .asynchronous(Diagnostics.echoAsync) { request, call in
        try await echoAsync(request, call)
      },
      .asynchronous(Diagnostics.delay, delay),
      .synchronous(Diagnostics.fail, fail),
    ]
  }
}
