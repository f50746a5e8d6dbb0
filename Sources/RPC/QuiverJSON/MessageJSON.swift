package import QuiverProtobuf

/// proto3 JSON by schema, both ways.
///
/// Reads `lengthIn` and `length_in`, 64-bit integers as strings or numbers, enums by name or
/// number, bytes in either base64; refuses unknown and repeated names. Writes lowerCamelCase,
/// 64-bit integers as strings, enums by name where the number has one, fields in the order of the
/// schema.
package struct MessageJSON: Sendable {
  /// Whether fields without presence are written when they are zero, empty or none.
  package var printsZeros: Bool

  /// Whether lines are broken and indented by two spaces.
  package var isPretty: Bool

  package var limits: JSONLimits

  package init(
    printsZeros: Bool = false, isPretty: Bool = false, limits: JSONLimits = JSONLimits()
  ) {
    self.printsZeros = printsZeros
    self.isPretty = isPretty
    self.limits = limits
  }

  /// The message that a JSON text in UTF-8 describes.
  package func message(
    _ schema: MessageSchema, from json: [UInt8]
  ) throws(JSONError) -> DynamicMessage {
    let value = try JSONReader.value(of: json, limits: limits)
    return try MessageJSONReader.message(schema, from: value)
  }

  /// The message that a JSON value describes.
  package func message(
    _ schema: MessageSchema, from value: JSONValue
  ) throws(JSONError) -> DynamicMessage {
    try MessageJSONReader.message(schema, from: value)
  }

  /// The encoded message that a JSON text describes.
  package func bytes(_ schema: MessageSchema, from json: String) throws(JSONError) -> [UInt8] {
    try message(schema, from: Array(json.utf8)).serializedBytes()
  }

  /// The message of a Swift type that a JSON text describes.
  package func message<M: Message>(_: M.Type, from json: String) throws(JSONError) -> M {
    let bytes = try bytes(M.schema.core, from: json)
    do {
      return try M(serializedBytes: bytes)
    } catch {
      throw JSONError(
        .limitExceeded, error.path.joined(separator: "."), "is too much: \(error.reason.sentence)")
    }
  }

  /// The JSON text of a message.
  package func text(of message: DynamicMessage) -> String {
    var writer = MessageJSONWriter(printsZeros: printsZeros, isPretty: isPretty)
    writer.write(message)
    return String(decoding: writer.text, as: UTF8.self)
  }

  /// The JSON text of an encoded message, which is checked first.
  package func text(
    of bytes: [UInt8], _ schema: MessageSchema
  ) throws(DecodeError) -> String {
    text(of: try DynamicMessage(schema, serializedBytes: bytes))
  }

  /// The JSON text of a message of a Swift type.
  package func text<M: Message>(of message: M) -> String {
    guard
      let dynamic = try? DynamicMessage(
        M.schema.core, serializedBytes: message.serializedBytes(), limits: .none)
    else { preconditionFailure("\(M.schema.core.name) does not read what it wrote") }
    return text(of: dynamic)
  }
}
