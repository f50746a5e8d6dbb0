import Glibc
import Synchronization

/// How the command of this process prints its results.
struct OutputStyle: Sendable {
  /// Whether tables are comma-separated values.
  var isCSV = false
  /// Whether lines of comma-separated values end with CR LF.
  var hasCRLF = false
  /// Whether confirmations, notices and progress are left out.
  var isQuiet = false
  /// Whether calls are described on standard error.
  var isVerbose = false

  init() {}

  init(_ arguments: Arguments) {
    isCSV = arguments.value(of: .output) == "csv"
    hasCRLF = arguments.has(.crlf)
    isQuiet = arguments.has(.quiet)
    isVerbose = arguments.has(.verbose)
  }

  private static let shared = Mutex(OutputStyle())

  /// The style of the running command.
  static var current: OutputStyle { shared.withLock { $0 } }

  static func set(_ style: OutputStyle) { shared.withLock { $0 = style } }

  /// Whether a file descriptor is a terminal that shows colour: not with NO_COLOR, nor a dumb one.
  static func hasColour(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && Access.environment("NO_COLOR") == nil
      && Access.environment("TERM") != "dumb"
  }
}
