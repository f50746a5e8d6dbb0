package import QuiverMetrics
import QuiverWire

/// What a gateway exposes to Prometheus of its calls. `docs/gateway.md` has a table of all metrics.
package struct GatewayMetrics: Sendable {
  private let gateway: Gateway
  private let backend: Backend
  private let observer: GatewayObserver

  package init(_ gateway: Gateway, _ backend: Backend, _ observer: GatewayObserver) {
    self.gateway = gateway
    self.backend = backend
    self.observer = observer
  }

  package var families: [MetricFamily] { calls + held }

  private var calls: [MetricFamily] {
    let observer = observer
    return [
      MetricFamily(
        "quiver_gateway_handled_total", .counter,
        "Calls that have ended, by protocol and status code."
      ) { Self.handled(observer) },
      MetricFamily(
        "quiver_gateway_handling_seconds", .histogram,
        "Time from a call's arrival to its end, by protocol."
      ) {
        CallProtocol.allCases.map {
          let times = observer.times(of: $0)
          return MetricSeries([("protocol", $0.name)], histogram: times.snapshot, times.bounds)
        }
      },
      MetricFamily("quiver_gateway_pages_total", .counter, "Pages and files that were served.") {
        Double(observer.pageCount)
      },
      MetricFamily(
        "quiver_gateway_limits_reached_total", .counter,
        "How often a caller reached a limit, by its name."
      ) {
        GatewayLimit.allCases.map {
          MetricSeries([("limit", $0.name)], value: Double(observer.count(of: $0)))
        }
      },
    ]
  }

  /// OK of every protocol, so that rates begin with the first call, and other codes that occurred.
  private static func handled(_ observer: GatewayObserver) -> [MetricSeries] {
    CallProtocol.allCases.flatMap { callProtocol in
      StatusCode.known.compactMap { code -> MetricSeries? in
        let count = observer.count(of: callProtocol, code)
        guard count > 0 || code == .ok else { return nil }
        return MetricSeries(
          [("protocol", callProtocol.name), ("code", code.name)], value: Double(count))
      }
    }
  }

  private var held: [MetricFamily] {
    let (gateway, backend, observer) = (gateway, backend, observer)
    return [
      MetricFamily("quiver_gateway_open_requests", .gauge, "Requests that have not ended.") {
        Double(observer.openRequestCount)
      },
      MetricFamily("quiver_gateway_tasks", .gauge, "Tasks of requests that have not ended.") {
        Double(observer.taskCount)
      },
      MetricFamily(
        "quiver_gateway_held_bytes", .gauge, "Memory for requests and responses that is used."
      ) { Double(gateway.heldByteCount) },
      MetricFamily("quiver_gateway_held_bytes_limit", .gauge, "The limit of that memory.") {
        Double(gateway.limits.maxHeldBytes)
      },
      MetricFamily(
        "quiver_gateway_waiting_conversions", .gauge,
        "Requests whose large message waits to be converted."
      ) { Double(gateway.waitingConversionCount) },
      MetricFamily(
        "quiver_gateway_callers", .gauge, "Callers that have connections to the server."
      ) { Double(backend.callerCount) },
      MetricFamily(
        "quiver_gateway_server_connections", .gauge,
        "Connections to the server that are open or being made."
      ) { Double(backend.connectionCount) },
      MetricFamily(
        "quiver_gateway_anonymous_streams", .gauge, "Open streams of callers without a token."
      ) { Double(gateway.anonymousStreams.count) },
    ]
  }
}
