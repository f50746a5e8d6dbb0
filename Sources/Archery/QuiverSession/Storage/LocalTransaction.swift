import QuiverSQLite

/// A transaction on the local file; it must not be used after its scope.
struct LocalTransaction {
  let connection: Connection
  /// The keys that the transaction has changed so far.
  let changes = ChangedKeys()

  /// Records that the transaction changed `key`.
  func note(_ key: ChangeKey) { changes.keys.insert(key) }

  /// Runs a statement that returns no rows.
  func run(_ text: SQLText, _ values: LocalValue...) throws(SessionError) {
    try run(text, values)
  }

  /// Runs a statement that returns no rows.
  func run(_ text: SQLText, _ values: [LocalValue]) throws(SessionError) {
    do throws(SQLiteError) {
      let statement = try bound(text, values)
      try statement.run()
    } catch {
      throw SessionError(error)
    }
  }

  /// All rows of a query, converted by `map`.
  func all<Row>(
    _ text: SQLText, _ values: LocalValue..., map: (Statement) -> Row
  ) throws(SessionError) -> [Row] {
    do throws(SQLiteError) {
      let statement = try bound(text, values)
      var rows: [Row] = []
      while try statement.step() { rows.append(map(statement)) }
      return rows
    } catch {
      throw SessionError(error)
    }
  }

  /// The first row of a query, converted by `map`; nil if there is none.
  func first<Row>(
    _ text: SQLText, _ values: LocalValue..., map: (Statement) -> Row
  ) throws(SessionError) -> Row? {
    do throws(SQLiteError) {
      let statement = try bound(text, values)
      guard try statement.step() else { return nil }
      let row = map(statement)
      statement.reset()
      return row
    } catch {
      throw SessionError(error)
    }
  }

  /// Runs all statements of a script.
  func execute(_ script: String) throws(SessionError) {
    do throws(SQLiteError) {
      try connection.execute(script)
    } catch {
      throw SessionError(error)
    }
  }

  /// The integer that a statement returns; 0 if it returns no row. The statement is not cached.
  func integer(of sql: String) throws(SessionError) -> Int64 {
    do throws(SQLiteError) {
      return try connection.value(sql).flatMap { Int64($0) } ?? 0
    } catch {
      throw SessionError(error)
    }
  }

  private func bound(
    _ text: SQLText, _ values: [LocalValue]
  ) throws(SQLiteError) -> Statement {
    let statement = try connection.statement(text)
    for (place, value) in values.enumerated() {
      let index = Int32(clamping: place + 1)
      switch value {
      case .null: try statement.bindNull(at: index)
      case .integer(let number): try statement.bind(number, at: index)
      case .real(let number): try statement.bind(number, at: index)
      case .text(let text): try statement.bind(text, at: index)
      case .blob(let bytes): try statement.bind(bytes, at: index)
      }
    }
    return statement
  }
}

/// The keys that a transaction changed.
final class ChangedKeys {
  var keys: Set<ChangeKey> = []
}

/// The value of a statement's parameter.
enum LocalValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func optional(_ bytes: [UInt8]?) -> LocalValue { bytes.map { .blob($0) } ?? .null }
  static func optional(_ number: Int64?) -> LocalValue { number.map { .integer($0) } ?? .null }
  static func optional(_ number: Double?) -> LocalValue { number.map { .real($0) } ?? .null }
  /// NULL if `bytes` is empty.
  static func key(_ bytes: [UInt8]) -> LocalValue { bytes.isEmpty ? .null : .blob(bytes) }
  static func flag(_ value: Bool) -> LocalValue { .integer(value ? 1 : 0) }
}
