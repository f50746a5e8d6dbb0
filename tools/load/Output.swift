import Glibc
import QuiverCommandLine

/// Writes results to standard output, and everything else to standard error.
enum Output {
  /// Whether standard error is a terminal.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func print(_ text: String) throws(Failure) {
    do throws(OutputError) {
      try StandardOutput.print(text)
    } catch {
      throw Failure(error)
    }
  }

  static func complain(_ text: String) { StandardError.write(text) }

  /// Writes a file; throws an error that names it.
  static func write(_ text: String, toFile file: String) throws(Failure) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    let isWritten = descriptor >= 0 && write(text, to: descriptor)
    let code = errno
    guard isWritten, close(descriptor) == 0 else {
      throw Failure(.usage, "cannot write \(file): \(String(cString: strerror(code)))")
    }
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }
}
