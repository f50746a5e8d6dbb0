import QuiverProtobuf

/// Compares the declarations of two sources, independent of files and order.
enum FileComparer {
  /// The differences as sentences; empty if there are none.
  static func differences(_ own: [ProtoFile], _ other: [ProtoFile]) -> [String] {
    equal(
      "declares method options", own.contains(where: \.declaresMethodOptions),
      other.contains(where: \.declaresMethodOptions))
      + compare("message", own.flatMap(\.messages), other.flatMap(\.messages), \.name, messages)
      + compare("enum", own.flatMap(\.enums), other.flatMap(\.enums), \.name) { own, other in
        equal("values", own.values, other.values)
      }
      + compare("service", own.flatMap(\.services), other.flatMap(\.services), \.name, services)
  }

  private static func messages(_ own: MessageSchema, _ other: MessageSchema) -> [String] {
    compare("field", own.fields, other.fields, \.name) { own, other in
      equal("number", own.number, other.number)
        + equal("type", own.type, other.type)
        + equal("label", own.label, other.label)
        + equal("type name", own.typeName, other.typeName)
        + equal("JSON name", own.jsonName, other.jsonName)
    }
  }

  private static func services(_ own: ServiceSchema, _ other: ServiceSchema) -> [String] {
    equal("number", own.number, other.number)
      + compare("method", own.methods, other.methods, \.name) { own, other in
        equal("id", own.id, other.id)
          + equal("kind", own.kind, other.kind)
          + equal("mutating", own.isMutating, other.isMutating)
          + equal("anonymous", own.isAnonymous, other.isAnonymous)
          + equal("input", own.input.name, other.input.name)
          + equal("output", own.output.name, other.output.name)
      }
  }

  private static func compare<Item>(
    _ kind: String, _ own: [Item], _ other: [Item], _ name: (Item) -> String,
    _ differences: (Item, Item) -> [String]
  ) -> [String] {
    var sentences: [String] = []
    var others = Dictionary(other.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    for item in own {
      guard let match = others.removeValue(forKey: name(item)) else {
        sentences.append("\(kind) \(name(item)) is in the schemas alone")
        continue
      }
      sentences += differences(item, match).map { "\(kind) \(name(item)): \($0)" }
    }
    return sentences + others.keys.sorted().map { "\(kind) \($0) is not in the schemas" }
  }

  private static func equal<Value: Equatable>(
    _ what: String, _ own: Value, _ other: Value
  ) -> [String] {
    own == other ? [] : ["\(what) is \(own) in the schemas and \(other) in the file"]
  }
}
