import Dispatch
import Glibc
import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverGateway
import QuiverObservability
import QuiverPlatform
import Synchronization

/// Reads the options and the certificate again on SIGHUP.
///
/// Settings that a running gateway can change take effect; others are logged and stay. Options that
/// are not valid change nothing.
final class GatewayReloader: Sendable {
  /// Reads the options as they are now.
  typealias Read = @Sendable () throws(UsageError) -> GatewayOptions

  private let hangup: SignalHandler

  /// From here on SIGHUP does not end the process.
  ///
  /// - Parameter checkServer: asks the server again whether it takes calls.
  init(
    _ options: GatewayOptions, _ server: EndServer, _ certificates: CertificateMonitor?,
    _ log: Log, _ notifier: ServiceNotifier, read: @escaping Read,
    checkServer: @escaping @Sendable () -> Void
  ) {
    let current = Current(options)
    hangup = SignalHandler(SIGHUP, on: DispatchQueue(label: "quiver-gateway.hangup")) {
      notifier.reloading()
      defer { notifier.ready() }
      do throws(UsageError) {
        let (effective, changed) = current.take(try read())
        log.level = effective.logLevel
        server.adjust(
          maxConnections: effective.limits.maxConnections,
          maxConnectionsPerAddress: effective.limits.maxConnectionsPerAddress,
          trustedProxies: effective.trustedProxies)
        log.write(.configurationReloaded, ["changed": Self.names(changed.filter(\.isReloadable))])
        let fixed = changed.filter { !$0.isReloadable }
        if !fixed.isEmpty { log.write(.configurationNeedsRestart, ["settings": Self.names(fixed)]) }
      } catch {
        log.write(.configurationRejected, ["reason": error.description])
      }
      certificates?.reload()
      checkServer()
    }
  }

  private static func names(_ flags: [Flag]) -> String {
    flags.map(\.settingName).joined(separator: " ")
  }

  /// What the gateway was started with, and what has taken effect since.
  private final class Current: Sendable {
    private let options: Mutex<GatewayOptions>

    init(_ options: GatewayOptions) { self.options = Mutex(options) }

    /// Applies the settings that can change; returns the current settings, and the flags whose
    /// values differ.
    func take(_ new: GatewayOptions) -> (GatewayOptions, changed: [Flag]) {
      options.withLock { options in
        let old = options
        options = old.taking(reloadable: new)
        return (options, Flag.all.filter { $0.show(old) != $0.show(new) })
      }
    }
  }
}
