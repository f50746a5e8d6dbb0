import Dispatch
import Glibc
import QuiverCommandLine
import QuiverPlatform
import Synchronization

/// The whole screen of the terminal, with keys read one by one; the terminal is restored when it
/// ends, also by SIGTERM and SIGHUP.
///
/// One at a time, of one task.
final class RawTerminal {
  private let state: RestoredTerminal
  private let signals: [SignalHandler]

  /// Nil where standard input or output is no terminal.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      let state = RestoredTerminal()
    else { return nil }
    self.state = state
    // Before the terminal changes: a signal that ends the process earlier leaves it as it was.
    signals = [SIGTERM, SIGHUP].map { number in
      SignalHandler(number, on: .global()) {
        state.restore()
        _exit(128 + number)
      }
    }
    guard state.change() else { return nil }
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
  private let before: termios
  private let isChanged = Mutex(false)

  init?() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
  }

  /// Shows another screen, reads keys without an echo, and hides the cursor; false: the terminal
  /// does not take the settings.
  func change() -> Bool {
    isChanged.withLock { isChanged in
      var settings = before
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return false }
      Self.write("\u{1B}[?1049h\u{1B}[?25l")
      isChanged = true
      return true
    }
  }

  /// Restores the terminal if it is changed.
  func restore() {
    isChanged.withLock { isChanged in
      guard isChanged else { return }
      isChanged = false
      var settings = before
      Self.write("\u{1B}[?25h\u{1B}[?1049l")
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
  }

  private static func write(_ text: String) {
    // A terminal that is gone needs no other screen.
    try? StandardOutput.write(text)
  }
}
