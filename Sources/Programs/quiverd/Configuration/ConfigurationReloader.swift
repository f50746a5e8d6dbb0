import Dispatch
import Glibc
import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverObservability
import QuiverPlatform
import QuiverStore
import QuiverWire
import Synchronization

/// Reads the configuration and the certificate again on SIGHUP.
///
/// Settings that a running server can change take effect; others are logged and stay. A
/// configuration that is not valid changes nothing.
final class ConfigurationReloader: Sendable {
  /// Reads the configuration as it is now.
  typealias Read = @Sendable () throws(UsageError) -> Configuration

  private let server: Server
  private let certificates: CertificateMonitor?
  private let backups: BackupScheduler?
  private let log: Log
  private let notifier: ServiceNotifier
  private let read: Read
  /// The configuration at the start, with the changes that have taken effect.
  private let current: Mutex<Configuration>
  /// Set once, before the initializer returns.
  private let hangup = Mutex<SignalHandler?>(nil)

  /// From here on SIGHUP does not end the process.
  init(
    _ configuration: Configuration, _ server: Server, _ certificates: CertificateMonitor?,
    _ backups: BackupScheduler?, _ log: Log, _ notifier: ServiceNotifier, read: @escaping Read
  ) {
    self.server = server
    self.certificates = certificates
    self.backups = backups
    self.log = log
    self.notifier = notifier
    self.read = read
    current = Mutex(configuration)
    let handler = SignalHandler(SIGHUP, on: DispatchQueue(label: "quiverd.configuration")) {
      [weak self] in self?.reload()
    }
    hangup.withLock { $0 = handler }
  }

  private func reload() {
    notifier.reloading()
    defer { notifier.ready() }
    do throws(UsageError) {
      apply(try read())
    } catch {
      log.write(.configurationRejected, ["reason": error.description])
    }
    certificates?.reload()
  }

  private func apply(_ new: Configuration) {
    let old = current.withLock { $0 }
    let changed = Flag.all.filter { $0.show(old) != $0.show(new) }
    let fixed = changed.filter { !$0.isReloadable }
    let effective = old.taking(reloadable: new)
    if let fault = effective.limits.validate() {
      let reason = "with the limits that need a restart, --\(fault)"
      return log.write(.configurationRejected, ["reason": reason])
    }
    current.withLock { $0 = effective }
    log.level = effective.logLevel
    backups?.adjust(effective.backups)
    server.adjust(limits: effective.limits, trustedProxies: effective.trustedProxies)
    log.write(
      .configurationReloaded,
      ["changed": changed.filter(\.isReloadable).map(\.settingName).joined(separator: " ")])
    guard !fixed.isEmpty else { return }
    log.write(
      .configurationNeedsRestart,
      ["settings": fixed.map(\.settingName).joined(separator: " ")])
  }
}
