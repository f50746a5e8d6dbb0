import Glibc
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// `quiver token rotate`: replaces the caller's token, in the file that it comes from.
enum TokenRotateCommand {
  private static let overlap = Flag(
    "--overlap", .word("TIME"),
    "how long the old token stays valid, like 10m, 12h or 7d; 1h by default, 7d at most")
  private static let print = Flag(
    "--print", .none, "print the new token and leave the file as it is")

  static let command = Command(
    "token rotate", summary: "replace your own token",
    details: """
      The server creates a new token with the same label, scopes and expiry, and the command
      replaces the file that your token comes from. Programs that read this file, such as a running
      quiver, continue with the new token; all others must get it before the overlap ends. Then the
      old token is rejected and its connections are closed.
      """,
    flags: [overlap, print, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    var request = RotateTokenRequest()
    if let text = arguments.value(of: overlap) {
      guard let span = TimeSpan.milliseconds(text) else {
        throw arguments.usage("--overlap expects a time like 10m, 12h or 7d, not \(text)")
      }
      request.overlapMilliseconds = span
    }
    let access = try Access(arguments)
    guard let path = access.tokenPath else {
      throw access.plainFailure(
        RPCError(.unauthenticated, "there is no token to replace", origin: .client))
    }
    // Made before the call: a token that cannot be stored must not replace another.
    let file = arguments.has(print) ? nil : try ReplacedFile(path)
    let wanted = request
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Account.rotateToken, wanted)
    }
    let end = TokenText.time(answer.oldToken?.expiresAtMilliseconds)
    do throws(Failure) {
      if let file {
        try file.replace(line: answer.secret)
      } else {
        try Terminal.print(answer.secret)
      }
    } catch {
      guard file != nil else {
        throw error.adding("the new token is lost; rotate again before the old one ends, \(end)")
      }
      try Terminal.print(answer.secret)
      throw error.adding("the new token was printed instead; the old one ends \(end)")
    }
    let place = file == nil ? "printed" : "in \(path)"
    Terminal.notice(
      "token \(answer.token?.id ?? 0) is \(place); token \(answer.oldToken?.id ?? 0) ends \(end)")
  }
}

/// The replacement of a file, which is made beside it.
private struct ReplacedFile {
  private let path: String
  private let draft: String
  private let output: OutputFile

  /// Creates the replacement, empty. A symbolic link stays one.
  init(_ path: String) throws(Failure) {
    guard let resolved = realpath(path, nil) else {
      throw .input("cannot replace \(path): \(String(cString: strerror(errno)))")
    }
    self.path = String(cString: resolved)
    free(resolved)
    draft = "\(self.path).\(getpid())"
    output = try OutputFile.make(path: draft)
  }

  /// Writes the line and puts the replacement into place.
  func replace(line: String) throws(Failure) {
    try output.write(line: line)
    try output.keep()
    guard rename(draft, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(draft)
      throw .input("cannot replace \(path): \(reason)")
    }
  }
}
