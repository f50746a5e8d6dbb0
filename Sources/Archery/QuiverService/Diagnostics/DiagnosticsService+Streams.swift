import QuiverAPI
import QuiverRPC
import QuiverWire

extension DiagnosticsService {
  private static let mostMessages: UInt32 = 10_000
  private static let longestIntervalMilliseconds: UInt32 = 600_000
  private static let largestPayload = UInt32(Limits().maxMessageBytes)
  private static let connectionsShown = 1_000

  func echoMetadata(
    _ request: EchoMessage, _ call: CallContext
  ) async throws -> Reply<EchoMessage> {
    try checkEnabled()
    return Reply(
      message: request, initialMetadata: call.metadata, trailingMetadata: call.metadata)
  }

  func echoStream(
    _ requests: RequestStream<EchoMessage>, _ call: CallContext, _ replies: ReplyWriter<EchoMessage>
  ) async throws {
    try checkEnabled()
    if !call.metadata.isEmpty {
      replies.send(initialMetadata: call.metadata)
      replies.set(trailingMetadata: call.metadata)
    }
    for try await request in requests { try await replies.send(request) }
  }

  func sink(
    _ requests: RequestStream<EchoMessage>, _ call: CallContext
  ) async throws -> SinkResponse {
    try checkEnabled()
    var response = SinkResponse()
    for try await request in requests {
      response.messageCount &+= 1
      response.payloadBytes &+= UInt64(request.payload.count)
    }
    return response
  }

  func source(
    _ request: SourceRequest, _ call: CallContext, _ replies: ReplyWriter<EchoMessage>
  ) async throws {
    try checkEnabled()
    try check(request)
    var message = EchoMessage()
    if request.sizes.isEmpty {
      message.payload = [UInt8](repeating: 0, count: Int(request.size))
      for number in 0..<request.count {
        message.number = number &+ 1
        try await replies.send(message)
        try await pause(request.intervalMilliseconds)
      }
    } else {
      for size in request.sizes {
        message.number &+= 1
        message.payload = [UInt8](repeating: 0, count: Int(size))
        try await replies.send(message)
        try await pause(request.intervalMilliseconds)
      }
    }
  }

  private func check(_ request: SourceRequest) throws {
    guard request.sizes.count <= Self.mostMessages else {
      throw RPCError(.invalidArgument, "sizes: at most \(Self.mostMessages)")
    }
    guard request.sizes.allSatisfy({ $0 <= Self.largestPayload }) else {
      throw RPCError(.invalidArgument, "sizes: each must be at most \(Self.largestPayload)")
    }
    guard request.size <= Self.largestPayload else {
      throw RPCError(.invalidArgument, "size: must be at most \(Self.largestPayload)")
    }
    guard request.intervalMilliseconds <= Self.longestIntervalMilliseconds else {
      throw RPCError(
        .invalidArgument, "interval_ms: must be at most \(Self.longestIntervalMilliseconds)")
    }
  }

  private func pause(_ milliseconds: UInt32) async throws {
    if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
  }

  func failSource(
    _ request: FailRequest, _ call: CallContext, _ replies: ReplyWriter<FailResponse>
  ) async throws {
    try checkEnabled()
    let status = try Self.status(request)
    guard request.afterMessages <= Self.mostMessages else {
      throw RPCError(.invalidArgument, "after_messages: must be at most \(Self.mostMessages)")
    }
    for _ in 0..<request.afterMessages { try await replies.send(FailResponse()) }
    throw status
  }

  func failSink(
    _ requests: RequestStream<FailRequest>, _ call: CallContext
  ) async throws -> FailResponse {
    try checkEnabled()
    for try await request in requests { throw try Self.status(request) }
    throw RPCError(.invalidArgument, "the stream ended without a message")
  }

  func failStream(
    _ requests: RequestStream<FailRequest>, _ call: CallContext,
    _ replies: ReplyWriter<FailResponse>
  ) async throws {
    try checkEnabled()
    for try await request in requests {
      guard request.code == 0 else { throw try Self.status(request) }
      try await replies.send(FailResponse())
    }
  }

  func connections(
    _ request: ConnectionsRequest, _ call: CallContext
  ) async throws -> ConnectionsResponse {
    try checkEnabled()
    let principal = call.caller?.principalID
    let own = await view.connections().filter {
      $0.caller != nil && $0.caller?.principalID == principal
    }
    let now = call.connection.reactor.nowNanoseconds
    var response = ConnectionsResponse()
    response.total = UInt32(clamping: own.count)
    response.connections = own.prefix(Self.connectionsShown).map { summary in
      let age = now > summary.openedNanoseconds ? now - summary.openedNanoseconds : 0
      var entry = ConnectionEntry()
      entry.id = summary.id
      entry.address = summary.address
      entry.openedMillisecondsAgo = Int64(clamping: age / 1_000_000)
      entry.openCalls = UInt32(clamping: summary.openCallCount)
      entry.isThis = summary.id == call.connection.id
      return entry
    }
    return response
  }
}
