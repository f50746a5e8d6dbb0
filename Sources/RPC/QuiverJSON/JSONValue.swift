/// A JSON value as in the text: numbers keep their spelling and objects every member, so that
/// nothing is lost before the schema has validated it.
package indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Sendable, Equatable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Reads a JSON text in UTF-8, each member of its objects as it stands, repeated ones too.
  package init(
    reading json: [UInt8], limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    self = try JSONReader.value(of: json, limits: limits)
  }

  /// The kind in words, for errors.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
