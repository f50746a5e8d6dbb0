import QuiverAPI
import QuiverProtobuf

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a field is written on the command line and shown.
enum FieldForm: Sendable, Equatable {
  /// By the field's type and name: a number, a text, a word of an enum, a day, a weight.
  case plain
  /// Milliseconds as `500ms`, `5s`, `12h` or `30d`.
  case span
  /// An instant as the time from now: `12h`, `30d`.
  case fromNow
  /// An instant of the calendar: `2026-12-05T09:30`, in the zone of this machine.
  case instant
  /// The id of an object that is named: ``Names`` finds it.
  case named(NamedKind)
  /// The size of a round of matches: `8`, `quarterfinals`, `1/4`.
  case matchRound
  /// The side of a match: 1 or 2.
  case side
  /// An instant as the time until now: `5h`, `2d`.
  case ago
  /// An instant as a day, of which it is noon in UTC: `2014-06-01`.
  case day
  /// A round: a codename of the library, or the id of an own one.
  case round
  /// `70m` or `60yd`: sets `distance` and `unit`.
  case distance
  /// `ITEM` or `ITEM:QUANTITY` of a component; ``Names`` finds the item.
  case component
  /// A pass of a format: `ARROWS,DISTANCE,FACE,DIAMETER[,ARROWS-PER-END]`.
  case pass
  /// A message of which the text is the name.
  case name
  /// The arrows of a shoot-off with their distances in millimetres: `X,9@12.5`.
  case tieShots
  /// A range of comparison: `30d`, `all`, `2026-05-01..2026-06-01`.
  case range
}

extension FieldForm {
  /// The value of a text for a field, or for an element of it; nil if the text is not valid.
  func value(_ text: String, of field: FieldSchema) -> FieldValue? {
    switch self {
    case .plain: return Self.plainValue(text, of: field)
    case .span: return TimeSpan.milliseconds(text).map { .int64($0) }
    case .fromNow, .ago:
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      let sign: Int64 = if case .ago = self { -1 } else { 1 }
      return TimeSpan.milliseconds(text).map { .int64(now + sign * $0) }
    case .day:
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      return DayText.day(text).map { day in
        let noon = Int64(day) * 86_400_000 + 43_200_000
        return .int64(Int64(day) * 86_400_000 <= now ? min(noon, now) : noon)
      }
    case .instant: return InstantText.milliseconds(text).map { .int64($0) }
    // What is no number is found later.
    case .named: return .int64(NameChoice.number(text) ?? 0)
    case .matchRound: return StageName.size(text).map { .uint32($0) }
    case .side: return ["1", "2"].contains(text) ? Self.plainValue(text, of: field) : nil
    case .distance: return Self.distance(text).map { .double($0.0) }
    case .round, .component, .pass, .name, .tieShots, .range:
      guard let type = field.messageType else { return nil }
      return message(text, type).map { .message($0) }
    }
  }

  /// What the text must be, for errors.
  func wanted(_ field: FieldSchema) -> String {
    switch self {
    case .plain: Self.plainWanted(field)
    case .span, .fromNow, .ago: "a time like 10m, 12h or 30d"
    case .day: "a day as YYYY-MM-DD"
    case .instant: "a day and a time as 2026-12-05T09:30, or a day"
    case .named(let kind): kind.accepted
    case .matchRound:
      "a round of matches: quarterfinals, semifinals, medals, 1/8, or how many archers it has"
    case .side: "1 or 2, the side of the match"
    case .round: "a round: a codename of quiver format list, or an id"
    case .distance: "a distance like 70m or 60yd"
    case .component: "ITEM or ITEM:QUANTITY"
    case .pass: "ARROWS,DISTANCE,FACE,DIAMETER[,ARROWS-PER-END], like 36,70m,10-zone,122,6"
    case .name: "a name"
    case .tieShots: "arrows with distances in millimetres, like X,9@12.5"
    case .range: RangeWord.usage
    }
  }

  private static func plainValue(_ text: String, of field: FieldSchema) -> FieldValue? {
    if FieldText.isDay(field) { return DayText.day(text).map { .int32($0) } }
    if FieldText.isWeight(field) { return WeightText.thousandths(text).map { .int64($0) } }
    if field.enumType === WeightUnit.schema {
      return WeightText.unit(text).map { .enum($0.rawValue) }
    }
    switch field.type {
    case .string: return .string(text)
    case .double, .float:
      guard let number = Double(text), number.isFinite else { return nil }
      return .double(number)
    case .int32, .sint32, .sfixed32: return Int32(text).map { .int32($0) }
    case .int64, .sint64, .sfixed64:
      // Ids and counts; fields of instants have forms of their own.
      return Int64(text).flatMap { $0 < 0 ? nil : .int64($0) }
    case .uint32, .fixed32:
      let first: UInt32 = FieldText.isIndex(field) ? 1 : 0
      return UInt32(text).flatMap { $0 < first ? nil : .uint32($0 - first) }
    case .uint64, .fixed64: return UInt64(text).map { .uint64($0) }
    case .bool:
      switch text {
      case "", "yes", "true": return .bool(true)
      case "no", "false": return .bool(false)
      default: return nil
      }
    case .enum: return field.enumType.flatMap { EnumWord.number(of: text, $0) }.map { .enum($0) }
    case .bytes, .message: return nil
    }
  }

