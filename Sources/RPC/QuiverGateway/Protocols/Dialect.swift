import QuiverJSON
import QuiverRPC
import QuiverWire

/// The protocol of a request, by its method and content type.
enum Dialect: Equatable {
  case grpc
  /// The body of the request, and that of the reply, may be base64.
  case grpcWeb(isText: Bool, repliesText: Bool)
  case connectUnary(isJSON: Bool)
  case connectStream(isJSON: Bool)
  case connectGet

  /// Why a request has no protocol, as an answer of HTTP.
  struct Refusal: Error {
    var head: HTTPResponseHead
    var reason: String
  }

  /// What a POST may contain, for a refused caller.
  static let contentTypes = [
    "application/json", "application/proto", "application/connect+json",
    "application/connect+proto", "application/grpc", "application/grpc-web",
    "application/grpc-web-text",
  ]

  init(_ head: HTTPRequestHead) throws(Refusal) {
    if head.method == "GET" {
      self = .connectGet
      return
    }
    guard head.method == "POST" else {
      throw Refusal(
        head: HTTPResponseHead(405, ["allow": "POST, GET, OPTIONS"]),
        reason: "a call is a POST, or a GET where it changes nothing")
    }
    switch head.contentType {
    case "application/grpc", "application/grpc+proto":
      guard head.isHTTP2 else {
        throw Refusal(
          head: HTTPResponseHead(505),
          reason: "gRPC needs HTTP/2; gRPC-Web and Connect do not")
      }
      self = .grpc
    case "application/grpc-web", "application/grpc-web+proto":
      self = .grpcWeb(isText: false, repliesText: Self.acceptsText(head) ?? false)
    case "application/grpc-web-text", "application/grpc-web-text+proto":
      self = .grpcWeb(isText: true, repliesText: Self.acceptsText(head) ?? true)
    case "application/json": self = .connectUnary(isJSON: true)
    case "application/proto": self = .connectUnary(isJSON: false)
    case "application/connect+json": self = .connectStream(isJSON: true)
    case "application/connect+proto": self = .connectStream(isJSON: false)
    default:
      let types = Self.contentTypes.joined(separator: ", ")
      throw Refusal(
        head: HTTPResponseHead(415, ["accept-post": types]),
        reason: "the content type must be one of \(types)")
    }
  }

  /// Whether a caller of gRPC-Web accepts the reply as base64; nil: it does not state that.
  private static func acceptsText(_ head: HTTPRequestHead) -> Bool? {
    guard let accepted = head.fields["accept"]?.inLowerCase,
      accepted.contains("application/grpc-web")
    else { return nil }
    return accepted.contains("application/grpc-web-text")
  }

  /// Whether the body of the request is base64.
  var isText: Bool {
    if case .grpcWeb(let isText, _) = self { isText } else { false }
  }

  /// The protocol as it is counted.
  var counted: CallProtocol {
    switch self {
    case .grpc: .grpc
    case .grpcWeb: .grpcWeb
    case .connectUnary, .connectStream, .connectGet: .connect
    }
  }

  var isJSON: Bool {
    switch self {
    case .connectUnary(let isJSON), .connectStream(let isJSON): isJSON
    default: false
    }
  }

  var isConnectStream: Bool {
    if case .connectStream = self { true } else { false }
  }

  /// Whether messages are in envelopes, or the body is the message.
  var isEnveloped: Bool {
    switch self {
    case .connectUnary, .connectGet: false
    default: true
    }
  }

  /// The field that names the compression of the messages of a request.
  var encodingField: HTTPText {
    switch self {
    case .grpc, .grpcWeb: "grpc-encoding"
    case .connectStream: "connect-content-encoding"
    case .connectUnary, .connectGet: "content-encoding"
    }
  }

  /// The field that names the accepted compression of the messages of a reply.
  var acceptsField: HTTPText {
    switch self {
    case .grpc, .grpcWeb: "grpc-accept-encoding"
    case .connectStream: "connect-accept-encoding"
    case .connectUnary, .connectGet: "accept-encoding"
    }
  }

  /// Writes a reply in this protocol.
  func writer(
    _ exchange: HTTPExchange, isJSON: Bool, _ head: CallHead?, extra: HTTPFields
  ) -> any ReplyWriter {
    let isGzip = head?.acceptsGzip ?? false
    return switch self {
    case .grpc: GRPCWriter(exchange, .http2, isGzip: isGzip, extra: extra)
    case .grpcWeb(_, let repliesText):
      GRPCWriter(exchange, repliesText ? .webText : .web, isGzip: isGzip, extra: extra)
    case .connectUnary, .connectGet:
      ConnectUnaryWriter(
        exchange, contentType: isJSON ? "application/json" : "application/proto", extra: extra)
    case .connectStream:
      ConnectStreamWriter(
        exchange, contentType: "application/connect+" + (isJSON ? "json" : "proto"),
        isGzip: isGzip, extra: extra)
    }
  }

  /// Whether the body of the reply is base64.
  var repliesText: Bool {
    if case .grpcWeb(_, let repliesText) = self { repliesText } else { false }
  }
}

/// The query of Connect's GET.
struct ConnectQuery {
  let message: [UInt8]
  let isJSON: Bool
  let isGzip: Bool

  init(_ query: HTTPText?) throws(RPCError) {
    var values: [HTTPText: [UInt8]] = [:]
    for pair in (query ?? "").split("&") where !pair.isEmpty {
      let parts = pair.split("=", most: 1)
      guard let name = Self.decoded(parts[0]),
        let value = Self.decoded(parts.count > 1 ? parts[1] : "")
      else { throw Self.invalid("the query is not percent-encoded") }
      values[HTTPText(decoding: name)] = value
    }
    func text(_ name: HTTPText) -> HTTPText? { values[name].map { HTTPText(decoding: $0) } }
    switch text("encoding") {
    case "json": isJSON = true
    case "proto": isJSON = false
    default: throw Self.invalid("the query needs encoding=json or encoding=proto")
    }
    switch text("compression") {
    case nil, "", "identity": isGzip = false
    case "gzip": isGzip = true
    default: throw Self.invalid("the only compression is gzip")
    }
    guard let raw = values["message"] else { throw Self.invalid("the query needs a message") }
    guard text("base64") == "1" else {
      message = raw
      return
    }
    guard let bytes = Base64.decode(String(decoding: raw, as: UTF8.self)) else {
      throw Self.invalid("the message is not base64")
    }
    message = bytes
  }

  private static func invalid(_ reason: String) -> RPCError {
    RPCError(.invalidArgument, reason, isNotProcessed: true)
  }

  private static func decoded(_ text: HTTPText) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.bytes)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(32)
      case UInt8(ascii: "%"):
        guard let value = Digits.hexadecimalByte(rest) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
