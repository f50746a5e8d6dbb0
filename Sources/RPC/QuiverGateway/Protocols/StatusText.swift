import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `google.rpc.Status`, as gRPC sends it with a failed call.
struct StatusDetails: Message {
  var code: Int32 = 0
  var message = ""
  var details: [AnyMessage] = []

  static let schema = Schema<Self>(
    "google.rpc.Status", .int32(1, "code", \.code), .string(2, "message", \.message),
    .messages(3, "details", \.details))

  init() {}

  init(_ error: RPCError) {
    code = Int32(clamping: error.code.rawValue)
    message = error.message
    details = error.details.map { detail in
      .with { ($0.typeURL, $0.value) = ("type.googleapis.com/" + detail.type, detail.value) }
    }
  }
}

/// `google.protobuf.Any`.
struct AnyMessage: Message {
  var typeURL = ""
  var value: [UInt8] = []

  static let schema = Schema<Self>(
    "google.protobuf.Any", .string(1, "type_url", \.typeURL), .bytes(2, "value", \.value))
}

/// The end of a call in gRPC's words.
enum GRPCStatus {
  static let ok: HTTPFields = HTTPFields(dictionaryLiteral: ("grpc-status", "0"))
    .preparedForever()

  /// The most bytes of a head or of trailers with details, each field counted with 32 more, as
  /// RFC 9113 counts them. Many clients of gRPC accept no more, and fail a call with more.
  static let largestHeadBytes = 8_192
  /// The most bytes of a message, percent-encoded, where a head would be larger than that.
  static let largestCutMessageBytes = 1_024

  /// `grpc-status` and its related fields.
  ///
  /// - Parameter isHead: they are sent as the head or the trailers of a response, not in its body.
  ///   Above ``largestHeadBytes`` they are sent without details, and with the beginning of a long
  ///   message.
  static func trailers(
    _ error: RPCError?, _ trailing: Metadata, isHead: Bool
  ) -> HTTPFields {
    if error == nil, trailing.isEmpty { return ok }
    var fields = HTTPFields()
    fields.append("grpc-status", String(error?.code.rawValue ?? 0))
    if let error { fields.entries += ReplyFields.fate(of: error).entries }
    fields.entries += ReplyFields.fields(trailing).entries
    guard let error else { return fields }
    let room = isHead ? largestHeadBytes - fields.byteCount : .max
    var message = HTTPFields.Entry(
      name: "grpc-message", value: HTTPText(percentEncoded(error.message)))
    if message.byteCount > room {
      message.value = HTTPText(percentEncoded(beginning(of: error.message)))
    }
    fields.entries.append(message)
    guard !error.details.isEmpty else { return fields }
    let details = HTTPFields.Entry(
      name: "grpc-status-details-bin",
      value: HTTPText(ReplyFields.base64(StatusDetails(error).serializedBytes())))
    if !isHead || details.byteCount <= largestHeadBytes - fields.byteCount {
      fields.entries.append(details)
    }
    return fields
  }

  /// The first characters of a text that have at most ``largestCutMessageBytes`` percent-encoded.
  private static func beginning(of text: String) -> String {
    var room = largestCutMessageBytes
    return String(
      text.prefix { character in
        room -= percentEncoded(String(character)).utf8.count
        return room >= 0
      })
  }

  /// Printable ASCII as it is, everything else and the percent sign as `%XX`.
  static func percentEncoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if byte >= 32, byte < 127, byte != UInt8(ascii: "%") {
        encoded.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += Array("%".utf8) + Array((digits.count == 1 ? "0" + digits : digits).utf8)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

/// The end of a call in Connect's words.
enum ConnectStatus {
  /// The error as a JSON object.
  static func json(_ error: RPCError) -> String {
    var members = ["\"code\":\(quoted(name(of: error.code)))"]
    if !error.message.isEmpty { members.append("\"message\":\(quoted(error.message))") }
    if !error.details.isEmpty {
      let details = error.details.map { detail in
        "{\"type\":\(quoted(detail.type)),\"value\":\"\(ReplyFields.base64(detail.value))\"}"
      }
      members.append("\"details\":[\(details.joined(separator: ","))]")
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// Fields as a JSON object of lists.
  static func json(_ fields: HTTPFields) -> String {
    var names: [HTTPText] = []
    for field in fields.entries where !names.contains(field.name) { names.append(field.name) }
    let members = names.map { name in
      let values = fields.values(of: name).map { quoted($0.string) }
      return "\(quoted(name.string)):[\(values.joined(separator: ","))]"
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// A code as Connect spells it; a number that has no name is `unknown`.
  static func name(of code: StatusCode) -> String {
    guard code.isKnown else { return "unknown" }
    return code == .cancelled ? "canceled" : HTTPText(code.name).inLowerCase.string
  }

  /// The HTTP status of a failed unary call.
  static func httpStatus(of code: StatusCode) -> Int {
    switch code {
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .deadlineExceeded: 504
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .permissionDenied: 403
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .unauthenticated: 401
    default: 500
    }
  }

  /// A JSON string.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}", "<", ">":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
