import QuiverObservability
import QuiverRPC
import QuiverWire

/// Traces the calls whose callers record a trace, and sends their spans to a collector.
///
/// Without `--traces` there is no interceptor, so that calls cost nothing more.
struct TracingInterceptor: ServerInterceptor {
  private let exporter: TraceExporter

  init(_ exporter: TraceExporter) { self.exporter = exporter }

  func start(
    _ method: CalledMethod, _ call: CallContext
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    guard let context = TraceContext(call.traceparent), context.isSampled else { return nil }
    let span = TracedCall(context, exporter)
    call.trace(by: span)
    let name = method.name
    return { outcome in span.end(name, outcome) }
  }

  /// Starts the exporter that the configuration asks for, and logs its failures.
  static func exporter(_ configuration: Configuration, _ log: Log) throws(Failure) -> TraceExporter?
  {
    guard let endpoint = configuration.traces else { return nil }
    let exporter = TraceExporter(
      endpoint, service: "quiverd", version: Quiverd.version
    ) { event in
      switch event {
      case .failed(let reason):
        log.write(.tracesFailing, ["collector": endpoint.description, "reason": reason])
      case .recovered: log.write(.tracesRecovered, ["collector": endpoint.description])
      }
    }
    guard let exporter else { throw Failure(.internalFault, "the system has no thread for traces") }
    return exporter
  }
}

/// The span of one call, with the spans of its work.
private final class TracedCall: CallSpan {
  private let context: TraceContext
  private let exporter: TraceExporter
  private let id = FinishedSpan.newID()
  private let start = TraceExporter.nowNanoseconds

  init(_ context: TraceContext, _ exporter: TraceExporter) {
    self.context = context
    self.exporter = exporter
  }

  func record(_ name: String, from start: UInt64, until end: UInt64) {
    exporter.record(
      FinishedSpan(
        of: context, id: FinishedSpan.newID(), parent: id, name, .inside, from: start, until: end))
  }

  func end(_ method: String, _ outcome: CallOutcome) {
    var span = FinishedSpan(
      of: context, id: id, parent: context.parentID, method, .server, from: start,
      until: TraceExporter.nowNanoseconds)
    let parts = method.split(separator: "/", maxSplits: 1).map(String.init)
    let code = outcome.error?.code ?? .ok
    span.attributes = [
      .init("rpc.system", .text("quiver")), .init("rpc.service", .text(parts.first ?? "")),
      .init("rpc.method", .text(parts.count > 1 ? parts[1] : "")),
      .init("rpc.grpc.status_code", .number(Int64(code.rawValue))),
    ]
    // The message of an error can have what its caller sent.
    if CallMetrics.isServerFault(code) { span.failure = code.name }
    exporter.record(span)
  }
}
