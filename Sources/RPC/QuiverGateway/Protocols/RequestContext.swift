import QuiverClient
import QuiverJSON
import QuiverRPC
import QuiverWire

/// The properties of a call in the fields of its request, in every protocol.
///
/// A class: the parts of a call that wait for the reply keep it by one reference.
final class RequestContext: Sendable {
  let token: String?
  let options: CallOptions

  /// Fields that belong to HTTP, to the protocols or to the gateway, and are no metadata.
  private static let reserved: Set<HTTPText> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "authorization",
    "cache-control", "connection", "content-encoding", "content-length", "content-type", "cookie",
    "date", "dnt", "expect", "forwarded", "host", "idempotency-key", "keep-alive", "origin",
    "pragma", "priority", "range", "referer", "te", "trailer", "transfer-encoding", "traceparent",
    "tracestate", "upgrade", "upgrade-insecure-requests", "user-agent", "via", "x-forwarded-for",
    "x-forwarded-host", "x-forwarded-proto", "x-grpc-web", "x-real-ip", "x-user-agent",
    afterField, epochField, HTTPText(StatedCaller.anonymousKey), HTTPText(StatedCaller.addressKey),
    HTTPText(unencryptedKey),
  ]
  private static let reservedPrefixes: [HTTPText] = [
    "grpc-", "connect-", "sec-", "if-", "access-control-", "proxy-",
  ]
  /// The position after which a watch continues.
  static let afterField: HTTPText = "quiver-after-sequence"
  static let epochField: HTTPText = "quiver-store-epoch"
  /// Metadata of a call that came without encryption to a listener for everybody; the server
  /// decides by it whom it admits (`WebCallers`).
  static let unencryptedKey = "quiver-unencrypted"

  /// Reads what many requests have in common: the token and the metadata.
  init(_ fields: HTTPFields, limits: GatewayLimits) throws(RPCError) {
    token = try Self.token(fields["authorization"], limits)
    var options = CallOptions()
    for field in fields.entries where !Self.isReserved(field.name) {
      try Self.append(field, to: &options.metadata)
    }
    if let fault = options.metadata.fault() { throw fault }
    self.options = options
  }

  private init(token: String?, _ options: CallOptions) {
    self.token = token
    self.options = options
  }

  /// The context of a call for a caller at an address: it is anonymous where there is no token.
  func stating(address: String, isOpen: Bool = false) -> RequestContext {
    var options = options
    if isOpen { options.metadata.append(Self.unencryptedKey, "1") }
    options.metadata.append(StatedCaller.addressKey, address)
    if token == nil { options.metadata.append(StatedCaller.anonymousKey, "1") }
    options.keepMetadata()
    return RequestContext(token: token, options)
  }

  /// The context with what concerns one request: its time, its key, its trace and its position.
  func with(_ fields: HTTPFields) throws(RPCError) -> RequestContext {
    guard !fields.entries.isEmpty else { return self }
    var options = options
    options.timeout = try Self.timeout(fields)
    if let text = fields["idempotency-key"] { options.idempotencyKey = try Self.key(text) }
    if let text = fields["traceparent"] { options.traceparent = Self.traceparent(text) }
    options.after = try Self.position(fields)
    if fields[Self.afterField] == nil, let text = fields[Self.epochField] {
      guard let epoch: UInt64 = Digits.decimal(text, most: 20) else {
        throw Self.invalid("the field \(Self.epochField) must be a number")
      }
      options.storeEpoch = epoch
    }
    return RequestContext(token: token, options)
  }

  /// Whether a field belongs to HTTP, to the protocols or to the gateway.
  static func isReserved(_ name: HTTPText) -> Bool {
    reserved.contains(name) || reservedPrefixes.contains { name.begins(with: $0) }
  }

  private static func append(
    _ field: HTTPFields.Entry, to metadata: inout Metadata
  ) throws(RPCError) {
    guard field.name.ends(with: "-bin") else {
      return metadata.append(field.name.string, field.value.string)
    }
    for part in field.value.list() {
      guard let bytes = Base64.decode(part.string) else {
        throw invalid("the field \(field.name) is not base64")
      }
      metadata.append(field.name.string, bytes)
    }
  }

  private static func token(
    _ field: HTTPText?, _ limits: GatewayLimits
  ) throws(RPCError) -> String? {
    guard let field else { return nil }
    let parts = field.split(" ").filter { !$0.isEmpty }
    guard parts.count == 2, parts[0].isToken("bearer"),
      parts[1].bytes.count <= limits.maxTokenBytes
    else {
      throw RPCError(
        .unauthenticated, "the field authorization must be Bearer and a token",
        isNotProcessed: true)
    }
    return parts[1].string
  }

  /// gRPC's `grpc-timeout` or Connect's `connect-timeout-ms`.
  private static func timeout(_ fields: HTTPFields) throws(RPCError) -> Duration? {
    if let text = fields["grpc-timeout"] {
      let digits = HTTPText(decoding: text.bytes.dropLast())
      guard let unit = text.bytes.last, let count: Int64 = Digits.decimal(digits, most: 8),
        let duration = duration(count, Unicode.Scalar(unit))
      else { throw invalid("the field grpc-timeout must be up to 8 digits and a unit of HMSmun") }
      return duration
    }
    guard let text = fields["connect-timeout-ms"] else { return nil }
    guard let count: Int64 = Digits.decimal(text, most: 10) else {
      throw invalid("the field connect-timeout-ms must be up to 10 digits")
    }
    return .milliseconds(count)
  }

  private static func duration(_ count: Int64, _ unit: Unicode.Scalar) -> Duration? {
    switch unit {
    case "H": .seconds(count * 3_600)
    case "M": .seconds(count * 60)
    case "S": .seconds(count)
    case "m": .milliseconds(count)
    case "u": .microseconds(count)
    case "n": .nanoseconds(count)
    default: nil
    }
  }

  /// A key as 32 hexadecimal digits, also in the groups of a UUID.
  private static func key(_ text: HTTPText) throws(RPCError) -> IdempotencyKey {
    var bytes: [UInt8] = []
    var rest = text.bytes.filter { $0 != UInt8(ascii: "-") }[...]
    while let byte = Digits.hexadecimalByte(rest) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    guard rest.isEmpty, let key = IdempotencyKey(bytes) else {
      throw invalid("the field idempotency-key must be 32 hexadecimal digits, or a UUID")
    }
    return key
  }

  private static func position(_ fields: HTTPFields) throws(RPCError) -> WatchPosition? {
    guard let after = fields[afterField] else { return nil }
    guard let sequence: Int64 = Digits.decimal(after, most: 19), let text = fields[epochField],
      let epoch: UInt64 = Digits.decimal(text, most: 20)
    else {
      throw invalid("the fields \(afterField) and \(epochField) must be numbers")
    }
    return sequence == 0 ? nil : WatchPosition(sequence: sequence, storeEpoch: epoch)
  }

  /// W3C's text as the bytes of a request head; what is not valid is ignored, as W3C demands.
  private static func traceparent(_ text: HTTPText) -> [UInt8] {
    let parts = text.split("-").map(\.bytes)
    guard parts.count >= 4, parts[1].count == 32, parts[2].count == 16, parts[3].count == 2 else {
      return []
    }
    var bytes: [UInt8] = []
    var digits = (Array(parts[1]) + parts[2] + parts[3])[...]
    while let byte = Digits.hexadecimalByte(digits) {
      bytes.append(byte)
      digits = digits.dropFirst(2)
    }
    return bytes.count == 25 ? bytes : []
  }

  private static func invalid(_ reason: String) -> RPCError {
    RPCError(.invalidArgument, reason, isNotProcessed: true)
  }
}

