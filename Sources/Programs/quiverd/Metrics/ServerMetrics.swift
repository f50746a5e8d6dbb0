import QuiverDaemon
import QuiverDispatch
import QuiverMetrics
import QuiverObservability
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverTLS
import QuiverWire

/// What a running server exposes to Prometheus.
struct ServerMetrics: Sendable {
  let server: Server
  let store: Store
  let assembly: ServerAssembly
  let security: TLSServer?
  let log: Log
  let connections: ConnectionCounts
  let traces: TraceExporter?
  let web: WebGateway?

  /// All metrics, in the order of the exposition. `docs/operations.md` has a table of them.
  var families: [MetricFamily] {
    [buildInfo] + calls + connectionFamilies + storeFamilies + DatabaseMetrics.families(store)
      + BackupMetrics.families(store)
      + webFamilies + logFamilies + traceFamilies + certificateFamilies + ProcessMetrics.families
  }

  private var buildInfo: MetricFamily {
    MetricFamily("quiver_build_info", .gauge, "1, with the version of the server.") {
      [MetricSeries([("version", Quiverd.version)], value: 1)]
    }
  }

  private var webFamilies: [MetricFamily] {
    let web = web
    return [
      MetricFamily(
        "quiver_web_available", .gauge,
        "1 while the gateway of --web serves, else 0; missing without --web."
      ) { web.map { [MetricSeries(value: $0.fault == nil ? 1 : 0)] } ?? [] },
      MetricFamily(
        "quiver_web_restarts_total", .counter,
        "How often the gateway of --web was started again; missing without --web."
      ) { web.map { [MetricSeries(value: Double($0.restartCount))] } ?? [] },
    ]
  }

  // MARK: Calls

  private var calls: [MetricFamily] {
    let server = server
    return [
      MetricFamily(
        "quiver_server_handled_total", .counter,
        "Calls that have ended, by service, method and status code."
      ) { Self.handled(server.callMetrics) },
      MetricFamily(
        "quiver_server_handling_seconds", .histogram,
        "Time from a call's arrival to its end, by service and method."
      ) { Self.times(server.callMetrics) },
      MetricFamily("quiver_server_open_calls", .gauge, "Calls that have not ended.") {
        Double(server.callMetrics.reduce(0) { $0 + $1.openCallCount })
      },
      MetricFamily(
        "quiver_server_limits_reached_total", .counter,
        "How often a connection or a call reached a limit, by its name."
      ) {
        ReachedLimit.allCases.map { limit in
          MetricSeries(
            [("limit", limit.name)],
            value: server.callMetrics.reduce(0) { $0 + Double($1.count(of: limit)) })
        }
      },
    ]
  }

  private typealias Labels = MetricSeries.Labels

  private static func labels(_ method: CalledMethod) -> Labels {
    let parts = method.name.split(separator: "/", maxSplits: 1).map(String.init)
    return [("service", parts.first ?? ""), ("method", parts.count > 1 ? parts[1] : "")]
  }

  /// OK of every method, so that rates begin with the first call, and other codes that occurred.
  private static func handled(_ metrics: [CallMetrics]) -> [MetricSeries] {
    guard let methods = metrics.first?.methods else { return [] }
    var series: [MetricSeries] = []
    for place in methods.indices.map({ $0 as Int? }) + [nil] {
      let own =
        place.map { labels(methods[$0]) } ?? [("service", "unknown"), ("method", "unknown")]
      for code in StatusCode.known {
        let count = metrics.reduce(UInt64(0)) { $0 &+ $1.handledCount(place, code) }
        guard count > 0 || (code == .ok && place != nil) else { continue }
        series.append(MetricSeries(own + [("code", code.name)], value: Double(count)))
      }
    }
    return series
  }

  private static func times(_ metrics: [CallMetrics]) -> [MetricSeries] {
    guard let first = metrics.first else { return [] }
    return first.methods.indices.compactMap { place in
      var times = first.times(place)
      for other in metrics.dropFirst() { times.add(other.times(place)) }
      guard times.count > 0 else { return nil }
      return MetricSeries(
        labels(first.methods[place]), histogram: times, CallMetrics.bounds)
    }
  }

  // MARK: Connections

