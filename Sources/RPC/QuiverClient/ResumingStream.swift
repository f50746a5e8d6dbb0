import QuiverProtobuf
public import QuiverRPC
import QuiverWire

/// The messages of a watch, which is opened again after the last message when its stream ends.
///
/// When the stream ends UNAVAILABLE, or OK, it is opened again after the last message that was
/// read, with a growing delay, so that no change is missed or repeated. If the server no longer has
/// the history since then, a new snapshot follows. Every other failure is thrown.
///
/// Each iterator is a separate watch. Cancelling the task that reads ends it with CANCELLED.
public struct ResumingStream<Response: WatchMessage>: AsyncSequence, Sendable {
  public typealias Element = Response
  public typealias Failure = RPCError

  let position: WatchPosition?
  /// Called once for each watch.
  let makeSource: @Sendable () -> ResumableSource

  /// Creates a stream of watches.
  ///
  /// - Parameters:
  ///   - position: the position after which they continue; nil: they begin with a snapshot.
  ///   - makeSource: makes the source of one watch as it starts.
  package init(
    after position: WatchPosition? = nil, _ makeSource: @escaping @Sendable () -> ResumableSource
  ) {
    self.position = position
    self.makeSource = makeSource
  }

  /// Starts a watch.
  public func makeAsyncIterator() -> Iterator { Iterator(makeSource(), position) }

  /// Reads one watch.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: ResumableSource
    /// The position after the last message that was read and that is not inside a snapshot: keep it
    /// to continue later.
    public private(set) var position: WatchPosition?
    private var stream: OpenStream?
    private var failures = 0

    init(_ source: ResumableSource, _ position: WatchPosition?) {
      self.source = source
      self.position = position
    }

    /// The next message; never nil, since a watch that the server ends is opened again.
    public mutating func next() async throws(RPCError) -> Response? {
      while true {
        var pushBack: Duration?
        do throws(RPCError) {
          if let message = try await read() { return message }
        } catch {
          if error.code == .outOfRange, position != nil {
            // The history does not reach that far: a snapshot follows at once.
            position = nil
            stream = nil
            continue
          }
          guard case .after(let delay) = source.resumption(error) else { throw error }
          pushBack = delay
        }
        stream = nil
        let delay = source.backoff.delay(after: failures, pushBack: pushBack)
        failures = Swift.min(failures + 1, 1_000)
        try await source.sleep(delay)
      }
    }

    /// The next message; never nil, since a watch that the server ends is opened again.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RPCError) -> Response? {
      try await next()
    }

    private mutating func read() async throws(RPCError) -> Response? {
      let open: OpenStream
      if let stream {
        open = stream
      } else {
        open = OpenStream(try source.open(position))
        stream = open
      }
      guard let bytes = try await open.stream.next() else { return nil }
      let message: Response
      do throws(DecodeError) {
        message = try Response(serializedBytes: bytes)
      } catch {
        throw RPCError(
          .internal, "a message of the reply does not decode: \(error)", origin: .client)
      }
      failures = 0
      if let span = message.span, !span.isIncomplete {
        let reached = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
        source.watched(reached)
        position = reached
      }
      return message
    }
  }
}

/// How a ``ResumingStream`` opens its streams and waits between them.
package struct ResumableSource: Sendable {
  /// Whether a watch continues after an error.
  package enum Resumption: Sendable {
    /// The error is thrown.
    case no
    /// The stream is opened again after the delay that the server asks for, or a longer one.
    case after(Duration?)
  }

  let backoff: Backoff
  let resumption: @Sendable (RPCError) -> Resumption
  let sleep: @Sendable (Duration) async throws(RPCError) -> Void
  let open: @Sendable (WatchPosition?) throws(RPCError) -> any EncodedStream
  let watched: @Sendable (WatchPosition) -> Void

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - backoff: the delays before a stream is opened again.
  ///   - resumption: whether a watch continues after an error.
  ///   - sleep: waits before a stream is opened again; what it throws ends the watch.
  ///   - open: opens a stream after a position.
  ///   - watched: receives each position that the watch has come to.
  package init(
    backoff: Backoff,
    resumption: @escaping @Sendable (RPCError) -> Resumption = Self.whereUnavailable,
    sleep: @escaping @Sendable (Duration) async throws(RPCError) -> Void,
    open: @escaping @Sendable (WatchPosition?) throws(RPCError) -> any EncodedStream,
    watched: @escaping @Sendable (WatchPosition) -> Void = { _ in }
  ) {
    self.watched = watched
    self.backoff = backoff
    self.resumption = resumption
    self.sleep = sleep
    self.open = open
  }

  /// Continues if the server is unavailable or asks to retry later.
  package static func whereUnavailable(_ error: RPCError) -> Resumption {
    let pushBack = error.retryAfterMilliseconds
    guard pushBack ?? 0 >= 0,
      error.code == .unavailable || error.code == .resourceExhausted && pushBack != nil
    else { return .no }
    return .after(pushBack.map { .milliseconds($0) })
  }
}

/// An open call whose replies are read as encoded messages.
package protocol EncodedStream: Sendable {
  /// The next message; nil once the call has ended OK. Throws how it ended otherwise.
  func next() async throws(RPCError) -> [UInt8]?

  /// Ends the call with `error`, here and at the server.
  func cancel(_ error: RPCError)
}

extension ClientStream: EncodedStream {}

/// A stream that is cancelled when the last reference to it is released.
private final class OpenStream: Sendable {
  let stream: any EncodedStream

  init(_ stream: any EncodedStream) { self.stream = stream }

  deinit {
    stream.cancel(RPCError(.cancelled, "the caller cancelled the call", origin: .client))
  }
}
