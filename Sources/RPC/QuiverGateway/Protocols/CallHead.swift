import QuiverRPC
import QuiverWire

/// The properties of a call in the head of its request that are the same for all requests with that
/// head.
final class CallHead: Sendable {
  let dialect: Dialect
  /// `package.Service/Method`.
  let method: String
  /// For every response to the request.
  let extra: HTTPFields
  /// Without the fields of one request.
  let context: RequestContext
  /// The caller takes replies as gzip.
  let acceptsGzip: Bool
  /// Whether the messages of the request may be gzip; nil: they are in another encoding.
  private let mayBeGzip: Bool?

  /// - Parameter isOpen: the request came to a listener for everybody, without encryption.
  init(
    _ head: HTTPRequestHead, _ dialect: Dialect, method: String, extra: HTTPFields,
    from address: String, isOpen: Bool, _ limits: GatewayLimits
  ) throws(RPCError) {
    self.dialect = dialect
    self.extra = extra
    // gRPC's own service of health has the messages and numbers of Quiver's.
    let isHealth = HTTPText(method).begins(with: "grpc.health.v1.Health/")
    self.method = isHealth ? "quiver.v1." + method.dropFirst("grpc.health.v1.".count) : method
    let fields = head.fields
    acceptsGzip = MessageEncoding.acceptsGzip(fields[dialect.acceptsField])
    let encoding = fields[dialect.encodingField] ?? "identity"
    mayBeGzip = encoding == "identity" ? false : encoding == "gzip" ? true : nil
    context = try RequestContext(fields, limits: limits)
      .stating(address: address, isOpen: isOpen)
  }

  /// Whether the messages of the request may be gzip. Throws UNIMPLEMENTED where they are in
  /// another encoding.
  func isGzip() throws(RPCError) -> Bool {
    guard let mayBeGzip else {
      throw RPCError(
        .unimplemented,
        dialect.isEnveloped
          ? "the field \(dialect.encodingField) must be gzip or identity"
          : "the content encoding must be gzip or identity",
        isNotProcessed: true)
    }
    return mayBeGzip
  }
}
