import Glibc
import QuiverCommandLine

/// Checks the tree against the rules of this package.
@main
struct Tidy {
  static let usage = """
    usage: tidy [ROOT]
           tidy --list-rules

    Checks the package at ROOT (default: the current folder) and prints one line for each violation:
    file:line: rule: sentence. Exit codes: 0 without violations, 1 with violations, 64 for usage
    errors, 66 if the tree cannot be read.
    """

  static func main() {
    StandardStreams.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "--help", "-h": StandardOutput.printOrExit(usage)
    case "--list-rules":
      for rule in Rule.allCases { StandardOutput.printOrExit("\(rule.rawValue): \(rule.sentence)") }
    case let option? where option.hasPrefix("-") || arguments.count > 1:
      complain(usage)
      exit(64)
    default: check(arguments.first ?? ".")
    }
  }

  /// The findings of all rules, sorted by file and line.
  static func findings(in tree: Tree) -> [Finding] {
    let all =
      DependencyRules.findings(in: tree) + ManifestRules.findings(in: tree)
      + SignatureRules.findings(in: tree) + SizeRules.findings(in: tree)
      + WordRules.findings(in: tree) + VocabularyRules.findings(in: tree)
      + TrapRules.findings(in: tree) + TextRules.findings(in: tree)
      + OutputRules.findings(in: tree)
      + MethodIDRules.findings(in: tree) + TestRules.findings(in: tree)
      + ShellRules.findings(in: tree)
    return all.sorted()
  }

  private static func check(_ root: String) {
    do {
      let found = findings(in: try Tree(root: root))
      for finding in found { StandardOutput.printOrExit("\(finding)") }
      if !found.isEmpty {
        complain("tidy: \(found.count) violations; `tidy --list-rules` explains the rules.")
        exit(1)
      }
    } catch {
      complain("tidy: \(error)")
      exit(66)
    }
  }

  private static func complain(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
