import QuiverObservability

/// The events of the log. A test compares them with the table in `docs/operations.md`.
enum Event: String, CaseIterable, Sendable {
  // The process.
  case metricsListening = "metrics-listening"
  case environmentIgnored = "environment-ignored"
  case configurationReloaded = "configuration-reloaded"
  case configurationRejected = "configuration-rejected"
  case configurationNeedsRestart = "configuration-needs-restart"
  case starting, listening, serving, draining, stopped, failed
  case endedAtOnce = "ended-at-once"
  case administrator
  case logLinesDropped = "log-lines-dropped"
  case tracesFailing = "traces-failing"
  case tracesRecovered = "traces-recovered"

  // The gateway of --web.
  case webServing = "web-serving"
  case webEnded = "web-ended"

  // The store.
  case storeRecovered = "store-recovered"
  case storeChecked = "store-checked"
  case storeDamaged = "store-damaged"
  case storeFailed = "store-failed"
  case diskFull = "disk-full"
  case diskRecovered = "disk-recovered"
  case clockAhead = "clock-ahead"
  case clockDiffers = "clock-differs"
  case databaseOpened = "database-opened"
  case epochBegan = "epoch-began"
  case databaseFailed = "database-failed"
  case databaseRecovered = "database-recovered"
  case replicaFailed = "replica-failed"
  case replicaRead = "replica-read"
  case backupMade = "backup-made"
  case backupFailed = "backup-failed"
  case backupRemoved = "backup-removed"

  // Connections.
  case acceptPaused = "accept-paused"
  case acceptResumed = "accept-resumed"
  case connectionRefused = "connection-refused"
  case principalConnectionsFull = "principal-connections-full"
  case anonymousConnectionClosed = "anonymous-connection-closed"
  case memoryReclaimed = "memory-reclaimed"
  case connectionFailed = "connection-failed"
  case tlsRefused = "tls-refused"
  case authenticationFailed = "authentication-failed"

  // Permissions and certificates.
  case tokensRevoked = "tokens-revoked"
  case certificatesUnbound = "certificates-unbound"
  case principalsEnded = "principals-ended"
  case grantsChanged = "grants-changed"
  case certificateReloaded = "certificate-reloaded"
  case certificateRejected = "certificate-rejected"
  case certificateExpires = "certificate-expires"
  case certificateExpired = "certificate-expired"

  // Calls.
  case call
  case callFailed = "call-failed"
  case slowCall = "slow-call"
  case limitReached = "limit-reached"

  var level: LogLevel {
    switch self {
    case .failed, .configurationRejected, .storeDamaged, .storeFailed, .diskFull,
      .databaseFailed,
      .certificateRejected, .backupFailed,
      .certificateExpired, .callFailed, .webEnded:
      .error
    case .environmentIgnored, .tracesFailing, .configurationNeedsRestart, .endedAtOnce,
      .logLinesDropped,
      .clockAhead, .clockDiffers, .acceptPaused, .replicaFailed, .epochBegan,
      .connectionRefused, .principalConnectionsFull, .anonymousConnectionClosed,
      .memoryReclaimed, .authenticationFailed, .certificateExpires, .slowCall, .limitReached:
      .warning
    default: .info
    }
  }

  var logged: LogEvent { LogEvent(rawValue, level) }
}

extension Log {
  func write(_ event: Event, _ fields: Fields = [:]) { write(event.logged, fields) }
}
