import Foundation
import QuiverCommandLine
import QuiverTLS
import ServerPrograms

/// Writes, kills, cuts the power, and compares the store with the history.
@main
struct Torture {
  static let usage = """
    usage: torture write DIR --first N --last N [--window N] [--notes BYTES] [--again N,N…]
                  [--reads]
               writes numbered operations and prints what becomes of each; 74 where it could not
           torture power --seeds N [--seed FIRST] [--lose-syncs]
               cuts the power at some event, once for each seed
           torture points --points N [--seed N]
               kills at the N-th write or sync, by strace
           torture rounds --rounds N [--seed N]
               kills under load, again and again in one directory
           torture served --rounds N [--seed N] [--tls | --gateway]
               kills quiverd while clients call it over TCP, TLS or a gateway, again and again on
               one data directory; the clients repeat calls with their keys and read back
           torture calls --servers ADDRESS,… --token-file FILE --database URL [--clients N]
               calls servers on one database of PostgreSQL, of which principal 1 has the token,
               until its standard input ends, while others kill and cut off servers and database;
               prints the number of acknowledged calls five times a second, and checks the database
           torture syscalls --faults N [--seed N]
               injects errors and delays into system calls, by strace
           torture clocks --clocks N [--seed N]
               reopens stores with wall clocks that are wrong, and sends operations again
           torture files --files N [--seed N]
               moves and replaces files of a running writer
           torture flips --flips N [--seed N]
               inverts single bits of a stored database; none may be served as wrong data
    """

  static func main() async {
    StandardStreams.prepare()
    do {
      // Objects of `run`, including scratch directories, are released before the process exits.
      exit(try await run(Arguments(Array(CommandLine.arguments.dropFirst()))))
    } catch {
      FileHandle.standardError.write(Data("torture: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    switch arguments.command {
    case "write": return try write(arguments)
    case "power": return try power(arguments)
    case "points":
      return report(
        try kills(arguments).points(Int(try arguments.number("--points", 12))), "points")
    case "rounds":
      return report(
        try kills(arguments).rounds(Int(try arguments.number("--rounds", 10))), "rounds")
    case "served": return try await served(arguments)
    case "calls": return report(try await DisturbedCalls(arguments).run(), "disturbed calls")
    case "syscalls":
      return report(
        try kills(arguments).systemCalls(Int(try arguments.number("--faults", 32))),
        "faults of system calls")
    case "clocks":
      return report(
        try kills(arguments).clocks(Int(try arguments.number("--clocks", 5))), "wrong clocks")
    case "files":
      return report(
        try kills(arguments).files(Int(try arguments.number("--files", 6))), "moved files")
    case "flips": return try flips(arguments)
    default:
      StandardOutput.printOrExit(usage)
      return 64
    }
  }

  private static func kills(_ arguments: Arguments) throws -> Kills {
    Kills(scratch: try ScratchDirectory(), seed: UInt64(try arguments.number("--seed", 1)))
  }

  private static func write(_ arguments: Arguments) throws -> Int32 {
    let numbers = try arguments.number("--first", 1)...arguments.number("--last", 100)
    let again = arguments.value("--again")?.split(separator: ",").compactMap { Int64($0) } ?? []
    let run = WriterRun(
      directory: arguments.directory, numbers: again + Array(numbers),
      window: Int(try arguments.number("--window", 4)),
      noteByteCount: Int(try arguments.number("--notes", 100)),
      reads: arguments.has("--reads"))
    switch try run.run(History(isPrinted: true)) {
    case .closed: return 0
    case .failed: return 74
    case .refused(let reason): throw Complaint(reason)
    }
  }

  private static func power(_ arguments: Arguments) throws -> Int32 {
    try PowerLoss.prepare()
    var loss = PowerLoss(directory: try ScratchDirectory())
    loss.losesSyncs = arguments.has("--lose-syncs")
    let first = UInt64(try arguments.number("--seed", 1))
    let count = UInt64(try arguments.number("--seeds", 200))
    return report(try loss.run(seeds: first...(first + count - 1)), "seeds of power loss")
  }

  private static func served(_ arguments: Arguments) async throws -> Int32 {
    let kills = ServedKills(
      scratch: try ScratchDirectory(), seed: UInt64(try arguments.number("--seed", 1)),
      isSecure: arguments.has("--tls"), isBehindGateway: arguments.has("--gateway"))
    let outcome = try await kills.rounds(Int(try arguments.number("--rounds", 10)))
    let wire = kills.isSecure ? "TLS" : kills.isBehindGateway ? "a gateway" : "TCP"
    StandardOutput.printOrExit(
      "over \(wire) with seed \(kills.seed): \(outcome.readCount) items read back,"
        + " \(outcome.failureCount) calls cut,"
        + " \(outcome.handshakes.full) full and \(outcome.handshakes.resumed) resumed handshakes")
    return report(outcome.kills, "rounds over \(wire)")
  }

  private static func flips(_ arguments: Arguments) throws -> Int32 {
    let flips = Flips(
      scratch: try ScratchDirectory(), seed: UInt64(try arguments.number("--seed", 1)))
    let count = Int(try arguments.number("--flips", 240))
    let outcome = try flips.run(count)
    StandardOutput.printOrExit(
      "flips: \(outcome.count) with seed \(flips.seed): \(outcome.refused) refused at start,"
        + " \(outcome.verified) found by verify, \(outcome.failed) failed reads,"
        + " \(outcome.harmless) without effect, \(outcome.wrongCount) served as wrong data"
        + " \(outcome.wrong.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })")
    return outcome.count == count && outcome.wrongCount == 0 ? 0 : 1
  }

  private static func report(_ outcome: Kills.Outcome, _ what: String) -> Int32 {
    for finding in outcome.findings.prefix(50) { StandardOutput.printOrExit(finding) }
    StandardOutput.printOrExit(
      "\(what): \(outcome.killedCount) times, \(outcome.acknowledgedCount) operations"
        + " acknowledged, \(outcome.findings.count) findings")
    return outcome.findings.isEmpty ? 0 : 1
  }
}
