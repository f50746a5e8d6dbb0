extension FileDescriptorSet {
  /// The descriptors of the files in an order that depends on nothing but what they declare: files
  /// behind those that they import and else by path, messages, enums and services by name, fields
  /// by number, methods by id. So the bytes, and their SHA-256, are stable.
  ///
  /// `google/protobuf/descriptor.proto`, which every protobuf library has, is left out.
  package init(_ files: [ProtoFile]) {
    self.init()
    let byPath = files.sorted { $0.path < $1.path }
    var done: Set<String> = []
    func add(_ file: ProtoFile) {
      guard done.insert(file.path).inserted else { return }
      for imported in byPath where file.dependencies.contains(imported.path) { add(imported) }
      self.file.append(FileDescriptorProto(file))
    }
    byPath.forEach(add)
  }
}

extension FileDescriptorProto {
  /// The descriptor of a file, its declarations in the order of `FileDescriptorSet.init`.
  package init(_ file: ProtoFile) {
    self.init()
    name = file.path
    package = file.package
    dependency = file.dependencies.sorted()
    messageType = file.messages.sorted { $0.name < $1.name }.map(DescriptorProto.init)
    enumType = file.enums.sorted { $0.name < $1.name }.map(EnumDescriptorProto.init)
    service = file.services.sorted { $0.name < $1.name }.map(ServiceDescriptorProto.init)
    syntax = "proto3"
    if file.declaresMethodOptions {
      `extension` = MethodOptions.extensions.map { option in
        var field = FieldDescriptorProto()
        field.name = option.name
        field.extendee = ".google.protobuf.MethodOptions"
        field.number = option.number
        field.label = 1
        field.type = option.type.rawValue
        field.jsonName = option.jsonName
        return field
      }
    }
  }
}

extension DescriptorProto {
  fileprivate init(_ schema: MessageSchema) {
    self.init()
    name = QualifiedName(schema.name).short
    for field in schema.fields.sorted(by: { $0.number < $1.number }) {
      var descriptor = FieldDescriptorProto()
      descriptor.name = field.name
      descriptor.number = field.number
      descriptor.label = field.isRepeated ? 3 : 1
      descriptor.type = field.type.rawValue
      descriptor.typeName = field.typeName.map { "." + $0 } ?? ""
      descriptor.jsonName = field.jsonName
      if field.label == .optional {
        // proto3 wraps a field with presence into a oneof of its own.
        descriptor.proto3Optional = true
        descriptor.oneofIndex = Int32(oneofDecl.count)
        var oneof = OneofDescriptorProto()
        oneof.name = "_" + field.name
        oneofDecl.append(oneof)
      }
      self.field.append(descriptor)
    }
  }
}

extension EnumDescriptorProto {
  fileprivate init(_ schema: EnumSchema) {
    self.init()
    name = QualifiedName(schema.name).short
    value = schema.values.map { value in
      var descriptor = EnumValueDescriptorProto()
      descriptor.name = value.name
      descriptor.number = value.number
      return descriptor
    }
  }
}

extension ServiceDescriptorProto {
  fileprivate init(_ schema: ServiceSchema) {
    self.init()
    name = QualifiedName(schema.name).short
    method = schema.methods.sorted { $0.id < $1.id }.map { method in
      var descriptor = MethodDescriptorProto()
      descriptor.name = method.name
      descriptor.inputType = "." + method.input.name
      descriptor.outputType = "." + method.output.name
      descriptor.clientStreaming = method.kind.clientStreams
      descriptor.serverStreaming = method.kind.serverStreams
      var options = MethodOptions()
      options.methodID = method.id
      options.mutating = method.isMutating
      options.anonymous = method.isAnonymous
      descriptor.options = options
      return descriptor
    }
  }
}
