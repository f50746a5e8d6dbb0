import ChildProcesses
import Foundation
import QuiverSQLite
import TestSupport

/// A running `quiverd` and how to call it.
final class RunningServer: @unchecked Sendable {  // made and ended by one test
  let directory: TemporaryDirectory
  private(set) var address = ""
  private let data: String
  private var process = ChildProcess()

  /// Starts a server with its own data directory, or `data`, and waits until it serves.
  init(listen: String = "127.0.0.1:0", data: String? = nil) throws {
    directory = try TemporaryDirectory()
    self.data = data ?? directory.path + "/data"
    try start(listen)
  }

  deinit { process.terminate() }

  /// Stops it with SIGTERM and starts it again with the same data.
  func restart() throws {
    stop()
    try start("127.0.0.1:0")
  }

  /// Stops it with SIGTERM.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Runs an SQL script on the database of a stopped server.
  func change(_ script: String) throws {
    try Connection(path: data + "/quiver.db", mode: .readWrite).execute(script)
  }

  /// Runs `quiver` as its administrator.
  func quiver(_ arguments: String..., input: String? = nil) throws -> Run {
    try run(arguments, input: input)
  }

  /// The file of a token of a new user.
  func token(of name: String) throws -> String {
    let file = directory.path + "/\(name).token"
    let made = try quiver(
      "token", "create", "--name", name, "--kind", "user", "--secret-file", file)
    guard made.code == 0 else { throw Programs.Missing(description: made.errors) }
    return file
  }

  func run(
    _ arguments: [String], input: String? = nil, tokenFile: String? = nil,
    outputPath: String? = nil
  ) throws -> Run {
    var environment = ["QUIVER_SERVER": address]
    if let tokenFile { environment["QUIVER_TOKEN_FILE"] = tokenFile }
    return try Run(
      arguments, in: directory, input: input, environment: environment, outputPath: outputPath)
  }

  /// Starts the stopped server at its own or another address.
  func start(_ listen: String) throws {
    process = ChildProcess()
    process.executableURL = try Programs.url("quiverd")
    process.arguments = ["--init", "--data", data, "--listen", listen, "--diagnostics"]
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let log = Pipe()
    process.standardError = log
    try process.run()
    address = ""
    var text = ""
    while !text.contains(" event=serving ") {
      let more = log.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Programs.Missing(description: "quiverd ended: \(text)") }
      text += String(decoding: more, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.contains(" event=listening ") }
    address = line?.split(separator: "address=").last.map(String.init) ?? ""
    // Discards the rest of the log.
    log.fileHandleForReading.readabilityHandler = { handle in
      if handle.availableData.isEmpty { handle.readabilityHandler = nil }
    }
  }
}
