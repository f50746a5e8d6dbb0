/// The content of one version of a bow setup, in the hub's order of types and within a type as
/// given.
///
/// Each item occurs once, and each of the seven single types at most once.
public struct SetupParts: Sendable, Equatable {
  /// The parts in the hub's order of types.
  public private(set) var list: [SetupPart]

  /// Parts of one setup.
  public static let maximumCount = 50

  /// How many there may be of one item of a multiple type; of the others there is one.
  public static let quantityRange: ClosedRange<UInt32> = 1...1_000

  /// A setup that holds nothing.
  public init() { list = [] }

  /// The parts of a list as it was given, or the first rule that it breaks.
  ///
  /// `path` is the path of the list in the request, as in `bow_setup.components`.
  public init(_ given: [SetupPart], path: String) throws(RuleViolation) {
    self.init()
    guard given.count <= Self.maximumCount else {
      throw RuleViolation(field: path, message: "must be at most \(Self.maximumCount)")
    }
    for (index, part) in given.enumerated() {
      let place = "\(path)[\(index)]"
      try Self.check(part, path: place)
      for other in given[..<index] {
        if other.equipmentID == part.equipmentID {
          throw RuleViolation(
            field: place, message: "is listed already; say how many by its quantity")
        }
        if other.type == part.type && !part.type.isMultiple {
          let label = EquipmentKind.of(part.type).label.lowercased()
          throw RuleViolation(
            field: place, message: "is a second \(label), where a setup holds one")
        }
      }
    }
    list = Self.ordered(given)
  }

  /// The same and one more: of a single type it replaces the one that was there, and an item that
  /// is there already gets the new quantity.
  ///
  /// `path` is the path of the part in the request.
  public func adding(_ part: SetupPart, path: String) throws(RuleViolation) -> SetupParts {
    try Self.check(part, path: path)
    var parts = self
    let place = list.firstIndex { other in
      other.equipmentID == part.equipmentID || (other.type == part.type && !part.type.isMultiple)
    }
    if let place {
      parts.list[place] = part
    } else {
      guard list.count < Self.maximumCount else {
        throw RuleViolation(
          field: path, message: "is one too many; a setup holds at most \(Self.maximumCount)")
      }
      parts.list = Self.ordered(list + [part])
    }
    return parts
  }

  /// The same without that item; nil if it is not there.
  public func removing(equipmentID: Int64) -> SetupParts? {
    guard let place = list.firstIndex(where: { $0.equipmentID == equipmentID }) else { return nil }
    var parts = self
    parts.list.remove(at: place)
    return parts
  }

  private static func check(_ part: SetupPart, path: String) throws(RuleViolation) {
    guard part.type.isMultiple || part.quantity == 1 else {
      let label = EquipmentKind.of(part.type).label.lowercased()
      throw RuleViolation(
        field: path + ".quantity", message: "must be 1, for a setup holds one \(label)")
    }
    guard quantityRange.contains(part.quantity) else {
      throw RuleViolation(
        field: path + ".quantity",
        message: "must be from \(quantityRange.lowerBound) to \(quantityRange.upperBound)")
    }
  }

  /// Swift's sort is stable only by accident of its making, so the place given decides between
  /// equals.
  private static func ordered(_ parts: [SetupPart]) -> [SetupPart] {
    parts.enumerated().sorted { left, right in
      (left.element.type.rawValue, left.offset) < (right.element.type.rawValue, right.offset)
    }.map(\.element)
  }
}
