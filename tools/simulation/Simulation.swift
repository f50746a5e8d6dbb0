import Foundation
import QuiverCommandLine

/// Runs two real ends over a hostile transport on virtual time, once for each seed.
@main
struct Simulation {
  static let usage = """
    usage: simulation [--seed N] [--seeds COUNT] [--trace] [--tls]

    Runs the programs of COUNT seeds, one after the other from N, by default 1,000 from 1: calls of
    all four kinds with deadlines and cancels between a client's and a server's real ends, over a
    wire that cuts bytes anywhere, delays, pauses, half-closes, resets and swallows, while the
    server drains. Each call must end once and rightly, no call run twice, balances be exact and
    nothing be held afterwards. One seed does the same each time.

    --tls encrypts the connections with libssl at both ends, and corrupts bytes besides. The bytes
    of TLS differ from run to run, their lengths do not.

    Exit code 0: nothing was found; 1: each finding is printed with its seed; 64: usage.
    """

  static func main() {
    StandardStreams.prepare()
    var seed: UInt64 = 1
    var count: UInt64?
    var traces = false
    var isSecure = false
    var words = CommandLine.arguments.dropFirst()
    while let word = words.popFirst() {
      switch (word, words.first.flatMap { UInt64($0) }) {
      case ("--seed", let number?): seed = number
      case ("--seeds", let number?): count = number
      case ("--trace", _):
        traces = true
        continue
      case ("--tls", _):
        isSecure = true
        continue
      default:
        StandardOutput.printOrExit(usage)
        exit(word == "--help" || word == "-h" ? 0 : 64)
      }
      words = words.dropFirst()
    }
    do {
      let authority = isSecure ? try SimulatedAuthority() : nil
      exit(run(from: seed, count: count ?? (traces ? 1 : 1_000), authority, traces: traces))
    } catch {
      StandardOutput.printOrExit("simulation: no certificates can be made: \(error)")
      exit(70)
    }
  }

  private static func run(
    from first: UInt64, count: UInt64, _ authority: SimulatedAuthority?, traces: Bool
  ) -> Int32 {
    var failed = 0
    for seed in first..<first + count {
      let run = Run(seed: seed, authority: authority)
      let found = run.findings()
      if traces {
        StandardOutput.printOrExit("seed \(seed): \(run.program)\nseed \(seed): \(run.trace)")
        StandardOutput.printOrExit(run.summary)
      }
      if (seed &- first &+ 1).isMultiple(of: 5_000) { tell("\(seed &- first &+ 1) of \(count)") }
      guard !found.isEmpty else { continue }
      failed += 1
      for finding in found { StandardOutput.printOrExit("seed \(seed): \(finding)") }
      guard failed < 20 else { break }
    }
    StandardOutput.printOrExit(
      failed == 0
        ? "\(count) seeds from \(first): nothing found" : "\(failed) of \(count) seeds failed")
    return failed == 0 ? 0 : 1
  }

  /// Prints progress.
  private static func tell(_ text: String) {
    FileHandle.standardError.write(Data("simulation: \(text) seeds\n".utf8))
  }
}
