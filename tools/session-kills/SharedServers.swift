import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC

/// The addresses of one service, and a caller's token.
struct SharedServers {
  let addresses: [String]
  let token: String

  /// - Parameter list: the addresses, with commas between.
  init(_ list: String, token: String) {
    addresses = list.split(separator: ",").map(String.init)
    self.token = token
  }

  static func token(inFile path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  /// All addresses, those from a place on first.
  func list(from place: Int) -> String {
    let first = place % max(addresses.count, 1)
    return (addresses[first...] + addresses[..<first]).joined(separator: ",")
  }

  /// A client of all addresses, which repeats calls while servers end.
  func client() throws -> RPCClient {
    var configuration = RPCClient.Configuration(servers: addresses, token: token)
    configuration.waitsForReady = true
    configuration.limits.maxAttempts = 100
    configuration.limits.retryTokens = 1_000_000
    return try RPCClient(configuration)
  }

  /// The same servers with a new user, whom the caller makes as an administrator.
  func withNewUser() async throws -> SharedServers {
    let client = try client()
    var principal = CreatePrincipalRequest()
    principal.kind = .user
    principal.displayName = "session-kills"
    let user = try await client.call(Admin.createPrincipal, principal)
    var request = CreateTokenRequest()
    request.principalID = user.id
    request.label = "session-kills"
    let made = try await client.call(Admin.createToken, request)
    await client.close()
    return SharedServers(addresses.joined(separator: ","), token: made.secret)
  }
}
