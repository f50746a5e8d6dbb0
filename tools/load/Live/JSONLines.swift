import Glibc
import QuiverCommandLine
import Synchronization

/// A line of JSON for each second, in a file or on standard output.
final class JSONLines: Sendable {
  /// Nil: standard output.
  private let file: (name: String, descriptor: Int32)?
  private let failed = Mutex<Failure?>(nil)

  /// `-` is standard output.
  init(file name: String) throws(Failure) {
    guard name != "-" else {
      file = nil
      return
    }
    let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure(name, errno) }
    file = (name, descriptor)
  }

  /// Why a line could not be written; nil: all were.
  var failure: Failure? { failed.withLock { $0 } }

  /// Writes the line at once, so that a reader follows the run; after a failure nothing is written.
  func write(_ interval: Interval) {
    let line = JSONReport.interval(interval)
    failed.withLock { failed in
      guard failed == nil else { return }
      do throws(Failure) {
        try put(line)
      } catch {
        failed = error
        Output.complain("quiver-load: \(error.sentence)\n")
      }
    }
  }

  private func put(_ line: String) throws(Failure) {
    guard let file else { return try Output.print(line) }
    let bytes = Array((line + "\n").utf8)
    guard Glibc.write(file.descriptor, bytes, bytes.count) == bytes.count else {
      throw Self.failure(file.name, errno)
    }
  }

  private static func failure(_ name: String, _ code: Int32) -> Failure {
    Failure(.usage, "cannot write \(name): \(String(cString: strerror(code)))")
  }

  func close() {
    if let file { Glibc.close(file.descriptor) }
  }
}
