import Foundation
import QuiverCommandLine
import ServerPrograms

/// Kills the processes of three services that call each other, and checks that no call is lost,
/// doubled or late, and that further attempts stay within their budgets.
@main
struct ServiceChain {
  static let usage = """
    usage: service-chain run [--seconds N] [--seed N] [--late MILLISECONDS]
               starts three services in a chain, of two processes each: front calls middle, middle
               calls last, which keeps its entries in one database. Kills processes at random while
               calls are made, then slows a process of the middle service down, then lets half of
               the calls of the last one fail. A call is a finding that ends more than --late
               milliseconds (default 50) after its deadline, not counted the time in which bare
               timers of this process are overdue
           service-chain serve ADDRESS [--next ADDRESS,…] [--store FILE] [--slow PERCENT]
                               [--failing PERCENT]
               one process: passes calls on to the next service, or answers them from a database;
               so many percent of its calls of Get take three seconds, or fail UNAVAILABLE
    """

  static func main() async {
    StandardStreams.prepare()
    do {
      exit(try await run(Array(CommandLine.arguments.dropFirst())))
    } catch {
      FileHandle.standardError.write(Data("service-chain: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ words: [String]) async throws -> Int32 {
    switch (words.first, words.count) {
    case ("run", 1...):
      var run = try ChainRun(
        seconds: try number("--seconds", 20, words), seed: UInt64(try number("--seed", 1, words)))
      run.lateMilliseconds = try number("--late", 50, words)
      return try await run.findings() ? 1 : 0
    case ("serve", 2...):
      var link = ChainLink(address: words[1])
      link.next = try value("--next", words)?.split(separator: ",").map(String.init) ?? []
      link.store = try value("--store", words)
      link.slowPercent = try number("--slow", 0, words)
      link.failingPercent = try number("--failing", 0, words)
      try await link.serve()
      return 0
    default:
      StandardOutput.printOrExit(usage)
      return 64
    }
  }

  private static func value(_ flag: String, _ words: [String]) throws -> String? {
    guard let place = words.firstIndex(of: flag) else { return nil }
    guard place + 1 < words.count else { throw Complaint("\(flag) requires a value") }
    return words[place + 1]
  }

  private static func number(_ flag: String, _ standard: Int, _ words: [String]) throws -> Int {
    guard let text = try value(flag, words) else { return standard }
    guard let number = Int(text), (0...86_400_000).contains(number) else {
      throw Complaint("\(flag) requires a number from 0")
    }
    return number
  }
}
