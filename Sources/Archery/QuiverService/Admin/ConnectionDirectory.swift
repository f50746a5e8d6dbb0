package import QuiverRPC
package import QuiverWire
import Synchronization

/// The connections of a server, for administrators. Any thread or reactor may use it.
package protocol ConnectionDirectory: AnyObject, Sendable {
  /// All connections by id, lowest first.
  func connections() async -> [ConnectionSummary]

  /// How many connections are open.
  var connectionCount: Int { get }
  /// How many connections were accepted since the start, refused ones included.
  var acceptedConnectionCount: UInt64 { get }
  /// How many connections were closed without an answer since the start.
  var droppedConnectionCount: UInt64 { get }
  /// The counts of calls, one of each reactor; empty where nothing is counted.
  var callMetrics: [CallMetrics] { get }
  /// The limits that new connections have.
  var currentLimits: Limits { get }
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

  /// The directory; nil if none was set or the server has ended.
  var current: (any ConnectionDirectory)? { directory.withLock { $0.directory } }

  /// All connections; empty if no directory was set.
  func connections() async -> [ConnectionSummary] {
    await current?.connections() ?? []
  }
}
