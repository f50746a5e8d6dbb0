import QuiverProtobuf

/// One argument of a ``MethodCommand``: where it is on the command line, and which field it sets.
struct MethodArgument: Sendable {
  /// The name in the help and in errors: `ID`, or `--name`.
  let name: String
  /// The field of the request, through its messages.
  let path: [String]
  let place: Place
  let form: FieldForm
  /// The value if the argument is not given.
  var standard: Standard = .none

  /// Where the argument is.
  enum Place: Sendable {
    case operand
    case optionalOperand
    /// All further operands, at least one.
    case operands
    case flag(Flag)
    /// A flag that must be given.
    case neededFlag(Flag)
    /// Not on the command line: always this text.
    case fixed(String)
  }

  /// The value of an argument that is not given.
  enum Standard: Sendable {
    case none
    /// The day that it is on this machine.
    case today
    /// The unit of weight by the caller's profile.
    case profileUnit
  }

  private init(_ name: String, _ path: String, _ place: Place, _ form: FieldForm) {
    self.name = name
    self.path = path.split(separator: ".").map(String.init)
    self.place = place
    self.form = form
  }

  static func operand(_ name: String, _ path: String, _ form: FieldForm = .plain) -> Self {
    Self(name, path, .operand, form)
  }

  static func optional(_ name: String, _ path: String, _ form: FieldForm = .plain) -> Self {
    Self(name, path, .optionalOperand, form)
  }

  static func operands(_ name: String, _ path: String, _ form: FieldForm = .plain) -> Self {
    Self(name, path, .operands, form)
  }

  /// A flag with a value, or with values if the field is repeated.
  static func flag(
    _ name: String, _ path: String, _ word: String, _ help: String, _ form: FieldForm = .plain,
    repeats: Bool = false, isNeeded: Bool = false
  ) -> Self {
    let flag = Flag(name, repeats ? .words(word) : .word(word), help)
    return Self(name, path, isNeeded ? .neededFlag(flag) : .flag(flag), form)
  }

  /// A flag without a value, which sets a field of type bool.
  static func switching(_ name: String, _ path: String, _ help: String) -> Self {
    Self(name, path, .flag(Flag(name, .none, help)), .plain)
  }

  /// The flags of a start: a time of the calendar, or one from now.
  static func start(_ path: String) -> [Self] {
    [
      .flag(
        "--starts", path, "TIME",
        "when it starts, as 2026-12-05T09:30 in the zone of this machine ($TZ)", .instant),
      .flag("--in", path, "TIME", "when it starts, from now: 90m, 12h, 30d", .fromNow),
    ]
  }

  static func fixed(_ path: String, _ text: String) -> Self {
    Self(path, path, .fixed(text), .plain)
  }

  /// The same with a value for when it is not given.
  func or(_ standard: Standard) -> Self {
    var argument = self
    argument.standard = standard
    return argument
  }

  var flag: Flag? {
    switch place {
    case .flag(let flag), .neededFlag(let flag): flag
    default: nil
    }
  }

  /// Its form in a usage line; nil for flags that may be left out.
  var usage: String? {
    switch place {
    case .operand: name
    case .optionalOperand: "[\(name)]"
    case .operands: "\(name)…"
    case .neededFlag(let flag): flag.usage
    case .flag, .fixed: nil
    }
  }

  /// The field that the path names in a message; traps on a path that does not exist.
  func field(in schema: MessageSchema) -> FieldSchema {
    var schema = schema
    for (index, name) in path.enumerated() {
      guard let field = schema.field(named: name) else {
        preconditionFailure("\(schema.name) has no field \(name)")
      }
      if index == path.count - 1 { return field }
      guard let next = field.messageType else {
        preconditionFailure("\(schema.name).\(name) is no message")
      }
      schema = next
    }
    preconditionFailure("an argument sets a field")
  }

  /// The values as typed; empty: not given.
  func texts(
    _ arguments: Arguments, _ operands: inout ArraySlice<String>
  ) throws(Failure) -> [String] {
    switch place {
    case .operand, .optionalOperand: return operands.popFirst().map { [$0] } ?? []
    case .operands:
      defer { operands = [] }
      return Array(operands)
    case .flag(let flag): return arguments.values(of: flag)
    case .neededFlag(let flag):
      let values = arguments.values(of: flag)
      guard !values.isEmpty else { throw arguments.usage("expected \(flag.usage)") }
      return values
    case .fixed(let text): return [text]
    }
  }
}

extension DynamicMessage {
  /// Sets a field through the messages that the path names, which are made as needed.
  mutating func set(_ path: [String], to value: FieldValue) {
    guard let name = path.first else { return }
    guard path.count > 1 else { return set(name, value) }
    guard let field = schema.field(named: name), let type = field.messageType else {
      preconditionFailure("\(schema.name) has no message \(name)")
    }
    var inner = DynamicMessage(type)
    if case .message(let present)? = self[field.number] { inner = present }
    inner.set(Array(path.dropFirst()), to: value)
    set(name, .message(inner))
  }

  /// The value of a field through messages, and through the elements of lists by their index from
  /// 0; nil where a message is absent or a name is unknown.
  func value(at path: [Substring]) -> (field: FieldSchema, value: FieldValue)? {
    guard let name = path.first, let field = schema.field(named: String(name)) else { return nil }
    let value = self[field.number] ?? .zero(of: field)
    guard path.count > 1 else { return (field, value) }
    switch value {
    case .message(let inner): return inner.value(at: Array(path.dropFirst()))
    case .list(let elements):
      guard let index = Int(path[1]), elements.indices.contains(index) else { return nil }
      guard path.count > 2 else { return (field, elements[index]) }
      guard case .message(let inner) = elements[index] else { return nil }
      return inner.value(at: Array(path.dropFirst(2)))
    default: return nil
    }
  }
}
