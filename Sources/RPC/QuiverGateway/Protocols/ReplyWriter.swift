import QuiverJSON
import QuiverRPC
import QuiverWire

/// How one of the protocols writes a reply. Used on the exchange's reactor.
protocol ReplyWriter: AnyObject {
  /// The handler has started: its metadata can be sent.
  func begin(_ initial: Metadata)
  /// Sends a message in the caller's form.
  func send(_ body: ReplyBody)
  /// Ends the call; nil: it succeeded.
  func end(_ error: RPCError?, _ trailing: Metadata)
}

/// gRPC over HTTP/2, and gRPC-Web, whose trailers are the last envelope of the body. In base64 each
/// envelope is padded for itself, so that a caller can decode it as soon as it has come.
final class GRPCWriter: ReplyWriter {
  enum Form {
    case http2
    case web
    case webText
  }

  private let exchange: HTTPExchange
  private let form: Form
  private let isGzip: Bool
  private let extra: HTTPFields

  private static let trailerFlag: UInt8 = 0x80
  /// The fields of nearly all heads.
  private static let plain = fields("application/grpc+proto", isGzip: false).preparedForever()
  private static let compressed = fields("application/grpc+proto", isGzip: true).preparedForever()

  init(
    _ exchange: HTTPExchange, _ form: Form, isGzip: Bool, extra: HTTPFields
  ) {
    self.exchange = exchange
    self.form = form
    self.isGzip = isGzip
    self.extra = extra
  }

  private static func fields(_ contentType: String, isGzip: Bool) -> HTTPFields {
    var fields: HTTPFields = ["content-type": contentType, "grpc-accept-encoding": "gzip"]
    if isGzip { fields.append("grpc-encoding", "gzip") }
    return fields
  }

  private static let plainHead = HTTPResponseHead(200, plain)

  /// Answers a call over HTTP/2 with a reply that is not compressed, and no metadata: what most
  /// replies are, without a writer for each.
  static func answer(_ exchange: HTTPExchange, _ message: UnsafeRawBufferPointer) {
    exchange.begin(plainHead)
    exchange.write(message, flags: 0)
    exchange.end(trailers: GRPCStatus.ok)
  }

  private func head(_ more: HTTPFields) -> HTTPResponseHead {
    var fields: HTTPFields
    switch form {
    case .http2: fields = isGzip ? Self.compressed : Self.plain
    case .web: fields = Self.fields("application/grpc-web+proto", isGzip: isGzip)
    case .webText: fields = Self.fields("application/grpc-web-text+proto", isGzip: isGzip)
    }
    if !extra.entries.isEmpty || !more.entries.isEmpty {
      fields.entries += extra.entries + more.entries
    }
    return HTTPResponseHead(200, fields)
  }

  func begin(_ initial: Metadata) { exchange.begin(head(ReplyFields.fields(initial))) }

  func send(_ body: ReplyBody) {
    // In base64 it has its envelope.
    if form == .webText { exchange.write(body.bytes) } else { exchange.write(body) }
  }

  func end(_ error: RPCError?, _ trailing: Metadata) {
    let trailers = GRPCStatus.trailers(
      error, trailing, isHead: form == .http2 || !exchange.hasBegun)
    guard exchange.hasBegun else { return exchange.respondWithoutBody(head(trailers)) }
    guard form != .http2 else { return exchange.end(trailers: trailers) }
    let text = trailers.entries.map { "\($0.name): \($0.value)\r\n" }.joined()
    let envelope = EnvelopeReader.envelope(Array(text.utf8), flags: Self.trailerFlag)
    exchange.end(form == .webText ? Base64.encode(envelope) : envelope)
  }
}

/// Connect's streams: envelopes, the last of which has the outcome of the call.
final class ConnectStreamWriter: ReplyWriter {
  private let exchange: HTTPExchange
  private let isGzip: Bool
  private let contentType: String
  private let extra: HTTPFields

  static let endFlag: UInt8 = 2

  init(
    _ exchange: HTTPExchange, contentType: String, isGzip: Bool, extra: HTTPFields
  ) {
    self.exchange = exchange
    self.contentType = contentType
    self.isGzip = isGzip
    self.extra = extra
  }

  func begin(_ initial: Metadata) {
    var fields: HTTPFields = [
      "content-type": contentType, "connect-accept-encoding": "gzip", "cache-control": "no-store",
    ]
    if isGzip { fields.append("connect-content-encoding", "gzip") }
    fields.entries += extra.entries + ReplyFields.fields(initial).entries
    exchange.begin(HTTPResponseHead(200, fields))
  }

  func send(_ body: ReplyBody) { exchange.write(body) }

  func end(_ error: RPCError?, _ trailing: Metadata) {
    if !exchange.hasBegun { begin([:]) }
    var members: [String] = []
    var fields = ReplyFields.fields(trailing)
    if let error {
      members.append("\"error\":\(ConnectStatus.json(error))")
      fields.entries += ReplyFields.fate(of: error).entries
    }
    if !fields.entries.isEmpty { members.append("\"metadata\":\(ConnectStatus.json(fields))") }
    let text = "{\(members.joined(separator: ","))}"
    exchange.end(EnvelopeReader.envelope(Array(text.utf8), flags: Self.endFlag))
  }
}

/// Connect's unary calls: the message is the body, a failure is an HTTP status with JSON.
final class ConnectUnaryWriter: ReplyWriter {
  private let exchange: HTTPExchange
  private let contentType: String
  private let extra: HTTPFields
  private var initial: Metadata = [:]
  private var body = ReplyBody(bytes: [], isCompressed: false)

  init(
    _ exchange: HTTPExchange, contentType: String, extra: HTTPFields
  ) {
    self.exchange = exchange
    self.contentType = contentType
    self.extra = extra
  }

  func begin(_ initial: Metadata) { self.initial = initial }

  func send(_ body: ReplyBody) { self.body = body }

  func end(_ error: RPCError?, _ trailing: Metadata) {
    var fields = extra
    fields.append("cache-control", "no-store")
    fields.entries += ReplyFields.fields(initial).entries
    fields.entries += ReplyFields.fields(trailing, prefix: "trailer-").entries
    if let error {
      fields.append("content-type", "application/json")
      if error.code == .unauthenticated { fields.append("www-authenticate", "Bearer") }
      fields.entries += ReplyFields.fate(of: error).entries
      let body = Array(ConnectStatus.json(error).utf8)
      let status = ConnectStatus.httpStatus(of: error.code)
      return exchange.respond(HTTPResponseHead(status, fields), body)
    }
    fields.append("content-type", contentType)
    if body.isCompressed {
      fields.append("content-encoding", "gzip")
      fields.append("vary", "accept-encoding")
    }
    exchange.respond(HTTPResponseHead(200, fields), body.bytes)
  }
}

extension HTTPExchange {
  /// Sends a message in its envelope.
  fileprivate func write(_ body: ReplyBody) {
    let flags: UInt8 = body.isCompressed ? EnvelopeReader.compressedFlag : 0
    body.bytes.withUnsafeBytes { write($0, flags: flags) }
  }
}
