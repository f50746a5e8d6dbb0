import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The description of a server by Reflection: its methods, and its files for clients that request
/// them.
struct MethodDirectory: Sendable {
  let fingerprint: [UInt8]
  let methods: [String: MethodInfo]
  /// The encoded files, by name.
  let files: [String: [UInt8]]
  /// The file that declares each service, message, enum and method.
  let filesBySymbol: [String: String]
  /// The services of which a method is served.
  let serviceNames: [String]

  /// Reads a server's answer. Throws INTERNAL where it is not consistent.
  init(_ answer: DescribeResponse) throws(RPCError) {
    fingerprint = answer.fingerprint
    let pool: DescriptorPool
    let set: FileSet
    do {
      pool = try DescriptorPool(fileDescriptorSet: answer.fileDescriptorSet)
      set = try FileSet(serializedBytes: answer.fileDescriptorSet)
    } catch {
      throw RPCError(.internal, "the server's description cannot be read: \(error)")
    }
    var methods: [String: MethodInfo] = [:]
    for entry in answer.methods {
      guard let kind = MethodKind(rawValue: entry.kind.rawValue),
        let input = pool.messages[entry.requestType],
        let output = pool.messages[entry.responseType]
      else { throw RPCError(.internal, "the server's description of \(entry.name) is incomplete") }
      let short = entry.name.split(separator: "/").last.map(String.init) ?? entry.name
      methods[entry.name] = MethodInfo(
        id: entry.id, name: entry.name, kind: kind, isMutating: entry.mutating,
        isAnonymous: entry.anonymous,
        schema: MethodSchema(
          id: entry.id, name: short, kind: kind, input: input, output: output))
    }
    self.methods = methods
    var files = [OptionsFile.path: OptionsFile.bytes]
    for file in set.file {
      guard let name = try? FileName(serializedBytes: file).name else { continue }
      files[name] = file
    }
    var symbols: [String: String] = [:]
    for file in pool.files {
      for message in file.messages { symbols[message.name] = file.path }
      for type in file.enums { symbols[type.name] = file.path }
      for service in file.services {
        symbols[service.name] = file.path
        for method in service.methods { symbols["\(service.name).\(method.name)"] = file.path }
      }
    }
    let served = Set(answer.methods.map { $0.name.prefix { $0 != "/" } })
    var serviceNames = pool.services.map(\.name).filter { served.contains($0[...]) }
    if serviceNames.contains(HealthFile.ownService) {
      serviceNames.append(HealthFile.service)
      files[HealthFile.path] = HealthFile.bytes
      for symbol in HealthFile.symbols { symbols[symbol] = HealthFile.path }
    }
    self.files = files
    filesBySymbol = symbols
    self.serviceNames = serviceNames
  }
}

/// `google.protobuf.FileDescriptorSet` with its files as they stand.
struct FileSet: Message {
  var file: [[UInt8]] = []

  static let schema = Schema<Self>(
    "google.protobuf.FileDescriptorSet", .byteStrings(1, "file", \.file))
}

/// The first field of `google.protobuf.FileDescriptorProto`.
struct FileName: Message {
  var name = ""

  static let schema = Schema<Self>(
    "google.protobuf.FileDescriptorProto", .string(1, "name", \.name))
}
