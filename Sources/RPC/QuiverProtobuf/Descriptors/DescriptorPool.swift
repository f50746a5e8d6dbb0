/// The types and services of a `google.protobuf.FileDescriptorSet`, as Reflection or protoc gives
/// it.
///
/// Validates bytes of another process; no input traps.
package struct DescriptorPool: Sendable {
  /// By full name.
  package private(set) var messages: [String: MessageSchema] = [:]
  /// By full name.
  package private(set) var enums: [String: EnumSchema] = [:]
  /// In the order of the files.
  package private(set) var services: [ServiceSchema] = []
  /// The declarations of each file, in the order of the files.
  package private(set) var files: [ProtoFile] = []

  /// Descriptors of descriptors are proto2 and contain themselves; no method uses them.
  private static let skippedPrefix = "google/protobuf/"

  /// Checks and reads the bytes of a `google.protobuf.FileDescriptorSet`.
  package init(fileDescriptorSet bytes: [UInt8]) throws(DescriptorError) {
    let set: FileDescriptorSet
    do {
      set = try FileDescriptorSet(serializedBytes: bytes)
    } catch {
      throw DescriptorError("the descriptor set does not decode: \(error)")
    }
    try self.init(set)
  }

  package init(_ set: FileDescriptorSet) throws(DescriptorError) {
    let files = set.file.filter { !$0.name.hasPrefix(Self.skippedPrefix) }
    var builder = DescriptorPoolBuilder()
    for file in files { try builder.note(file) }
    for file in files {
      var messages: [MessageSchema] = []
      for message in file.messageType {
        messages.append(try builder.message(named: Self.join(file.package, message.name)))
      }
      var services: [ServiceSchema] = []
      for service in file.service {
        services.append(try builder.service(service, package: file.package))
      }
      self.services += services
      self.files.append(
        ProtoFile(
          path: file.name, package: file.package, dependencies: file.dependency,
          messages: messages,
          enums: file.enumType.compactMap { builder.enums[Self.join(file.package, $0.name)] },
          services: services,
          declaresMethodOptions: MethodOptions.extensions.allSatisfy { option in
            file.extension.contains { $0.number == option.number && $0.name == option.name }
          }))
    }
    messages = builder.built
    enums = builder.enums
  }

  /// A method by its full name, `quiver.v1.Health/Check`.
  package func method(named name: String) -> MethodSchema? {
    for service in services where name.hasPrefix(service.name + "/") {
      return service.methods.first { name == service.name + "/" + $0.name }
    }
    return nil
  }

  static func join(_ package: String, _ name: String) -> String {
    package.isEmpty ? name : package + "." + name
  }
}

/// Why a descriptor set cannot be used, in words that name the place.
package struct DescriptorError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Builds schemas from descriptors, those of sub-messages first.
private struct DescriptorPoolBuilder {
  var built: [String: MessageSchema] = [:]
  var enums: [String: EnumSchema] = [:]
  private var descriptors: [String: DescriptorProto] = [:]
  /// Messages that are being built, outermost first.
  private var path: [String] = []

  mutating func note(_ file: FileDescriptorProto) throws(DescriptorError) {
    for message in file.messageType {
      let name = DescriptorPool.join(file.package, message.name)
      guard descriptors.updateValue(message, forKey: name) == nil else {
        throw DescriptorError("message \(name) is declared twice")
      }
    }
    for enumeration in file.enumType {
      let name = DescriptorPool.join(file.package, enumeration.name)
      let schema = EnumSchema(
        name: name,
        values: enumeration.value.map { .init(number: $0.number ?? 0, name: $0.name) })
      guard enums.updateValue(schema, forKey: name) == nil else {
        throw DescriptorError("enum \(name) is declared twice")
      }
    }
  }

  mutating func message(named name: String) throws(DescriptorError) -> MessageSchema {
    if let schema = built[name] { return schema }
    guard let descriptor = descriptors[name] else {
      throw DescriptorError("message \(name) is not declared, or is nested, which is not supported")
    }
    guard !path.contains(name) else {
      throw DescriptorError("message \(name) contains itself, which is not supported")
    }
    guard path.count < DecodeLimits.default.maxDepth else {
      throw DescriptorError("message \(name) is nested too deeply")
    }
    path.append(name)
    var fields: [FieldSchema] = []
    for field in descriptor.field {
      let schema = try self.field(field, of: name)
      guard !fields.contains(where: { $0.number == schema.number || $0.name == schema.name }) else {
        throw DescriptorError("field \(field.name) of \(name) is declared twice")
      }
      fields.append(schema)
    }
    path.removeLast()
    guard fields.count(where: { $0.type == .message && !$0.isRepeated }) <= 64 else {
      throw DescriptorError("message \(name) has over 64 singular sub-messages")
    }
    let schema = MessageSchema(name: name, fields: fields)
    built[name] = schema
    return schema
  }

  private mutating func field(
    _ field: FieldDescriptorProto, of message: String
  ) throws(DescriptorError) -> FieldSchema {
    let place = "field \(field.name) of \(message)"
    let inRange = field.number > 0 && field.number < 1 << 29
    guard inRange, !(19_000..<20_000).contains(field.number), !field.name.isEmpty else {
      throw DescriptorError("\(place) has no valid number and name")
    }
    guard let type = FieldType(rawValue: field.type), field.label != 2 else {
      throw DescriptorError("\(place) is a group or required, which is not supported")
    }
    let typeName =
      field.typeName.hasPrefix(".") ? String(field.typeName.dropFirst()) : field.typeName
    var enumType: EnumSchema?
    var messageType: MessageSchema?
    if type == .message { messageType = try self.message(named: typeName) }
    if type == .enum {
      guard let schema = enums[typeName] else {
        throw DescriptorError("enum \(typeName), of \(place), is not declared")
      }
      enumType = schema
    }
    var label = FieldLabel.implicit
    if field.oneofIndex != nil && type != .message { label = .optional }
    if field.label == 3 { label = .repeated }
    var messageSource: (@Sendable () -> MessageSchema)?
    if let messageType { messageSource = { messageType } }
    return FieldSchema(
      number: field.number, name: field.name,
      jsonName: field.jsonName.isEmpty ? nil : field.jsonName, type: type, label: label,
      enumType: enumType, messageType: messageSource)
  }

  mutating func service(
    _ service: ServiceDescriptorProto, package: String
  ) throws(DescriptorError) -> ServiceSchema {
    let name = DescriptorPool.join(package, service.name)
    var methods: [MethodSchema] = []
    for method in service.method {
      guard let id = method.options?.methodID, id % 256 != 0, id >= 256 else {
        throw DescriptorError("method \(method.name) of \(name) has no method id")
      }
      let isTaken = methods.contains { $0.id == id || $0.name == method.name }
      guard !isTaken, id / 256 == (methods.first?.id ?? id) / 256 else {
        throw DescriptorError("method \(method.name) of \(name) has an id or a name of another")
      }
      methods.append(
        MethodSchema(
          id: id, name: method.name,
          kind: MethodKind(
            clientStreams: method.clientStreaming, serverStreams: method.serverStreaming),
          isMutating: method.options?.mutating == true,
          isAnonymous: method.options?.anonymous == true,
          input: try message(named: String(method.inputType.drop { $0 == "." })),
          output: try message(named: String(method.outputType.drop { $0 == "." }))))
    }
    guard let number = methods.first.map({ $0.id / 256 }) else {
      throw DescriptorError("service \(name) has no methods")
    }
    return ServiceSchema(name, number: number, methods)
  }
}
