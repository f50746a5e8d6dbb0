import CPostgres

/// The address and the connection settings of a database: a connection URI or a list of
/// `keyword=value`, as libpq takes it.
///
/// TLS is set there too (`sslmode`, `sslrootcert`), and so are several hosts with
/// `target_session_attrs`. A password belongs in the file that `PGPASSFILE` names. The description
/// has no secret.
package struct PostgresAddress: Sendable, CustomStringConvertible {
  /// The connection string for libpq; it may contain a password.
  let connectionString: String

  /// The hosts, ports, database and user, as far as they were given.
  package let description: String

  /// Whether the string has a password, which other users of the machine may see.
  package let hasPassword: Bool

  /// The hosts that are tried one after the other, each as the settings that name it alone; empty
  /// where there is only one, or libpq has to choose.
  let hosts: [[(keyword: String, value: String)]]

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
    hosts = Self.hosts(values)
  }

  /// Takes the lists of hosts, addresses and ports apart.
  private static func hosts(
    _ values: [String: String]
  ) -> [[(keyword: String, value: String)]] {
    // It connects to all hosts before it prefers one, or begins with any of them.
    guard values["target_session_attrs"] != "prefer-standby",
      ["", "disable"].contains(values["load_balance_hosts"] ?? "")
    else { return [] }
    let lists = ["host", "hostaddr", "port"].map { name in
      values[name].map { text in
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      } ?? []
    }
    let count = max(lists[0].count, lists[1].count)
    guard count > 1 else { return [] }
    var hosts = Array(repeating: [(keyword: String, value: String)](), count: count)
    for (name, list) in zip(["host", "hostaddr", "port"], lists) {
      guard !list.isEmpty else { continue }
      // One port applies to all hosts. libpq decides on ports that are missing or do not match.
      let isForAll = name == "port" && list.count == 1
      guard isForAll || list.count == count, !list.contains("") else { return [] }
      for place in 0..<count {
        hosts[place].append((keyword: name, value: isForAll ? list[0] : list[place]))
      }
    }
    return hosts
  }
}
