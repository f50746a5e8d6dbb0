import CCrypto
import QuiverProtobuf
import QuiverRPC

/// The methods and messages of a server's services: validated, and described for Reflection.
struct ServiceSchemas {
  /// Service numbers below this one belong to the protocol, and so do names in its packages.
  private static let firstNumber: UInt32 = 32
  private static let wirePath = "quiver/v1/wire.proto"

  let methods: [MethodInfo]
  let serviceNames: Set<String>
  private let own: ServiceCatalogue
  private let services: [Service]

  /// Throws the first fault of the services.
  init(_ services: [Service]) throws(ServerError) {
    own = ServiceCatalogue([Health.self, Reflection.self])
    self.services = services
    var byID: [UInt32: String] = [:]
    var names: Set<String> = []
    for service in services {
      try Self.validate(service)
      guard names.insert(service.name).inserted else {
        throw ServerError(.schema, "two services are \(service.name)")
      }
      for method in service.methods {
        if let other = byID.updateValue(method.name, forKey: method.id) {
          throw ServerError(.schema, "\(other) and \(method.name) have the id \(method.id)")
        }
      }
    }
    methods = (own.methods + services.flatMap(\.methods)).sorted { $0.id < $1.id }
    serviceNames = own.serviceNames.union(names)
    try Self.validateMessages(services)
  }

  private static func validate(_ service: Service) throws(ServerError) {
    guard let number = service.methods.first.map({ $0.id / 256 }) else {
      throw ServerError(.schema, "a service has no methods")
    }
    var names: Set<String> = []
    for method in service.methods {
      guard isName(method.name) else {
        throw ServerError(.schema, "\(method.name): the name of a method is PACKAGE.SERVICE/METHOD")
      }
      guard method.serviceName == service.name else {
        throw ServerError(.schema, "\(method.name) is not a method of \(service.name)")
      }
      guard method.id < 65_536, method.id % 256 != 0, method.id / 256 == number else {
        throw ServerError(
          .schema,
          "\(method.name): the id \(method.id) must be 256 x service + 1 to 255, at most 65535,"
            + " with one service number for all methods of a service")
      }
      guard number >= firstNumber, !service.name.hasPrefix("quiver.v1.") else {
        throw ServerError(
          .schema,
          "\(method.name): service numbers below \(firstNumber) and the package quiver.v1 are"
            + " reserved")
      }
      guard names.insert(method.name).inserted else {
        throw ServerError(.schema, "two methods are \(method.name)")
      }
    }
    let answered = service.routes.map(\.method.id)
    if let missing = service.methods.first(where: { !answered.contains($0.id) }) {
      throw ServerError(.schema, "no handler is registered for \(missing.name)")
    }
    let known = Set(service.methods.map(\.id))
    var seen: Set<UInt32> = []
    for route in service.routes {
      guard known.contains(route.method.id) else {
        throw ServerError(.schema, "\(route.method.name) is not a method of \(service.name)")
      }
      guard seen.insert(route.method.id).inserted else {
        throw ServerError(.schema, "\(route.method.name) has two handlers")
      }
    }
  }

