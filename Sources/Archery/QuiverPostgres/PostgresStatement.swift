/// One statement that a connection has prepared, bound from 1.
///
/// It belongs to its connection and to the one thread that uses it. After each run all its
/// parameters are NULL again.
package final class PostgresStatement {
  /// Its name on the server.
  let name: String

  /// Whether the text has the parameter of each number; others have no type, and are sent as NULL.
  private let uses: [Bool]

  /// How many columns it returns.
  let columnCount: Int32

  private var parameters: PostgresParameters

  init(name: String, uses: [Bool], types: [UInt32], columnCount: Int32) {
    self.name = name
    self.uses = uses
    self.columnCount = columnCount
    parameters = PostgresParameters(types: types)
  }

  /// The greatest number of a parameter in the text.
  package var parameterCount: Int { uses.count }

  /// Binds NULL.
  package func bindNull(at index: Int32) {
    parameters.setNull(at: place(index))
  }

  /// Binds an integer. Throws `invalidValue` where the parameter's type cannot have it.
  package func bind(_ value: Int64, at index: Int32) throws(PostgresError) {
    if isUsed(index) { try parameters.set(value, at: place(index)) }
  }

  /// Binds a real. Throws `invalidValue` where the parameter's type cannot have it.
  package func bind(_ value: Double, at index: Int32) throws(PostgresError) {
    if isUsed(index) { try parameters.set(value, at: place(index)) }
  }

  /// Binds a text. Throws `invalidValue` where it contains U+0000 or the parameter is no text.
  package func bind(_ value: String, at index: Int32) throws(PostgresError) {
    if isUsed(index) { try parameters.set(value, at: place(index)) }
  }

  /// Binds bytes. Throws `invalidValue` where the parameter is no `bytea`.
  package func bind(_ value: [UInt8], at index: Int32) throws(PostgresError) {
    if isUsed(index) { try parameters.set(value, at: place(index)) }
  }

  /// Hands the arrays that libpq takes to `body`, valid until it returns.
  func withPointers<Result>(
    _ body: (
      _ values: UnsafePointer<UnsafePointer<CChar>?>, _ lengths: UnsafePointer<Int32>,
      _ formats: UnsafePointer<Int32>
    ) -> Result
  ) -> Result {
    parameters.withPointers(body)
  }

  /// Forgets all values.
  func clearBindings() {
    parameters.removeAll()
  }

  private func isUsed(_ index: Int32) -> Bool { uses[place(index)] }

  private func place(_ index: Int32) -> Int {
    precondition(
      index >= 1 && index <= uses.count, "A statement has no parameter of this number.")
    return Int(index) - 1
  }
}
