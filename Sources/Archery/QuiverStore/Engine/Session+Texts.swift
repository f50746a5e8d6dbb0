import QuiverRules
import QuiverSQLite

extension Session {
  /// Binds the values of a statement; answers false for a text with U+0000, which SQLite would
  /// keep, and PostgreSQL does not: what one engine refuses, the other one refuses too.
  static func bind(_ values: [SQLValue], to statement: Statement) throws(SQLiteError) -> Bool {
    var index: Int32 = 0
    for value in values {
      index += 1
      if case .text(let text) = value, text.hasZeroCharacter { return false }
      try statement.bind(value, at: index)
    }
    return true
  }

  static var zeroCharacter: StoreError {
    StoreError(
      .invalidArgument, "the store cannot keep this value: a text cannot contain U+0000")
  }
}

extension Statement {
  func bind(_ value: SQLValue, at index: Int32) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .real(let value): try bind(value, at: index)
    case .text(let value): try bind(value, at: index)
    case .blob(let value): try bind(value, at: index)
    }
  }
}
