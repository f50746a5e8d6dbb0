import QuiverProtobuf

/// The values of an enum as short words, `drop-away` for `REST_TYPE_DROP_AWAY`.
enum EnumWord {
  /// All but the first value, which stands for unspecified.
  static func all(_ schema: EnumSchema) -> [String] {
    schema.values.dropFirst().map { text(of: $0.number, schema) }
  }

  /// The word of a number, or the number itself if it has none.
  static func text(of number: Int32, _ schema: EnumSchema) -> String {
    guard let name = schema.name(of: number) else { return "\(number)" }
    return name.dropFirst(prefix(of: schema).count).lowercased().replacing("_", with: "-")
  }

  /// The number of a word in any case, with - or _ between its parts, or of the whole name.
  static func number(of text: String, _ schema: EnumSchema) -> Int32? {
    let wanted = text.lowercased().replacing("_", with: "-")
    return schema.values.dropFirst().first { value in
      Self.text(of: value.number, schema) == wanted
        || value.name.lowercased().replacing("_", with: "-") == wanted
    }?.number
  }

  /// The common prefix of the names, `REST_TYPE_`.
  private static func prefix(of schema: EnumSchema) -> Substring {
    let zero = "UNSPECIFIED"
    guard let first = schema.values.first?.name, first.hasSuffix(zero) else { return "" }
    return first.dropLast(zero.count)
  }
}
