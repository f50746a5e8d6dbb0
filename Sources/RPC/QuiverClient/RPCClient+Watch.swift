public import QuiverProtobuf
public import QuiverRPC
import QuiverWire

extension RPCClient {
  /// Watches what a method streams, over lost connections and restarts of the server.
  ///
  /// When the stream breaks off UNAVAILABLE, it is opened again behind the last message that was
  /// read, so that no change is left out or comes twice; where the server has no history of that
  /// any more, a new snapshot comes. Everything else that a call can fail with is thrown.
  ///
  /// - Parameter position: where to go on; nil: from a snapshot.
  public func watch<Request: Message, Response: WatchMessage>(
    _ method: ServerStreamingMethod<Request, Response>, _ request: Request,
    after position: WatchPosition? = nil
  ) -> WatchStream<Request, Response> {
    WatchStream(client: self, method: method, request: request, position: position)
  }
}

/// The messages of a watch that goes on over lost connections.
///
/// Each iterator is a watch of its own. Cancelling the task that reads ends it with CANCELLED.
public struct WatchStream<Request: Message, Response: WatchMessage>: AsyncSequence, Sendable {
  public typealias Element = Response
  public typealias Failure = RPCError

  let client: RPCClient
  let method: ServerStreamingMethod<Request, Response>
  let request: Request
  let position: WatchPosition?

  public func makeAsyncIterator() -> Iterator { Iterator(watch: self, position: position) }

  /// Reads one watch.
  public struct Iterator: AsyncIteratorProtocol {
    private let watch: WatchStream
    /// Behind the last message that was read and is not inside a snapshot: keep it to go on later.
    public private(set) var position: WatchPosition?
    private var replies: ReplyStream<Response>.Iterator?
    private var failures = 0

    /// Between two attempts, in milliseconds; each failure in a row doubles it.
    private static var firstPause: Int { 100 }
    private static var longestPause: Int { 10_000 }

    init(watch: WatchStream, position: WatchPosition?) {
      self.watch = watch
      self.position = position
    }

    /// The next message. Never nil: a server that ends a watch OK is asked again.
    public mutating func next() async throws(RPCError) -> Response? {
      while true {
        do throws(RPCError) {
          if let message = try await open() { return note(message) }
        } catch {
          switch error.code {
          case .unavailable: break
          case .outOfRange where position != nil: position = nil
          default: throw error
          }
        }
        replies = nil
        try await pause()
      }
    }

    /// The next message. Never nil: a server that ends a watch OK is asked again.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RPCError) -> Response? {
      try await next()
    }

    private mutating func open() async throws(RPCError) -> Response? {
      var iterator: ReplyStream<Response>.Iterator
      if let replies {
        iterator = replies
      } else {
        var options = CallOptions()
        options.after = position
        options.waitsForReady = true
        iterator = try watch.client.stream(watch.method, watch.request, options: options)
          .makeAsyncIterator()
      }
      replies = iterator
      return try await iterator.next()
    }

    private mutating func note(_ message: Response) -> Response {
      failures = 0
      if let span = message.span, !span.isIncomplete {
        position = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
      }
      return message
    }

    private mutating func pause() async throws(RPCError) {
      failures = Swift.min(failures + 1, 30)
      let longest = Swift.min(Self.firstPause << (failures - 1), Self.longestPause)
      do {
        try await Task.sleep(for: .milliseconds(Int.random(in: longest / 2...longest)))
      } catch {
        throw RPCError(
          .cancelled, "the task that watched was cancelled", isNotProcessed: true, origin: .client)
      }
    }
  }
}
