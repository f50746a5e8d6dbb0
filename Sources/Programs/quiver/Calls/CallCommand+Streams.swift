import QuiverClient
import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension CallCommand {
  /// Calls a method with a stream on either side: requests are sent and replies are printed as they
  /// arrive. Returns the failure of a write, which ends the call.
  static func stream(
    _ method: MethodInfo, _ source: RequestSource, _ options: CallOptions, _ access: Access,
    printing limit: Int, _ printer: MessageJSON
  ) async throws(RPCError) -> Failure? {
    guard method.kind.clientStreams else {
      let bytes = try encoded(try source.whole(), as: method.schema.input)
      let call = try access.client.startEncoded(method, bytes, options: options)
      return try await printReplies(of: call, method, limit, printer)
    }
    let call = try access.client.startEncoded(method, [], options: options)
    let sending = Task {
      do {
        for try await line in source.messages() {
          try await call.send(try encoded(line, as: method.schema.input))
        }
        call.finishRequest()
      } catch {
        // If the server ended the call, its status counts.
        if let error = error as? RPCError, error.origin == .client { call.cancel(error) }
      }
    }
    defer { sending.cancel() }
    return try await printReplies(of: call, method, limit, printer)
  }

  private static func printReplies(
    of call: ClientStream, _ method: MethodInfo, _ limit: Int, _ printer: MessageJSON
  ) async throws(RPCError) -> Failure? {
    var count = 0
    while count < limit, let reply = try await call.next() {
      let text = try text(of: reply, method.schema.output, printer)
      if let failure = failure({ () throws(Failure) in try Terminal.print(text) }) {
        call.cancel(RPCError(.cancelled, "the reply could not be written", origin: .client))
        return failure
      }
      count += 1
    }
    if count == limit {
      call.cancel(
        RPCError(.cancelled, "as many replies as --max allows have arrived", origin: .client))
    }
    return nil
  }

  /// The bytes of a request; invalid JSON ends the call from this side.
  static func encoded(_ json: [UInt8], as schema: MessageSchema) throws(RPCError) -> [UInt8] {
    do throws(JSONError) {
      return try MessageJSON().message(schema, from: json).serializedBytes()
    } catch {
      throw RPCError(
        .invalidArgument, "bad JSON for \(schema.name): \(error)", isNotProcessed: true,
        origin: .client)
    }
  }
}
