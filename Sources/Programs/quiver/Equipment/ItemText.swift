import QuiverJSON
import QuiverProtobuf

/// An item of equipment as text.
enum ItemText {
  /// Prints the item as JSON, or one line with the result.
  static func printResult(
    _ what: String, of item: DynamicMessage, _ type: ItemType, _ arguments: Arguments
  ) throws(Failure) {
    if arguments.has(.json) {
      try Terminal.print(json(item))
    } else {
      try Terminal.confirm("\(type.word) \(item.id) is \(what)")
    }
  }

  static func json(_ item: DynamicMessage) -> String {
    MessageJSON(printsZeros: true, isPretty: true).text(of: item)
  }

  /// The fields that are set, one line each, with the names of the flags.
  static func table(_ item: DynamicMessage, _ type: ItemType) -> String {
    var rows = [["type", type.word]]
    for field in item.schema.fields where !field.name.hasPrefix("display_") {
      let field = ItemField(field)
      guard let value = item[field.schema.name], let text = field.text(of: value) else { continue }
      let name = field.schema.name.hasSuffix("_at_ms") ? String(field.word.dropLast(6)) : field.word
      rows.append([name, text])
    }
    return Table.text(rows)
  }

  /// Brand and model.
  static func name(_ item: DynamicMessage) -> String {
    ["display_brand", "display_model"].compactMap { field in
      if case .string(let text)? = item[field] { Terminal.oneLine(text) } else { nil }
    }.joined(separator: " ")
  }

  /// The id that an operand names.
  static func id(_ text: String, _ arguments: Arguments) throws(Failure) -> Int64 {
    guard let id = Int64(text), id > 0 else {
      throw arguments.usage("ID is a number above 0, as the lists show it, not \(text)")
    }
    return id
  }
}
