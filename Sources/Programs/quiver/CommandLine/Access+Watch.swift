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
              let isReady = await Self.waitForServer { () async throws(RPCError) in
                try await client.waitForReady(timeout: .seconds(60))
              }
              if isReady { display.showConnection() }
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

  /// Repeats an attempt to reach the server until one succeeds, with a pause behind each other one.
  /// Returns false if the task was cancelled before.
  static func waitForServer(
    pause: Duration = .seconds(1), _ attempt: () async throws(RPCError) -> Void
  ) async -> Bool {
    while !Task.isCancelled {
      if (try? await attempt()) != nil { return true }
      // It ends at once when the task is cancelled.
      try? await Task.sleep(for: pause)
    }
    return false
  }
}
