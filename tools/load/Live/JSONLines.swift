import Glibc
import Synchronization

/// A line of JSON for each second, in a file or on standard output.
final class JSONLines: Sendable {
  private let descriptor: Int32
  private let isOwn: Bool
  private let hasFailed = Mutex(false)

  /// `-` is standard output.
  init(file: String) throws(Failure) {
    isOwn = file != "-"
    descriptor = isOwn ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) : STDOUT_FILENO
    guard descriptor >= 0 else {
      throw Failure(.usage, "cannot write \(file): \(String(cString: strerror(errno)))")
    }
  }

  /// Writes the line at once, so that a reader of the file follows the run.
  func write(_ interval: Interval) {
    let line = Array((JSONReport.interval(interval) + "\n").utf8)
    hasFailed.withLock { hasFailed in
      guard !hasFailed, Glibc.write(descriptor, line, line.count) != line.count else { return }
      hasFailed = true
      Output.complain("quiver-load: the lines of seconds cannot be written any more\n")
    }
  }

  func close() {
    if isOwn { Glibc.close(descriptor) }
  }
}