  /// Whether a name is two of protobuf's, with a slash between.
  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].contains(".") else { return false }
    return parts.joined(separator: ".").split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { part in
        guard let first = part.utf8.first, !(48...57).contains(first) else { return false }
        return part.utf8.allSatisfy {
          (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
        }
      }
  }

  private static func validateMessages(_ services: [Service]) throws(ServerError) {
    var byName: [String: MessageSchema] = [:]
    var messages = services.flatMap(\.methods).flatMap { [$0.schema.input, $0.schema.output] }
    for detail in services.flatMap(\.details) { messages.append(schema(of: detail)) }
    for message in messages {
      if let cycle = message.cycle() {
        throw ServerError(
          .schema, "messages must not contain themselves: \(cycle.joined(separator: " > "))")
      }
      try collect(message, in: &byName)
    }
  }

  private static func collect(
    _ message: MessageSchema, in byName: inout [String: MessageSchema]
  ) throws(ServerError) {
    if let fault = message.fault { throw ServerError(.schema, fault) }
    if let other = byName[message.name] {
      guard other !== message, !isEqual(other, message) else { return }
      throw ServerError(.schema, "two messages are \(message.name)")
    }
    byName[message.name] = message
    for field in message.fields {
      if let type = field.messageType { try collect(type, in: &byName) }
    }
  }

  fileprivate static func schema<M: Message>(of _: M.Type) -> MessageSchema { M.schema.core }

  private static func isEqual(_ one: MessageSchema, _ other: MessageSchema) -> Bool {
    one.fields.elementsEqual(other.fields) {
      $0.number == $1.number && $0.name == $1.name && $0.type == $1.type && $0.label == $1.label
        && $0.typeName == $1.typeName
    }
  }

  // MARK: Reflection

  /// What Reflection answers.
  func description() -> DescribeResponse {
    var description = DescribeResponse()
    description.fileDescriptorSet = FileDescriptorSet(own.files + files()).serializedBytes()
    description.fingerprint = Self.hash(description.fileDescriptorSet)
    description.methods = methods.map { method in
      var entry = MethodEntry()
      entry.id = method.id
      entry.name = method.name
      entry.kind = MethodEntry.Kind(rawValue: method.kind.rawValue)
      entry.requestType = method.schema.input.name
      entry.responseType = method.schema.output.name
      entry.mutating = method.isMutating
      entry.anonymous = method.isAnonymous
      return entry
    }
    return description
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    // It fails only without memory.
    guard EVP_Digest(bytes, bytes.count, &hash, nil, EVP_sha256(), nil) == 1 else { return [] }
    return hash
  }

  /// A file for each package, `inventory/v1.proto` for `inventory.v1`.
  private func files() -> [ProtoFile] {
    var builder = PackageFiles(wirePath: Self.wirePath, declared: own.files)
    for service in services { builder.add(service) }
    return builder.files
  }
}

/// Declares each message and enum in the file of its package.
private struct PackageFiles {
  private struct Pending {
    var dependencies: Set<String> = []
    var messages: [MessageSchema] = []
    var enums: [EnumSchema] = []
    var services: [ServiceSchema] = []
  }

  private let wirePath: String
  private var pathByName: [String: String] = [:]
  private var pending: [String: Pending] = [:]

  init(wirePath: String, declared: [ProtoFile]) {
    self.wirePath = wirePath
    for file in declared {
      for message in file.messages { pathByName[message.name] = file.path }
      for type in file.enums { pathByName[type.name] = file.path }
    }
  }

  var files: [ProtoFile] {
    pending.map { package, file in
      ProtoFile(
        path: Self.path(package), package: package, dependencies: file.dependencies.sorted(),
        messages: file.messages, enums: file.enums, services: file.services)
    }
  }

  private static func package(of name: String) -> String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? ""
  }

  private static func path(_ package: String) -> String {
    let parts = package.split(separator: ".")
    return package.isEmpty ? "service.proto" : parts.joined(separator: "/") + ".proto"
  }

  mutating func add(_ service: Service) {
    let package = Self.package(of: service.name)
    pending[package, default: Pending()].dependencies.insert(wirePath)
    for method in service.methods {
      add(method.schema.input, usedBy: package)
      add(method.schema.output, usedBy: package)
    }
    for detail in service.details { add(ServiceSchemas.schema(of: detail), usedBy: package) }
    let number = (service.methods.first?.id ?? 0) / 256
    pending[package]?.services.append(
      ServiceSchema(service.name, number: number, service.methods.map(\.schema)))
  }

  private mutating func add(_ message: MessageSchema, usedBy user: String) {
    let package = Self.package(of: message.name)
    guard declare(message.name, usedBy: user) else { return }
    pending[package, default: Pending()].messages.append(message)
    for field in message.fields {
      if let type = field.messageType { add(type, usedBy: package) }
      if let type = field.enumType, declare(type.name, usedBy: package) {
        pending[Self.package(of: type.name), default: Pending()].enums.append(type)
      }
    }
  }

  /// Whether a name is new. The file of the package that uses it imports the one that declares it.
  private mutating func declare(_ name: String, usedBy user: String) -> Bool {
    let known = pathByName[name]
    let path = known ?? Self.path(Self.package(of: name))
    if path != Self.path(user) { pending[user, default: Pending()].dependencies.insert(path) }
    pathByName[name] = path
    return known == nil
  }
}
