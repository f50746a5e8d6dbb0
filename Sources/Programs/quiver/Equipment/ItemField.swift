import QuiverProtobuf

/// A field of an item as a flag, `--length-in` for `length_in`, and its values as text.
struct ItemField: Sendable {
  let schema: FieldSchema

  init(_ schema: FieldSchema) { self.schema = schema }

  /// The name after `--`.
  var word: String { schema.name.replacing("_", with: "-") }

  /// The type's own fields, and brand, model and notes; the server sets the others.
  static func isSettable(_ field: FieldSchema) -> Bool {
    field.number >= 16 || ["brand", "model", "notes"].contains(field.name)
  }

  /// The flags of all types, each once, with the types that have them.
  static let flags: [Flag] = {
    var order: [String] = []
    var types: [String: [String]] = [:]
    for type in ItemType.all {
      for field in type.fields {
        if types[field.word] == nil { order.append(field.word) }
        types[field.word, default: []].append("\(type.word)\(field.values)")
      }
    }
    return order.map { word in
      let takers = types[word] ?? []
      let who = takers.count == ItemType.all.count ? "any" : takers.joined(separator: ", ")
      return Flag("--\(word)", .word("VALUE"), "of: \(who)")
    }
  }()

  /// The given fields of a type, in the order of the message.
  static func given(
    of type: ItemType, _ arguments: Arguments
  ) throws(Failure) -> [(field: ItemField, value: FieldValue)] {
    let own = type.fields
    for flag in flags where arguments.has(flag) && !own.contains(where: { $0.flag == flag.name }) {
      throw arguments.usage(
        "\(type.word) has no \(flag.name); it has " + own.map(\.flag).joined(separator: ", "))
    }
    var given: [(field: ItemField, value: FieldValue)] = []
    for field in own {
      guard let flag = flags.first(where: { $0.name == field.flag }),
        let text = arguments.value(of: flag)
      else { continue }
      guard let value = field.value(text) else {
        throw arguments.usage("\(field.flag) expects \(field.wanted), not \(text)")
      }
      given.append((field, value))
    }
    return given
  }

  private var flag: String { "--\(word)" }

  /// Days are numbers on the wire.
  private var isDay: Bool { schema.type == .int32 && schema.name.hasSuffix("_on") }

  /// The values of an enum, for the help.
  private var values: String {
    schema.enumType.map { " (\(EnumWord.all($0).joined(separator: ", ")))" } ?? ""
  }

  /// The value of a text.
  private func value(_ text: String) -> FieldValue? {
    switch schema.type {
    case .string: return .string(text)
    case .double:
      guard let number = Double(text), number.isFinite else { return nil }
      return .double(number)
    case .int32: return (isDay ? DayText.day(text) : Int32(text)).map { .int32($0) }
    case .uint32: return UInt32(text).map { .uint32($0) }
    case .enum:
      return schema.enumType.flatMap { EnumWord.number(of: text, $0) }.map { .enum($0) }
    default: return nil
    }
  }

  private var wanted: String {
    switch schema.type {
    case .double: "a number"
    case .int32 where isDay: "a day as YYYY-MM-DD"
    case .int32: "a whole number"
    case .uint32: "a whole number, 0 or above"
    case .enum: "one of \(schema.enumType.map(EnumWord.all)?.joined(separator: ", ") ?? "")"
    default: "a text"
    }
  }

  /// The value as text; nil if it is not set.
  func text(of value: FieldValue) -> String? {
    guard !value.isZero || (schema.hasPresence && value != .absent) else { return nil }
    switch value {
    case .int32(let number): return isDay ? DayText.text(number) : "\(number)"
    case .int64(let number):
      return schema.name.hasSuffix("_ms") ? TokenText.time(number) : "\(number)"
    case .uint32(let number): return "\(number)"
    case .uint64(let number): return "\(number)"
    case .double(let number):
      return number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
    case .bool(let isSet): return isSet ? "yes" : "no"
    case .string(let text): return Terminal.oneLine(text)
    case .enum(let number): return schema.enumType.map { EnumWord.text(of: number, $0) }
    case .absent, .float, .bytes, .list, .message: return nil
    }
  }
}
