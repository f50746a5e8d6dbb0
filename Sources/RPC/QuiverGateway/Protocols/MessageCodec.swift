import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The messages of a method as a caller has them: protobuf or JSON.
struct MessageCodec {
  /// The types of the messages; nil: they are not converted.
  private let types: (input: MessageSchema, output: MessageSchema)?

  init(_ method: MethodInfo, isJSON: Bool) {
    types = isJSON ? (method.schema.input, method.schema.output) : nil
  }

  var isJSON: Bool { types != nil }

  /// The encoded request. Throws INVALID_ARGUMENT with the field that is wrong.
  func request(_ bytes: [UInt8]) throws(RPCError) -> [UInt8] {
    guard let schema = types?.input else { return bytes }
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
    guard let schema = types?.output else { return bytes }
    return try texts.text(of: bytes, schema) { () throws(RPCError) in
      try reply(bytes)
    }
  }

  /// The caller's form of an encoded reply.
  func reply(_ bytes: [UInt8]) throws(RPCError) -> [UInt8] {
    guard let schema = types?.output else { return bytes }
    do throws(DecodeError) {
      return Array(try MessageJSON().text(of: bytes, schema).utf8)
    } catch {
      throw RPCError(.internal, "the reply does not decode: \(error)")
    }
  }
}
