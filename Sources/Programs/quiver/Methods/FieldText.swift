import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Values of fields as people read them.
enum FieldText {
  /// The message of an arrow, which is shown as score cards have it.
  private static let arrowName = "quiver.v1.MatchArrow"

  /// The text of a value; empty where nothing is set.
  static func text(_ value: FieldValue, of field: FieldSchema) -> String {
    switch value {
    case .absent: return ""
    case .int32(let number): return isDay(field) ? DayText.text(number) : "\(number)"
    case .int64(let number):
      if isInstant(field) {
        return number == 0 && !field.hasPresence ? "" : TokenText.time(number)
      }
      return isWeight(field) ? WeightText.exact(number) : "\(number)"
    // People count ends and arrows from 1.
    case .uint32(let number): return isIndex(field) ? "\(number + 1)" : "\(number)"
    case .uint64(let number): return "\(number)"
    case .float(let number): return plain(Double(number))
    case .double(let number):
      return plain(field.name.hasSuffix("thousandths") ? number / 1_000 : number)
    case .bool(let isSet): return isSet ? "yes" : "no"
    case .string(let text): return Terminal.oneLine(text)
    case .bytes(let bytes): return Hexadecimal.text(bytes)
    case .enum(let number):
      guard number != 0 || field.label == .repeated else { return "" }
      return word(number, field)
    case .message(let message): return short(message)
    case .list(let values):
      let separator = field.messageType?.name == arrowName ? " " : ", "
      return values.map { text($0, of: field) }.joined(separator: separator)
    }
  }

  /// A name for lines of a table: `created` for `created_at_ms`.
  static func title(_ field: FieldSchema) -> String {
    var name = field.name
    for ending in ["_at_ms", "_ms", "_thousandths", "_index"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    if name == "thousandths" { return "weight" }
    return name.replacing("_", with: "-")
  }

  /// The fields of an object that have a value, a line each; nested messages by their path, and
  /// lists of messages as tables after the lines.
  static func rows(_ message: DynamicMessage) -> (lines: [[String]], tables: [Section]) {
    var lines: [[String]] = []
    var tables: [Section] = []
    add(message, prefix: "", &lines, &tables)
    return (lines, tables)
  }

  /// A list of messages under its name.
  struct Section {
    let title: String
    let rows: [[String]]
  }

  private static func add(
    _ message: DynamicMessage, prefix: String, _ lines: inout [[String]],
    _ tables: inout [Section]
  ) {
    for field in message.schema.fields where !field.name.hasSuffix("client_id") {
      guard let value = message[field.number] else { continue }
      let title = prefix + Self.title(field)
      switch value {
      case .message(let inner): add(inner, prefix: title + ".", &lines, &tables)
      case .list(let values) where field.type == .message:
        let messages = values.compactMap { value -> DynamicMessage? in
          if case .message(let message) = value { message } else { nil }
        }
        tables.append(Section(title: title, rows: table(messages)))
      default:
        let text = text(value, of: field)
        if !text.isEmpty { lines.append([title, text]) }
      }
    }
  }

  /// A table with the columns that have a value in any row.
  static func table(_ messages: [DynamicMessage]) -> [[String]] {
    guard let schema = messages.first?.schema else { return [] }
    let fields = schema.fields.filter { field in
      !field.name.hasSuffix("client_id") && messages.contains { $0[field.number] != nil }
    }
    return [fields.map { title($0).uppercased() }]
      + messages.map { message in
        fields.map { text(message[$0.number] ?? .zero(of: $0), of: $0) }
      }
  }

  /// A message within a cell: its name, its codename, or its values.
  private static func short(_ message: DynamicMessage) -> String {
    if message.schema.name == arrowName,
      let arrow = try? MatchArrow(serializedBytes: message.serializedBytes())
    {
      return ArrowScore(value: Int(arrow.value), isX: arrow.isX).description
    }
    for name in ["display_name", "shown_name", "codename", "name", "total"] {
      guard let field = message.schema.field(named: name) else { continue }
      let value = message[field.number] ?? .zero(of: field)
      if field.type == .string, value.isZero { continue }
      return text(value, of: field)
    }
    return message.schema.fields.compactMap { field in
      message[field.number].map { text($0, of: field) }
    }.joined(separator: " ")
  }

  private static func word(_ number: Int32, _ field: FieldSchema) -> String {
    guard let schema = field.enumType else { return "\(number)" }
    if schema === WeightUnit.schema { return WeightText.symbol(WeightUnit(rawValue: number)) }
    return EnumWord.text(of: number, schema)
  }

  /// Whether a number counts ends or arrows from 0.
  static func isIndex(_ field: FieldSchema) -> Bool {
    field.type == .uint32 && ["end_index", "arrow_index"].contains(field.name)
  }

  private static func isInstant(_ field: FieldSchema) -> Bool {
    ["_at_ms", "_since_ms"].contains { field.name.hasSuffix($0) }
      || ["start_ms", "end_ms", "as_of_ms"].contains(field.name)
  }

  static func isDay(_ field: FieldSchema) -> Bool {
    field.type == .int32 && (field.name == "day" || field.name.hasSuffix("_day"))
  }

  static func isWeight(_ field: FieldSchema) -> Bool {
    field.type == .int64 && field.name.hasSuffix("thousandths")
  }

  /// At most three decimals, without zeros at the end.
  private static func plain(_ number: Double) -> String {
    var text = DecimalFigure.text(number, digits: 3)
    guard text.contains("."), !text.contains("e") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
