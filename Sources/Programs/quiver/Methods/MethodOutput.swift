import QuiverJSON
import QuiverProtobuf

/// What a ``MethodCommand`` prints of a reply.
enum MethodOutput: Sendable {
  /// A sentence in which `{path}` is a field of the reply, or of the request as `{request.path}`.
  case sentence(String)
  /// A field alone on standard output, and a sentence on standard error.
  case secret(String, String)
  /// All fields that have a value.
  case object
  /// A list by its field, with columns `TITLE=path`.
  case list(String, [String])
  /// A table of code of its own, with its heading, of the list by its field.
  case rows(String, @Sendable (DynamicMessage) -> [[String]])
  /// The codes of targets in the field `codes`.
  case targetCodes

  /// Whether it is a table, which can be printed as CSV.
  var isTable: Bool {
    switch self {
    case .sentence, .secret: false
    case .object, .list, .rows, .targetCodes: true
    }
  }

  /// The flags that it has itself.
  var flags: [Flag] {
    if case .targetCodes = self { [TargetCodes.address, TargetCodes.pictures] } else { [] }
  }

  /// Throws where its flags are not as they should be, before a call.
  func check(_ arguments: Arguments) throws(Failure) {
    if case .targetCodes = self { _ = try TargetCodes.link(arguments) }
  }

  /// The field of a list.
  var list: String? {
    switch self {
    case .list(let field, _), .rows(let field, _): field
    case .targetCodes: "codes"
    case .sentence, .secret, .object: nil
    }
  }

  /// Prints a reply in the form that the arguments ask for.
  func show(
    _ reply: DynamicMessage, request: DynamicMessage, labels: Labels = [:], _ arguments: Arguments
  ) throws(Failure) {
    if arguments.has(.json) {
      return try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: reply))
    }
    switch self {
    case .sentence(let template):
      try Terminal.confirm(Self.filled(template, reply, request))
    case .secret(let field, let template):
      Terminal.notice(Self.filled(template, reply, request))
      try Terminal.print(Self.text(reply, field))
    case .object: try Self.showObject(reply)
    case .list(let field, let columns): try Self.showList(reply, field, columns, labels)
    case .rows(_, let rows): try Terminal.print(table: rows(reply))
    case .targetCodes: try TargetCodes.show(Self.codes(reply), arguments)
    }
  }

  private static func codes(_ reply: DynamicMessage) -> [TargetCodes.Code] {
    guard case .list(let values)? = reply["codes"] else { return [] }
    return values.compactMap { value in
      guard case .message(let message) = value else { return nil }
      return (text(message, "target"), text(message, "code"))
    }
  }

  private static func showObject(_ reply: DynamicMessage) throws(Failure) {
    let (lines, tables) = FieldText.rows(reply)
    try Terminal.print(table: lines, hasHeading: false)
    for section in tables {
      try Terminal.print("\n\(section.title)")
      try Terminal.print(table: section.rows)
    }
  }

  private static func showList(
    _ reply: DynamicMessage, _ field: String, _ columns: [String], _ labels: Labels
  ) throws(Failure) {
    var rows: [[String]] = []
    if case .list(let values)? = reply[field] {
      for case .message(let message) in values {
        rows.append(columns.map { text(message, path($0), labels) })
      }
    }
    let heading = columns.map { String($0.split(separator: "=").first ?? "") }
    try Terminal.print(table: [heading] + rows)
    if case .list(let steps)? = reply["open_steps"] {
      let missing = steps.map { step in
        if case .message(let message) = step { text(message, "missing") } else { "" }
      }
      if let sentence = TournamentText.unfinished(missing) { Terminal.notice(sentence) }
    }
  }

  private static func path(_ column: String) -> String {
    String(column.split(separator: "=").last ?? "")
  }

  /// The labels of objects by their kind and id.
  typealias Labels = [NamedKind: [Int64: String]]

  /// The words behind a path whose column shows the labels of the objects with its ids.
  private static let labelled: [(word: Substring, kind: NamedKind)] = [
    ("session", .session), ("archer", .archer), ("official", .official),
  ]

  /// The kinds of the objects of a reply whose labels columns show.
  func labelledKinds(in reply: DynamicMessage) -> [NamedKind] {
    guard case .list(let field, let columns) = self, case .list(let rows)? = reply[field] else {
      return []
    }
    return Self.labelled.filter { (word, _) in
      columns.contains { column in
        guard column.hasSuffix("|\(word)") else { return false }
        let path = Self.path(column).dropLast(word.count + 1).split(separator: ".")
        return rows.contains { row in
          guard case .message(let message) = row else { return false }
          return message.value(at: path)?.value.isZero == false
        }
      }
    }.map(\.kind)
  }

  /// The text of a field. Behind the path `|arrow` says that its number is that of an arrow, of
  /// which 0 is a miss, `|none` that 0 is nothing, `|session`, `|archer` and `|official` that it
  /// is the id of such an object, whose label is shown.
  private static func text(
    _ message: DynamicMessage, _ path: String, _ labels: Labels = [:]
  ) -> String {
    let parts = path.split(separator: "|")
    guard let first = parts.first,
      let (field, value) = message.value(at: first.split(separator: "."))
    else { return "" }
    if parts.last == "arrow", case .uint32(0) = value { return "M" }
    if parts.last == "none", value.isZero { return "" }
    if let (_, kind) = labelled.first(where: { $0.word == parts.last }),
      case .int64(let id) = value
    {
      return id == 0 ? "" : labels[kind]?[id] ?? "\(id)"
    }
    return FieldText.text(value, of: field)
  }

  static func filled(
    _ template: String, _ reply: DynamicMessage, _ request: DynamicMessage
  ) -> String {
    template.replacing(/\{([a-z_.]+)\}/) { match in
      let path = String(match.1)
      return path.hasPrefix("request.")
        ? text(request, String(path.dropFirst(8))) : text(reply, path)
    }
  }
}
