import ChildProcesses
import Foundation
package import QuiverPostgres
import Synchronization

/// A server of PostgreSQL that a test starts by `tools/postgres serve`, and that ends with the test
/// process.
package final class PostgresServer: Sendable {
  /// The address over the Unix socket, without a password.
  package let socketAddress: String

  /// The address over TCP, which wants the password of ``passfile``.
  package let tcpAddress: String

  /// The file that `PGPASSFILE` or `passfile` names.
  package let passfile: String

  /// The directory with the cluster and its log.
  package let directory: String

  private let process: ChildProcess
  /// Open for as long as the server runs.
  private let input: Pipe
  private let databaseCount = Atomic<Int>(0)

  /// Why there is no server, as `tools/postgres` says it.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private static let first = Result { try PostgresServer() }

  /// The server that the tests of this process share.
  package static var shared: PostgresServer { get throws { try first.get() } }

  /// Starts a server with these arguments of `tools/postgres serve`.
  ///
  /// Throws with the sentence of that tool where there is no PostgreSQL.
  package init(arguments: [String] = []) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    process = ChildProcess()
    input = Pipe()
    let output = Pipe()
    process.executableURL = root.appending(path: "tools/postgres")
    process.arguments = ["serve"] + arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    var text = ""
    while !text.hasSuffix("ready\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else {
        throw Failure(description: "tools/postgres serve: \(text)")
      }
      text += String(decoding: data, as: UTF8.self)
    }
    var values: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = String(parts[1]) }
    }
    guard let socket = values["socket"], let tcp = values["tcp"],
      let passfile = values["passfile"], let directory = values["directory"]
    else { throw Failure(description: "tools/postgres serve printed: \(text)") }
    socketAddress = socket
    tcpAddress = tcp
    self.passfile = passfile
    self.directory = directory
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// A connection to the database `quiver`, or to one that ``makeDatabase()`` has made.
  package func connect(database: String = "quiver") throws -> PostgresConnection {
    try PostgresConnection(configuration(database: database))
  }

  /// How ``connect(database:)`` connects.
  package func configuration(database: String = "quiver") throws -> PostgresConfiguration {
    let address = socketAddress.replacing("/quiver?", with: "/\(database)?")
    return PostgresConfiguration(try PostgresAddress(address))
  }

  /// Makes an empty database; returns its name.
  package func makeDatabase() throws -> String {
    let number = databaseCount.add(1, ordering: .relaxed).newValue
    let name = "test_\(number)"
    try connect().execute("CREATE DATABASE \(name)")
    return name
  }

  /// Its port, of TCP and in the name of its socket.
  package var port: String { socketAddress.split(separator: "&port=").last.map(String.init) ?? "" }

  /// The path of the Unix socket.
  var socketPath: String { "\(directory)/.s.PGSQL.\(port)" }

  /// Sends a signal to a process of the server, such as that of a connection.
  package func signal(_ number: Int32, processID: Int32) {
    kill(processID, number)
  }
}
