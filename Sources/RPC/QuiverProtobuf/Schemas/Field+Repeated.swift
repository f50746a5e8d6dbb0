/// Repeated scalars, written packed where the type allows it.
extension Field {
  /// A proto `repeated int32`.
  public static func int32s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Int32]>
  ) -> Field {
    Field(number, name, .int32, .repeated, property)
  }

  /// A proto `repeated sint32`.
  public static func sint32s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Int32]>
  ) -> Field {
    Field(number, name, .sint32, .repeated, property)
  }

  /// A proto `repeated sfixed32`.
  public static func sfixed32s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Int32]>
  ) -> Field {
    Field(number, name, .sfixed32, .repeated, property)
  }

  /// A proto `repeated uint32`.
  public static func uint32s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [UInt32]>
  ) -> Field {
    Field(number, name, .uint32, .repeated, property)
  }

  /// A proto `repeated fixed32`.
  public static func fixed32s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [UInt32]>
  ) -> Field {
    Field(number, name, .fixed32, .repeated, property)
  }

  /// A proto `repeated int64`.
  public static func int64s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Int64]>
  ) -> Field {
    Field(number, name, .int64, .repeated, property)
  }

  /// A proto `repeated sint64`.
  public static func sint64s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Int64]>
  ) -> Field {
    Field(number, name, .sint64, .repeated, property)
  }

  /// A proto `repeated sfixed64`.
  public static func sfixed64s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Int64]>
  ) -> Field {
    Field(number, name, .sfixed64, .repeated, property)
  }

  /// A proto `repeated uint64`.
  public static func uint64s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [UInt64]>
  ) -> Field {
    Field(number, name, .uint64, .repeated, property)
  }

  /// A proto `repeated fixed64`.
  public static func fixed64s(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [UInt64]>
  ) -> Field {
    Field(number, name, .fixed64, .repeated, property)
  }

  /// A proto `repeated float`.
  public static func floats(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Float]>
  ) -> Field {
    Field(number, name, .float, .repeated, property)
  }

  /// A proto `repeated double`.
  public static func doubles(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Double]>
  ) -> Field {
    Field(number, name, .double, .repeated, property)
  }

  /// A proto `repeated bool`.
  public static func bools(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [Bool]>
  ) -> Field {
    Field(number, name, .bool, .repeated, property)
  }

  /// A proto `repeated string`.
  public static func strings(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [String]>
  ) -> Field {
    Field(number, name, .string, .repeated, property)
  }

  /// A proto `repeated bytes`.
  public static func byteStrings(
    _ number: Int32, _ name: String, _ property: KeyPath<Root, [[UInt8]]>
  ) -> Field {
    Field(number, name, .bytes, .repeated, property)
  }
}
