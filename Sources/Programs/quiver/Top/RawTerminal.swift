import Dispatch
import Glibc
import Synchronization

/// The whole screen of the terminal, with keys read one by one; the terminal is restored when it
/// ends, also by SIGTERM and SIGHUP.
///
/// One at a time, of one task.
final class RawTerminal {
  private let state: RestoredTerminal
  // Unsafe because Dispatch does not say that its sources are Sendable: kept, never touched again.
  nonisolated(unsafe) private let signals: [any DispatchSourceSignal]

  /// Nil where standard input or output is no terminal.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      let state = RestoredTerminal()
    else { return nil }
    self.state = state
    signals = [SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { () -> Void in
        state.restore()
        _exit(128 + number)
      }
      source.activate()
      return source
    }
  }

  deinit { end() }

  /// Restores the terminal; may be called twice.
  func end() { state.restore() }

  /// The keys that were typed since the last call, without waiting; `q` and Ctrl-C end a view.
  func keys() -> [UInt8] {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    // The end of the input ends the view, too.
    return count > 0 ? Array(bytes.prefix(count)) : [UInt8(ascii: "q")]
  }

  /// The columns and rows of the terminal now.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Draws the lines over the whole screen.
  func draw(_ lines: [String]) throws(Failure) {
    let body = lines.map { Terminal.escaped($0) + "\u{1B}[K" }.joined(separator: "\r\n")
    try Terminal.write("\u{1B}[H" + body + "\u{1B}[J")
  }
}

/// The settings of the terminal before, which are restored once.
private final class RestoredTerminal: Sendable {
  private let before: Mutex<termios?>

  /// Shows another screen, reads keys without an echo, and hides the cursor.
  init?() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = Mutex(settings)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    Self.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  func restore() {
    guard var settings = before.withLock({ $0.take() }) else { return }
    Self.write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
  }
}
