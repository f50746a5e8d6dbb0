import Glibc

/// The question before something is destroyed.
enum Consent {
  static let flag = Flag("--yes", .none, "do not ask on a terminal before it is done")

  /// Asks on a terminal whether to go on, and throws unless the answer is yes. Where no person sits
  /// at a terminal, and with `--yes`, nothing is asked.
  ///
  /// - Parameter act: what is going to be done, as in `deletes session morning #3`.
  static func ask(_ act: String, _ arguments: Arguments) throws(Failure) {
    guard !arguments.has(flag), isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      return
    }
    Terminal.printErrorText(
      "quiver: this \(Terminal.escaped(Terminal.oneLine(act))); go on? [y/N] ")
    let answer = (readLine() ?? "").lowercased()
    guard ["y", "yes"].contains(answer.trimmed) else {
      throw .input("nothing was changed")
    }
  }
}

extension String {
  /// Without white space at both ends.
  fileprivate var trimmed: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
