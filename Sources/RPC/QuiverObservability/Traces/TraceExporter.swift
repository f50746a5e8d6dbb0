import Glibc
import QuiverProtobuf

/// Sends finished spans to an OTLP receiver in batches, on a thread of its own.
///
/// Any thread may record a span; it never waits for the network. While the receiver fails, a batch
/// is sent again with growing pauses; spans beyond ``queuedSpans`` are dropped and counted.
package final class TraceExporter: Sendable {
  /// Spans that wait at most; about 500 bytes each.
  package static let queuedSpans = 2_048
  /// Spans of one request.
  package static let spansPerRequest = 512
  /// How long a batch waits to be filled.
  package static let batchMilliseconds = 1_000
  /// How long a request may take.
  package static let requestMilliseconds = 10_000
  /// After how many attempts a batch is dropped.
  package static let attemptsPerBatch = 6
  /// The pause after the first failure; it doubles with each further one, up to the longest.
  package static let firstPauseMilliseconds = 1_000
  package static let longestPauseMilliseconds = 60_000
  /// How long a stop waits for spans that were not sent.
  package static let stopMilliseconds = 1_000

  /// What happened to the receiver; called on the exporter's thread.
  package enum Event: Sendable {
    case failed(reason: String)
    case recovered
  }

  private let queue = SpanQueue(capacity: queuedSpans)
  private let post: HTTPPost
  private let resource: OTLP.Resource
  private let scope: OTLP.InstrumentationScope
  private let onEvent: @Sendable (Event) -> Void
  /// What CLOCK_REALTIME is ahead of CLOCK_MONOTONIC at the start.
  private let wallOffset: UInt64

  /// Starts the thread. Nil if the system has none.
  package init?(
    _ endpoint: TraceEndpoint, service: String, version: String,
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    post = HTTPPost(endpoint: endpoint, timeoutMilliseconds: Self.requestMilliseconds)
    resource = OTLP.Resource(attributes: [
      Self.attribute("service.name", .text(service)),
      Self.attribute("service.version", .text(version)),
    ])
    scope = OTLP.InstrumentationScope(name: "quiver", version: version)
    self.onEvent = onEvent
    wallOffset = Self.time(CLOCK_REALTIME) &- Self.time(CLOCK_MONOTONIC)
    let sending: @Sendable () -> Void = { [weak self] in self?.run() }
    guard DetachedThread.start(sending) else { return nil }
  }

  /// Spans that were sent, and those that were dropped.
  package var counts: (sent: UInt64, dropped: UInt64) { queue.counts }

  /// Queues a span.
  package func record(_ span: FinishedSpan) { queue.append(span) }

  /// Sends what waits, for ``stopMilliseconds`` at most, and takes no more spans.
  package func stop() { queue.stop(milliseconds: Self.stopMilliseconds) }

  /// Nanoseconds of CLOCK_MONOTONIC.
  package static var nowNanoseconds: UInt64 { time(CLOCK_MONOTONIC) }

  private func run() {
    let coder = MessageCoder()
    var isFailing = false
    while let batch = queue.next(Self.spansPerRequest, milliseconds: Self.batchMilliseconds) {
      let body = coder.encode(request(batch))
      var attempt = 0
      var outcome = attempted(body)
      while case .again(let reason) = outcome {
        if !isFailing { onEvent(.failed(reason: reason)) }
        isFailing = true
        attempt += 1
        guard attempt < Self.attemptsPerBatch,
          !queue.pause(milliseconds: Self.pause(after: attempt))
        else { break }
        outcome = attempted(body)
      }
      switch outcome {
      case .taken(let rejected):
        // The content of the response is not trusted.
        let dropped = min(max(0, rejected), batch.count)
        queue.noteSent(batch.count - dropped)
        queue.noteDropped(dropped)
        if isFailing { onEvent(.recovered) }
        isFailing = false
      case .refused(let reason):
        queue.noteDropped(batch.count)
        if !isFailing { onEvent(.failed(reason: reason)) }
        isFailing = true
      case .again: queue.noteDropped(batch.count)
      }
    }
    queue.noteEnd()
  }

  private enum Outcome {
    case taken(rejected: Int)
    /// The receiver will refuse the batch always.
    case refused(String)
    case again(String)
  }

  private func attempted(_ body: [UInt8]) -> Outcome {
    do throws(HTTPFailure) {
      let response = try post.send(body, contentType: "application/x-protobuf")
      switch response.status {
      case 200..<300:
        let answer = try? OTLP.ExportTraceServiceResponse(serializedBytes: response.body)
        return .taken(rejected: Int(clamping: answer?.partialSuccess?.rejectedSpans ?? 0))
      case 429, 502, 503, 504: return .again("the collector answered \(response.status)")
      default: return .refused("the collector answered \(response.status)")
      }
    } catch {
      return .again(error.description)
    }
  }

  /// With a random part, so that servers that lost one collector do not return together.
  static func pause(after attempt: Int) -> Int {
    let pause = min(
      longestPauseMilliseconds, firstPauseMilliseconds << min(max(0, attempt - 1), 16))
    return pause / 2 + Int.random(in: 0...pause / 2)
  }

  private func request(_ batch: [FinishedSpan]) -> OTLP.ExportTraceServiceRequest {
    let spans = OTLP.ScopeSpans(scope: scope, spans: batch.map(span))
    return OTLP.ExportTraceServiceRequest(resourceSpans: [
      OTLP.ResourceSpans(resource: resource, scopeSpans: [spans])
    ])
  }

  private func span(_ finished: FinishedSpan) -> OTLP.Span {
    var span = OTLP.Span()
    span.traceID = finished.traceID
    span.spanID = finished.spanID
    span.parentSpanID = finished.parentID
    span.name = finished.name
    span.kind = finished.kind == .server ? .server : .internal
    span.startTimeUnixNano = finished.startNanoseconds &+ wallOffset
    span.endTimeUnixNano = max(finished.startNanoseconds, finished.endNanoseconds) &+ wallOffset
    span.attributes = finished.attributes.map { Self.attribute($0.key, $0.value) }
    if let failure = finished.failure {
      span.status = OTLP.SpanStatus(message: failure, code: .error)
    }
    return span
  }

  private static func attribute(_ key: String, _ value: FinishedSpan.Value) -> OTLP.KeyValue {
    var any = OTLP.AnyValue()
    switch value {
    case .text(let text): any.stringValue = text
    case .number(let number): any.intValue = number
    }
    return OTLP.KeyValue(key: key, value: any)
  }

  private static func time(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
