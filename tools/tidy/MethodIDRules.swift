/// The method id of each rpc in `Protos`.
///
/// The compiler checks that handlers exist, the parity test checks the methods.
enum MethodIDRules {
  static func findings(in tree: Tree) -> [Finding] {
    var owners: [Int: String] = [:]
    var found: [Finding] = []
    for proto in tree.protos {
      for method in proto.methods {
        found += idFindings(method, in: proto, &owners)
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
    guard let service = Module.serviceNumbers[method.service] else {
      return refuse("\(method.service) has no number in Modules.swift")
    }
    guard id > 256 * service, id <= 256 * service + 255 else {
      return refuse("\(name) has the id \(id), outside 256 x \(service) + 1 to 255")
    }
    return []
  }
}
