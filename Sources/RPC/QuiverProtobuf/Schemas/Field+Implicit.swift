/// Scalars with proto3's implicit presence: a zero or empty value is not written.
extension Field {
  /// A proto `int32`.
  public static func int32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int32>
  ) -> Field {
    Field(number, name, .int32, .implicit, property)
  }

  /// A proto `sint32`.
  public static func sint32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int32>
  ) -> Field {
    Field(number, name, .sint32, .implicit, property)
  }

  /// A proto `sfixed32`.
  public static func sfixed32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int32>
  ) -> Field {
    Field(number, name, .sfixed32, .implicit, property)
  }

  /// A proto `uint32`.
  public static func uint32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt32>
  ) -> Field {
    Field(number, name, .uint32, .implicit, property)
  }

  /// A proto `fixed32`.
  public static func fixed32(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt32>
  ) -> Field {
    Field(number, name, .fixed32, .implicit, property)
  }

  /// A proto `int64`.
  public static func int64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int64>
  ) -> Field {
    Field(number, name, .int64, .implicit, property)
  }

  /// A proto `sint64`.
  public static func sint64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int64>
  ) -> Field {
    Field(number, name, .sint64, .implicit, property)
  }

  /// A proto `sfixed64`.
  public static func sfixed64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Int64>
  ) -> Field {
    Field(number, name, .sfixed64, .implicit, property)
  }

  /// A proto `uint64`.
  public static func uint64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt64>
  ) -> Field {
    Field(number, name, .uint64, .implicit, property)
  }

  /// A proto `fixed64`.
  public static func fixed64(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, UInt64>
  ) -> Field {
    Field(number, name, .fixed64, .implicit, property)
  }

  /// A proto `float`.
  public static func float(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Float>
  ) -> Field {
    Field(number, name, .float, .implicit, property)
  }

  /// A proto `double`.
  public static func double(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Double>
  ) -> Field {
    Field(number, name, .double, .implicit, property)
  }

  /// A proto `bool`.
  public static func bool(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, Bool>
  ) -> Field {
    Field(number, name, .bool, .implicit, property)
  }

  /// A proto `string`.
  public static func string(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, String>
  ) -> Field {
    Field(number, name, .string, .implicit, property)
  }

  /// A proto `bytes`.
  public static func bytes(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [UInt8]>
  ) -> Field {
    Field(number, name, .bytes, .implicit, property)
  }
}
