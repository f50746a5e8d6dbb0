import Quiver
import TestServers
import TestSupport

/// A server over a store in a directory of its own, and the configuration of an archer's client.
struct TestServer {
  let configuration: RPCClient.Configuration

  /// Runs `body` against a server, and removes the server and its files afterwards.
  static func run(_ body: (TestServer) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let server = try ArcheryServer(ArcheryServer.Choices(directory: directory.path))
    do {
      try await body(
        TestServer(configuration: .init(server: server.address, token: server.token())))
    } catch {
      await server.end()
      throw error
    }
    await server.end()
  }
}
