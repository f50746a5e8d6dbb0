import QuiverAPI
import QuiverClient
import QuiverRPC

/// The accounts of a scenario's attackers: each has its own, so that it has a share of its own.
struct AttackAccounts {
  let client: RPCClient

  /// Creates the accounts; returns their tokens by role.
  func create(for roles: [Scenario.Role]) async throws(RPCError) -> [String: [String]] {
    var tokens: [String: [String]] = [:]
    for role in roles {
      for number in 0..<role.actors {
        var principal = CreatePrincipalRequest()
        principal.kind = .user
        principal.displayName = Self.name(number)
        let id = try await client.call(Admin.createPrincipal, principal).id
        var token = CreateTokenRequest()
        token.principalID = id
        token.label = "quiver-load"
        let secret = try await client.call(Admin.createToken, token).secret
        tokens[role.name, default: []].append(secret)
      }
    }
    return tokens
  }

  /// Deletes the accounts with all that they hold; returns what is left behind, nil if nothing is.
  static func delete(_ tokens: [String: [String]], _ dial: Dial) async -> String? {
    var left: String?
    for list in tokens.values {
      for (number, token) in list.enumerated() {
        var dial = dial
        dial.token = token
        let client = dial.client()
        let reason = await TemporaryCaller.delete(name(number), over: client)
        await client.close()
        if let reason { left = "the account of \(name(number)) is left behind: \(reason)" }
      }
    }
    return left
  }

  private static func name(_ number: Int) -> String { "Attacker \(number + 1)" }
}
