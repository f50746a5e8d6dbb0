import CPostgres

/// An answer of PostgreSQL or libpq other than success.
///
/// The description names the SQLSTATE and the constraint, never a value that was bound, a row or a
/// password.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
  package let kind: Kind

  /// The five characters of the server; empty where the error is the client's.
  package let sqlState: String

  /// What went wrong, without data.
  package let message: String

  /// What a caller does about it.
  package enum Kind: Sendable, Hashable {
    /// The transaction conflicts with another one (40001) and may run again.
    case serializationFailure
    /// The transaction was one of several that waited for each other (40P01) and may run again.
    case deadlock
    /// A row with these values exists (23505); the name of the unique constraint or index.
    case uniqueViolation(constraint: String)
    /// Another constraint, by its name, which is empty for NOT NULL (class 23).
    case constraintViolation(constraint: String)
    /// A lock was not granted in time (55P03).
    case lockTimeout
    /// The statement ran for longer than `statement_timeout` (57014).
    case statementTimeout
    /// The statement was cancelled by ``PostgresCancellation`` (57014).
    case cancelled
    /// The connection ended or could not be made. After a COMMIT was sent it is not known whether
    /// the transaction is committed.
    case connectionLost
    /// The server did not answer by the deadline, and the connection was closed. The same is
    /// unknown as for ``connectionLost``.
    case noAnswer
    /// The server or the transaction does not allow changes (25006).
    case readOnly
    /// The server has no space left (53100).
    case diskFull
    /// The server has no memory left (53200).
    case outOfMemory
    /// The server has no free connection for this role or database (53300).
    case tooManyConnections
    /// The role or its password was refused (class 28).
    case authenticationFailed
    /// Damaged data (class XX001, XX002).
    case damaged
    /// The address cannot be parsed.
    case invalidAddress
    /// A value does not fit the type of its parameter, or a text contains U+0000.
    case invalidValue
    /// Everything else, among it every mistake in a statement and a database that does not exist.
    case other
  }

  package init(_ kind: Kind, _ message: String, sqlState: String = "") {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
  }

  /// Whether the connection cannot be used any more.
  package var endsConnection: Bool {
    kind == .connectionLost || kind == .noAnswer
  }

  /// Whether the same transaction may succeed if it runs again.
  package var isRetryable: Bool {
    kind == .serializationFailure || kind == .deadlock
  }

  package var description: String {
    sqlState.isEmpty ? "PostgreSQL: \(message)" : "PostgreSQL \(sqlState): \(message)"
  }
}

extension PostgresError {
  /// The error of a result (`PQresultErrorField`).
  ///
  /// PostgreSQL has one SQLSTATE for a timeout and for a cancellation; `isCancelled` tells which.
  init(result: OpaquePointer, isCancelled: Bool) {
    let state = quiver_pg_sqlstate(result).map { String(cString: $0) } ?? ""
    let constraint = quiver_pg_constraint(result).map { String(cString: $0) } ?? ""
    let kind = Self.kind(state, constraint: constraint, isCancelled: isCancelled)
    self.init(
      kind, Self.message(kind, state, constraint, quiver_pg_message(result)), sqlState: state)
  }

  /// The error of a connection that could not be made or ended (`PQerrorMessage`).
  ///
  /// While a connection is made, libpq gives no field for the SQLSTATE; with verbose errors it
  /// stands before the text, as in `FATAL:  53300: too many connections`.
  init(connection: OpaquePointer) {
    let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    let state = Self.stateInText(text)
    let kind = state.isEmpty ? .connectionLost : Self.kind(state, constraint: "")
    let line = text.split(separator: "\n").first.map(String.init) ?? "the connection is closed"
    self.init(kind, line, sqlState: state)
  }

  /// The last `:  XXXXX: ` of libpq's text, of the host that was tried last.
  private static func stateInText(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var found = ""
    var index = 0
    while index + 9 <= bytes.count {
      let code = bytes[(index + 3)..<(index + 8)]
      if bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: " "),
        bytes[index + 2] == UInt8(ascii: " "), bytes[index + 8] == UInt8(ascii: ":"),
        code.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) })
      {
        found = String(decoding: code, as: UTF8.self)
      }
      index += 1
    }
    return found
  }

  /// What a SQLSTATE means for callers.
  static func kind(_ state: String, constraint: String, isCancelled: Bool = false) -> Kind {
    switch state {
    case "40001": .serializationFailure
    case "40P01": .deadlock
    case "23505": .uniqueViolation(constraint: constraint)
    case "55P03": .lockTimeout
    case "57014": isCancelled ? .cancelled : .statementTimeout
    case "25006": .readOnly
    case "53100": .diskFull
    case "53200": .outOfMemory
    case "53300": .tooManyConnections
    // The server stops, recovers or has ended this session, which takes its transaction with it.
    case "57P01", "57P02", "57P03", "57P05", "25P03": .connectionLost
    // Prepared statements are missing, or others exist: the connection leads to another session of
    // the server than before.
    case "26000", "42P05": .connectionLost
    case "XX001", "XX002": .damaged
    case _ where state.hasPrefix("08"): .connectionLost
    case _ where state.hasPrefix("23"): .constraintViolation(constraint: constraint)
    case _ where state.hasPrefix("28"): .authenticationFailed
    default: .other
    }
  }

  /// PostgreSQL's text, except in the classes whose texts repeat values.
  private static func message(
    _ kind: Kind, _ state: String, _ constraint: String, _ text: UnsafePointer<CChar>?
  ) -> String {
    switch kind {
    case .uniqueViolation: return "a row with these values exists (\(constraint))"
    case .constraintViolation:
      return constraint.isEmpty ? "a constraint was violated" : "\(constraint) was violated"
    default: break
    }
    // Data exceptions quote the value, and an exception of PL/pgSQL may.
    if state.hasPrefix("22") || state.hasPrefix("P0") { return "a value was refused" }
    return text.map { String(cString: $0) } ?? "the statement failed"
  }
}
