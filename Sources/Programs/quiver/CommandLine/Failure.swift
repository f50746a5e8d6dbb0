import QuiverCommandLine
import QuiverRPC
import QuiverWire

/// Why a command failed, as lines for standard error and an exit code.
struct Failure: Error {
  let lines: [String]
  let exitCode: Int32

  /// The exit code for arguments, a file or a JSON text that is not valid.
  static let usageCode: Int32 = 64

  private init(lines: [String], exitCode: Int32) {
    self.lines = lines
    self.exitCode = exitCode
  }

  /// Whether the server said that the caller may not see what was asked for.
  var isHidden: Bool {
    [StatusCode.notFound, .permissionDenied].contains { code in
      exitCode == Self.usageCode + Int32(code.rawValue)
    }
  }

  /// Whether the server could not be reached.
  var isDisconnection: Bool {
    [StatusCode.unavailable, .deadlineExceeded].contains { code in
      exitCode == Self.usageCode + Int32(code.rawValue)
    }
  }

  /// The arguments are not valid; `command` names the help to read.
  static func usage(_ sentence: String, help command: String? = nil) -> Self {
    let help = command.map { "quiver \($0) --help" } ?? "quiver --help"
    return Self(
      lines: ["quiver: \(Terminal.oneLine(sentence))", "Try \(help)."], exitCode: usageCode)
  }

  /// The input is not valid; the sentence states why.
  static func input(_ sentence: String) -> Self {
    Self(lines: ["quiver: \(Terminal.oneLine(sentence))"], exitCode: usageCode)
  }

  /// Standard output cannot be written; a reader that has closed the pipe knows that.
  static func output(_ error: OutputError) -> Self {
    error.isClosedPipe
      ? Self(lines: [], exitCode: OutputError.closedPipeExitCode)
      : Self(lines: ["quiver: \(error.description)"], exitCode: OutputError.exitCode)
  }

  /// The same failure with the place in a file first, as in `bibs.txt: line 3:`.
  func at(_ place: String) -> Self {
    let start = "quiver: "
    guard let first = lines.first, first.hasPrefix(start) else { return self }
    return Self(
      lines: ["\(start)\(Terminal.oneLine(place)) \(first.dropFirst(start.count))"]
        + lines.dropFirst(), exitCode: exitCode)
  }

  /// The same failure with one more line.
  func adding(_ line: String) -> Self {
    Self(lines: lines + ["quiver: \(Terminal.oneLine(line))"], exitCode: exitCode)
  }

  /// A call failed; its details follow as JSON, one line each. `mayHaveRun`: the call may have
  /// changed something nevertheless.
  static func call(
    _ error: RPCError, hint: String = "", types: Types? = nil, mayHaveRun: Bool = false
  ) -> Self {
    var text = "quiver: \(error.code.name): \(Terminal.oneLine(error.message))"
    if mayHaveRun {
      text += " (the call may have been processed)"
    }
    if let wait = error.retryAfterMilliseconds {
      text += wait < 0 ? " (do not try again)" : " (try again after \(wait) ms)"
    }
    return Self(
      lines: [text + hint] + error.details.map { DetailJSON.text(of: $0, types) },
      exitCode: usageCode + Int32((error.code.isKnown ? error.code : .unknown).rawValue))
  }
}
