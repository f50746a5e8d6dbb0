/// All that the rules, the store and the services need to know of one type of equipment.
///
/// Adding a type is one more value here, its table, its proto message and its binding.
public struct EquipmentKind: Sendable {
  /// The type.
  public let type: ItemType
  /// The group of the hub that the type belongs to.
  public let group: ItemGroup

  /// The name of its table and of the field that holds it in requests, as in `bow_string`.
  public let name: String

  /// What one item is called.
  public let label: String

  /// What several items are called.
  public let pluralLabel: String

  /// Every field that its owner writes: `brand`, `model` and `notes`, then its own.
  public let fields: [EquipmentField]

  /// The place in `fields` of the one that lists show first.
  public let displayBrandIndex: Int

  /// The place in `fields` of the one that lists show second.
  public let displayModelIndex: Int

  /// The defaults of new items, with the places of their fields; most fields have none.
  let defaults: [(index: Int, value: EquipmentValue)]

  private let places: [String: Int]

  /// How many of the first fields are common to every type.
  public static let commonFieldCount = 3

  /// Every type, in the hub's order.
  public static let all: [EquipmentKind] = ItemType.allCases.map(make)

  /// The kind of that type.
  public static func of(_ type: ItemType) -> EquipmentKind {
    all[Int(type.rawValue) - 1]
  }

  /// The fields that are kept in the type's own table.
  public var ownFields: ArraySlice<EquipmentField> { fields.dropFirst(Self.commonFieldCount) }

  /// The place in `fields` of the field of that proto name.
  public func index(of name: String) -> Int? { places[name] }

  /// What stands for that text, or for that enum's label, where lists show it.
  public func displayText(_ values: [EquipmentValue], at index: Int) -> String {
    guard index < values.count, index < fields.count else { return "" }
    switch (values[index], fields[index].content) {
    case (.text(let text), _): return text
    case (.integer(let number), .enumeration(let labels))
    where number > 0 && number <= Int64(labels.count):
      return labels[Int(number) - 1]
    default: return ""
    }
  }

  init(
    _ type: ItemType, _ group: ItemGroup, _ name: String, label: String, plural: String,
    display: (brand: String, model: String) = ("brand", "model"), _ own: [EquipmentField]
  ) {
    self.type = type
    self.group = group
    self.name = name
    self.label = label
    pluralLabel = plural
    let needsBrand = display.brand == "brand"
    fields =
      [
        EquipmentField("brand", .name, isRequired: needsBrand),
        EquipmentField("model", .name, isRequired: needsBrand),
        EquipmentField("notes", .text(maximumLength: TextLimits.notesLength)),
      ] + own
    var places: [String: Int] = [:]
    for (index, field) in fields.enumerated() {
      precondition(places[field.name] == nil, "Two fields of one type share a name.")
      places[field.name] = index
    }
    guard let brand = places[display.brand], let model = places[display.model] else {
      preconditionFailure("A type of equipment shows a field that it does not have.")
    }
    self.places = places
    var defaults: [(index: Int, value: EquipmentValue)] = []
    for (index, field) in fields.enumerated() where !field.defaultValue.isAbsent {
      defaults.append((index, field.defaultValue))
    }
    self.defaults = defaults
    displayBrandIndex = brand
    displayModelIndex = model
  }
}

extension EquipmentField.Content {
  /// A name or another short text.
  static let name = EquipmentField.Content.text(maximumLength: TextLimits.nameLength)
}
