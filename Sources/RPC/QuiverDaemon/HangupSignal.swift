import Dispatch
import Glibc

/// Calls a handler on SIGHUP, which does not end the process from here on, until it is released.
package final class HangupSignal: Sendable {
  // Unsafe because Dispatch does not say that its sources are Sendable: kept, never touched again.
  nonisolated(unsafe) private let source: any DispatchSourceSignal

  package init(_ handler: @escaping @Sendable () -> Void) {
    signal(SIGHUP, SIG_IGN)
    source = DispatchSource.makeSignalSource(
      signal: SIGHUP, queue: DispatchQueue(label: "quiver.hangup"))
    source.setEventHandler { () -> Void in handler() }
    source.activate()
  }

  deinit { source.cancel() }
}
