import QuiverJSON
import QuiverProtobuf

/// The path of a value in a reply: `id`, `items[0].id`, `event.format.codename`.
struct CapturePath: Sendable {
  private let steps: [Step]
  let text: String

  private enum Step: Sendable {
    case field(String)
    case element(Int)
  }

  /// Nil if the text is not a path.
  init?(_ text: String) {
    var steps: [Step] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let parts = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = parts.first, !name.isEmpty else { return nil }
      steps.append(.field(String(name)))
      for text in parts.dropFirst() {
        guard text.hasSuffix("]"), let index = Int(text.dropLast()), index >= 0 else {
          return nil
        }
        steps.append(.element(index))
      }
    }
    self.steps = steps
    self.text = text
  }

  /// Why no message of a type can hold a value there; nil if one can.
  func fault(in schema: MessageSchema) -> String? {
    var type: MessageSchema? = schema
    var field: FieldSchema?
    var isElement = false
    for step in steps {
      switch step {
      case .field(let name):
        guard let schema = type else { return "\(text) goes on where there is no message" }
        guard let next = Self.field(name, of: schema) else {
          return "\(schema.name) has no field \(name)"
        }
        if let field, field.isRepeated, !isElement {
          return "\(field.name) is a list; say which one, as in \(field.name)[0]"
        }
        (field, isElement) = (next, false)
        type = next.type == .message ? next.messageType : nil
      case .element:
        guard let field, field.isRepeated, !isElement else { return "\(text) has no list there" }
        isElement = true
      }
    }
    if let field, field.isRepeated, !isElement {
      return "\(field.name) is a list; say which one, as in \(field.name)[0]"
    }
    return type == nil ? nil : "\(text) is a message; name one of its fields"
  }

  /// The value in a message; nil if it has none, as of an element that is not there.
  func value(in message: DynamicMessage) -> JSONValue? {
    var value = FieldValue.message(message)
    var field: FieldSchema?
    for step in steps {
      switch (step, value) {
      case (.field(let name), .message(let message)):
        guard let next = Self.field(name, of: message.schema) else { return nil }
        field = next
        value = message[next.number] ?? .zero(of: next)
      case (.element(let index), .list(let elements)):
        guard index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return Self.value(value, field)
  }

  private static func field(_ name: String, of schema: MessageSchema) -> FieldSchema? {
    schema.fields.first { $0.name == name || $0.jsonName == name }
  }

  private static func value(_ value: FieldValue, _ field: FieldSchema?) -> JSONValue? {
    switch value {
    case .int32(let number): .string("\(number)")
    case .int64(let number): .string("\(number)")
    case .uint32(let number): .string("\(number)")
    case .uint64(let number): .string("\(number)")
    case .float(let number): .string("\(number)")
    case .double(let number): .string("\(number)")
    case .bool(let bool): .bool(bool)
    case .string(let text): .string(text)
    case .bytes(let bytes): .string(Base64Text.of(bytes))
    case .enum(let number): .string(field?.enumType?.name(of: number) ?? "\(number)")
    case .absent, .message, .list: nil
    }
  }
}
