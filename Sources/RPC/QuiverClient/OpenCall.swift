import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A streaming call that is cancelled when the last reference to it is released.
final class OpenCall: Sendable {
  let stream: ClientStream

  init(_ stream: ClientStream) { self.stream = stream }

  deinit { cancel() }

  func cancel() {
    stream.cancel(
      RPCError(.cancelled, "the caller cancelled the call", origin: .client))
  }

  /// The next message; nil once the call has ended OK.
  func next<Response: Message>() async throws(RPCError) -> Response? {
    guard let bytes = try await stream.next() else { return nil }
    do throws(DecodeError) {
      return try Response(serializedBytes: bytes)
    } catch {
      let status = RPCError(
        .internal, "a message of the reply does not decode: \(error)", origin: .client)
      stream.cancel(status)
      throw status
    }
  }
}
