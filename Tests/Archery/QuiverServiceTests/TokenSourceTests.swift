import Foundation
import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import TestSupport
import Testing

@Suite("Clients that read their token from a file", .timeLimit(.minutes(5)))
struct TokenSourceTests {
  /// A client whose token is in a file, and the file.
  private struct FileClient {
    let path: String
    let client: Client

    init(_ server: TestServer, in directory: TemporaryDirectory, check: Duration) throws {
      let robin = try server.principal()
      let token = try server.store.perform(
        try CreateToken(principal: robin.id, label: ""),
        CommandOptions(caller: CommandCaller(principal: 0)))
      path = "\(directory.path)/token"
      try "\(token.secret)\n".write(toFile: path, atomically: true, encoding: .utf8)
      var configuration = RPCClient.Configuration(server: server.address)
      configuration.tokenSource = .file(path)
      configuration.limits.tokenCheckInterval = check
      client = Client(client: try RPCClient(configuration))
    }

    /// Rotates the token and replaces the file.
    func rotate(overlapMilliseconds: Int64) async throws -> RotateTokenResponse {
      var request = RotateTokenRequest()
      request.overlapMilliseconds = overlapMilliseconds
      let rotated = try await client.call(Account.rotateToken, request)
      try "\(rotated.secret)\n".write(toFile: path, atomically: true, encoding: .utf8)
      return rotated
    }
  }

  @Test("No call of a client fails while its token is rotated and the old one expires")
  func expiry() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run { server in
      let file = try FileClient(server, in: directory, check: .milliseconds(20))
      let old = try await file.client.call(Account.whoAmI, WhoAmIRequest()).tokenID
      let rotated = try await file.rotate(overlapMilliseconds: 1_500)
      // What the daemon does each half second, while calls continue.
      var expired: [Int64] = []
      while expired.isEmpty {
        _ = try await file.client.call(Account.whoAmI, WhoAmIRequest())
        expired = server.assembly.expiringTokens.takeExpired()
        server.server.revalidate(EndedPermissions(tokenIDs: expired))
      }
      #expect(expired == [old])
      for _ in 0..<10 {
        let answer = try await file.client.call(Account.whoAmI, WhoAmIRequest())
        #expect(answer.tokenID == rotated.token?.id)
      }
    }
  }

  @Test(
    "A call that ends because its token was replaced is sent again with the new one")
  func resent() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run { server in
      let file = try FileClient(server, in: directory, check: .seconds(3_600))
      let old = try await file.client.call(Account.whoAmI, WhoAmIRequest()).tokenID
      let call = Task {
        var wait = DelayRequest()
        wait.delayMilliseconds = 400
        return try await file.client.client.call(
          Diagnostics.delay, wait, options: CallOptions(timeout: .seconds(30)))
      }
      let rotated = try await file.rotate(overlapMilliseconds: 60_000)
      let admin = try server.client(.administrator)
      var hasBegun = false
      while !hasBegun {
        let open = try await admin.call(Admin.listConnections, ListConnectionsRequest())
        hasBegun = open.connections.contains { $0.tokenID == old && $0.openCalls > 0 }
      }
      _ = try server.store.perform(
        RevokeToken(id: old), CommandOptions(caller: CommandCaller(principal: 0)))
      _ = try await call.value
      let answer = try await file.client.call(Account.whoAmI, WhoAmIRequest())
      #expect(answer.tokenID == rotated.token?.id)
    }
  }

  @Test("A watch continues after its last message when its token was replaced")
  func watch() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run { server in
      let file = try FileClient(server, in: directory, check: .seconds(3_600))
      let old = try await file.client.call(Account.whoAmI, WhoAmIRequest()).tokenID
      var changes = file.client.client.watch(Equipment.watchHub, WatchHubRequest())
        .makeAsyncIterator()
      _ = try await changes.next()
      _ = try await file.rotate(overlapMilliseconds: 60_000)
      _ = try server.store.perform(
        RevokeToken(id: old), CommandOptions(caller: CommandCaller(principal: 0)))
      _ = try await file.client.call(Equipment.risers.create, .of(.hoyt))
      #expect(try await changes.next() != nil)
    }
  }

  @Test("An unknown token is refused, and the calls end with UNAUTHENTICATED")
  func wrongToken() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run { server in
      let path = "\(directory.path)/token"
      try "qv_unknown\n".write(toFile: path, atomically: true, encoding: .utf8)
      var configuration = RPCClient.Configuration(server: server.address)
      configuration.tokenSource = .file(path)
      let client = Client(client: try RPCClient(configuration))
      let refusal = await client.refusal(Account.whoAmI, WhoAmIRequest())
      #expect(refusal?.code == .unauthenticated)
    }
  }
}
