/// The content of one item of equipment: a value for each field of its kind.
public struct EquipmentContent: Sendable, Equatable {
  /// The type of the item.
  public let type: ItemType

  /// One value for each of the kind's `fields`, in their order.
  public private(set) var values: [EquipmentValue]

  /// An item without content.
  public init(type: ItemType) {
    self.type = type
    values = Array(repeating: .absent, count: EquipmentKind.of(type).fields.count)
  }

  /// An item with all its values; those that are missing at the end are absent.
  public init(type: ItemType, values: [EquipmentValue]) {
    let count = EquipmentKind.of(type).fields.count
    self.type = type
    self.values = values
    if values.count > count { self.values.removeLast(values.count - count) }
    if values.count < count {
      self.values.append(contentsOf: repeatElement(.absent, count: count - values.count))
    }
  }

  /// The fields and labels of the type.
  public var kind: EquipmentKind { EquipmentKind.of(type) }

  /// What lists show first.
  public var displayBrand: String { kind.displayText(values, at: kind.displayBrandIndex) }

  /// What lists show second.
  public var displayModel: String { kind.displayText(values, at: kind.displayModelIndex) }

  /// The value of the field of that proto name; nil if the kind has none.
  public subscript(name: String) -> EquipmentValue? {
    kind.index(of: name).map { values[$0] }
  }

  /// Writes the field of that proto name; false where the kind has none.
  @discardableResult
  public mutating func set(_ name: String, _ value: EquipmentValue) -> Bool {
    guard let index = kind.index(of: name) else { return false }
    values[index] = value
    return true
  }

  /// The same with defaults in place of absent values, as a new item begins.
  public func withDefaults() -> EquipmentContent {
    var content = self
    for (index, value) in kind.defaults where values[index].isAbsent {
      content.values[index] = value
    }
    return content
  }

  /// The same in the form that is stored, with texts trimmed, or the first rule that it breaks.
  ///
  /// `prefix` is the path of the item in the request, as in `riser`.
  public func validated(prefix: String) throws(RuleViolation) -> EquipmentContent {
    var content = self
    let fields = kind.fields
    for index in fields.indices where !values[index].isAbsent || fields[index].isRequired {
      let value = try fields[index].normalized(values[index], prefix: prefix)
      content.values[index] = value
    }
    return content
  }
}
