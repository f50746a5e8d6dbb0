import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver token list`: what tokens there are, revoked ones too.
enum TokenListCommand {
  private static let principal = Flag("--principal", .word("PRINCIPAL"), "of this principal only")

  static let command = Command(
    "token list", summary: "list tokens, newest first",
    flags: [principal, PageLimit.flag, .json, .tableOutput, .timeout], names: [.account],
    examples: ["token list", "token list --principal Ann"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    var request = ListTokensRequest()
    let limit = try PageLimit(arguments)
    request.pageSize = limit.pageSize()
    if let text = arguments.value(of: principal) {
      let found = try Access(arguments)
      request.principalID = try await Names(found, arguments).id(of: text, .account, principal.name)
    }
    let access = try Access(arguments)
    var all = ListTokensResponse()
    repeat {
      let wanted = request
      let page = try await access.attempt { () async throws(RPCError) in
        try await access.client.call(Admin.listTokens, wanted)
      }
      all.tokens += page.tokens
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && !limit.isReached(all.tokens.count)
    all.tokens = limit.first(of: all.tokens)
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: all))
    } else {
      try Terminal.print(table: rows(all.tokens))
    }
  }

  private static func rows(_ tokens: [Token]) -> [[String]] {
    let head = ["ID", "PRINCIPAL", "NAME", "KIND", "CREATED", "EXPIRES", "REVOKED", "LABEL"]
    return [head]
      + tokens.map { token in
        [
          "\(token.id)", "\(token.principalID)", Terminal.oneLine(token.principalName),
          TokenText.kind(token.principalKind), TokenText.time(token.createdAtMilliseconds),
          TokenText.time(token.expiresAtMilliseconds),
          token.revokedAtMilliseconds == nil ? "no" : TokenText.time(token.revokedAtMilliseconds),
          Terminal.oneLine(token.label),
        ]
      }
  }
}
