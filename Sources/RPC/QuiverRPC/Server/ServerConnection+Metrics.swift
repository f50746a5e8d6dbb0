import QuiverWire

extension ServerConnection {
  /// Notes when the current call, which takes the slot, came, and its trace context.
  mutating func noteStart(of slot: Int) {
    guard let metrics = core.metrics else { return }
    core.streams[slot].startedAt = metrics.opened()
    if let trace = call.head.extras?.traceparent, !trace.isEmpty { traces[call.stream] = trace }
  }

  /// Counts the outcome of a call in the stream table, once it is decided.
  mutating func countEnd(of slot: Int, _ code: StatusCode, _ message: String = "") {
    guard let metrics = core.metrics, core.streams[slot].startedAt != 0 else { return }
    let trace = traces.isEmpty ? nil : traces.removeValue(forKey: core.streams[slot].id)
    metrics.ended(
      Int(truncatingIfNeeded: core.streams[slot].tag), code, message: message,
      since: core.streams[slot].startedAt, traceparent: trace ?? [])
  }

  /// Counts a reply; nil: its call was answered at once and has no slot.
  @inline(__always)
  mutating func countReply(_ slot: Int?) {
    if let slot { countEnd(of: slot, .ok) } else { core.metrics?.answeredAtOnce() }
  }

  /// Counts a failure; nil: its call was answered at once and has no slot.
  mutating func countFailure(_ slot: Int?, _ error: RPCError) {
    if let slot { return countEnd(of: slot, error.code, error.message) }
    core.metrics?.failedAtOnce(
      call.route, error, traceparent: call.head.extras?.traceparent ?? [])
  }
}
