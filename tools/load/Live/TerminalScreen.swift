import Dispatch
import Glibc
import QuiverPlatform
import Synchronization

/// The alternate screen of the terminal behind standard error.
///
/// It is left again when it is closed, when SIGINT ends the load (``Interruption``), and when
/// SIGTERM ends the process.
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
    let handlers = [
      SignalHandler(SIGINT, on: .global()) { [self] in close() },
      SignalHandler(SIGTERM, on: .global()) { [self] in
        close()
        Interruption.end(by: SIGTERM)
      },
    ]
    signals.withLock { $0 = handlers }
    isOpen.withLock { isOpen in
      Output.complain(Self.enter)
      isOpen = true
    }
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
