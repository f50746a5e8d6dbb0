package import Dispatch

/// Calls a handler on a queue when a signal arrives, until it is released.
///
/// When the initializer has returned, no such signal is lost, and none ends the process. Until then
/// the signal has its former action. Dispatch takes a signal over some time after `activate()`, on
/// another thread; a program that ignores the signal meanwhile loses those that arrive before, so
/// the initializer waits instead. Signals that arrive together may be one call.
package final class SignalHandler: Sendable {
  // Unsafe because Dispatch does not declare its sources Sendable: kept, never touched again.
  nonisolated(unsafe) private let source: any DispatchSourceSignal

  /// Returns once the signal is handled. Call it from another queue than `queue`.
  package init(
    _ number: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) {
    source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { () -> Void in handler() }
    let isRegistered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { () -> Void in isRegistered.signal() }
    source.activate()
    isRegistered.wait()
  }

  deinit { source.cancel() }
}
