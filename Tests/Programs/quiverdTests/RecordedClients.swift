@testable import torture

extension RecordedClients {
  /// Starts clients of a test's server, which keep their connections.
  convenience init(_ count: Int = 4, of server: RestartableServer) throws {
    try self.init(count) { _ in try server.client() }
  }
}
