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

  /// Whether it is a table, which can be printed as CSV.
  var isTable: Bool {
    switch self {
    case .sentence, .secret: false
    case .object, .list: true
    }
  }

  /// The field of a list.
  var list: String? {
    if case .list(let field, _) = self { field } else { nil }
  }

  /// Prints a reply in the form that the arguments ask for.
  func show(
    _ reply: DynamicMessage, request: DynamicMessage, _ arguments: Arguments
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
    case .list(let field, let columns): try Self.showList(reply, field, columns)
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
    _ reply: DynamicMessage, _ field: String, _ columns: [String]
  ) throws(Failure) {
    var rows: [[String]] = []
    if case .list(let values)? = reply[field] {
      for case .message(let message) in values {
        rows.append(columns.map { text(message, path($0)) })
      }
    }
    let heading = columns.map { String($0.split(separator: "=").first ?? "") }
    try Terminal.print(table: [heading] + rows)
  }

  private static func path(_ column: String) -> String {
    String(column.split(separator: "=").last ?? "")
  }

  private static func text(_ message: DynamicMessage, _ path: String) -> String {
    guard let (field, value) = message.value(at: path.split(separator: ".")) else { return "" }
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
