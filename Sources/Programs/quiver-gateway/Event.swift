import QuiverDaemon
import QuiverGateway
import QuiverObservability
import QuiverRPC
import QuiverWire

/// The events of the log. A test compares them with the table in `docs/gateway.md`.
enum Event: String, CaseIterable, Sendable {
  // The process.
  case starting, listening, serving, draining, stopped, failed
  case endedAtOnce = "ended-at-once"
  case metricsListening = "metrics-listening"
  case environmentIgnored = "environment-ignored"
  case configurationReloaded = "configuration-reloaded"
  case configurationRejected = "configuration-rejected"
  case configurationNeedsRestart = "configuration-needs-restart"
  case logLinesDropped = "log-lines-dropped"

  // The server behind the gateway.
  case serverUnavailable = "server-unavailable"
  case serverAvailable = "server-available"

  // Connections.
  case acceptPaused = "accept-paused"
  case acceptResumed = "accept-resumed"
  case tlsRefused = "tls-refused"
  case certificateReloaded = "certificate-reloaded"
  case certificateRejected = "certificate-rejected"
  case certificateExpires = "certificate-expires"
  case certificateExpired = "certificate-expired"

  // Calls.
  case call
  case callFailed = "call-failed"
  case authenticationFailed = "authentication-failed"
  case limitReached = "limit-reached"
  case requestsKept = "requests-kept"

  var level: LogLevel {
    switch self {
    case .failed, .configurationRejected, .serverUnavailable, .certificateRejected,
      .certificateExpired, .callFailed, .requestsKept:
      .error
    case .environmentIgnored, .configurationNeedsRestart, .endedAtOnce, .logLinesDropped,
      .acceptPaused, .certificateExpires, .authenticationFailed, .limitReached:
      .warning
    default: .info
    }
  }

  var logged: LogEvent { LogEvent(rawValue, level) }
}

extension Log {
  func write(_ event: Event, _ fields: Fields = [:]) { write(event.logged, fields) }
}

/// Logs what happens to callers: limits, failures, and sampled calls.
///
/// Events that may come in storms are logged once and then counted each minute. May be used from
/// any thread; none waits.
final class GatewayLog: Sendable {
  private let log: Log
  private let repeated: RepeatedEventLog

  init(_ log: Log) {
    self.log = log
    repeated = RepeatedEventLog(log)
  }

  /// Logs the counts of a minute that is over. Call it once a second or so.
  func writeCounts() { repeated.writeCounts() }

  func record(_ occurrence: GatewayOccurrence) {
    switch occurrence {
    case .limitReached(let limit, let address):
      repeated.note(Event.limitReached.logged, ["limit": limit.name, "address": address])
    case .callEnded(let call): record(call)
    }
  }

  func record(_ error: SecureChannelError, address: String) {
    repeated.note(
      Event.tlsRefused.logged, ["kind": error.code.name],
      details: ["reason": error.description, "address": address])
  }

  private func record(_ call: EndedGatewayCall) {
    // The server has authenticated or refused the caller; it logs why.
    if call.code == .unauthenticated {
      repeated.note(Event.authenticationFailed.logged, ["address": call.address])
    } else if [.internal, .unknown, .dataLoss].contains(call.code) {
      repeated.note(
        Event.callFailed.logged, ["method": call.method, "code": call.code.name],
        details: [
          "milliseconds": "\(call.nanoseconds / 1_000_000)", "address": call.address,
          "trace": Self.trace(call.traceparent),
        ])
    }
    guard call.isSampled else { return }
    log.write(
      Event.call,
      [
        // A caller chooses the name of a method that the server does not have.
        "method": call.code == .unimplemented ? "unknown" : call.method,
        "protocol": call.callProtocol.name, "code": call.code.name,
        "microseconds": "\(call.nanoseconds / 1_000)", "address": call.address,
      ])
  }

  /// The trace id of a field of W3C's form; empty: it has none.
  private static func trace(_ field: String) -> String {
    let parts = field.split(separator: "-")
    let isID =
      parts.count >= 4 && parts[1].count == 32 && parts[1].allSatisfy(\.isHexDigit)
    return isID ? String(parts[1]) : ""
  }
}
