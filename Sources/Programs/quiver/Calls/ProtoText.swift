import QuiverProtobuf

/// Types in the language of `.proto` files.
enum ProtoText {
  static func text(of message: MessageSchema) -> String {
    let lines = message.fields.map { field in
      "  \(label(of: field))\(typeName(of: field)) \(field.name) = \(field.number);"
    }
    return block("message \(message.name)", lines)
  }

  static func text(of enumeration: EnumSchema) -> String {
    block("enum \(enumeration.name)", enumeration.values.map { "  \($0.name) = \($0.number);" })
  }

  /// - Parameter mutating: ids of the methods that change something.
  static func text(of service: ServiceSchema, mutating: Set<UInt32>) -> String {
    block(
      "service \(service.name)",
      service.methods.map { "  " + line(of: $0, isMutating: mutating.contains($0.id)) })
  }

  static func line(of method: MethodSchema, isMutating: Bool) -> String {
    let input = (method.kind.clientStreams ? "stream " : "") + method.input.name
    let output = (method.kind.serverStreams ? "stream " : "") + method.output.name
    return "rpc \(method.name)(\(input)) returns (\(output));  // id \(method.id)"
      + (isMutating ? ", mutating" : "")
  }

  private static func block(_ head: String, _ lines: [String]) -> String {
    lines.isEmpty ? "\(head) {}" : "\(head) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private static func label(of field: FieldSchema) -> String {
    switch field.label {
    case .implicit: ""
    case .optional: "optional "
    case .repeated: "repeated "
    }
  }

  private static func typeName(of field: FieldSchema) -> String {
    field.typeName ?? "\(field.type)"
  }
}
