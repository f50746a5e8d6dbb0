import Dispatch
import Glibc
import QuiverPlatform
import Synchronization

/// The alternate screen of the terminal behind standard error.
///
/// It is left again when it is closed, and when SIGINT or SIGTERM ends the process.
final class TerminalScreen: Sendable {
  private let isOpen = Mutex(false)
  private let signals = Mutex<[SignalHandler]>([])

  private init() {}

  /// Nil where standard error is no terminal that can move its cursor.
  static var standardError: TerminalScreen? {
    let kind = getenv("TERM").map { String(cString: $0) } ?? ""
    return Output.isTerminal && !kind.isEmpty && kind != "dumb" ? TerminalScreen() : nil
  }

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  /// The size of the terminal now.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func open() {
    // Before the terminal changes: a signal that ends the process earlier leaves it as it was.
    let handlers = [SIGINT, SIGTERM].map { number in
      SignalHandler(number, on: .global()) { [self] in
        close()
        Self.end(by: number)
      }
    }
    signals.withLock { $0 = handlers }
    isOpen.withLock { isOpen in
      Output.complain(Self.enter)
      isOpen = true
    }
  }

  /// Ends the process as the signal would have without a handler.
  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    _exit(128 + number)
  }

  /// Draws the lines from the top, and clears the rest.
  func draw(_ lines: [String]) {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      Output.complain(
        "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }
  }

  func close() {
    isOpen.withLock { isOpen in
      if isOpen { Output.complain(Self.leave) }
      isOpen = false
    }
  }
}
