import QuiverMetrics
import QuiverStore

/// The metrics of scheduled backups; without a schedule they have no series.
enum BackupMetrics {
  static func families(_ store: Store) -> [MetricFamily] {
    [
      MetricFamily(
        "quiver_backup_age_seconds", .gauge,
        "Seconds since the newest verified backup began, or since the start without one; missing"
          + " without a schedule."
      ) {
        series(store) { status in
          let since = status.newestMilliseconds ?? status.beganAtMilliseconds
          return max(0, Double(StoreClock.system.wallMilliseconds() - since) / 1_000)
        }
      },
      MetricFamily(
        "quiver_backup_interval_seconds", .gauge,
        "Seconds from one scheduled backup to the next; missing without a schedule."
      ) { series(store) { Double($0.schedule.intervalMilliseconds) / 1_000 } },
      MetricFamily(
        "quiver_backups_kept", .gauge,
        "Scheduled backups that are kept; missing without a schedule."
      ) { series(store) { Double($0.backups.count) } },
      MetricFamily(
        "quiver_backup_bytes", .gauge,
        "Bytes of the scheduled backups that are kept; missing without a schedule."
      ) { series(store) { Double($0.backups.reduce(0) { $0 + $1.byteCount }) } },
      MetricFamily(
        "quiver_backups_total", .counter,
        "Scheduled backups that have ended, by outcome; missing without a schedule."
      ) {
        guard let status = store.backupStatus else { return [] }
        return [
          MetricSeries([("outcome", "made")], value: Double(status.madeCount)),
          MetricSeries([("outcome", "failed")], value: Double(status.failedCount)),
        ]
      },
    ]
  }

  private static func series(
    _ store: Store, _ value: (BackupStatus) -> Double
  ) -> [MetricSeries] {
    store.backupStatus.map { [MetricSeries(value: value($0))] } ?? []
  }
}