/// Metadata of a reply as fields of HTTP.
enum ReplyFields {
  /// Each entry as a field, its name after `prefix`, but those whose names belong to HTTP or the
  /// protocols. Bytes that are no text become base64 under a name that ends with `-bin`.
  static func fields(_ metadata: Metadata, prefix: String = "") -> HTTPFields {
    var fields = HTTPFields()
    for entry in metadata.entries where !RequestContext.isReserved(HTTPText(entry.key)) {
      let isBinary = HTTPText(entry.key).ends(with: "-bin")
      if !isBinary, entry.value.allSatisfy({ $0 >= 32 && $0 < 127 }) {
        fields.append(prefix + entry.key, String(decoding: entry.value, as: UTF8.self))
      } else {
        fields.append(prefix + entry.key + (isBinary ? "" : "-bin"), base64(entry.value))
      }
    }
    return fields
  }

  /// Without padding, as gRPC and Connect send it.
  static func base64(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.encode(bytes).filter { $0 != UInt8(ascii: "=") }, as: UTF8.self)
  }

  /// The server's push-back and whether the call was processed.
  static func fate(of error: RPCError) -> HTTPFields {
    var fields = HTTPFields()
    if let pushBack = error.retryAfterMilliseconds {
      fields.append("grpc-retry-pushback-ms", String(pushBack))
    }
    if error.isNotProcessed { fields.append("quiver-not-processed", "1") }
    return fields
  }
}
