package import QuiverRPC
import Synchronization

/// Whoever carries a server's connections and can say how they stand.
package protocol ConnectionDirectory: AnyObject, Sendable {
  /// How every connection stands, by id, lowest first. Called from any thread or reactor.
  func connections() async -> [ConnectionSummary]
}

/// The directory that Admin asks, named once there is one: handlers are made before their server.
///
/// Any thread may use it. It does not keep the directory.
package final class ConnectionView: Sendable {
  private let directory = Mutex(Named())

  private struct Named: Sendable {
    weak var directory: (any ConnectionDirectory)?
  }

  /// Shows the connections of this directory from now on.
  package func show(_ directory: any ConnectionDirectory) {
    self.directory.withLock { $0.directory = directory }
  }

  /// How every connection stands; none where no directory was named.
  func connections() async -> [ConnectionSummary] {
    let named = directory.withLock { $0.directory }
    return await named?.connections() ?? []
  }
}
