import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// What shows a watch, and whether the server is connected. Any thread calls it.
protocol WatchShowing: Sendable {
  /// Whether a message has arrived: from then on a lost connection is waited for.
  var hasBegun: Bool { get }

  /// Shows that the connection was lost. Returns false where that was shown already.
  func showDisconnection(_ error: RPCError) -> Bool

  /// Shows that the server is reached again.
  func showConnection()
}

extension Access {
  /// The messages of a watch. A connection that is lost before the first one ends it; later ones
  /// are waited for.
  func watch<Request: Message, Response: WatchMessage>(
    _ method: ServerStreamingMethod<Request, Response>, _ request: Request,
    _ display: some WatchShowing
  ) -> ResumingStream<Response> {
    let (client, info, bytes) = (client, method.info, request.serializedBytes())
    return ResumingStream {
      ResumableSource(
        backoff: Backoff(first: .milliseconds(100), longest: .seconds(5)),
        resumption: { error in
          guard display.hasBegun else { return .no }
          let resumption = ResumableSource.whereUnavailable(error)
          if case .after = resumption, display.showDisconnection(error) {
            Task {
              while (try? await client.waitForReady(timeout: .seconds(60))) == nil {}
              display.showConnection()
            }
          }
          return resumption
        },
        sleep: { (delay) throws(RPCError) in
          guard (try? await Task.sleep(for: delay)) != nil else {
            throw RPCError(.cancelled, "the watch was cancelled", origin: .client)
          }
        },
        open: { (position) throws(RPCError) in
          var options = CallOptions()
          options.after = position
          options.waitsForReady = display.hasBegun
          return try client.startEncoded(info, bytes, options: options)
        })
    }
  }
}
