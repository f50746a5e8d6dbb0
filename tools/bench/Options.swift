/// The options of the bench.
struct Options {
  /// Prefixes of the measures to run; empty runs all.
  var only: [String] = []
  var runs = 7
  /// The duration of each sample.
  var seconds = 2.0
  var jsonPath: String?
  var comparePath: String?
  /// The folder with `quiverd` and this program.
  var programs = ""
  var root = "."

  static let usage = """
    usage: tools/bench/run [--only NAME]… [--runs N] [--seconds S] [--json FILE] [--compare FILE]
           tools/bench/run --list
           tools/bench/run page FILE       writes a saved report to docs/performance.md
           tools/bench/run sweep [--quick] [--largest N] [--page ROOT]
                                           costs of calls against sizes, up to 10,000,000 rows;
                                           --page writes them to docs/performance.md and its chart
           tools/bench/run bodies [--requests N]
                                           what requests with expensive bodies take of an event
                                           loop of the gateway; exit code 1 where one of at most
                                           10 KiB takes 5 ms
           bench inmemory --calls N [metrics|traces|async|service]   the in-memory path alone, for
                                                             callgrind
           bench commands riser|arrow|end N all|without-triggers|without-checksums
                                           commands on a store, for callgrind
           bench comparison rounds|shots|statistics|inference|plain|inferred N
                                           parts of a comparison, for callgrind
           bench codec echo|items N        decode and encode alone; nanoseconds as JSON

    Takes several runs of each measure (7), alternating its subjects, and prints medians and ratios
    within one run as Markdown on standard output. Servers are pinned to the first core and the
    load to the second.
      --only NAME     measures whose name begins with NAME; may be repeated
      --runs N        runs of each measure
      --seconds S     seconds of each sample (2)
      --json FILE     writes the report as JSON, too
      --compare FILE  a report in JSON of before, to compare with
      --list          names the measures
    Exit code 0 if every bound is met, 1 if one is missed or was not measured, 64 for usage.
    """

  struct Wrong: Error, CustomStringConvertible {
    var description: String
  }

  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw Wrong(description: "\(name) is unknown or has no value")
      }
      switch name {
      case "--only": only.append(value)
      case "--runs":
        guard let count = Int(value), count > 0 else { throw Self.wrong(name, value) }
        runs = count
      case "--seconds":
        guard let count = Double(value), count > 0 else { throw Self.wrong(name, value) }
        seconds = count
      case "--json": jsonPath = value
      case "--compare": comparePath = value
      case "--programs": programs = value
      case "--root": root = value
      default: throw Wrong(description: "\(name) is unknown")
      }
    }
  }

  func wants(_ measure: String) -> Bool {
    only.isEmpty || only.contains { measure.hasPrefix($0) }
  }

  private static func wrong(_ name: String, _ value: String) -> Wrong {
    Wrong(description: "\(name) cannot be \(value)")
  }
}