  private static func plainWanted(_ field: FieldSchema) -> String {
    if FieldText.isDay(field) { return "a day as YYYY-MM-DD" }
    if FieldText.isWeight(field) { return "a number like 80.5 with at most three decimals" }
    if FieldText.isIndex(field) { return "a whole number, 1 or above" }
    if field.enumType === WeightUnit.schema { return "lb or kg" }
    return typeWanted(field)
  }

  private static func typeWanted(_ field: FieldSchema) -> String {
    switch field.type {
    case .double, .float: "a number"
    case .int32, .sint32, .sfixed32: "a whole number"
    case .int64, .sint64, .sfixed64, .uint32, .fixed32, .uint64, .fixed64:
      "a whole number, 0 or above"
    case .bool: "yes or no"
    case .enum: "one of \(field.enumType.map(EnumWord.all)?.joined(separator: ", ") ?? "")"
    case .string, .bytes, .message: "a text"
    }
  }

  private func message(_ text: String, _ type: MessageSchema) -> DynamicMessage? {
    var message = DynamicMessage(type)
    switch self {
    case .round:
      guard !text.isEmpty else { return nil }
      if let id = Int64(text), id > 0 {
        message.set("id", .int64(id))
      } else {
        message.set("codename", .string(RoundText.codename(text) ?? text))
      }
    case .component:
      guard let component = Self.component(text) else { return nil }
      // The item is found later.
      if let quantity = component.quantity { message.set("quantity", .uint32(quantity)) }
    case .name:
      guard !text.isEmpty else { return nil }
      message.set("name", .string(text))
    case .pass: return pass(text, message)
    case .tieShots:
      guard let shots = Self.tieShots(text) else { return nil }
      return try? DynamicMessage(type, serializedBytes: shots.serializedBytes())
    case .range:
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      guard let range = RangeWord.range(text, now: now) else { return nil }
      return try? DynamicMessage(type, serializedBytes: range.serializedBytes())
    default: return nil
    }
    return message
  }

  private static func tieShots(_ text: String) -> TieShots? {
    var shots = TieShots()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "@", omittingEmptySubsequences: false)
      let sheet = parts[0].uppercased()
      let number: UInt32? = sheet == "X" ? 10 : sheet == "M" ? 0 : UInt32(sheet)
      guard let number, parts.count <= 2 else { return nil }
      shots.arrows.append(.with { ($0.value, $0.isX) = (number, sheet == "X") })
      var distance = 0.0
      if parts.count == 2 {
        guard let millimetres = Double(parts[1]), (0...1_000_000).contains(millimetres) else {
          return nil
        }
        distance = millimetres
      }
      shots.distances.append(UInt32((distance * 10).rounded()))
    }
    if shots.distances.allSatisfy({ $0 == 0 }) { shots.distances = [] }
    return shots
  }

  private func pass(_ text: String, _ empty: DynamicMessage) -> DynamicMessage? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard (4...5).contains(words.count), let arrows = UInt32(words[0]), arrows > 0,
      let (distance, unit) = Self.distance(words[1]), let diameter = Double(words[3]),
      diameter.isFinite, let face = EnumWord.number(of: words[2], Face.schema)
    else { return nil }
    var message = empty
    message.set("arrows", .uint32(arrows))
    message.set("distance", .double(distance))
    message.set("unit", .enum(unit.rawValue))
    message.set("face", .enum(face))
    message.set("diameter_cm", .double(diameter))
    if words.count == 5 {
      guard let perEnd = UInt32(words[4]), perEnd > 0 else { return nil }
      message.set("arrows_per_end", .uint32(perEnd))
    }
    return message
  }

  /// The item and the quantity of `ITEM` or `ITEM:QUANTITY`; nil for other texts.
  static func component(_ text: String) -> (item: String, quantity: UInt32?)? {
    guard let colon = text.lastIndex(of: ":") else { return text.isEmpty ? nil : (text, nil) }
    let item = String(text[..<colon])
    guard !item.isEmpty, let quantity = UInt32(text[text.index(after: colon)...]), quantity > 0
    else { return nil }
    return (item, quantity)
  }

  /// The kind of the object that it names; nil: it names none.
  var kind: NamedKind? {
    switch self {
    case .named(let kind): kind
    case .component: .item
    default: nil
    }
  }

  /// Whether a text is the code of a principal, of which the server knows the id.
  func isCode(_ text: String) -> Bool { kind == .official && text.hasPrefix("qi_") }

  /// The number and the unit of `70m` or `60yd`.
  static func distance(_ text: String) -> (Double, DistanceUnit)? {
    for (ending, unit) in [("yd", DistanceUnit.yard), ("m", .metre)] where text.hasSuffix(ending) {
      guard let number = Double(text.dropLast(ending.count)), number.isFinite, number > 0 else {
        return nil
      }
      return (number, unit)
    }
    return nil
  }
}
