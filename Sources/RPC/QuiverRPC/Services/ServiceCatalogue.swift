package import QuiverProtobuf

/// The services of a server with their methods and messages.
///
/// Reflection and tests read it, and a server checks by it that every method has a handler.
package struct ServiceCatalogue: Sendable {
  /// Every method, by id.
  package let methods: [MethodInfo]
  /// The file of the control messages, then one file for each service.
  ///
  /// A file declares the messages and enums that its service is the first to use.
  package let files: [ProtoFile]
  /// The full names of the services.
  package let serviceNames: Set<String>

  /// - Parameter services: each after the services whose messages it shares.
  package init(_ services: [any RPCService.Type]) {
    var builder = CatalogueBuilder()
    let methods = services.map { service in
      let declarations = service.declarations
      builder.add(service.name, declarations, details: service.details)
      return declarations
    }
    self.methods = methods.flatMap(\.self).sorted { $0.id < $1.id }
    files = builder.files
    serviceNames = Set(files.flatMap(\.services).map(\.name))
  }

  /// Names a method without a route, or a route whose method is not in the catalogue; nil if there
  /// is neither.
  package func fault(in routes: [Route]) -> String? {
    let answered = Set(routes.map(\.method.id))
    if let missing = methods.first(where: { !answered.contains($0.id) }) {
      return "no handler is registered for \(missing.name) (id \(missing.id))"
    }
    let known = Set(methods.map(\.id))
    if let unknown = routes.first(where: { !known.contains($0.method.id) }) {
      return "\(unknown.method.name) (id \(unknown.method.id)) is not in the catalogue"
    }
    return nil
  }
}

/// Assigns each message and enum to the file of the first service that uses it.
private struct CatalogueBuilder {
  private static let wirePath = "quiver/v1/wire.proto"

  private(set) var files = [
    ProtoFile(
      path: wirePath, dependencies: ["google/protobuf/descriptor.proto"],
      messages: WireFile.messages, declaresMethodOptions: true)
  ]
  /// The path of the file that declares each message and enum.
  private var pathByName = Dictionary(
    uniqueKeysWithValues: WireFile.messages.map { ($0.name, wirePath) })

  mutating func add(_ name: String, _ methods: [MethodInfo], details: [any Message.Type]) {
    let short = name.split(separator: ".").last.map { $0.lowercased() } ?? name
    var file = PendingFile(path: "quiver/v1/\(short).proto", dependencies: [Self.wirePath])
    for method in methods {
      add(method.schema.input, to: &file)
      add(method.schema.output, to: &file)
    }
    for detail in details { add(Self.schema(of: detail), to: &file) }
    let service = ServiceSchema(
      name, number: (methods.first?.id ?? 0) / 256, methods.map(\.schema))
    files.append(
      ProtoFile(
        path: file.path, dependencies: file.dependencies.sorted(), messages: file.messages,
        enums: file.enums, services: [service]))
  }

  private static func schema<M: Message>(of _: M.Type) -> MessageSchema { M.schema.core }

  private mutating func add(_ message: MessageSchema, to file: inout PendingFile) {
    guard declare(message.name, in: &file) else { return }
    file.messages.append(message)
    for field in message.fields {
      if let type = field.messageType { add(type, to: &file) }
      if let type = field.enumType, declare(type.name, in: &file) { file.enums.append(type) }
    }
  }

  /// Whether the file is the first to use `name`; else it imports the file that is.
  private mutating func declare(_ name: String, in file: inout PendingFile) -> Bool {
    if let path = pathByName[name] {
      if path != file.path { file.dependencies.insert(path) }
      return false
    }
    pathByName[name] = file.path
    return true
  }

  private struct PendingFile {
    let path: String
    var dependencies: Set<String>
    var messages: [MessageSchema] = []
    var enums: [EnumSchema] = []
  }
}
