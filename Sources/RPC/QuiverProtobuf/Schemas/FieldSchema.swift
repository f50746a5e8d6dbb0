/// What is declared of one field, and where a Swift message keeps it.
package struct FieldSchema: Sendable {
  package let number: Int32
  /// The name in the `.proto` file.
  package let name: String
  /// The name in JSON, lowerCamelCase unless declared otherwise.
  package let jsonName: String
  package let type: FieldType
  package let label: FieldLabel
  /// The enum's schema, if it is one.
  package let enumType: EnumSchema?
  /// Gives the sub-message's schema; a closure, since two schemas must not be built inside each
  /// other.
  let messageSource: (@Sendable () -> MessageSchema)?
  /// The property's place in the Swift message; none for fields of a `DynamicMessage`.
  let storage: FieldStorage?

  package init(
    number: Int32, name: String, jsonName: String? = nil, type: FieldType, label: FieldLabel,
    enumType: EnumSchema? = nil, messageType: (@Sendable () -> MessageSchema)? = nil
  ) {
    self.init(
      number: number, name: name, jsonName: jsonName, type: type, label: label,
      enumType: enumType, messageSource: messageType, storage: nil)
  }

  init(
    number: Int32, name: String, jsonName: String? = nil, type: FieldType, label: FieldLabel,
    enumType: EnumSchema?, messageSource: (@Sendable () -> MessageSchema)?, storage: FieldStorage?
  ) {
    self.number = number
    self.name = name
    self.jsonName = jsonName ?? Self.jsonName(of: name)
    self.type = type
    self.label = label
    self.enumType = enumType
    self.messageSource = messageSource
    self.storage = storage
  }

  /// The sub-message's schema, if it is one.
  package var messageType: MessageSchema? { messageSource?() }

  /// The full name of the enum or message, as in `quiver.v1.Riser`.
  package var typeName: String? { enumType?.name ?? messageType?.name }

  package var isRepeated: Bool { label == .repeated }

  /// Whether an absent value differs from a zero.
  package var hasPresence: Bool {
    label == .optional || (label == .implicit && type == .message)
  }

  /// The name that protoc derives for JSON: underscores go, and the letter after one is a capital.
  package static func jsonName(of name: String) -> String {
    var result = ""
    var raiseNext = false
    for character in name.utf8 {
      if character == UInt8(ascii: "_") {
        raiseNext = true
        continue
      }
      let isLower = character >= UInt8(ascii: "a") && character <= UInt8(ascii: "z")
      let byte = raiseNext && isLower ? character & 0xDF : character
      result.unicodeScalars.append(Unicode.Scalar(byte))
      raiseNext = false
    }
    return result
  }
}
