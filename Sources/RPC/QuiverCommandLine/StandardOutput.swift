import Glibc

/// Standard output, every write to which is complete or an error. Any thread may write.
package enum StandardOutput {
  /// Whether it is a terminal.
  package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes a text, and ends its line if the text does not.
  package static func print(_ text: String) throws(OutputError) {
    try write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Writes a text as it is.
  package static func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

  /// Writes bytes as they are.
  package static func write(_ bytes: [UInt8]) throws(OutputError) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw OutputError(errorNumber: count < 0 ? errno : EIO) }
      start += count
    }
  }

  /// Writes a text, and ends its line if the text does not; ends the process if that fails.
  ///
  /// For programs that have nothing to undo and nothing to add to the error.
  package static func printOrExit(_ text: String) {
    do throws(OutputError) {
      try print(text)
    } catch {
      error.exit()
    }
  }
}

/// Standard output could not be written.
package struct OutputError: Error, Equatable, CustomStringConvertible {
  /// The `errno` of the write.
  let errorNumber: Int32

  /// The exit code of a program whose output cannot be written, `EX_IOERR` of `sysexits.h`.
  package static let exitCode: Int32 = 74
  /// The same where the reader has closed the pipe: what a shell reports of SIGPIPE.
  package static let closedPipeExitCode: Int32 = 128 + SIGPIPE

  /// Whether the reader has closed the pipe, which is no fault: `quiver methods | head`.
  package var isClosedPipe: Bool { errorNumber == EPIPE }

  package var description: String {
    "cannot write standard output: \(String(cString: strerror(errorNumber)))"
  }

  /// Ends the process, with a line on standard error unless the reader has closed the pipe.
  package func exit() -> Never {
    guard !isClosedPipe else { _exit(Self.closedPipeExitCode) }
    let name = CommandLine.arguments.first?.split(separator: "/").last ?? ""
    StandardError.write("\(name): \(self)\n")
    _exit(Self.exitCode)
  }
}

/// Standard error, whose failures nobody can be told of.
package enum StandardError {
  /// Writes a text as it is.
  package static func write(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      start += count
    }
  }
}

/// The descriptors 0, 1 and 2.
package enum StandardStreams {
  /// What each program does first.
  ///
  /// A reader that goes away ends the write and not the process with a signal. A stream that is
  /// closed stays unusable: otherwise the next file or connection would have its descriptor, and
  /// would receive the output of the program.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    let closed = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    for (descriptor, mode) in closed where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is this one.
      let opened = open("/dev/null", mode)
      if opened >= 0, opened != descriptor { close(opened) }
    }
  }
}
