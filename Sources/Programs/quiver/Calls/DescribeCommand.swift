import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// `quiver describe`: a message, enum, service or method in the form of its `.proto` file.
enum DescribeCommand {
  static let command = Command(
    "describe", operands: "NAME", summary: "show a message, enum, service or method",
    details: """
      NAME is a full name, quiver.v1.Riser, or without its package. A method is shown with the
      messages that it takes and answers.
      """,
    flags: [.json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let name = try arguments.operands(1...1, "one NAME")[0]
    let types = try await Types(of: try Access(arguments))
    try Terminal.print(
      arguments.has(.json)
        ? try TypeDescription.json(of: name, types) : try text(of: name, types))
  }

  /// The full name of a type, service or method; "" only if the description is inconsistent.
  static func fullName(_ name: String, _ types: Types) throws(Failure) -> String {
    let pool = types.pool
    let known =
      pool.messages.keys.sorted() + pool.enums.keys.sorted() + pool.services.map(\.name)
      + types.methods.map(\.name)
    return try Types.find(name, among: known, "type, service or method") ?? ""
  }

  static func text(of name: String, _ types: Types) throws(Failure) -> String {
    let pool = types.pool
    let full = try fullName(name, types)
    if let message = pool.messages[full] { return ProtoText.text(of: message) }
    if let enumeration = pool.enums[full] { return ProtoText.text(of: enumeration) }
    if let service = pool.services.first(where: { $0.name == full }) {
      let ids = Set(types.methods.filter(\.mutating).map(\.id))
      return ProtoText.text(of: service, mutating: ids)
    }
    let method = try types.method(full)
    var parts = [ProtoText.line(of: method.schema, isMutating: method.isMutating)]
    parts.append(ProtoText.text(of: method.schema.input))
    if method.schema.output !== method.schema.input {
      parts.append(ProtoText.text(of: method.schema.output))
    }
    return parts.joined(separator: "\n\n")
  }
}
