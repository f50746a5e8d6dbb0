import CPostgres

/// Where a database is and how it is reached: a connection URI or a list of `keyword=value`, as
/// libpq takes it.
///
/// TLS is set there too (`sslmode`, `sslrootcert`), and so are several hosts with
/// `target_session_attrs`. A password belongs in the file that `PGPASSFILE` names. The description
/// has no secret.
package struct PostgresAddress: Sendable, CustomStringConvertible {
  /// What libpq is given; it may contain a password.
  let connectionString: String

  /// The hosts, ports, database and user, as far as they were given.
  package let description: String

  /// Whether the string has a password, which other users of the machine may see.
  package let hasPassword: Bool

  /// Parses a URI or a list of `keyword=value` (`PQconninfoParse`).
  ///
  /// The error does not repeat the string, which may contain a password.
  package init(_ connectionString: String) throws(PostgresError) {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(connectionString, &message) else {
      // libpq's message repeats the string.
      PQfreemem(message)
      throw PostgresError(
        .invalidAddress, "the address of the database is not a connection string of PostgreSQL")
    }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        values[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    self.connectionString = connectionString
    hasPassword = values["password"]?.isEmpty == false
    description = ["host", "hostaddr", "port", "dbname", "user"]
      .compactMap { name in values[name].map { "\(name)=\($0)" } }
      .joined(separator: " ")
  }
}
