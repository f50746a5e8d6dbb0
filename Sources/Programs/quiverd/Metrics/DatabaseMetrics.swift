import QuiverMetrics
import QuiverStore

/// Metrics of a database of PostgreSQL; without one they are missing.
enum DatabaseMetrics {
  static func families(_ store: Store) -> [MetricFamily] {
    guard store.isShared else { return [] }
    return [
      MetricFamily(
        "quiver_database_connections_total", .counter,
        "Connections to the database that were made, and attempts that failed."
      ) {
        guard let status = store.databaseStatus else { return [] }
        return [
          MetricSeries([("outcome", "made")], value: Double(status.connectionCount)),
          MetricSeries([("outcome", "failed")], value: Double(status.failedConnectionCount)),
        ]
      },
      MetricFamily(
        "quiver_database_conflicts_total", .counter,
        "How often commands ran again because another transaction changed the same."
      ) { Double(store.databaseStatus?.conflictCount ?? 0) },
      MetricFamily(
        "quiver_database_clock_difference_seconds", .gauge,
        "By how much the clock of the database is ahead of the server's."
      ) { Double(store.databaseStatus?.clockDifferenceMilliseconds ?? 0) / 1_000 },
    ]
  }
}
