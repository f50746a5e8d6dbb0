import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC
import QuiverWire

/// `quiver admin verify`: verifies the stored data.
enum AdminVerifyCommand {
  static let command = Command(
    "admin verify", summary: "verify the stored data",
    details: """
      The server checks the pages of its database, the hash chain of the audit log, the journal, the
      idempotency keys and the stored counts. It continues to serve and changes nothing. Prints a
      line for each check, with ok or with what is wrong, and exits with 79 (DATA_LOSS) if
      something is wrong.
      """,
    flags: [.json, .tableOutput, .longTimeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let access = try Access(arguments, timeout: .seconds(3_600))
    let found = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Admin.verify, VerifyRequest())
    }
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: found))
    } else {
      try Terminal.print(table: rows(found))
    }
    guard found.findings.isEmpty else {
      let count = found.findings.count
      throw .call(
        RPCError(
          .dataLoss,
          "\(count == 1 ? "one finding" : "\(count) findings"); keep the data directory as it is"
            + " for an examination, and restore a good backup into another directory with"
            + " quiverd restore FILE --data DIR"))
    }
  }

  /// The checks in order, each with its findings.
  private static func rows(_ found: VerifyResponse) -> [[String]] {
    let others = found.findings.map(\.subject).filter { !found.subjects.contains($0) }
    return (found.subjects + others).flatMap { subject -> [[String]] in
      let findings = found.findings.filter { $0.subject == subject }
      let name = Terminal.oneLine(subject)
      guard !findings.isEmpty else { return [[name, "ok"]] }
      return findings.map { [name, Terminal.oneLine($0.message)] }
    }
  }
}
