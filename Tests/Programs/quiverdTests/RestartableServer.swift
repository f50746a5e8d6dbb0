import Foundation
import QuiverClient
import TestSupport

/// A server on one data directory and address that a test can restart.
final class RestartableServer: @unchecked Sendable {  // made, served and ended by one test
  let directory = Result { try TemporaryDirectory() }
  let path: String
  private(set) var process: ServerProcess
  private let flags: [String]

  var data: String { path + "/data" }
  var database: String { data + "/quiver.db" }

  /// Starts a server on a new data directory, or on the one that `prepare` creates at the given
  /// path.
  init(_ flags: String..., prepare: (String) throws -> Void = { _ in }) throws {
    path = try directory.get().path
    self.flags = flags
    try prepare(path + "/data")
    process = try Self.serve(path, flags)
  }

  /// Starts the stopped server again.
  ///
  /// - Parameter fileByteLimit: the size that no file may exceed (`RLIMIT_FSIZE`), until
  ///   ``ServerProcess/removeFileByteLimit()``; nil: any.
  func start(fileByteLimit: Int? = nil) throws {
    process = try Self.serve(path, flags, fileByteLimit: fileByteLimit)
  }

  /// Stops it with SIGTERM; returns how it ended.
  @discardableResult
  func stop() -> ServerProcess.Ending {
    process.send(SIGTERM)
    return process.end()
  }

  /// A client with the administrator's token, or anonymous; it works across restarts. It does not
  /// retry calls.
  func client(isAnonymous: Bool = false) throws -> RPCClient {
    let token = try String(contentsOfFile: data + "/admin.token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    var configuration = RPCClient.Configuration(
      server: "unix:\(path)/socket", token: isAnonymous ? nil : token)
    configuration.limits.maxAttempts = 1
    return try RPCClient(configuration)
  }

  private static func serve(
    _ path: String, _ flags: [String], fileByteLimit: Int? = nil
  ) throws -> ServerProcess {
    let process = try ServerProcess(
      ["--data", path + "/data", "--listen", "unix:\(path)/socket", "--diagnostics"] + flags,
      fileByteLimit: fileByteLimit)
    let line = process.line(of: "serving")
    guard line.contains(" event=serving ") else { throw NotServing(description: line) }
    return process
  }

  struct NotServing: Error, CustomStringConvertible {
    let description: String
  }
}
