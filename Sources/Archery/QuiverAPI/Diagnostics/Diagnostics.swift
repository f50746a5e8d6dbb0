public import QuiverRPC

/// `quiver.v1.Diagnostics`: calls that try a connection out.
///
/// UNIMPLEMENTED unless the server is started with `--diagnostics`.
public enum Diagnostics: RPCService {
  public struct Methods: Sendable {
    /// Answers what it was sent.
    public let echo = UnaryMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/Echo", id: 769)
    /// The same by a handler that is an async function and does not suspend.
    public let echoAsync = UnaryMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/EchoAsync", id: 770)
    /// Answers after a while; ends early when the call is cancelled.
    public let delay = UnaryMethod<DelayRequest, DelayResponse>(
      "quiver.v1.Diagnostics/Delay", id: 771)
    /// Fails with the status asked for.
    public let fail = UnaryMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/Fail", id: 772)

    /// Answers what it was sent, with the request's metadata before it and behind it.
    public let echoMetadata = UnaryMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/EchoMetadata", id: 773)
    /// Answers each message as it comes, until the request side ends; the request's metadata goes
    /// before the first and behind the last.
    public let echoStream = BidirectionalMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/EchoStream", id: 774)
    /// Counts what it is sent.
    public let sink = ClientStreamingMethod<EchoMessage, SinkResponse>(
      "quiver.v1.Diagnostics/Sink", id: 775)
    /// Sends what it is asked for.
    public let source = ServerStreamingMethod<SourceRequest, EchoMessage>(
      "quiver.v1.Diagnostics/Source", id: 776)
    /// Fails with the status asked for, after the messages asked for.
    public let failSource = ServerStreamingMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/FailSource", id: 777)
    /// Fails with the status that the first message asks for.
    public let failSink = ClientStreamingMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/FailSink", id: 778)
    /// Answers an empty message to each; the first that carries a code fails the call with it.
    public let failStream = BidirectionalMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/FailStream", id: 779)
    /// The connections of the caller's own principal.
    public let connections = UnaryMethod<ConnectionsRequest, ConnectionsResponse>(
      "quiver.v1.Diagnostics/Connections", id: 780)
  }

  public static let methods = Methods()
}
