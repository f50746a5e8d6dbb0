import Synchronization

/// How connections to a database are made.
package struct PostgresConfiguration: Sendable {
  package var address: PostgresAddress

  /// What `pg_stat_activity` shows, unless the address names another one.
  package var applicationName = "quiver"

  /// How long a connection may take to be made, all hosts of the address together.
  ///
  /// A host that does not answer uses only its share: the remaining time is divided by the number
  /// of remaining hosts. Resolving a host name is not included: `getaddrinfo` cannot be limited.
  package var connectMilliseconds: UInt64 = 5_000

  /// How long after a deadline the server's own answer to it (a timeout) is awaited.
  package var graceMilliseconds: UInt64 = 1_000

  /// Whether a server that is a replica is passed over.
  package var requiresPrimary = false

  /// Which host is tried first; copies share it.
  let order = HostOrder()

  package init(_ address: PostgresAddress) {
    self.address = address
  }

  /// The host that the latest connection was made to is tried first.
  final class HostOrder: Sendable {
    private let first = Atomic<Int>(0)

    /// The indexes of this number of hosts, in the order in which they are tried.
    func places(count: Int) -> [Int] {
      let first = first.load(ordering: .relaxed)
      return (0..<count).map { (first + $0) % count }
    }

    func connected(to place: Int) { first.store(place, ordering: .relaxed) }
  }
}
