import QuiverProtobuf

/// Types in the language of `.proto` files, with the comments of fields and values.
enum ProtoText {
  /// The longest line, in characters, that has its comment behind it.
  private static let longestLine = 100

  static func text(of message: MessageSchema) -> String {
    let lines = message.fields.map { field in
      commented(
        "  \(label(of: field))\(typeName(of: field)) \(field.name) = \(field.number);",
        ProtoComments.lines(of: "\(message.name).\(field.name)"))
    }
    return block("message \(message.name)", lines)
  }

  static func text(of enumeration: EnumSchema) -> String {
    let lines = enumeration.values.map { value in
      // The name of a value of an enum of a package is one of the package.
      commented(
        "  \(value.name) = \(value.number);",
        ProtoComments.lines(of: "quiver.v1.\(value.name)"))
    }
    return block("enum \(enumeration.name)", lines)
  }

  /// A declaration behind its comment, or in front of one that fits on its line.
  private static func commented(_ declaration: String, _ comment: [String]) -> String {
    if comment.isEmpty { return declaration }
    let whole = "\(declaration)  // \(comment[0])"
    if comment.count == 1, whole.count <= longestLine { return whole }
    let indent = declaration.prefix { $0 == " " }
    let lines = comment.map { $0.isEmpty ? "\(indent)//" : "\(indent)// \($0)" }
    return (lines + [declaration]).joined(separator: "\n")
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
