import QuiverJSON

/// A JSON value whose texts may contain `${…}`, evaluated for each call.
///
/// A text that is a single `${name}` becomes its value: a captured boolean stays a boolean,
/// everything else is a text, which proto3 JSON accepts for numbers, enums and bytes too. Other
/// texts have the values inserted.
indirect enum Template: Sendable {
  case fixed(JSONValue)
  case text([Part])
  case array([Template])
  case object([(name: String, value: Template)])

  enum Part: Sendable, Equatable {
    case literal(String)
    /// A captured value.
    case variable(String)
    case function(TemplateFunction)
  }

  /// A template that is not valid; the message follows its path.
  struct Wrong: Error {
    let description: String
  }

  /// - Parameter path: the path of `value`, for errors.
  init(_ value: JSONValue, at path: String) throws(Wrong) {
    switch value {
    case .string(let text):
      let parts = try Self.parts(text, at: path)
      if parts.contains(where: { if case .literal = $0 { false } else { true } }) {
        self = .text(parts)
      } else {
        self = .fixed(value)
      }
    case .array(let elements):
      var all: [Template] = []
      for (index, element) in elements.enumerated() {
        all.append(try Template(element, at: "\(path)[\(index)]"))
      }
      self = all.allSatisfy(\.isFixed) ? .fixed(value) : .array(all)
    case .object(let members):
      var all: [(name: String, value: Template)] = []
      for member in members {
        all.append((member.name, try Template(member.value, at: path + "." + member.name)))
      }
      self = all.allSatisfy(\.value.isFixed) ? .fixed(value) : .object(all)
    default: self = .fixed(value)
    }
  }

  /// Whether it is always the same.
  var isFixed: Bool {
    if case .fixed = self { true } else { false }
  }

  private static func parts(_ text: String, at path: String) throws(Wrong) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      if start.lowerBound > rest.startIndex {
        parts.append(.literal(String(rest[..<start.lowerBound])))
      }
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        throw Wrong(description: "\(path): a ${ has no }; write ${name}")
      }
      let inside = String(rest[start.upperBound..<end])
      if let function = try TemplateFunction(inside, at: path) {
        parts.append(.function(function))
      } else {
        let letters = inside.unicodeScalars.allSatisfy { scalar in
          scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
        }
        guard letters, !inside.isEmpty else {
          throw Wrong(
            description: "\(path): ${\(inside)} is neither a name nor a function;"
              + " there are \(TemplateFunction.usage)")
        }
        parts.append(.variable(inside))
      }
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(.literal(String(rest))) }
    return parts
  }

  /// The names of captured values that it needs.
  var variables: Set<String> {
    switch self {
    case .fixed: []
    case .text(let parts):
      Set(parts.compactMap { if case .variable(let name) = $0 { name } else { nil } })
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.variables) }
    case .object(let members): members.reduce(into: []) { $0.formUnion($1.value.variables) }
    }
  }

  /// The value without its variable parts, for validation.
  var fixedPart: JSONValue {
    switch self {
    case .fixed(let value): value
    case .text: .null
    case .array(let elements): .array(elements.map(\.fixedPart).filter { $0 != .null })
    case .object(let members):
      .object(members.map { JSONValue.Member(name: $0.name, value: $0.value.fixedPart) })
    }
  }

  /// The value with all parts evaluated.
  func filled(_ scope: inout TemplateScope) -> JSONValue {
    switch self {
    case .fixed(let value): return value
    case .text(let parts):
      if parts.count == 1, let only = parts.first { return scope.value(of: only) }
      return .string(parts.map { scope.value(of: $0).text ?? "" }.joined())
    case .array(let elements): return .array(elements.map { $0.filled(&scope) })
    case .object(let members):
      return .object(
        members.map { JSONValue.Member(name: $0.name, value: $0.value.filled(&scope)) })
    }
  }
}
