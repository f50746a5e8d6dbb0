/// One field of a type of equipment, under the name that it has in its proto message.
public struct EquipmentField: Sendable, Equatable {
  /// The proto field's name, and the name of the column that keeps it.
  public let name: String

  /// What the field holds, and within which limits.
  public let content: Content

  /// Whether an item cannot be without it.
  public let isRequired: Bool

  /// What a new item gets where nothing is said.
  public let defaultValue: EquipmentValue

  /// What a field may hold.
  public enum Content: Sendable, Equatable {
    /// Text, trimmed, of at most this number of Unicode scalars; empty is absent.
    case text(maximumLength: Int)
    /// A finite double within the range, or above its lower end where that is left out.
    case real(ClosedRange<Double>, excludesLowerBound: Bool = false)
    /// A whole number within the range.
    case integer(ClosedRange<Int64>)
    /// One of the labels, by its place counted from 1, as in the proto enum.
    case enumeration([String])
    /// A civil day as days since 1970-01-01, from year 1 to year 9999.
    case day
  }

  /// The civil days of years 1 to 9999.
  public static let dayRange: ClosedRange<Int32> = -719_162...2_932_896

  init(
    _ name: String, _ content: Content, isRequired: Bool = false,
    defaultValue: EquipmentValue = .absent
  ) {
    self.name = name
    self.content = content
    self.isRequired = isRequired
    self.defaultValue = defaultValue
  }
}
