import Quiver
import QuiverDispatch
import QuiverService
import QuiverStore
import TestSupport

/// A server over a store in a directory of its own, and the configuration of an archer's client.
struct TestServer {
  let configuration: RPCClient.Configuration

  /// Runs `body` against a server, and removes the server and its files afterwards.
  static func run(_ body: (TestServer) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try Store(StoreConfiguration(directory: directory.path))
    var options = ServerAssembly.Options()
    options.diagnostics = true
    let assembly = try ServerAssembly(store, options)
    let server = try Server(
      Server.Configuration(
        router: assembly.router, authenticator: assembly.authenticator,
        identity: ServerIdentity(software: "quiver-tests", instanceID: [1])))
    let address = "unix:\(directory.path)/socket"
    guard let endpoint = Endpoint(address) else { throw Unreachable() }
    try server.listen(on: endpoint)
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let archer = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), nobody)
    let token = try store.perform(try CreateToken(principal: archer.id, label: ""), nobody)
    let test = TestServer(configuration: .init(server: address, token: token.secret))
    let result: Result<Void, any Error>
    do { result = .success(try await body(test)) } catch { result = .failure(error) }
    await server.drain()
    store.close()
    withExtendedLifetime(directory) {}
    try result.get()
  }

  private struct Unreachable: Error {}
}
