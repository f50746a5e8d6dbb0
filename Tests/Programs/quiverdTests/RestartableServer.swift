import Foundation
import QuiverClient
import TestSupport

/// A data directory that is served again and again at one address.
final class RestartableServer: @unchecked Sendable {  // made, served and ended by one test
  let directory = Result { try TemporaryDirectory() }
  let path: String
  private(set) var process: ServerProcess
  private let flags: [String]

  var data: String { path + "/data" }
  var database: String { data + "/quiver.db" }

  /// Serves a new data directory, or the one that `prepare` makes below the path that it is given.
  init(_ flags: String..., prepare: (String) throws -> Void = { _ in }) throws {
    path = try directory.get().path
    self.flags = flags
    try prepare(path + "/data")
    process = try Self.serve(path, flags)
  }

  /// Serves it again, once the process before has ended.
  func start() throws { process = try Self.serve(path, flags) }

  /// Ends it by SIGTERM; answers how.
  @discardableResult
  func stop() -> ServerProcess.Ending {
    process.send(SIGTERM)
    return process.end()
  }

  /// A client that is the administrator; one for all the lives of the server. What it sends again
  /// the test decides. An anonymous one has no token.
  func client(isAnonymous: Bool = false) throws -> RPCClient {
    let token = try String(contentsOfFile: data + "/admin.token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    var configuration = RPCClient.Configuration(
      server: "unix:\(path)/socket", token: isAnonymous ? nil : token)
    configuration.limits.maxAttempts = 1
    return try RPCClient(configuration)
  }

  private static func serve(_ path: String, _ flags: [String]) throws -> ServerProcess {
    let process = try ServerProcess(
      ["--data", path + "/data", "--listen", "unix:\(path)/socket", "--diagnostics"] + flags)
    let line = process.line(of: "serving")
    guard line.contains(" event=serving ") else { throw NotServing(description: line) }
    return process
  }

  struct NotServing: Error, CustomStringConvertible {
    let description: String
  }
}
