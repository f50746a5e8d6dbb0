package import QuiverDispatch
import QuiverRPC
package import QuiverService
package import QuiverStore
import TestStores

/// A whole server over a store, in the process of a test: the services, their authentication, and
/// the end of streams whose permission ends.
package final class ArcheryServer: Sendable {
  package let store: Store
  package let assembly: ServerAssembly
  package let server: Server

  /// Where clients connect, with the port that was bound.
  package let address: String

  /// What a test chooses of a server.
  package struct Choices {
    package var store: StoreConfiguration
    package var options: ServerAssembly.Options

    /// `unix:PATH`, or an address with port 0 for any free port.
    package var address: String

    /// Changes the configuration of the server before it is created.
    package var configure: (inout Server.Configuration) -> Void = { _ in }

    /// A store in `directory`, a Unix socket beside it, and the diagnostic methods.
    package init(directory: String) {
      store = StoreConfiguration(directory: directory)
      options = ServerAssembly.Options()
      options.diagnostics = true
      address = "unix:\(directory)/socket"
    }
  }

  private struct BadAddress: Error {}

  /// Opens the store and listens.
  package init(_ choices: Choices) throws {
    guard let endpoint = Endpoint(choices.address) else { throw BadAddress() }
    try StoreImage.prepare(choices.store)
    store = try Store(choices.store)
    assembly = try ServerAssembly(store, choices.options)
    var configuration = Server.Configuration(
      router: assembly.router, authenticator: assembly.authenticator,
      identity: ServerIdentity(software: "quiver-tests", instanceID: [1]))
    choices.configure(&configuration)
    server = try Server(configuration)
    store.install(
      StoreHooks(permissionsEnded: { [weak server] changes in
        server?.revalidate(EndedPermissions(changes))
      }))
    assembly.connections.show(server)
    let port = try server.listen(on: endpoint).first?.port ?? 0
    address =
      choices.address.hasSuffix(":0")
      ? choices.address.dropLast() + "\(port)" : choices.address
  }

  /// Drains the server and closes the store.
  package func end() async {
    await server.drain()
    store.close()
  }

  /// Creates a principal.
  package func principal(
    _ kind: PrincipalRecord.Kind = .user, named name: String = "Robin"
  ) throws -> PrincipalRecord {
    try store.perform(CreatePrincipal(kind: kind, displayName: name), Self.nobody)
  }

  /// Creates a token of a principal; without scopes it has those of the principal's kind.
  package func token(of principal: Int64, _ scopes: TokenScopes = []) throws -> String {
    try store.perform(
      CreateToken(principal: principal, label: "", scopes: scopes), Self.nobody
    ).secret
  }

  /// Creates a principal with a token.
  package func token(
    _ kind: PrincipalRecord.Kind = .user, named name: String = "Robin"
  ) throws -> String {
    try token(of: principal(kind, named: name).id)
  }

  private static let nobody = CommandOptions(caller: CommandCaller(principal: 0))
}

extension Server: ConnectionDirectory {}
