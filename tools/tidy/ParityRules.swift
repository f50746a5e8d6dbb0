/// Whether each rpc of `Protos` has its id, its method and its body.
enum ParityRules {
  static func findings(in tree: Tree) -> [Finding] {
    var owners: [Int: String] = [:]
    var found: [Finding] = []
    for proto in tree.protos {
      for method in proto.methods {
        found += idFindings(method, in: proto, &owners)
        found += handlerFindings(method, of: proto, in: tree)
      }
    }
    return found
  }

  private static func idFindings(
    _ method: ProtoFile.Method, in proto: ProtoFile, _ owners: inout [Int: String]
  ) -> [Finding] {
    let name = "\(method.service)/\(method.name)"
    func refuse(_ sentence: String) -> [Finding] {
      [Finding(file: proto.path, line: method.line, rule: .methodID, sentence: sentence)]
    }
    guard let id = method.id else { return refuse("\(name) has no method_id") }
    if let owner = owners[id] { return refuse("\(name) has the id \(id) of \(owner)") }
    owners[id] = name
    guard let service = Room.serviceNumbers[method.service] else {
      return refuse("\(method.service) has no number in Rooms.swift")
    }
    guard id > 256 * service, id <= 256 * service + 255 else {
      return refuse("\(name) has the id \(id), outside 256 x \(service) + 1 to 255")
    }
    return []
  }

  private static func handlerFindings(
    _ method: ProtoFile.Method, of proto: ProtoFile, in tree: Tree
  ) -> [Finding] {
    let name = "\(method.service)/\(method.name)"
    func refuse(_ sentence: String) -> Finding {
      Finding(
        file: proto.path, line: method.line, rule: .handlerParity, sentence: "\(name) \(sentence)")
    }
    var found: [Finding] = []
    let api = "Sources/Archery/QuiverAPI/\(method.service).swift"
    if let file = tree.swift.first(where: { $0.path == api }) {
      if !file.tokens.contains(where: { $0.kind == .word && $0.text == method.swiftName }) {
        found.append(refuse("has no method \(method.swiftName) in \(api)"))
      }
      if let id = method.id, !numbers(in: file).contains(id) {
        found.append(refuse("has no id \(id) in \(api)"))
      }
    } else {
      found.append(refuse("has no method, for there is no \(api)"))
    }
    let service = "Sources/Archery/QuiverService/\(method.service)Service"
    let bodies = tree.swift.filter { $0.path.hasPrefix(service) }.flatMap(\.functions)
    if !bodies.contains(where: { $0.name == method.swiftName }) {
      found.append(refuse("has no func \(method.swiftName) with a body in \(service).swift"))
    }
    return found
  }

  private static func numbers(in file: SwiftFile) -> Set<Int> {
    Set(
      file.tokens.lazy.filter { $0.kind == .number }
        .compactMap { Int($0.text.filter { $0 != "_" }) })
  }
}
