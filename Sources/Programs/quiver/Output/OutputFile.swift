import Glibc
import QuiverCommandLine

/// A new file that a command writes, or standard output.
final class OutputFile {
  private let path: String
  /// Nil: standard output.
  private let descriptor: Int32?
  private var isKept = false

  private init(path: String, descriptor: Int32?) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Creates the file, readable by its owner only; `-` is standard output. An existing file is not
  /// changed.
  // No initialiser: one that throws late runs `deinit`, which would remove the existing file.
  static func make(path: String) throws(Failure) -> OutputFile {
    guard path != "-" else { return OutputFile(path: path, descriptor: nil) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, errno) }
    return OutputFile(path: path, descriptor: descriptor)
  }

  deinit {
    guard let descriptor else { return }
    close(descriptor)
    if !isKept { unlink(path) }
  }

  /// Writes one line.
  func write(line: String) throws(Failure) {
    try write(Array(((isOnTerminal ? Terminal.escaped(line) : line) + "\n").utf8))
  }

  /// Writes a text unchanged; on a terminal line by line without control characters.
  func write(text: [UInt8]) throws(Failure) {
    guard isOnTerminal else { return try write(text) }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      try write(line: String(decoding: line, as: UTF8.self))
    }
  }

  private var isOnTerminal: Bool { descriptor == nil && StandardOutput.isTerminal }

  private func write(_ bytes: [UInt8]) throws(Failure) {
    guard let descriptor else { return try Terminal.write(bytes) }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path, errno) }
      start += count
    }
  }

  /// Syncs the file; without this call it is removed with `self`.
  func keep() throws(Failure) {
    guard let descriptor else { return }
    guard fsync(descriptor) == 0 else { throw Self.failure(path, errno) }
    isKept = true
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    .input("cannot write \(path): \(String(cString: strerror(code)))")
  }
}
