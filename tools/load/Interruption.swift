import Dispatch
import Glibc
import QuiverPlatform
import Synchronization

/// SIGINT: the first ends the load, so that what was measured until then is reported; the second
/// ends the process at once.
final class Interruption: Sendable {
  private let isSet = Atomic(false)
  private let handler = Mutex<SignalHandler?>(nil)

  /// From here on SIGINT does not end the process by itself.
  func listen() {
    let handler = SignalHandler(SIGINT, on: DispatchQueue(label: "quiver-load.interruption")) {
      [self] in
      guard interrupt() else { return Self.end(by: SIGINT) }
      Output.complain(
        "quiver-load: interrupted; open calls are waited for, and a second SIGINT ends at once\n")
    }
    self.handler.withLock { $0 = handler }
  }

  /// Whether the run is to end early.
  var isOn: Bool { isSet.load(ordering: .acquiring) }

  /// Returns whether this is the first interruption.
  @discardableResult
  func interrupt() -> Bool { !isSet.exchange(true, ordering: .acquiringAndReleasing) }

  /// Ends the process as the signal would have without a handler.
  static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    _exit(128 + number)
  }
}