  private var connectionFamilies: [MetricFamily] {
    let (server, assembly, counts) = (server, assembly, connections)
    return [
      MetricFamily("quiver_server_connections", .gauge, "Connections that are open.") {
        Double(server.connectionCount)
      },
      MetricFamily(
        "quiver_server_connections_accepted_total", .counter,
        "Connections that were accepted, refused ones included."
      ) { Double(server.acceptedConnectionCount) },
      MetricFamily(
        "quiver_server_connections_dropped_total", .counter,
        "Connections that were closed without an answer, because no descriptor was left."
      ) { Double(server.droppedConnectionCount) },
      MetricFamily(
        "quiver_server_connections_refused_total", .counter,
        "Connections that a limit closed or refused, by reason."
      ) { counts.refusals },
      MetricFamily(
        "quiver_server_connection_errors_total", .counter,
        "Connections that the server ended with an error, by its code."
      ) { counts.errors },
      MetricFamily(
        "quiver_server_authentication_failures_total", .counter,
        "Tokens, certificates and principals that were refused."
      ) { counts.authenticationFailures },
      MetricFamily(
        "quiver_server_tls_failures_total", .counter,
        "Connections that could not be encrypted, by reason."
      ) { counts.securityFailures },
      MetricFamily(
        "quiver_server_held_bytes", .gauge,
        "Memory that connections hold for messages, by direction: received and not taken, or"
          + " waiting to be sent."
      ) {
        let held = server.callMetrics.reduce(into: (input: 0, output: 0)) {
          $0.input += $1.heldInputBytes
          $0.output += $1.heldOutputBytes
        }
        return [
          MetricSeries([("direction", "input")], value: Double(held.input)),
          MetricSeries([("direction", "output")], value: Double(held.output)),
        ]
      },
      MetricFamily(
        "quiver_server_held_bytes_limit", .gauge, "The limit of that memory (--process-bytes)."
      ) { Double(server.configuration.limits.processBytes) },
      MetricFamily("quiver_server_watches", .gauge, "Watches that are open.") {
        Double(assembly.watchCount)
      },
      MetricFamily(
        "quiver_watch_delay_seconds",
        "Time from a commit until a watch has queued the change for its client.",
        histogram: assembly.watchDelays),
    ]
  }

  // MARK: The store

  private var storeFamilies: [MetricFamily] {
    let (store, assembly) = (store, assembly)
    let times = store.times
    return [
      MetricFamily(
        "quiver_store_commands_total", .counter,
        "Commands that have ended: committed, replayed from a stored reply, or refused."
      ) {
        let counts = store.statistics
        return [
          MetricSeries([("outcome", "committed")], value: Double(counts.committedCommands)),
          MetricSeries([("outcome", "replayed")], value: Double(counts.replayedCommands)),
          MetricSeries([("outcome", "refused")], value: Double(counts.refusedCommands)),
        ]
      },
      MetricFamily(
        "quiver_store_commit_seconds", "Time of a commit of one batch of commands with its fsync.",
        histogram: times.commits),
      MetricFamily(
        "quiver_store_batch_commands", "Commands in a batch that was committed.",
        histogram: times.batchSizes),
      MetricFamily(
        "quiver_store_checkpoint_seconds",
        "Time of a checkpoint, which copies the write-ahead log into the database.",
        histogram: times.checkpoints),
      MetricFamily(
        "quiver_store_read_seconds",
        "Time of a read on a thread for reads. Reads from memory are not counted.",
        histogram: times.reads),
      MetricFamily("quiver_store_queued_commands", .gauge, "Commands that wait for the writer.") {
        Double(store.queuedCommandCount)
      },
      MetricFamily("quiver_store_waiting_reads", .gauge, "Reads that wait for a thread.") {
        Double(store.reads.waitingCount)
      },
      MetricFamily(
        "quiver_store_wal_bytes", .gauge,
        "Bytes of the write-ahead log that are not in the database yet."
      ) { Double(store.statistics.walByteCount) },
      MetricFamily(
        "quiver_store_limits_reached_total", .counter,
        "How often a limit of the store was reached, by its name."
      ) {
        StoreLimit.allCases.map {
          MetricSeries([("limit", $0.name)], value: Double($0.reachedCount))
        }
      },
      MetricFamily(
        "quiver_store_expired_rows_total", .counter, "Old rows that were removed."
      ) { Double(store.statistics.expiredRows) },
      MetricFamily(
        "quiver_store_writable", .gauge,
        "1 while the store can write, 0 while the disk is full or the database cannot be reached."
      ) { assembly.state.status.storeReason == nil ? 1 : 0 },
      MetricFamily(
        "quiver_server_serving", .gauge, "1 while the server takes calls and can store them."
      ) {
        let status = assembly.state.status
        return status.isServing && status.storeReason == nil ? 1 : 0
      },
    ]
  }

  private var logFamilies: [MetricFamily] {
    let log = log
    return [
      MetricFamily(
        "quiver_log_lines_dropped_total", .counter,
        "Lines of the log that were dropped, because nobody read those before them."
      ) { Double(log.droppedLineCount) }
    ]
  }

  private var traceFamilies: [MetricFamily] {
    let traces = traces
    return [
      MetricFamily(
        "quiver_trace_spans_total", .counter,
        "Spans of traced calls, by outcome: sent, or dropped because the collector is slow or"
          + " refused them; missing without --traces."
      ) {
        guard let counts = traces?.counts else { return [] }
        return [
          MetricSeries([("outcome", "sent")], value: Double(counts.sent)),
          MetricSeries([("outcome", "dropped")], value: Double(counts.dropped)),
        ]
      }
    ]
  }

  private var certificateFamilies: [MetricFamily] {
    let security = security
    return [
      MetricFamily(
        "quiver_certificate_expiry_seconds", .gauge,
        "Seconds until the certificate expires, negative behind that; missing without TLS."
      ) { security.map { [MetricSeries(value: Double($0.certificateSecondsLeft))] } ?? [] }
    ]
  }
}
