import QuiverDaemon
import QuiverDispatch
import QuiverMetrics
import QuiverObservability
import QuiverService

/// `/metrics`, `/livez` and `/readyz`.
enum MetricsEndpoint {
  /// Listens at the configured address; nil: there is none.
  static func start(
    _ configuration: Configuration, _ metrics: ServerMetrics, _ pulse: ReactorPulse, _ log: Log
  ) throws(Failure) -> ProbeListener? {
    guard let endpoint = configuration.metrics, case .tcp(let host, let port) = endpoint.kind else {
      return nil
    }
    do throws(ProbeListenerError) {
      let state = metrics.assembly.state
      let families = metrics.families
      let listener = try ProbeListener(host: host, port: port) { path in
        switch path {
        case "/metrics":
          ProbeReply(.ok, Exposition.text(families), contentType: Exposition.contentType)
        case "/livez": live(pulse)
        case "/readyz": ready(state.status, metrics.web?.fault)
        default: ProbeReply(.notFound, "there is /metrics, /livez and /readyz\n")
        }
      }
      for address in listener.addresses { log.write(.metricsListening, ["address": address]) }
      return listener
    } catch {
      throw Failure(.inUse, "--metrics: \(error)")
    }
  }

  private static func live(_ pulse: ReactorPulse) -> ProbeReply {
    guard let seconds = pulse.blockedSeconds else { return ProbeReply(.ok, "ok\n") }
    return ProbeReply(.unavailable, "an event loop has not answered for \(seconds) s\n")
  }

  private static func ready(_ status: ServingState.Status, _ web: String?) -> ProbeReply {
    guard let reason = status.endReason ?? status.storeReason ?? web else {
      return ProbeReply(.ok, "ok\n")
    }
    return ProbeReply(.unavailable, reason + "\n")
  }
}
