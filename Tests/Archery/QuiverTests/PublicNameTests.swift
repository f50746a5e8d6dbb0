import Foundation
import Testing

@Suite("Public names", .timeLimit(.minutes(5)))
struct PublicNameTests {
  /// The modules that apps import together, with those that they re-export.
  static let folders = [
    "QuiverWire": "Sources/RPC/QuiverWire", "QuiverProtobuf": "Sources/RPC/QuiverProtobuf",
    "QuiverRPC": "Sources/RPC/QuiverRPC", "QuiverClient": "Sources/RPC/QuiverClient",
    "QuiverAPI": "Sources/Archery/QuiverAPI", "Quiver": "Sources/Archery/Quiver",
    "QuiverSession": "Sources/Archery/QuiverSession", "QuiverRules": "Sources/Archery/QuiverRules",
    "QuiverTLS": "Sources/RPC/QuiverTLS", "QuiverZstd": "Sources/RPC/QuiverZstd",
  ]

  /// Top-level public types; formatted sources begin them in the first column.
  private static func publicTypes(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("public") || line.hasPrefix("@") else { return nil }
      let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
      guard words.first == "public" else { return nil }
      let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
      let rest = words.dropFirst().drop { $0 == "final" || $0 == "indirect" }
      guard let kind = rest.first, kinds.contains(String(kind)) else { return nil }
      return rest.dropFirst().first.map { String($0.prefix { $0.isLetter || $0.isNumber }) }
    }
  }

  @Test("no public name occurs in two modules that apps import together, or is a module's name")
  func unique() throws {
    var modules: [String: Set<String>] = [:]
    for (module, folder) in Self.folders {
      let files = try SourceTree.swiftFiles(below: folder)
      let types = files.flatMap { Self.publicTypes(in: $0.text) }
      try #require(!types.isEmpty, "\(module) has public types")
      for name in types { modules[name, default: []].insert(module) }
    }
    for (name, owners) in modules.sorted(by: { $0.key < $1.key }) {
      #expect(owners.count == 1, "\(name) is a type of \(owners.sorted())")
      #expect(Self.folders[name] == nil, "\(name) is also a module")
    }
  }
}
