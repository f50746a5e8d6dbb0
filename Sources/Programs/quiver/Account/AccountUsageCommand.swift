import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver account usage`: what the caller stores, and its limits.
enum AccountUsageCommand {
  static let command = Command(
    "account usage", summary: "show what you store, and your limits",
    details: """
      At a limit the server refuses calls that store something. Deleted objects stop counting at
      once, deleted weight entries after 30 days. Idempotency keys are stored for 24 hours.
      """,
    flags: [.json, .tableOutput, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let access = try Access(arguments)
    let usage = try await access.attempt { () async throws(RPCError) in
      try await access.client.call(Account.getUsage, GetUsageRequest())
    }
    guard !arguments.has(.json) else {
      return try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: usage))
    }
    let rows = [
      ["", "STORED", "LIMIT"],
      ["bytes", "\(usage.storedBytes)", limit(usage.storedBytesLimit)],
      ["rows", "\(usage.storedRows)", limit(usage.storedRowsLimit)],
      ["bytes in a minute", "", limit(usage.storedBytesPerMinuteLimit)],
      ["idempotency keys", "\(usage.idempotencyKeys)", limit(usage.idempotencyKeysLimit)],
      [
        "bytes of keys", "\(usage.idempotencyKeyBytes)", limit(usage.idempotencyKeyBytesLimit),
      ],
    ]
    try Terminal.print(table: rows)
  }

  private static func limit(_ value: Int64) -> String { value == 0 ? "none" : "\(value)" }
}
