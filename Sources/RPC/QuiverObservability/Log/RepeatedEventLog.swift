import Glibc

/// Logs frequent events: the first of a kind at once, then a count each minute.
///
/// May be used from any thread.
package final class RepeatedEventLog: Sendable {
  private let log: Log
  private let events = RepeatedEvents()

  package init(_ log: Log) { self.log = log }

  /// Notes an event whose `fields` make it similar to others; `details` are logged with the first.
  package func note(_ event: LogEvent, _ fields: Log.Fields, details: Log.Fields = [:]) {
    guard event.level <= log.level else { return }
    guard events.isFirst(RepeatedEvents.Kind(event, fields), atSeconds: Self.now) else { return }
    log.write(event, fields: (fields.map { $0 } + details.map { $0 }).map { ($0.key, $0.value) })
  }

  /// Logs the counts of kinds whose minute is over. Call it once a second or so.
  package func writeCounts() {
    for count in events.takeCounts(atSeconds: Self.now) {
      log.write(
        count.kind.event,
        fields: count.kind.fields.map { ($0.key, $0.value) } + [("count", "\(count.count)")])
    }
  }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}
