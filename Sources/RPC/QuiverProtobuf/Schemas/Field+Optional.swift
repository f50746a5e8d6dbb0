/// Scalars with presence, proto3's `optional`.
extension Field {
  /// A proto `optional int32`.
  public static func optionalInt32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int32?>
  ) -> Field {
    Field(number, name, .int32, .optional, property)
  }

  /// A proto `optional sint32`.
  public static func optionalSint32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int32?>
  ) -> Field {
    Field(number, name, .sint32, .optional, property)
  }

  /// A proto `optional sfixed32`.
  public static func optionalSfixed32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int32?>
  ) -> Field {
    Field(number, name, .sfixed32, .optional, property)
  }

  /// A proto `optional uint32`.
  public static func optionalUint32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt32?>
  ) -> Field {
    Field(number, name, .uint32, .optional, property)
  }

  /// A proto `optional fixed32`.
  public static func optionalFixed32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt32?>
  ) -> Field {
    Field(number, name, .fixed32, .optional, property)
  }

  /// A proto `optional int64`.
  public static func optionalInt64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int64?>
  ) -> Field {
    Field(number, name, .int64, .optional, property)
  }

  /// A proto `optional sint64`.
  public static func optionalSint64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int64?>
  ) -> Field {
    Field(number, name, .sint64, .optional, property)
  }

  /// A proto `optional sfixed64`.
  public static func optionalSfixed64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int64?>
  ) -> Field {
    Field(number, name, .sfixed64, .optional, property)
  }

  /// A proto `optional uint64`.
  public static func optionalUint64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt64?>
  ) -> Field {
    Field(number, name, .uint64, .optional, property)
  }

  /// A proto `optional fixed64`.
  public static func optionalFixed64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt64?>
  ) -> Field {
    Field(number, name, .fixed64, .optional, property)
  }

  /// A proto `optional float`.
  public static func optionalFloat(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Float?>
  ) -> Field {
    Field(number, name, .float, .optional, property)
  }

  /// A proto `optional double`.
  public static func optionalDouble(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Double?>
  ) -> Field {
    Field(number, name, .double, .optional, property)
  }

  /// A proto `optional bool`.
  public static func optionalBool(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Bool?>
  ) -> Field {
    Field(number, name, .bool, .optional, property)
  }

  /// A proto `optional string`.
  public static func optionalString(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, String?>
  ) -> Field {
    Field(number, name, .string, .optional, property)
  }

  /// A proto `optional bytes`.
  public static func optionalBytes(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [UInt8]?>
  ) -> Field {
    Field(number, name, .bytes, .optional, property)
  }
}
