package import QuiverClient
package import QuiverProtobuf
package import QuiverRPC
import QuiverWire

/// What carries unary calls to a server: a client of its own protocol, or a caller of a gateway.
package protocol CallCarrier: Sendable {
  /// Calls a unary method with an encoded request and returns the encoded reply.
  func callEncoded(
    _ method: MethodInfo, _ request: [UInt8], options: CallOptions
  ) async throws(RPCError) -> Reply<[UInt8]>
}

extension CallCarrier {
  /// Calls a method and returns its reply.
  package func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Response {
    let reply = try await callEncoded(method.info, request.serializedBytes(), options: options)
    do throws(DecodeError) {
      return try Response(serializedBytes: reply.message)
    } catch {
      throw RPCError(.internal, "the reply cannot be decoded: \(error)", origin: .client)
    }
  }
}

extension RPCClient: CallCarrier {}

extension GatewayCaller: CallCarrier {}
