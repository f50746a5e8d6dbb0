import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// The page of one command.
struct CommandHelp: Sendable {
  private let command: Command

  init(_ command: Command) { self.command = command }

  /// - Parameter type: of equipment, whose flags the page has with their limits; nil: the flags of
  ///   all types by their names.
  func text(_ layout: HelpLayout, of type: ItemType? = nil) -> String {
    var lines = layout.wrapped("usage: quiver \(usage)")
    lines += [""] + layout.wrapped(Self.sentence(command.summary))
    if !command.details.isEmpty { lines += [""] + layout.paragraphs(command.details) }
    let operands = operands
    if !operands.isEmpty { lines += ["", "Arguments"] + layout.table(operands) }
    let flags = flags
    let common = flags.filter { !$0.meaning.hasPrefix(Self.ofTypes) }
    if !common.isEmpty { lines += ["", "Flags"] + layout.table(common) }
    let ofTypes = Self.byType(flags.filter { $0.meaning.hasPrefix(Self.ofTypes) })
    if let type {
      lines += ["", "Flags of the type \(type.word)"] + layout.table(Self.flags(of: type))
    } else if !ofTypes.isEmpty {
      lines += ["", "Flags with a value, by type"] + layout.table(ofTypes)
      lines += [""]
      lines += layout.wrapped(
        "`quiver \(command.name) TYPE --help` has the limits of the flags of a type.")
    }
    let examples = examples
    if !examples.isEmpty { lines += ["", "Examples"] + examples.map { "  quiver \($0)" } }
    lines += [""]
    lines += layout.wrapped(
      "`quiver help flags` lists the flags of every command and the exit codes.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Begins the help of a flag that only some types have: `of: riser, limbs (short, long)`.
  fileprivate static let ofTypes = "of: "

  /// The flags of each type, with the values that they may have there.
  private static func byType(
    _ flags: [(term: String, meaning: String)]
  ) -> [(term: String, meaning: String)] {
    var types: [String] = []
    var ofType: [String: [String]] = [:]
    for flag in flags {
      let name = String(flag.term.prefix { $0 != " " })
      for match in flag.meaning.dropFirst(ofTypes.count).matches(of: /([a-z-]+)( \([^)]*\))?/) {
        let type = String(match.output.1)
        if ofType[type] == nil { types.append(type) }
        ofType[type, default: []].append(name + (match.output.2.map(String.init) ?? ""))
      }
    }
    return types.map { ($0, ofType[$0, default: []].joined(separator: ", ")) }
  }

  /// The flags of a type with the values, units and limits of their fields.
  private static func flags(of type: ItemType) -> [(term: String, meaning: String)] {
    type.fields.map { field in
      let words = field.schema.enumType.map { EnumWord.all($0).joined(separator: ", ") }
      let comment = ProtoComments.lines(of: "\(type.schema.name).\(field.schema.name)")
        .joined(separator: " ")
      return (
        "--\(field.word)",
        [words, comment].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "; ")
      )
    }
  }

  private var usage: String {
    command.name + (command.operands.isEmpty ? "" : " \(command.operands)") + " [flags]"
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// The command lines that show its use: those that were written for it, else one with a value for
  /// each argument.
  var examples: [String] {
    if !command.examples.isEmpty { return command.examples }
    if let examples = ExampleLine.written[command.name] { return examples }
    return command.table.map { [ExampleLine.text(of: $0)] } ?? []
  }

  /// The operands of a table with what they may be.
  private var operands: [(term: String, meaning: String)] {
    guard let table = command.table else { return [] }
    return table.arguments.compactMap { argument in
      switch argument.place {
      case .operand, .optionalOperand, .operands:
        return (argument.usage ?? argument.name, Self.meaning(of: argument, in: table))
      case .flag, .neededFlag, .fixed: return nil
      }
    }
  }

  private var flags: [(term: String, meaning: String)] {
    command.flags.map { flag in
      let argument = command.table?.arguments.first { $0.flag?.name == flag.name }
      guard let table = command.table, let argument else { return (flag.usage, flag.help) }
      return (flag.usage, Self.meaning(of: argument, in: table, help: flag.help))
    }
  }

  /// What may be written, with the values of an enum, and the unit and the limits that the comment
  /// of the field has.
  private static func meaning(
    of argument: MethodArgument, in table: MethodCommand, help: String = ""
  ) -> String {
    var parts = help.isEmpty ? [] : [help]
    let place = argument.fieldWithMessage(in: table.method.schema.input)
    if let type = place.field.enumType, argument.form == .plain {
      let words = type === WeightUnit.schema ? ["lb", "kg"] : EnumWord.all(type)
      if !words.allSatisfy({ help.contains($0) }) {
        parts.append(words.joined(separator: ", "))
      }
    } else if argument.form != .plain {
      let wanted = argument.form.wanted(place.field)
      if help.isEmpty { parts.append(wanted) }
    }
    let comment = ProtoComments.lines(of: "\(place.message.name).\(place.field.name)")
      .joined(separator: " ")
    // What counts from 0 in a call counts from 1 here.
    if argument.form == .plain, !comment.isEmpty, !FieldText.isIndex(place.field),
      !saysTheSame(help, comment)
    {
      if comment.hasPrefix(help) { parts.removeAll { $0 == help } }
      parts.append(comment)
    }
    if parts.isEmpty { parts.append(argument.form.wanted(place.field)) }
    return parts.joined(separator: "; ")
  }

  /// Whether a help has the numbers of a comment already, so that the comment says nothing new.
  private static func saysTheSame(_ help: String, _ comment: String) -> Bool {
    guard !help.isEmpty else { return false }
    let numbers = comment.matches(of: /[0-9][0-9,]*/).map { String($0.output) }
    return numbers.allSatisfy { help.contains($0) }
  }
}

extension Command {
  /// Whether its flags are those of a type of equipment, which is its first operand.
  var takesFieldsOfTypes: Bool { flags.contains { $0.help.hasPrefix(CommandHelp.ofTypes) } }
}

extension MethodArgument {
  /// The field that it sets, with its message.
  func fieldWithMessage(in schema: MessageSchema) -> (message: MessageSchema, field: FieldSchema) {
    var message = schema
    for name in path.dropLast() {
      guard let next = message.field(named: name)?.messageType else { break }
      message = next
    }
    return (message, field(in: schema))
  }
}
