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

/// What a command destroys, and when.
struct Destruction: Sendable, ExpressibleByStringLiteral {
  /// What it does, as in `deletes session {SESSION}`; names in braces are arguments.
  let act: String
  /// The argument with which it destroys something; nil: it always does.
  let argument: String?

  init(_ act: String, with argument: String) {
    self.act = act
    self.argument = argument
  }

  init(stringLiteral act: String) {
    self.act = act
    argument = nil
  }

  /// Whether a command with these arguments destroys something.
  func happens(with arguments: [String]) -> Bool {
    argument.map(arguments.contains) ?? true
  }
}

extension String {
  /// Without white space at both ends.
  fileprivate var trimmed: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
