import Glibc

/// The progress of a long operation: a bar if standard error is a terminal, otherwise a line for
/// each tenth.
struct ProgressBar {
  private let isTerminal: Bool
  private var toldTenths = 0
  private var isDrawn = false

  private static let cellCount = 30

  init(isTerminal: Bool = isatty(STDERR_FILENO) == 1) { self.isTerminal = isTerminal }

  /// Shows a share from 0 to 1 and the text after it.
  mutating func show(_ share: Double, _ text: String) {
    guard !OutputStyle.current.isQuiet else { return }
    let share = max(0, min(1, share))
    if isTerminal {
      isDrawn = true
      Terminal.printErrorText("\r" + Self.line(share, text) + "\u{1B}[K")
    } else if Int(share * 10) > toldTenths {
      toldTenths = Int(share * 10)
      Terminal.printError("\(toldTenths * 10) % \(text)")
    }
  }

  /// Ends the bar's line.
  mutating func end() {
    if isDrawn { Terminal.printError("") }
    isDrawn = false
  }

  /// The bar as one line.
  static func line(_ share: Double, _ text: String) -> String {
    let count = Int(share * Double(cellCount))
    let bar =
      String(repeating: "#", count: count) + String(repeating: "-", count: cellCount - count)
    return "[\(bar)] \(Int(share * 100)) % \(text)"
  }
}
