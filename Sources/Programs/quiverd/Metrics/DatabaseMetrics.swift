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
    ] + replica(of: store)
  }

  /// Families of the replica that the server reads from; none without one.
  private static func replica(of store: Store) -> [MetricFamily] {
    guard store.readsReplica else { return [] }
    return [
      MetricFamily(
        "quiver_database_reads_total", .counter,
        "Reads by where they ran; repeated are those that the replica failed."
      ) {
        guard let status = store.databaseStatus, let replica = status.replica else { return [] }
        return [
          MetricSeries([("origin", "primary")], value: Double(status.primaryReadCount)),
          MetricSeries([("origin", "replica")], value: Double(replica.readCount)),
          MetricSeries([("origin", "repeated")], value: Double(replica.repeatCount)),
        ]
      },
      MetricFamily(
        "quiver_database_replica_usable", .gauge, "Whether reads run on the replica now."
      ) { store.databaseStatus?.replica?.isUsable == true ? 1 : 0 },
      MetricFamily(
        "quiver_database_replica_lag_seconds", .gauge,
        "For how long the replica has not come to what this server knew."
      ) { Double(store.databaseStatus?.replica?.lagMilliseconds ?? 0) / 1_000 },
    ]
  }
}
