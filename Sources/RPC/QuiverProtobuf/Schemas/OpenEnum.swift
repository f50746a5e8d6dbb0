/// A proto3 enum: a struct around its number, so that values that this build does not know survive.
///
/// The only stored property must be the `Int32`; the schema traps otherwise.
public protocol OpenEnum: RawRepresentable, Sendable, Hashable where RawValue == Int32 {
  /// The value with a number, known or not.
  init(rawValue: Int32)

  /// Name and values.
  static var schema: EnumSchema { get }
}
