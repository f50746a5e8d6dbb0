import QuiverRules
import QuiverSQLite

extension Session {
  /// Binds the values of a statement; answers false for a text with U+0000, which SQLite would
  /// keep, and PostgreSQL does not: what one engine refuses, the other one refuses too.
  static func bind(_ values: [SQLValue], to statement: Statement) throws(SQLiteError) -> Bool {
    // In place: a copy of each value would retain and release its text or blob.
    try values.withUnsafeBufferPointer { (values) throws(SQLiteError) in
      for place in values.indices {
        let index = Int32(truncatingIfNeeded: place + 1)
        // Most are integers.
        if case .integer(let value) = values[place] {
          try statement.bind(value, at: index)
          continue
        }
        if case .text(let text) = values[place], text.hasZeroCharacter { return false }
        try statement.bind(values[place], at: index)
      }
      return true
    }
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
