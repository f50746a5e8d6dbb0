import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver token revoke`: revokes a token permanently.
enum TokenRevokeCommand {
  static let command = Command(
    "token revoke", operands: "TOKEN", summary: "revoke a token permanently",
    details: """
      TOKEN is an id of quiver token list, a label, or the name of a principal with one token. The
      connections that were opened with it are closed within a second.
      """,
    flags: [Consent.flag, .json, .timeout], names: [.token],
    examples: ["token revoke 3", "token revoke phone"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one TOKEN")[0]
    let access = try Access(arguments)
    let names = Names(access, arguments)
    let id = try await names.id(of: text, .token, "TOKEN")
    let label = await names.object(.token, id)?.labelWithID ?? "token \(id)"
    try Consent.ask("revokes \(label) and closes its connections", arguments)
    var request = RevokeTokenRequest()
    request.id = id
    let wanted = request
    let token = try await access.attempt { () async throws(RPCError) in
      try await access.client.call(Admin.revokeToken, wanted)
    }
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: token))
    } else {
      try Terminal.confirm("token \(token.id) is revoked")
    }
  }
}
