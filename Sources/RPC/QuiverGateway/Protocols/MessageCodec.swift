import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Why a message of a request cannot be taken, and the limit that it has reached.
struct MessageFault: Error {
  let error: RPCError
  let limit: GatewayLimit?
}

/// How the messages of a request become encoded messages: they are decompressed and read as JSON.
struct RequestForm: Sendable {
  /// The type of the messages; nil: they are protobuf.
  private let schema: MessageSchema?
  /// Bytes of a message before its conversion, compressed or not.
  let mostBytes: Int
  private let inflateRatio: Int

  /// - Parameter mostBytes: those of a message before its conversion, compressed or not.
  init(_ method: MethodInfo?, isJSON: Bool, mostBytes: Int, _ limits: GatewayLimits) {
    schema = isJSON ? method?.schema.input : nil
    self.mostBytes = mostBytes
    inflateRatio = limits.inflateRatio
  }

  /// Whether a message goes on as it is.
  func takes(_ message: ReceivedMessage) -> Bool { schema == nil && !message.isCompressed }

  /// Whether a conversion takes longer than an event loop may wait.
  func isLarge(_ message: ReceivedMessage) -> Bool {
    message.isCompressed || schema != nil && message.bytes.count > MessageForm.mostBytesAtOnce
  }

  /// The encoded message. Throws INVALID_ARGUMENT with the field that is wrong, and
  /// RESOURCE_EXHAUSTED for a message that is too large when it is decompressed.
  func encoded(_ message: ReceivedMessage) throws(MessageFault) -> [UInt8] {
    let bytes = message.isCompressed ? try inflated(message.bytes) : message.bytes
    guard let schema else { return bytes }
    do throws(JSONError) {
      let text = bytes.isEmpty ? Array("{}".utf8) : bytes
      return try MessageJSON().message(schema, from: text).serializedBytes()
    } catch {
      throw MessageFault(
        error: RPCError(
          .invalidArgument, "bad JSON for \(schema.name): \(error)", isNotProcessed: true),
        limit: error.code == .limitExceeded ? .json : nil)
    }
  }

  private func inflated(_ bytes: [UInt8]) throws(MessageFault) -> [UInt8] {
    let byRatio = max(Limits.inflateFloorBytes, bytes.count * inflateRatio)
    do throws(Gzip.Failure) {
      return try Gzip.decompress(bytes, limit: min(mostBytes, byRatio))
    } catch {
      switch error {
      case .invalid:
        throw MessageFault(
          error: RPCError(.invalidArgument, "the message is not gzip", isNotProcessed: true),
          limit: nil)
      case .tooLarge:
        let isSize = mostBytes <= byRatio
        throw MessageFault(
          error: RPCError(
            .resourceExhausted,
            isSize
              ? "the message has more than \(mostBytes) bytes when it is decompressed"
              : "the message decompresses to more than \(inflateRatio) times its size",
            isNotProcessed: true),
          limit: isSize ? .messageBytes : .inflateRatio)
      }
    }
  }
}

/// How the encoded messages of a reply become those of a caller: they are written as JSON and
/// compressed, and put in base64 where the protocol is text.
struct ReplyForm: Sendable {
  /// The type of the messages; nil: they stay protobuf.
  private let schema: MessageSchema?
  private let isGzip: Bool
  /// Each message is in its envelope, and in base64.
  private let isText: Bool
  private let compressedFromBytes: Int

  init(
    _ method: MethodInfo?, isJSON: Bool, isGzip: Bool, isText: Bool, _ limits: GatewayLimits
  ) {
    schema = isJSON ? method?.schema.output : nil
    self.isGzip = isGzip
    self.isText = isText
    compressedFromBytes = limits.compressedFromBytes
  }

  var isJSON: Bool { schema != nil }

  /// Whether a conversion takes longer than an event loop may wait.
  func isLarge(_ byteCount: Int) -> Bool {
    byteCount > MessageForm.mostBytesAtOnce && (schema != nil || isGzip || isText)
  }

  /// The caller's form of a reply that needs no conversion, since its JSON is known; nil: it does.
  func known(_ reply: [UInt8], _ texts: ReplyTexts) -> ReplyBody? {
    guard let schema, !isGzip, !isText else { return nil }
    return texts.known(reply, schema).map { ReplyBody(bytes: $0, isCompressed: false) }
  }

  /// The caller's form of an encoded reply.
  ///
  /// - Parameter texts: keeps the JSON of replies that others may get too; nil: nobody does.
  func body(of reply: [UInt8], _ texts: ReplyTexts? = nil) throws(RPCError) -> ReplyBody {
    var bytes = reply
    if let schema {
      let json = { () throws(RPCError) in try Self.json(reply, schema) }
      bytes = if let texts { try texts.text(of: reply, schema, convert: json) } else { try json() }
    }
    var isCompressed = false
    if isGzip, bytes.count >= compressedFromBytes, let compressed = Gzip.compress(bytes) {
      (bytes, isCompressed) = (compressed, true)
    }
    guard isText else { return ReplyBody(bytes: bytes, isCompressed: isCompressed) }
    let envelope = EnvelopeReader.envelope(
      bytes, flags: isCompressed ? EnvelopeReader.compressedFlag : 0)
    return ReplyBody(bytes: Base64.encode(envelope), isCompressed: isCompressed)
  }

  private static func json(_ reply: [UInt8], _ schema: MessageSchema) throws(RPCError) -> [UInt8] {
    do throws(DecodeError) {
      return Array(try MessageJSON().text(of: reply, schema).utf8)
    } catch {
      throw RPCError(.internal, "the reply does not decode: \(error)")
    }
  }
}

/// A message of a reply as it is written.
struct ReplyBody: Sendable {
  let bytes: [UInt8]
  let isCompressed: Bool
}

enum MessageForm {
  /// A larger message is converted on another thread than that of the event loop.
  static let mostBytesAtOnce = 2_048
}
