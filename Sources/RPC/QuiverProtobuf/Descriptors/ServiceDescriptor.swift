internal import CProtobufC
internal import Synchronization

/// A real `ProtobufCServiceDescriptor`, built at first use.
final class ServiceDescriptor: Sendable {
  private let name: String
  private let methods: [MethodSchema]
  private let built = Mutex<Built?>(nil)

  /// Unchecked: written by `init` alone.
  private struct Built: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<ProtobufCServiceDescriptor>
    let memory: DescriptorMemory
  }

  init(_ name: String, _ methods: [MethodSchema]) {
    self.name = name
    self.methods = methods
  }

  /// The descriptor, valid as long as this object is.
  func prepared() -> UnsafePointer<ProtobufCServiceDescriptor> {
    built.withLock { built in
      let current = built ?? Self.build(name, methods)
      built = current
      return Sent(pointer: UnsafePointer(current.pointer))
    }.pointer
  }

  /// Unchecked: the descriptor is not changed after it was built.
  private struct Sent: @unchecked Sendable {
    let pointer: UnsafePointer<ProtobufCServiceDescriptor>
  }

  private static func build(_ name: String, _ methods: [MethodSchema]) -> Built {
    let memory = DescriptorMemory()
    let descriptors = methods.map { method in
      ProtobufCMethodDescriptor(
        name: memory.string(method.name),
        input: UnsafePointer(method.input.plan.prepared().pointee.descriptor),
        output: UnsafePointer(method.output.plan.prepared().pointee.descriptor))
    }
    let byName = methods.indices.sorted { methods[$0].name < methods[$1].name }.map(UInt32.init)
    let names = QualifiedName(name)
    var value = ProtobufCServiceDescriptor()
    value.magic = UInt32(PROTOBUF_C__SERVICE_DESCRIPTOR_MAGIC)
    value.name = memory.string(names.full)
    value.short_name = memory.string(names.short)
    value.c_name = memory.string(names.identifier)
    value.package = memory.string(names.package)
    value.n_methods = UInt32(methods.count)
    value.methods = UnsafePointer(memory.array(descriptors))
    value.method_indices_by_name = UnsafePointer(memory.array(byName))
    return Built(pointer: memory.value(value), memory: memory)
  }
}
