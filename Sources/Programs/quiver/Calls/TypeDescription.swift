import QuiverAPI
import QuiverProtobuf
import QuiverRPC

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A message, enum, service or method as JSON, for programs.
struct TypeDescription: Codable {
  /// message, enum, service or method.
  let kind: String
  /// The full name.
  let name: String
  var fields: [Field]?
  var values: [Value]?
  var methods: [Method]?
  /// Of a method: the messages that it takes and answers.
  var request: [Field]?
  var response: [Field]?

  /// One field of a message.
  struct Field: Codable {
    let name: String
    let jsonName: String
    let number: Int32
    let type: String
    let isRepeated: Bool
    let isOptional: Bool
    /// Of `Protos/`, with its unit and limits.
    let comment: String?

    init(_ field: FieldSchema, of message: MessageSchema) {
      name = field.name
      jsonName = field.jsonName
      number = field.number
      type = field.typeName ?? "\(field.type)"
      isRepeated = field.isRepeated
      isOptional = field.label == .optional
      let lines = ProtoComments.lines(of: "\(message.name).\(field.name)")
      comment = lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
  }

  /// One value of an enum.
  struct Value: Codable {
    let name: String
    let number: Int32
  }

  /// One method of a service.
  struct Method: Codable {
    let name: String
    let id: UInt32
    let kind: String
    let requestType: String
    let responseType: String
    let isMutating: Bool
    let needsToken: Bool

    init(_ entry: MethodEntry) {
      name = entry.name
      id = entry.id
      kind = MethodKind(rawValue: entry.kind.rawValue).map { "\($0)" } ?? "unknown"
      requestType = entry.requestType
      responseType = entry.responseType
      isMutating = entry.mutating
      needsToken = !entry.anonymous
    }
  }

  /// The description of what a name stands for.
  static func json(of name: String, _ types: Types) throws(Failure) -> String {
    let full = try DescribeCommand.fullName(name, types)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let description = try description(of: full, types)
    return (try? encoder.encode(description)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func description(
    of full: String, _ types: Types
  ) throws(Failure) -> TypeDescription {
    if let message = types.pool.messages[full] {
      var description = TypeDescription(kind: "message", name: full)
      description.fields = fields(of: message)
      return description
    }
    if let enumeration = types.pool.enums[full] {
      var description = TypeDescription(kind: "enum", name: full)
      description.values = enumeration.values.map { Value(name: $0.name, number: $0.number) }
      return description
    }
    guard let entry = types.methods.first(where: { $0.name == full }) else {
      var description = TypeDescription(kind: "service", name: full)
      description.methods = types.methods.filter { $0.name.hasPrefix(full + "/") }.map(Method.init)
      return description
    }
    let method = try types.method(full)
    var description = TypeDescription(kind: "method", name: full)
    description.methods = [Method(entry)]
    description.request = fields(of: method.schema.input)
    description.response = fields(of: method.schema.output)
    return description
  }

  private static func fields(of message: MessageSchema) -> [Field] {
    message.fields.map { Field($0, of: message) }
  }
}
