import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// A kind of stored object: its message, its calls and its titles in lists.
struct CachedKind: Sendable {
  /// The number of the equipment's type, or one of the numbers below.
  let number: Int64
  /// The display name of one object.
  let label: String
  let schema: MessageSchema
  let calls: [OutboxAction: MethodInfo]
  /// The call that answers one object by its id; nil if lists have whole objects.
  let get: MethodInfo?
  /// The fields that the user edits.
  let editable: [String]
  /// The rules of a type of equipment; nil for other kinds.
  let rules: EquipmentKind?

  static let setupNumber: Int64 = 100
  static let weightEntryNumber: Int64 = 101
  static let liftSetNumber: Int64 = 102
  static let sightMarkNumber: Int64 = 103
  static let weightPlanNumber: Int64 = 104
  static let profileNumber: Int64 = 105

  /// The server id of the only object of a kind that has one object per principal and no ids.
  static let singleID: Int64 = 1

  /// Whether a principal has one object of it, without ids.
  var isSingle: Bool { number == Self.weightPlanNumber || number == Self.profileNumber }

  /// Whether the server keeps deleted objects, which can be restored: a deletion archives.
  var keepsDeleted: Bool { number == Self.weightEntryNumber }

  /// The kind with this number.
  static func numbered(_ number: Int64) -> CachedKind? { all.first { $0.number == number } }

  /// The kind whose objects are messages of this schema.
  static func of(_ schema: MessageSchema) -> CachedKind? { all.first { $0.schema === schema } }

  /// The kind of a type of equipment.
  static func of(_ type: QuiverAPI.EquipmentType) -> CachedKind? {
    numbered(Int64(type.rawValue)).flatMap { $0.rules == nil ? nil : $0 }
  }

  /// Whether lists include it only on request: archived, or inactive.
  func isArchived(_ object: DynamicMessage) -> Bool {
    guard rules == nil else { return object["archived"] == .bool(true) }
    if keepsDeleted { return object.int64("deleted_at_ms") != 0 }
    return number == Self.setupNumber && object["is_active"] == .bool(false)
  }

  /// Archives or restores an object; `milliseconds` is the time of a deletion that can be undone.
  func setArchived(
    _ isArchived: Bool, _ object: inout DynamicMessage, at milliseconds: Int64 = 0
  ) {
    if rules != nil {
      object.set("archived", .bool(isArchived))
    } else if keepsDeleted {
      object.set("deleted_at_ms", .int64(isArchived ? max(1, milliseconds) : 0))
    } else if number == Self.setupNumber {
      object.set("is_active", .bool(!isArchived))
      if isArchived { object.set("is_default", .bool(false)) }
    }
  }

  /// An object's titles in lists: brand and model, the name of a setup, the exercise of a set, or
  /// the distance of a sight mark.
  func titles(of object: DynamicMessage) -> (title: String, subtitle: String) {
    guard let rules else { return (title(of: object), "") }
    let values = rules.fields.map { object.equipmentValue($0.name) }
    return (
      rules.displayText(values, at: rules.displayBrandIndex),
      rules.displayText(values, at: rules.displayModelIndex)
    )
  }

  /// The object in the form that the server stores; throws the rule that it violates.
  func normalized(
    _ object: DynamicMessage, isNew: Bool
  ) throws(SessionError) -> DynamicMessage {
    guard let rules else { return try checkedFields(object) }
    let values = rules.fields.map { object.equipmentValue($0.name) }
    var content = EquipmentContent(type: rules.type, values: values)
    if isNew { content = content.withDefaults() }
    do throws(RuleViolation) {
      content = try content.validated(prefix: rules.name)
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    var result = object
    for (field, value) in zip(rules.fields, content.values) {
      result.setEquipmentValue(field.name, value)
    }
    return result
  }

  /// The user's fields in which two objects differ.
  ///
  /// Components that are only named otherwise are the same: their names are those of the items.
  func difference(_ one: DynamicMessage, _ other: DynamicMessage) -> [String] {
    editable.filter { Self.compared(one, $0) != Self.compared(other, $0) }
  }

  private func title(of object: DynamicMessage) -> String {
    switch number {
    case Self.setupNumber:
      let name = object.text("name").trimmedForShow
      return name.isEmpty ? "Unnamed setup" : name
    case Self.liftSetNumber: return object.text("exercise")
    case Self.sightMarkNumber: return SightMarkFields.title(of: object)
    case Self.profileNumber: return object.text("display_name")
    default: return ""
    }
  }

  private func checkedFields(_ object: DynamicMessage) throws(SessionError) -> DynamicMessage {
    switch number {
    case Self.weightEntryNumber: try WeightEntryFields.normalized(object)
    case Self.liftSetNumber: try LiftSetFields.normalized(object)
    case Self.sightMarkNumber: try SightMarkFields.normalized(object)
    case Self.weightPlanNumber: try WeightPlanFields.normalized(object)
    case Self.profileNumber: try ProfileFields.normalized(object)
    default: object
    }
  }

  private static func compared(_ object: DynamicMessage, _ name: String) -> FieldValue? {
    guard name == "components", case .list(let components) = object[name] else {
      return object[name]
    }
    return .list(
      components.map { value in
        guard case .message(var component) = value else { return value }
        component.set("display_brand", .string(""))
        component.set("display_model", .string(""))
        return .message(component)
      })
  }
}

extension String {
  fileprivate var trimmedForShow: String {
    let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(scalars[...$0]) } ?? ""
  }
}
