import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The methods of a server and the types that they use, from reflection.
struct Types: Sendable {
  let pool: DescriptorPool
  let methods: [MethodEntry]

  /// The package that names may omit.
  private static let package = "quiver.v1."

  /// Fetches the description from the server.
  init(of access: Access) async throws(Failure) {
    let answer = try await access.attempt { () async throws(RPCError) in
      try await access.client.call(Reflection.describe, DescribeRequest())
    }
    do throws(DescriptorError) {
      pool = try DescriptorPool(fileDescriptorSet: answer.fileDescriptorSet)
    } catch {
      throw .call(
        RPCError(.internal, "the server's description cannot be read: \(error)", origin: .client))
    }
    methods = answer.methods
  }

  func message(named name: String) -> MessageSchema? { pool.messages[name] }

  /// The method with this name: in full, without the package, or only its last part if that is
  /// unique.
  func method(_ name: String) throws(Failure) -> MethodInfo {
    guard let full = try Self.find(name, among: methods.map(\.name), "method"),
      let entry = methods.first(where: { $0.name == full }),
      let kind = MethodKind(rawValue: entry.kind.rawValue),
      let input = pool.messages[entry.requestType],
      let output = pool.messages[entry.responseType]
    else {
      throw .call(
        RPCError(.internal, "the server's description of \(name) is incomplete", origin: .client))
    }
    let short = full.split(separator: "/").last.map(String.init) ?? full
    return MethodInfo(
      id: entry.id, name: full, kind: kind, isMutating: entry.mutating,
      isAnonymous: entry.anonymous,
      schema: MethodSchema(id: entry.id, name: short, kind: kind, input: input, output: output))
  }

  /// The full name of `name` among `known`; nil only if the server's description is inconsistent.
  /// Throws a usage error that lists similar names.
  static func find(
    _ name: String, among known: [String], _ what: String
  ) throws(Failure) -> String? {
    // gRPC's tools write a dot between service and method, or a slash before both.
    let name = name.hasPrefix("/") ? String(name.dropFirst()) : name
    if known.contains(name) { return name }
    if known.contains(package + name) { return package + name }
    let ends = known.filter { full in
      full.hasSuffix("/" + name) || full.hasSuffix("." + name)
        || full == slashed(name) || full == package + slashed(name)
    }
    if ends.count == 1 { return ends[0] }
    guard ends.isEmpty else {
      throw .input("\(name) may be any of \(ends.joined(separator: ", "))")
    }
    let shorts = known.map { full in
      full.hasPrefix(package) ? String(full.dropFirst(package.count)) : full
    }
    let lasts = Dictionary(
      known.compactMap { full in full.split(separator: "/").last.map { (String($0), full) } },
      uniquingKeysWith: { first, _ in first })
    let near = Spelling.near(name, among: shorts + known)
    let byLast = Spelling.near(
      name.split(separator: "/").last.map(String.init) ?? name, among: Array(lasts.keys))
    var suggestions: [String] = []
    for word in near + byLast.compactMap({ lasts[$0] }) {
      let full = known.contains(word) ? word : package + word
      if !suggestions.contains(full) { suggestions.append(full) }
    }
    let question =
      suggestions.isEmpty
      ? "; `quiver methods` lists what there is"
      : "; near are \(suggestions.prefix(5).joined(separator: ", "))"
    throw .input("the server has no \(what) \(name)\(question)")
  }

  /// `Equipment.ListItems` as `Equipment/ListItems`.
  private static func slashed(_ name: String) -> String {
    guard !name.contains("/"), let dot = name.lastIndex(of: ".") else { return name }
    return name[..<dot] + "/" + name[name.index(after: dot)...]
  }
}
