import QuiverJSON

/// Validates a JSON value against a JSON Schema.
///
/// Supports the keywords of 2020-12 that ``ScenarioSchema`` uses: type, const, enum, the bounds of
/// numbers, texts, arrays and objects, pattern, properties, required, additionalProperties, items,
/// `$ref` into `$defs`, and oneOf if the alternatives differ by `kind` or by a required name.
struct SchemaCheck {
  private let definitions: JSONValue?

  /// A violation of the schema: its path, the expected and the actual value.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Throws the first fault of `value`.
  static func check(_ value: JSONValue, against schema: JSONValue) throws(Fault) {
    try SchemaCheck(definitions: schema["$defs"]).check(value, schema, at: "")
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, at path: String) throws(Fault) {
    if let name = schema["$ref"]?.text?.split(separator: "/").last {
      guard let definition = definitions?[String(name)] else {
        throw Fault(description: "the schema has no $defs/\(name)")
      }
      return try check(value, definition, at: path)
    }
    if let alternatives = schema["oneOf"]?.elements {
      return try checkOne(value, alternatives, schema, at: path)
    }
    if let constant = schema["const"], !Self.isSame(value, constant) {
      throw fault(path, "must be \(Self.shown(constant)), not \(Self.shown(value))", schema)
    }
    if let cases = schema["enum"]?.elements, !cases.contains(where: { Self.isSame($0, value) }) {
      let all = cases.map(Self.shown).joined(separator: ", ")
      throw fault(path, "must be one of \(all), not \(Self.shown(value))", schema)
    }
    switch schema["type"]?.text {
    case "object": try checkObject(value, schema, at: path)
    case "array": try checkArray(value, schema, at: path)
    case "string": try checkText(value, schema, at: path)
    case "integer", "number": try checkNumber(value, schema, at: path)
    case "boolean":
      guard case .bool = value else {
        throw fault(path, "must be true or false, not \(Self.shown(value))", schema)
      }
    default: break
    }
  }

  private func checkObject(
    _ value: JSONValue, _ schema: JSONValue, at path: String
  ) throws(Fault) {
    guard case .object(let members) = value else {
      throw fault(path, "must be an object, not \(Self.shown(value))", schema)
    }
    let names = schema["required"]?.elements?.compactMap(\.text) ?? []
    for name in names where value[name] == nil {
      throw fault(path, "has no \"\(name)\", which it must have", schema)
    }
    if let least = schema["minProperties"]?.number, Double(members.count) < least {
      throw fault(path, "is empty", schema)
    }
    if let most = schema["maxProperties"]?.number, Double(members.count) > most {
      throw fault(path, "has more than \(Fixed.text(most, 0)) names", schema)
    }
    var seen: Set<String> = []
    for member in members {
      let place = path.isEmpty ? member.name : path + "." + member.name
      guard seen.insert(member.name).inserted else { throw fault(place, "occurs twice", schema) }
      if let known = schema["properties"]?[member.name] {
        try check(member.value, known, at: place)
      } else if let other = schema["additionalProperties"], other != .bool(false) {
        try check(member.value, other, at: place)
      } else if schema["additionalProperties"] != nil {
        let all = schema["properties"]?.members.map(\.name).sorted().joined(separator: ", ") ?? ""
        throw Fault(description: "\(place) is not known here; there are \(all)")
      }
    }
  }

  private func checkArray(_ value: JSONValue, _ schema: JSONValue, at path: String) throws(Fault) {
    guard case .array(let elements) = value else {
      throw fault(path, "must be an array, not \(Self.shown(value))", schema)
    }
    if let least = schema["minItems"]?.number, Double(elements.count) < least {
      throw fault(path, "has \(elements.count) elements", schema)
    }
    if let most = schema["maxItems"]?.number, Double(elements.count) > most {
      throw fault(path, "has \(elements.count) elements", schema)
    }
    guard let items = schema["items"] else { return }
    for (index, element) in elements.enumerated() {
      try check(element, items, at: "\(path)[\(index)]")
    }
  }

