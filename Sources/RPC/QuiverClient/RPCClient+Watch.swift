public import QuiverProtobuf
public import QuiverRPC
import QuiverWire
import Synchronization

extension RPCClient {
  /// Watches what a method streams, over lost connections and restarts of the server.
  ///
  /// If what answers speaks another protocol, and no server has answered this client before, the
  /// watch ends UNAVAILABLE with the name of that protocol.
  ///
  /// Every call of the watch has these options; the timeout is that of the whole watch.
  public func watch<Request: Message, Response: WatchMessage>(
    _ method: ServerStreamingMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) -> ResumingStream<Response> {
    let info = method.info
    let message = encode(request)
    return ResumingStream(after: options.after) { self.source(info, message, options) }
  }

  /// The source of one watch, whose deadline begins now.
  private func source(
    _ method: MethodInfo, _ message: [UInt8], _ options: CallOptions
  ) -> ResumableSource {
    let transport = channel.transport
    var options = options
    let deadline = options.deadline(standard: nil, now: transport.now())
    options.timeout = nil
    options.inheritedDeadline = deadline
    options.waitsForReady = options.waitsForReady ?? true
    let token = transport.token
    let opened = OpenedToken()
    return ResumableSource(
      backoff: configuration.limits.resume,
      resumption: { [channel] error in
        if error.code == .unauthenticated, error.origin == .connection,
          opened.replace(by: token.refresh())
        {
          return .after(nil)
        }
        if error.origin == .connection, channel.meetsOthers { return .no }
        return ResumableSource.whereUnavailable(error)
      },
      sleep: { (delay) throws(RPCError) in
        let due = transport.now() &+ delay.clampedNanoseconds
        await transport.sleep(until: deadline == 0 ? due : min(due, deadline))
        guard !Task.isCancelled else { throw Self.cancelledWatch }
        guard deadline == 0 || transport.now() < deadline else { throw Self.expiredWatch }
      },
      open: { [options] (position) throws(RPCError) in
        var options = options
        options.after = position
        _ = opened.replace(by: token.value)
        return try self.startEncoded(method, message, options: options)
      },
      watched: { [channel] in channel.positions.watched($0) })
  }

  private static var cancelledWatch: RPCError {
    RPCError(
      .cancelled, "the task of the watch was cancelled", isNotProcessed: true, origin: .client)
  }

  private static var expiredWatch: RPCError {
    RPCError(.deadlineExceeded, "the watch's deadline passed", origin: .client)
  }
}

/// The token with which a watch was opened last.
private final class OpenedToken: Sendable {
  private let token = Mutex<[UInt8]>([])

  /// Stores a token; returns whether it is another one.
  func replace(by other: [UInt8]) -> Bool {
    token.withLock { token in
      defer { token = other }
      return token != other
    }
  }
}
