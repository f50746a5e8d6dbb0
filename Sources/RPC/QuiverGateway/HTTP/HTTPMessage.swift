/// The fields of a request or response, names in lower case, in the order of arrival.
package struct HTTPFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  package var entries: [Entry] = [] {
    didSet { prepared = nil }
  }
  /// The fields as libnghttp2 takes them; nil: they are made for each message.
  private(set) var prepared: PreparedFields?

  package struct Entry: Sendable, Equatable {
    package var name: HTTPText
    package var value: HTTPText

    /// As RFC 9113, section 6.5.2, counts it.
    var byteCount: Int { name.bytes.count + value.bytes.count + 32 }
  }

  /// The sum of all fields, as RFC 9113 counts it.
  var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    entries = elements.map { Entry(name: HTTPText($0.0), value: HTTPText($0.1)) }
  }

  package mutating func append(_ name: String, _ value: String) {
    append(HTTPText(name), HTTPText(value))
  }

  package mutating func append(_ name: HTTPText, _ value: HTTPText) {
    entries.append(Entry(name: name, value: value))
  }

  /// The first value of a field; nil: there is none.
  package subscript(_ name: HTTPText) -> HTTPText? { entries.first { $0.name == name }?.value }

  package static func == (one: Self, other: Self) -> Bool { one.entries == other.entries }

  /// The same fields, prepared for HTTP/2. For those of many messages: the memory is never freed.
  func preparedForever() -> Self {
    var fields = self
    fields.prepared = PreparedFields(self)
    return fields
  }

  /// All values of a field.
  package func values(of name: HTTPText) -> [HTTPText] {
    entries.filter { $0.name == name }.map(\.value)
  }
}

/// The head of a request, the same for both versions of HTTP.
package struct HTTPRequestHead: Sendable, Equatable {
  package var method: HTTPText
  /// Without the query; begins with a slash, or is `*`.
  package var path: HTTPText
  /// The text after the question mark; nil: there is none.
  package var query: HTTPText?
  package var fields: HTTPFields
  package var isHTTP2: Bool

  /// Divides a target at its question mark.
  package init(method: HTTPText, target: HTTPText, fields: HTTPFields, isHTTP2: Bool) {
    self.method = method
    let parts = target.split("?", most: 1)
    path = parts[0]
    query = parts.count > 1 ? parts[1] : nil
    self.fields = fields
    self.isHTTP2 = isHTTP2
  }

  /// The media type in lower case, without its parameters; empty: none is given.
  package var contentType: HTTPText {
    let value = fields["content-type"] ?? ""
    return value.split(";", most: 1)[0].trimmed.inLowerCase
  }
}

/// The head of a response.
package struct HTTPResponseHead: Sendable, Equatable {
  package var status: Int
  package var fields: HTTPFields

  package init(_ status: Int, _ fields: HTTPFields = HTTPFields()) {
    self.status = status
    self.fields = fields
  }

  /// The phrase of HTTP/1.1's status line.
  var reason: String {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 499: "Client Closed Request"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: status < 500 ? "Error" : "Internal Server Error"
    }
  }
}

/// The request or its connection ended before the response was complete.
struct HTTPAborted: Error, Sendable {}
