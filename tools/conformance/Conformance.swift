import Foundation
import QuiverCommandLine

/// Runs the cases that can be tested from outside against a server or a client of the protocol.
@main
struct Conformance {
  static let usage = """
    usage: quiver-conformance --server HOST:PORT|tls://HOST:PORT|unix:PATH
                              [--token TOKEN|--token-file FILE] [--only ID]… [--quick] [--list]
                              [--ca FILE] [--server-name NAME] [--certificate FILE --key FILE]
           quiver-conformance --client COMMAND [--vectors FOLDER] [--certificates FOLDER]
                              [--parallel N] [--seed N] [--only ID]… [--list]

    Speaks the protocol of Protos/PROTOCOL.md, version 1, over bare sockets with the server, well
    and badly, and prints a line for each case: `ok ID title`, `FAIL ID title: what was wrong` or
    `skip ID title: why`. The ids are the specification's; --only C08 tries those that begin so.

    Most cases need a server that answers quiver.v1.Diagnostics (quiverd --diagnostics) and a token
    that it knows, and those of compressed messages one that lists zstd; without they are skipped.
    --quick leaves out those that wait for seconds.

    With tls:// every case runs inside TLS 1.3; an end without a close_notify then fails a case.
    --ca names the trusted authorities (else the system's), --server-name the name in the
    certificate (else the host), --certificate and --key what is shown to a server that asks.

    With --client it plays the server: COMMAND is a program that makes the calls that it reads as
    lines of JSON (docs/client-conformance.md), and every case runs twice, the second time over a
    wire that splits and delays what is sent, by --seed (default 1). --vectors is the folder of
    frames.json and clients.json (default Protos/vectors). --certificates is a folder that
    tools/dev-certificates has made: with it every case runs a third time, over TLS. --parallel is
    the number of cases that run at once (default 4), each with a client program of its own.

    Exit code 0: nothing failed; 1: something did; 64: usage; 69: no server there.
    """

  static func main() {
    StandardStreams.prepare()
    do {
      exit(try run(try Options(Array(CommandLine.arguments.dropFirst()))))
    } catch let error as UsageError {
      FileHandle.standardError.write(Data("quiver-conformance: \(error.text)\n".utf8))
      exit(64)
    } catch {
      FileHandle.standardError.write(Data("quiver-conformance: \(error)\n".utf8))
      exit(69)
    }
  }

  private static func run(_ options: Options) throws -> Int32 {
    guard !options.wantsHelp else {
      StandardOutput.printOrExit(usage)
      return 0
    }
    if !options.client.isEmpty { return try ClientRun.run(options) }
    let cases = Case.all.filter { one in
      options.only.isEmpty || options.only.contains { one.id.hasPrefix($0) }
    }
    guard !cases.isEmpty else { throw UsageError("no case has such an id") }
    guard !options.lists else {
      for one in cases { StandardOutput.printOrExit("\(one.id) \(one.title)") }
      return 0
    }
    let target = try Target(options)
    var counts: [String: Int] = [:]
    for one in cases {
      let (word, why) = verdict(of: one, target, options)
      counts[word, default: 0] += 1
      StandardOutput.printOrExit("\(word) \(one.id) \(one.title)" + (why.isEmpty ? "" : ": \(why)"))
    }
    let failed = counts["FAIL"] ?? 0
    StandardOutput.printOrExit(
      "\(counts["ok"] ?? 0) ok, \(failed) failed, \(counts["skip"] ?? 0) skipped")
    return failed == 0 ? 0 : 1
  }

  private static func verdict(
    of one: Case, _ target: Target, _ options: Options
  ) -> (word: String, why: String) {
    if let lacking = target.lacking(one.needs) { return ("skip", lacking) }
    if one.needs.contains(.time), options.isQuick { return ("skip", "it waits; --quick") }
    do {
      try one.body(target)
      return ("ok", "")
    } catch {
      return ("FAIL", "\(error)")
    }
  }
}
