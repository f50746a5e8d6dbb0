import QuiverDaemon
import QuiverDispatch
import QuiverGateway
import QuiverMetrics
import QuiverObservability
import QuiverRPC
import QuiverTLS
import Synchronization

/// Counts connections that could not be encrypted, by reason. From any thread.
final class SecurityRefusals: Sendable {
  private let counts = Mutex<[String: UInt64]>([:])

  func record(_ error: SecureChannelError) {
    counts.withLock { $0[error.code.name, default: 0] += 1 }
  }

  var series: [MetricSeries] {
    counts.withLock { $0 }.sorted { $0.key < $1.key }
      .map { MetricSeries([("reason", $0.key)], value: Double($0.value)) }
  }
}

/// What quiver-gateway exposes to Prometheus. `docs/gateway.md` has a table of all metrics.
struct ProgramMetrics: Sendable {
  let gateway: GatewayMetrics
  let server: EndServer
  let security: TLSServer?
  let refusals: SecurityRefusals
  let state: GatewayState
  let log: Log

  var families: [MetricFamily] {
    [
      MetricFamily("quiver_build_info", .gauge, "1, with the version of the gateway.") {
        [MetricSeries([("version", GatewayProgram.version)], value: 1)]
      }
    ] + gateway.families + connections + others + ProcessMetrics.families
  }

  private var connections: [MetricFamily] {
    let (server, refusals) = (server, refusals)
    return [
      MetricFamily("quiver_gateway_connections", .gauge, "Connections that are open.") {
        Double(server.connectionCount)
      },
      MetricFamily(
        "quiver_gateway_connections_accepted_total", .counter,
        "Connections that were accepted, refused ones included."
      ) { Double(server.acceptedConnectionCount) },
      MetricFamily(
        "quiver_gateway_connections_dropped_total", .counter,
        "Connections that were closed without an answer, because no descriptor was left."
      ) { Double(server.droppedConnectionCount) },
      MetricFamily(
        "quiver_gateway_tls_failures_total", .counter,
        "Connections that could not be encrypted, by reason."
      ) { refusals.series },
    ]
  }

  private var others: [MetricFamily] {
    let (state, log, security) = (state, log, security)
    return [
      MetricFamily(
        "quiver_gateway_server_available", .gauge, "1 while the server takes calls, else 0."
      ) { state.isServerAvailable ? 1 : 0 },
      MetricFamily(
        "quiver_log_lines_dropped_total", .counter,
        "Lines of the log that were dropped, because nobody read those before them."
      ) { Double(log.droppedLineCount) },
      MetricFamily(
        "quiver_certificate_expiry_seconds", .gauge,
        "Seconds until the certificate expires, negative behind that; missing without TLS."
      ) { security.map { [MetricSeries(value: Double($0.certificateSecondsLeft))] } ?? [] },
    ]
  }
}