  private func checkText(_ value: JSONValue, _ schema: JSONValue, at path: String) throws(Fault) {
    guard let text = value.text else {
      throw fault(path, "must be a text, not \(Self.shown(value))", schema)
    }
    let count = Double(text.unicodeScalars.count)
    if count < schema["minLength"]?.number ?? 0 || count > schema["maxLength"]?.number ?? .infinity
    {
      throw fault(path, "has \(Fixed.text(count, 0)) characters", schema)
    }
    guard let pattern = schema["pattern"]?.text else { return }
    guard let expression = try? Regex(pattern).matchingSemantics(.unicodeScalar) else {
      throw Fault(description: "the schema's pattern \(pattern) cannot be read")
    }
    // `$` is the very end, as in ECMAScript.
    guard let match = text.firstMatch(of: expression),
      !pattern.hasSuffix("$") || match.range.upperBound == text.endIndex
    else { throw fault(path, "is \(Self.shown(value))", schema) }
  }

  private func checkNumber(
    _ value: JSONValue, _ schema: JSONValue, at path: String
  ) throws(Fault) {
    let isWhole = schema["type"]?.text == "integer"
    guard let number = value.number, !isWhole || number.rounded() == number else {
      let wanted = isWhole ? "a whole number" : "a number"
      throw fault(path, "must be \(wanted), not \(Self.shown(value))", schema)
    }
    let least = schema["minimum"]?.number ?? -.infinity
    let most = schema["maximum"]?.number ?? .infinity
    guard number < least || number > most else { return }
    throw fault(
      path, "must be \(Self.plain(least)) to \(Self.plain(most)), not \(Self.shown(value))", schema)
  }

  /// Validates against the alternative that `value` selects: the one with its `kind`, or with a
  /// required name that it has.
  private func checkOne(
    _ value: JSONValue, _ alternatives: [JSONValue], _ schema: JSONValue, at path: String
  ) throws(Fault) {
    let kinds = alternatives.compactMap { $0["properties"]?["kind"]?["const"]?.text }
    if kinds.count == alternatives.count {
      guard let kind = value["kind"]?.text, let index = kinds.firstIndex(of: kind) else {
        let there = value["kind"].map(Self.shown) ?? "absent"
        let all = kinds.joined(separator: ", ")
        throw fault(path + ".kind", "must be one of \(all); it is \(there)", schema)
      }
      return try check(value, alternatives[index], at: path)
    }
    let meant = alternatives.first { alternative in
      alternative["required"]?.elements?.contains { value[$0.text ?? ""] != nil } ?? false
    }
    guard let meant else { throw fault(path, "is none of what is known here", schema) }
    try check(value, meant, at: path)
  }

  /// A fault with the schema's description as the correction.
  private func fault(_ path: String, _ problem: String, _ schema: JSONValue) -> Fault {
    let place = path.isEmpty ? "the scenario" : path
    let cure = schema["description"]?.text.map { " (\($0))" } ?? ""
    return Fault(description: "\(place) \(problem)\(cure)")
  }

  private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
    if let left = one.number, let right = other.number { return left == right }
    return one == other
  }

  private static func plain(_ number: Double) -> String {
    let isWhole = number.rounded() == number && abs(number) < 9e15
    return isWhole ? Fixed.text(number, 0) : "\(number)"
  }

  private static func shown(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): "\"\(text.prefix(60))\""
    case .number(let text): String(text.prefix(30))
    case .bool(let bool): "\(bool)"
    default: value.kind
    }
  }
}

extension JSONValue {
  /// The value of a member; the first one of a repeated name.
  subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

  /// Empty if it is not an object.
  var members: [Member] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var number: Double? {
    guard case .number(let text) = self else { return nil }
    return Double(text)
  }

  var bool: Bool? {
    guard case .bool(let bool) = self else { return nil }
    return bool
  }
}
