/// The head of an HTTP/1.1 request, read strictly (RFC 9112): what two readers might understand
/// differently is refused, since that is how requests are smuggled past a proxy.
struct HTTP1Head: Equatable {
  var head: HTTPRequestHead
  var body: Body
  var keepsAlive: Bool
  var expectsContinue: Bool
  /// Whether the response may be chunked.
  var isVersion11: Bool

  enum Body: Equatable {
    case none
    case length(Int)
    case chunked
  }

  /// Why a head is refused: the status of the response.
  struct Refusal: Error, Equatable {
    var status: Int
    var reason: String
  }

  /// Reads a head without the empty line behind it.
  init(_ bytes: ArraySlice<UInt8>, limits: GatewayLimits) throws(Refusal) {
    var lines = try Self.lines(bytes)
    guard !lines.isEmpty else { throw Refusal(status: 400, reason: "an empty request") }
    let (method, form, isVersion11) = try Self.requestLine(lines.removeFirst())
    guard lines.count <= limits.maxFields else {
      throw Refusal(status: 431, reason: "more than \(limits.maxFields) fields")
    }
    var fields = HTTPFields()
    for line in lines { try Self.appendField(line, to: &fields) }
    let hosts = fields.values(of: "host")
    guard hosts.count == 1 || hosts.isEmpty && !isVersion11 else {
      throw Refusal(status: 400, reason: "one field Host is required")
    }
    self.isVersion11 = isVersion11
    body = try Self.body(fields, isVersion11: isVersion11)
    let options = fields.values(of: "connection").flatMap { $0.list() }
    keepsAlive = isVersion11 && !options.contains { $0.isToken("close") }
    expectsContinue = false
    if let expectation = fields["expect"] {
      guard expectation.isToken("100-continue") else {
        throw Refusal(status: 417, reason: "only 100-continue is understood")
      }
      expectsContinue = isVersion11
    }
    // As with HTTP/2: the gateway serves both hosts, or none of them.
    if let authority = form.authority, fields["host"] != authority {
      fields.append("host", authority)
    }
    head = HTTPRequestHead(method: method, target: form.path, fields: fields, isHTTP2: false)
  }

  /// Lines end with CR LF; neither occurs elsewhere.
  private static func lines(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      if bytes[index] == 13 {
        guard index + 1 < bytes.endIndex, bytes[index + 1] == 10 else {
          throw Refusal(status: 400, reason: "a carriage return without a line feed")
        }
        lines.append(bytes[start..<index])
        index += 2
        start = index
        continue
      }
      guard bytes[index] != 10 else {
        throw Refusal(status: 400, reason: "a line feed without a carriage return")
      }
      index += 1
    }
    if start < bytes.endIndex { lines.append(bytes[start...]) }
    return lines
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(Refusal) -> (method: HTTPText, target: Target, isVersion11: Bool) {
    let parts = line.split(separator: 32, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isToken),
      !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 32 && $0 < 127 })
    else { throw Refusal(status: 400, reason: "not a request line") }
    let version = HTTPText(decoding: parts[2])
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw version.begins(with: "HTTP/")
        ? Refusal(status: 505, reason: "HTTP/1.1, or HTTP/2 from its first byte")
        : Refusal(status: 400, reason: "not a request line")
    }
    let method = HTTPText(decoding: parts[0])
    let target = HTTPText(decoding: parts[1])
    return (method, try Self.target(target, method), version == "HTTP/1.1")
  }

  /// The target of a request line.
  private struct Target {
    /// The host and port that stand before the path; nil: none do.
    var authority: HTTPText?
    /// The path and the query; begins with a slash, or is `*`.
    var path: HTTPText
  }

  /// Divides a target, which may have a scheme and a host before its path.
  private static func target(_ text: HTTPText, _ method: HTTPText) throws(Refusal) -> Target {
    if text.begins(with: "/") || text == "*" && method == "OPTIONS" { return Target(path: text) }
    let schemes: [HTTPText] = ["http://", "https://"]
    for scheme in schemes where text.inLowerCase.begins(with: scheme) {
      let rest = text.dropping(scheme.bytes.count)
      let authority = HTTPText(
        decoding: rest.bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
      let path = rest.dropping(authority.bytes.count)
      return Target(
        authority: authority, path: path.begins(with: "/") ? path : HTTPText("/" + path.string))
    }
    throw Refusal(status: 400, reason: "the target must be a path")
  }

  private static func appendField(
    _ line: ArraySlice<UInt8>, to fields: inout HTTPFields
  ) throws(Refusal) {
    // A name directly before its colon; a line that begins with a space continued another one once.
    guard let colon = line.firstIndex(of: 58), colon > line.startIndex,
      line[..<colon].allSatisfy(isToken)
    else { throw Refusal(status: 400, reason: "a field without a valid name") }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }),
      let text = String(validating: value, as: UTF8.self)
    else { throw Refusal(status: 400, reason: "a field with control characters") }
    fields.append(HTTPText(decoding: line[..<colon]).inLowerCase, HTTPText(text).trimmed)
  }

  /// How the body is delimited: by one number or by chunks, never by both.
  private static func body(
    _ fields: HTTPFields, isVersion11: Bool
  ) throws(Refusal) -> Body {
    let encodings = fields.values(of: "transfer-encoding")
    let lengths = fields.values(of: "content-length")
    if !encodings.isEmpty {
      guard lengths.isEmpty, isVersion11 else {
        throw Refusal(status: 400, reason: "Transfer-Encoding is not allowed here")
      }
      guard encodings.count == 1, encodings[0].isToken("chunked") else {
        throw Refusal(status: 501, reason: "only the transfer encoding chunked is understood")
      }
      return .chunked
    }
    guard let length = lengths.first else { return .none }
    guard lengths.count == 1, let number: Int = Digits.decimal(length, most: 18)
    else { throw Refusal(status: 400, reason: "Content-Length must be one number") }
    return number == 0 ? .none : .length(number)
  }

  /// Whether a character may be in a name (RFC 9110, section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: token.contains(byte)
    }
  }

  private static let token = Array("!#$%&'*+-.^_`|~".utf8)
}
