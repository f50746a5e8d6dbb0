/// A value of SQLite.
public enum SQLiteValue: Sendable, Equatable, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text in UTF-8.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// NULL.
  public init(nilLiteral: ()) { self = .null }

  /// The integer; nil for a value of another type.
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The text; nil for a value of another type.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The bytes; nil for a value of another type.
  public var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}
