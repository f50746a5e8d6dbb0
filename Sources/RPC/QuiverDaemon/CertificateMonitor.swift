import Dispatch
import Glibc
package import QuiverObservability
import QuiverRPC
package import QuiverTLS
import Synchronization

/// The events of a ``CertificateMonitor``.
package enum CertificateEvent {
  package static let reloaded = LogEvent("certificate-reloaded", .info)
  package static let rejected = LogEvent("certificate-rejected", .error)
  package static let expires = LogEvent("certificate-expires", .warning)
  package static let expired = LogEvent("certificate-expired", .error)
}

/// Reads the certificate again when asked to and when its files change; warns before it expires.
///
/// Files that cannot be used are logged, and the certificate of before stays.
package final class CertificateMonitor: Sendable {
  private let server: TLSServer
  private let log: Log
  private let state = Mutex(State())
  // Unsafe because Dispatch does not declare its sources Sendable: kept, never touched again.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer

  private struct State {
    var secondsUntilWarning = 0
  }

  private static let pollSeconds = 2
  private static let warningDays = 14
  private static let secondsBetweenWarnings = 24 * 60 * 60
  private static let secondsPerDay = 24 * 60 * 60

  package init(_ server: TLSServer, _ log: Log) {
    self.server = server
    self.log = log
    let queue = DispatchQueue(label: "quiver.certificate")
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] () -> Void in self?.poll() }
    timer.schedule(deadline: .now(), repeating: .seconds(Self.pollSeconds))
    timer.activate()
  }

  deinit {
    timer.cancel()
  }

  /// Reads the files now.
  package func reload() {
    report { () throws(SecureChannelError) in
      try server.reload()
      return true
    }
  }

  private func poll() {
    report { () throws(SecureChannelError) in try server.reloadIfChanged() }
    warn()
  }

  private func report(_ load: () throws(SecureChannelError) -> Bool) {
    do throws(SecureChannelError) {
      guard try load() else { return }
      log.write(CertificateEvent.reloaded, ["expires": server.certificateExpiry])
      state.withLock { $0.secondsUntilWarning = 0 }
    } catch {
      log.write(CertificateEvent.rejected, ["reason": error.description, "kept": "the one before"])
    }
  }

  /// Warns once a day while the certificate is about to expire.
  private func warn() {
    let isDue = state.withLock { state in
      state.secondsUntilWarning -= Self.pollSeconds
      return state.secondsUntilWarning <= 0
    }
    let left = server.certificateSecondsLeft
    guard isDue, left < Self.warningDays * Self.secondsPerDay else { return }
    state.withLock { $0.secondsUntilWarning = Self.secondsBetweenWarnings }
    log.write(
      left > 0 ? CertificateEvent.expires : CertificateEvent.expired,
      ["expires": server.certificateExpiry, "days": "\(max(left, 0) / Self.secondsPerDay)"])
  }
}
