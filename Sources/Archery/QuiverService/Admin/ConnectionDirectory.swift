package import QuiverRPC
import Synchronization

/// Lists the open connections of a server.
package protocol ConnectionDirectory: AnyObject, Sendable {
  /// All connections by id, lowest first. Any thread or reactor may call it.
  func connections() async -> [ConnectionSummary]
}

/// The directory that Admin uses, set after the server was created, because handlers are created
/// first.
///
/// Any thread may use it. It does not retain the directory.
package final class ConnectionView: Sendable {
  private let directory = Mutex(Named())

  private struct Named: Sendable {
    weak var directory: (any ConnectionDirectory)?
  }

  /// Uses this directory from now on.
  package func show(_ directory: any ConnectionDirectory) {
    self.directory.withLock { $0.directory = directory }
  }

  /// All connections; empty if no directory was set.
  func connections() async -> [ConnectionSummary] {
    let named = directory.withLock { $0.directory }
    return await named?.connections() ?? []
  }
}
