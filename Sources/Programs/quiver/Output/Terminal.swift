import Glibc

/// Standard output for results, standard error for everything else.
enum Terminal {
  /// Writes a result and ends its line.
  static func print(_ text: String) {
    write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
  }

  /// Writes to standard output as it is.
  static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes one line to standard error.
  static func printError(_ line: String) {
    write(line + "\n", to: STDERR_FILENO)
  }

  /// Writes to standard error without ending the line.
  static func printErrorText(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Text of somebody else's on one line: nothing in it moves the cursor or starts a line.
  static func oneLine(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result += " "
      case .format: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// What a shell says of a process that a broken pipe has ended.
  private static let brokenPipeCode: Int32 = 128 + SIGPIPE

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      // Who reads no more wants no more: `quiver tournament watch 1 | head` ends.
      if count < 0, errno == EPIPE, descriptor == STDOUT_FILENO { _exit(brokenPipeCode) }
      guard count > 0 else { return }
      start += count
    }
  }
}
