import QuiverSQLite

/// One statement that commands and reads run, known to every connection by a small number.
///
/// Keep each as a `static let`. Parameters are `?1`, `?2` and so on, all of them given at each run.
package struct Query: Sendable {
  let text: SQLText

  package init(_ text: String) {
    self.text = SQLText(text)
  }
}

/// What is bound to a parameter of a statement.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func optional(_ value: Int64?) -> SQLValue {
    value.map(SQLValue.integer) ?? .null
  }

  static func optional(_ value: [UInt8]?) -> SQLValue {
    value.map(SQLValue.blob) ?? .null
  }
}
