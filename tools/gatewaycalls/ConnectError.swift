import QuiverJSON
import QuiverRPC
import QuiverWire

/// The errors of Connect.
enum ConnectError {
  /// Of a response whose status is not 200.
  static func error(_ status: Int, _ fields: [String: String], _ body: [UInt8]) -> RPCError {
    var error =
      (try? JSONValue(reading: body)).flatMap(error)
      ?? RPCError(
        status == 503 ? .unavailable : .unknown,
        "HTTP \(status): \(String(decoding: body.prefix(200), as: UTF8.self))")
    error.isNotProcessed = fields["quiver-not-processed"] != nil
    return error
  }

  /// Of the last envelope of a stream; nil if the call ended OK.
  static func error(inEnd body: [UInt8]) -> RPCError? {
    guard let value = try? JSONValue(reading: body) else {
      return RPCError(.internal, "the end of the stream is not JSON", origin: .client)
    }
    return value.member("error").flatMap(error)
  }

  private static func error(_ value: JSONValue) -> RPCError? {
    guard let name = value.member("code")?.string else { return nil }
    let spelt = name == "canceled" ? "cancelled" : name
    let code = StatusCode.known.first { $0.name.lowercased() == spelt } ?? .unknown
    return RPCError(code, value.member("message")?.string ?? "")
  }
}

extension JSONValue {
  /// The value of a member of an object; nil if there is none.
  func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil if it is none.
  var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
