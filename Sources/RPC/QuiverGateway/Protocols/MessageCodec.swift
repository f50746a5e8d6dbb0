import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The messages of a method as a caller has them: protobuf or JSON.
struct MessageCodec {
  let method: MethodInfo
  let isJSON: Bool

  /// The encoded request. Throws INVALID_ARGUMENT with the field that is wrong.
  func request(_ bytes: [UInt8]) throws(RPCError) -> [UInt8] {
    guard isJSON else { return bytes }
    let schema = method.schema.input
    do throws(JSONError) {
      let text = bytes.isEmpty ? Array("{}".utf8) : bytes
      return try MessageJSON().message(schema, from: text).serializedBytes()
    } catch {
      throw RPCError(
        .invalidArgument, "bad JSON for \(schema.name): \(error)", isNotProcessed: true)
    }
  }

  /// The caller's form of an encoded reply of a stream, which others may get too.
  func reply(_ bytes: [UInt8], _ texts: ReplyTexts) throws(RPCError) -> [UInt8] {
    guard isJSON else { return bytes }
    return try texts.text(of: bytes, method.schema.output) { () throws(RPCError) in
      try reply(bytes)
    }
  }

  /// The caller's form of an encoded reply.
  func reply(_ bytes: [UInt8]) throws(RPCError) -> [UInt8] {
    guard isJSON else { return bytes }
    do throws(DecodeError) {
      return Array(try MessageJSON().text(of: bytes, method.schema.output).utf8)
    } catch {
      throw RPCError(.internal, "the reply does not decode: \(error)")
    }
  }
}
