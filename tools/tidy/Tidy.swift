import Glibc

/// Checks the tree against the house's rules.
@main
struct Tidy {
  static let usage = """
    usage: tidy [ROOT]
           tidy --list-rules

    Checks the package at ROOT, by default the current folder, and prints what it holds against it,
    one a line: file:line: rule: sentence. Exit code 0 if nothing, 1 if something was found, 64 for
    usage, 66 if the tree cannot be read.
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "--help", "-h": print(usage)
    case "--list-rules":
      for rule in Rule.allCases { print("\(rule.rawValue): \(rule.sentence)") }
    case let option? where option.hasPrefix("-") || arguments.count > 1:
      complain(usage)
      exit(64)
    default: check(arguments.first ?? ".")
    }
  }

  /// What every rule finds, in order of file and line.
  static func findings(in tree: Tree) -> [Finding] {
    let all =
      ArrowRules.findings(in: tree) + ManifestRules.findings(in: tree)
      + SignatureRules.findings(in: tree) + LengthRules.findings(in: tree)
      + WordRules.findings(in: tree) + TrapRules.findings(in: tree)
      + ParityRules.findings(in: tree) + TestRules.findings(in: tree)
    return all.sorted()
  }

  private static func check(_ root: String) {
    do {
      let found = findings(in: try Tree(root: root))
      for finding in found { print(finding) }
      if !found.isEmpty {
        complain("tidy: \(found.count) found; `tidy --list-rules` says what is asked.")
        exit(1)
      }
    } catch {
      complain("tidy: \(error)")
      exit(66)
    }
  }

  private static func complain(_ text: String) {
    fflush(nil)
    var line = text + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
