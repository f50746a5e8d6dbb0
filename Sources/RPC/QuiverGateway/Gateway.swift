import QuiverClient
package import QuiverDispatch
import QuiverProtobuf
package import QuiverRPC
import QuiverWire

/// Answers HTTP requests by calls to a server: gRPC, gRPC-Web and Connect, chosen by the content
/// type, and pages.
///
/// It knows the methods of the server by Reflection and holds no state of its own. May be used from
/// any thread.
package final class Gateway: Sendable {
  /// What a gateway is made of.
  package struct Configuration: Sendable {
    package var limits = GatewayLimits()
    /// Counts what happens.
    package var observer = GatewayObserver()
    /// Origins whose pages may call; `*`: all.
    package var allowedOrigins: Set<HTTPText> = []
    /// Names by which callers reach the gateway, beside addresses and `localhost`.
    package var hosts = ServedHosts()
    /// The page at a path; nil: there is none.
    package var page: @Sendable (HTTPRequestHead) -> Page? = { _ in nil }

    package init() {}
  }

  /// A file that the gateway serves.
  package struct Page: Sendable {
    package var contentType: String
    package var body: [UInt8]
    /// The body in gzip; nil: it is sent as it is.
    package private(set) var packedBody: [UInt8]?
    package var fields: HTTPFields

    package init(contentType: String, body: [UInt8], fields: HTTPFields = HTTPFields()) {
      self.contentType = contentType
      self.body = body
      self.fields = fields
    }

    /// Compresses the body, once for all that ask, where that makes it smaller.
    package mutating func pack() {
      guard let packed = Gzip.compress(body), packed.count < body.count else { return }
      packedBody = packed
    }
  }

  let configuration: Configuration
  let backend: Backend
  /// The JSON of replies of streams.
  let replyTexts: ReplyTexts
  /// Where large messages are converted.
  let conversions: ConversionQueue
  /// What all requests hold.
  private let held: HeldShares
  /// The streams of callers without a token.
  let anonymousStreams: AnonymousStreams

  var limits: GatewayLimits { configuration.limits }
  var observer: GatewayObserver { configuration.observer }

  /// Bytes of requests and responses that are held.
  package var heldByteCount: Int { held.whole.byteCount }

  /// What requests hold: nothing once no connection is left and their tasks have ended.
  package var kept: (requests: Int, bytes: Int, tasks: Int) {
    (observer.openRequestCount, heldByteCount, observer.taskCount)
  }

  /// Why the next request of anybody is refused; nil: it is not.
  package var fault: String? {
    observer.openRequestCount < limits.maxOpenRequests ? held.whole.excess?.sentence : fullSentence
  }

  private var fullSentence: String {
    "the gateway has \(limits.maxOpenRequests) open requests, as many as it may"
  }

  package init(_ configuration: Configuration, backend: Backend) {
    self.configuration = configuration
    self.backend = backend
    held = HeldShares(configuration.limits)
    conversions = ConversionQueue(configuration.limits)
    anonymousStreams = AnonymousStreams(configuration.limits)
    replyTexts = ReplyTexts(limit: configuration.limits.maxSharedReplyBytes)
  }

  deinit { conversions.stop() }

  /// Requests that wait for the conversion of a large message.
  package var waitingConversionCount: Int { conversions.waitingCount }

  /// The end of a new connection.
  ///
  /// - Parameter isOpen: it came to a listener for everybody, without encryption.
  package func makeEnd(
    address: String, reactor: any Reactor, isOpen: Bool = false
  ) -> any DrivenEnd {
    let share = { [held] (address: String) in
      held.share(of: CountedNetwork.name(of: address))
    }
    return HTTPConnection(
      address: address, reactor: reactor, limits: limits, observer: observer, share: share
    ) { [self] in answer($0, isOpen: isOpen) }
  }

  // MARK: Answering

  /// Begins to answer a request. Called on its reactor.
  private func answer(_ exchange: HTTPExchange, isOpen: Bool) {
    if let head = exchange.known.call { return GatewayCall(exchange, head, self).start() }
    let head = exchange.head
    if let host = head.fields.values(of: "host").first(where: { !configuration.hosts.serves($0) }) {
      return refuse(exchange, HTTPResponseHead(421), ServedHosts.refusal(of: host))
    }
    let cors = CrossOrigin(head, allowed: configuration.allowedOrigins)
    if head.method == "OPTIONS" { return exchange.respond(cors.preflight) }
    if head.method == "GET" || head.method == "HEAD", let page = configuration.page(head) {
      observer.servedPage()
      return respond(page, to: exchange)
    }
    guard let name = Self.methodName(head.path) else {
      return refuse(exchange, HTTPResponseHead(404), "this path does not exist")
    }
    let dialect: Dialect
    do throws(Dialect.Refusal) {
      dialect = try Dialect(head)
    } catch {
      var head = error.head
      head.fields.entries += cors.fields.entries
      return refuse(exchange, head, error.reason)
    }
    do throws(RPCError) {
      let call = try CallHead(
        head, dialect, method: name, extra: cors.fields, from: exchange.address, isOpen: isOpen,
        limits)
      exchange.known.call = call
      GatewayCall(exchange, call, self).start()
    } catch {
      exchange.fails(dialect, error.code)
      dialect.writer(exchange, isJSON: dialect.isJSON, nil, extra: cors.fields)
        .end(error, error.metadata)
    }
  }

  /// Throws RESOURCE_EXHAUSTED where a further request has no room.
  func checkRoom(for exchange: HTTPExchange) throws(RPCError) {
    if observer.openRequestCount > limits.maxOpenRequests {
      exchange.reached(.openRequests)
      throw RPCError(
        .resourceExhausted, fullSentence, isNotProcessed: true, retryAfterMilliseconds: 1_000)
    }
    if exchange.openRequestsOfAddress > limits.maxOpenRequestsPerAddress {
      exchange.reached(.openRequestsPerAddress)
      throw RPCError(
        .resourceExhausted,
        "the address of the caller has \(limits.maxOpenRequestsPerAddress) open requests, as many"
          + " as it may",
        isNotProcessed: true, retryAfterMilliseconds: 1_000)
    }
    try exchange.keep(0)
  }

  private func respond(_ page: Page, to exchange: HTTPExchange) {
    let asked = exchange.head.fields
    var fields = page.fields
    if page.packedBody != nil { fields.append("vary", "accept-encoding") }
    if let tag = page.fields["etag"],
      asked.values(of: "if-none-match").contains(where: { $0.list().contains(tag) })
    {
      return exchange.respond(HTTPResponseHead(304, fields))
    }
    fields.entries += Self.fieldsOfPages.entries
    fields.append("content-type", page.contentType)
    guard let packed = page.packedBody, MessageEncoding.acceptsGzip(asked["accept-encoding"]) else {
      return exchange.respond(HTTPResponseHead(200, fields), page.body)
    }
    fields.append("content-encoding", "gzip")
    exchange.respond(HTTPResponseHead(200, fields), packed)
  }

  private static let fieldsOfPages: HTTPFields = [
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
  ]

  private func refuse(_ exchange: HTTPExchange, _ head: HTTPResponseHead, _ reason: String) {
    var head = head
    head.fields.append("content-type", "text/plain; charset=utf-8")
    exchange.respond(head, Array((reason + "\n").utf8))
  }

  /// `package.Service/Method` of a path; nil: it has another form.
  static func methodName(_ path: HTTPText) -> String? {
    let parts = path.split("/")
    guard parts.count == 3, parts[0].isEmpty, !parts[2].isEmpty else { return nil }
    let service = parts[1].split(".")
    guard service.count > 1, !service.contains("") else { return nil }
    let isName = { (byte: UInt8) in
      byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    guard parts[1].bytes.allSatisfy(isName), parts[2].bytes.allSatisfy(isName) else { return nil }
    return "\(parts[1])/\(parts[2])"
  }
}

/// What pages of other origins may do (CORS of the Fetch standard).
struct CrossOrigin {
  /// For every response to the request.
  let fields: HTTPFields
  /// The answer to OPTIONS.
  let preflight: HTTPResponseHead

  private static let exposed =
    "grpc-status, grpc-message, grpc-status-details-bin, grpc-retry-pushback-ms,"
    + " quiver-not-processed, content-encoding, quiver-position, trailer-quiver-position"
  private static let secondsKept = "7200"

  init(_ head: HTTPRequestHead, allowed: Set<HTTPText>) {
    guard let origin = head.fields["origin"], allowed.contains(origin) || allowed.contains("*")
    else {
      fields = HTTPFields()
      preflight = HTTPResponseHead(204, ["allow": "POST, GET, OPTIONS"])
      return
    }
    fields = [
      "access-control-allow-origin": origin.string, "vary": "origin",
      "access-control-expose-headers": Self.exposed,
    ]
    var answer = HTTPResponseHead(204, fields)
    answer.fields.append("access-control-allow-methods", "POST, GET")
    answer.fields.append("access-control-max-age", Self.secondsKept)
    if let wanted = head.fields["access-control-request-headers"] {
      answer.fields.append("access-control-allow-headers", wanted.string)
    }
    preflight = answer
  }
}
