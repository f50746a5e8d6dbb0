import ChildProcesses
import Foundation
package import QuiverPostgres

/// A streaming replica of a ``PostgresServer``, in its directory, by `tools/postgres replicate`. It
/// ends with this object.
package final class ReplicaServer: Sendable {
  /// The address over the Unix socket, without a password.
  package let socketAddress: String

  private let directory: String

  /// Copies the server as it is, and follows it.
  ///
  /// Throws with the sentence of that tool where it fails.
  package init(of server: PostgresServer, named name: String = "replica") throws {
    directory = "\(server.directory)/\(name)"
    let output = try Self.run(["replicate", "--of", server.directory, "--directory", directory])
    let line = output.split(separator: "\n").first { $0.hasPrefix("socket=") }
    guard let line else { throw PostgresServer.Failure(description: output) }
    socketAddress = String(line.dropFirst("socket=".count))
  }

  deinit {
    end()
  }

  /// Ends it at once, as a failure would.
  package func end() {
    _ = try? Self.run(["stop", "--immediate", "--directory", directory])
  }

  /// Lets it take changes.
  package func promote() throws {
    _ = try Self.run(["promote", "--directory", directory])
  }

  /// The address of a database.
  package func address(database: String) -> String {
    socketAddress.replacing("/quiver?", with: "/\(database)?")
  }

  /// A connection to a database.
  package func connect(database: String = "quiver") throws -> PostgresConnection {
    try PostgresConnection(
      PostgresConfiguration(try PostgresAddress(address(database: database))))
  }

  /// Holds the replica back, or lets it go on.
  package func hold(_ isHeld: Bool) throws {
    try connect().execute("SELECT pg_wal_replay_\(isHeld ? "pause" : "resume")()")
  }

  private static func run(_ arguments: [String]) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let (process, output) = (ChildProcess(), Pipe())
    process.executableURL = root.appending(path: "tools/postgres")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw PostgresServer.Failure(description: text) }
    return text
  }
}
