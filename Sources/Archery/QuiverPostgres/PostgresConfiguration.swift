/// How connections to a database are made.
package struct PostgresConfiguration: Sendable {
  package var address: PostgresAddress

  /// What `pg_stat_activity` shows, unless the address names another one.
  package var applicationName = "quiver"

  /// How long a connection may take to be made, all hosts of the address together.
  ///
  /// Resolving a host name is not included: `getaddrinfo` cannot be limited.
  package var connectMilliseconds: UInt64 = 5_000

  /// How long after a deadline the server's own answer to it (a timeout) is awaited.
  package var graceMilliseconds: UInt64 = 1_000

  package init(_ address: PostgresAddress) {
    self.address = address
  }
}
