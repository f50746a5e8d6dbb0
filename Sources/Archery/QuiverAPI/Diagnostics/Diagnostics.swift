public import QuiverRPC

/// The service `quiver.v1.Diagnostics`: calls that test a connection.
///
/// The server answers UNIMPLEMENTED unless it was started with `--diagnostics`.
public enum Diagnostics: RPCService {
  /// The methods of ``Diagnostics``.
  public struct Methods: Sendable {
    /// Returns the request.
    public let echo = UnaryMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/Echo", id: 769)
    /// The same with an async handler that does not suspend.
    public let echoAsync = UnaryMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/EchoAsync", id: 770)
    /// Returns after a delay; ends early if the call is cancelled.
    public let delay = UnaryMethod<DelayRequest, DelayResponse>(
      "quiver.v1.Diagnostics/Delay", id: 771)
    /// Fails with the requested status.
    public let fail = UnaryMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/Fail", id: 772)

    /// Returns the request, with the request's metadata as initial and as trailing metadata.
    public let echoMetadata = UnaryMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/EchoMetadata", id: 773)
    /// Returns each message when it arrives, until the request side ends. The request's metadata is
    /// the initial and the trailing metadata.
    public let echoStream = BidirectionalMethod<EchoMessage, EchoMessage>(
      "quiver.v1.Diagnostics/EchoStream", id: 774)
    /// Counts the messages and their bytes.
    public let sink = ClientStreamingMethod<EchoMessage, SinkResponse>(
      "quiver.v1.Diagnostics/Sink", id: 775)
    /// Sends the requested messages.
    public let source = ServerStreamingMethod<SourceRequest, EchoMessage>(
      "quiver.v1.Diagnostics/Source", id: 776)
    /// Fails with the requested status, after the requested number of messages.
    public let failSource = ServerStreamingMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/FailSource", id: 777)
    /// Fails with the status that the first message requests.
    public let failSink = ClientStreamingMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/FailSink", id: 778)
    /// Returns each message with an empty one. The first message with a code fails the call with
    /// it.
    public let failStream = BidirectionalMethod<FailRequest, FailResponse>(
      "quiver.v1.Diagnostics/FailStream", id: 779)
    /// The open connections of the caller's principal.
    public let connections = UnaryMethod<ConnectionsRequest, ConnectionsResponse>(
      "quiver.v1.Diagnostics/Connections", id: 780)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
