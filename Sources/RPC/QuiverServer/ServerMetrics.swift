import QuiverDispatch
import QuiverMetrics
import QuiverRPC
import QuiverWire

/// The metrics of a server, under the names that `quiverd` has for them.
struct ServerMetrics {
  let server: Server

  var text: String { Exposition.text(families) }

  private var families: [MetricFamily] { callFamilies + connectionFamilies }

  private var callFamilies: [MetricFamily] {
    let server = server
    return [
      MetricFamily(
        "quiver_server_handled_total", .counter, "Calls that have ended, by method and code."
      ) { Self.handled(server.callMetrics) },
      MetricFamily(
        "quiver_server_handling_seconds", .histogram, "Time from the start of a call to its end."
      ) { Self.times(server.callMetrics) },
      MetricFamily("quiver_server_open_calls", .gauge, "Calls that have not ended.") {
        Double(server.callMetrics.reduce(0) { $0 + $1.openCallCount })
      },
      MetricFamily(
        "quiver_server_limits_reached_total", .counter,
        "How often a limit of a connection or call was reached, by its name."
      ) {
        ReachedLimit.allCases.map { limit in
          let count = server.callMetrics.reduce(UInt64(0)) { $0 &+ $1.count(of: limit) }
          return MetricSeries([("limit", limit.name)], value: Double(count))
        }
      },
    ]
  }

  private var connectionFamilies: [MetricFamily] {
    let server = server
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
    ]
  }

  private static func labels(_ method: CalledMethod) -> MetricSeries.Labels {
    let parts = method.name.split(separator: "/", maxSplits: 1).map(String.init)
    return [("service", parts.first ?? ""), ("method", parts.count > 1 ? parts[1] : "")]
  }

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
      return MetricSeries(labels(first.methods[place]), histogram: times, CallMetrics.bounds)
    }
  }
}
