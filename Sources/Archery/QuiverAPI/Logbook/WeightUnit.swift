public import QuiverProtobuf

/// The unit of body weight and lifts.
public struct WeightUnit: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Pounds of 0.45359237 kg.
  public static let pound = Self(rawValue: 1)
  /// Kilograms.
  public static let kilogram = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.WeightUnit",
    [
      (0, "WEIGHT_UNIT_UNSPECIFIED"),
      (1, "WEIGHT_UNIT_POUND"),
      (2, "WEIGHT_UNIT_KILOGRAM"),
    ])
}
