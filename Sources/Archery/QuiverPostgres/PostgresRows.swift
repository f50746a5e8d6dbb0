import CPostgres

/// The rows that a statement returned (`PGresult`), rows and columns counted from 0.
///
/// Reading a column of another type converts it; nothing here traps on stored data.
package final class PostgresRows {
  /// How many rows there are.
  package let rowCount: Int

  /// How many columns a row has.
  package let columnCount: Int

  private let result: OpaquePointer

  /// Takes the result, which it clears in the end.
  init(_ result: OpaquePointer) {
    self.result = result
    rowCount = Int(PQntuples(result))
    columnCount = Int(PQnfields(result))
  }

  deinit {
    PQclear(result)
  }

  /// How many rows the statement inserted, changed, deleted or returned (`PQcmdTuples`).
  package var affectedRowCount: Int64 {
    PQcmdTuples(result).flatMap { Int64(String(cString: $0)) } ?? 0
  }

  /// The statement's tag, such as `COMMIT` or `INSERT 0 1` (`PQcmdStatus`).
  package var tag: String {
    PQcmdStatus(result).map { String(cString: $0) } ?? ""
  }

  /// The types of the parameters, of the description of a prepared statement (`PQparamtype`).
  var parameterTypes: [UInt32] {
    (0..<PQnparams(result)).map { PQparamtype(result, $0) }
  }

  /// Whether the column is NULL.
  package func isNull(_ row: Int, _ column: Int32) -> Bool {
    PQgetisnull(result, Int32(truncatingIfNeeded: row), column) != 0
  }

  /// The column as an integer; 0 for NULL, and the nearest one for a number out of range.
  package func int64(_ row: Int, _ column: Int32) -> Int64 {
    guard let value = value(row, column) else { return 0 }
    switch PQftype(result, column) {
    case PostgresType.int64, PostgresType.transactionID, PostgresType.logPosition:
      return Int64(bitPattern: value.unsigned)
    case PostgresType.int32: return Int64(Int32(truncatingIfNeeded: value.unsigned))
    case PostgresType.int16: return Int64(Int16(truncatingIfNeeded: value.unsigned))
    case PostgresType.boolean: return value.unsigned == 0 ? 0 : 1
    case PostgresType.float64, PostgresType.float32: return Int64(nearest: double(row, column))
    case PostgresType.numeric: return PostgresNumeric(value.bytes)?.int64 ?? 0
    default: return Int64(value.string) ?? 0
    }
  }

  /// The column as a double; 0 for NULL.
  package func double(_ row: Int, _ column: Int32) -> Double {
    guard let value = value(row, column) else { return 0 }
    switch PQftype(result, column) {
    case PostgresType.float64: return Double(bitPattern: value.unsigned)
    case PostgresType.float32:
      return Double(Float(bitPattern: UInt32(truncatingIfNeeded: value.unsigned)))
    case PostgresType.numeric: return PostgresNumeric(value.bytes)?.double ?? 0
    case PostgresType.text, PostgresType.varchar: return Double(value.string) ?? 0
    default: return Double(int64(row, column))
    }
  }

  /// The column as text; empty for NULL.
  package func text(_ row: Int, _ column: Int32) -> String {
    optionalText(row, column) ?? ""
  }

  /// The column as text; nil for NULL.
  package func optionalText(_ row: Int, _ column: Int32) -> String? {
    guard let value = value(row, column) else { return nil }
    switch PQftype(result, column) {
    case PostgresType.int64, PostgresType.int32, PostgresType.int16, PostgresType.boolean,
      PostgresType.transactionID:
      return String(int64(row, column))
    case PostgresType.float64, PostgresType.float32:
      return "\(double(row, column))"
    case PostgresType.numeric:
      let (integer, real) = (int64(row, column), double(row, column))
      return Double(integer) == real ? String(integer) : "\(real)"
    default: return value.string
    }
  }

  /// The column as bytes; empty for NULL.
  package func bytes(_ row: Int, _ column: Int32) -> [UInt8] {
    value(row, column).map { [UInt8]($0.bytes) } ?? []
  }

  /// A value as the server sent it, valid as long as the result is.
  private struct Value {
    let bytes: UnsafeRawBufferPointer

    /// The first bytes, at most 8, as a number with the most significant byte first.
    var unsigned: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    var string: String { String(decoding: bytes, as: UTF8.self) }
  }

  private func value(_ row: Int, _ column: Int32) -> Value? {
    let row = Int32(truncatingIfNeeded: row)
    guard row >= 0, row < PQntuples(result), column >= 0, column < PQnfields(result),
      PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column)
    else { return nil }
    return Value(
      bytes: UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column))))
  }
}

/// A `numeric` of PostgreSQL, such as the sum of a `bigint` column, in its binary form: groups of
/// four decimal digits.
private struct PostgresNumeric {
  private var groups: [Int64] = []
  /// The power of 10,000 of the first group.
  private var weight = 0
  private var isNegative = false

  /// Nil for NaN and the infinities.
  init?(_ bytes: UnsafeRawBufferPointer) {
    func word(_ index: Int) -> UInt16 {
      guard index * 2 + 1 < bytes.count else { return 0 }
      return UInt16(bytes[index * 2]) << 8 | UInt16(bytes[index * 2 + 1])
    }
    let sign = word(2)
    guard sign == 0 || sign == 0x4000 else { return nil }
    isNegative = sign == 0x4000
    weight = Int(Int16(bitPattern: word(1)))
    groups = (0..<Int(word(0))).map { Int64(word(4 + $0)) }
  }

  /// Without its fraction; the nearest one if it is out of range.
  var int64: Int64 {
    guard weight >= 0 else { return 0 }
    var value: Int64 = 0
    for index in 0...weight {
      let group = index < groups.count ? groups[index] : 0
      let (scaled, overflows) = value.multipliedReportingOverflow(by: 10_000)
      let (sum, passes) = scaled.addingReportingOverflow(isNegative ? -group : group)
      if overflows || passes { return isNegative ? .min : .max }
      value = sum
    }
    return value
  }

  var double: Double {
    var value = 0.0
    for group in groups { value = value * 10_000 + Double(group) }
    var power = weight - groups.count + 1
    while power > 0 {
      value *= 10_000
      power -= 1
    }
    while power < 0 {
      value /= 10_000
      power += 1
    }
    return isNegative ? -value : value
  }
}

extension Int64 {
  fileprivate init(nearest value: Double) {
    if let exact = Int64(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }
}
