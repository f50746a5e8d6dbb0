import ChildProcesses
import Foundation

/// Python's `protobuf`, Google's own implementation, in one process that answers over pipes.
///
/// The interpreter is `QUIVER_PYTHON`, else `python3`; without the package `protobuf` every use
/// fails with a sentence that says so.
package final class PythonPeer {
  private let process = ChildProcess()
  private let requests = Pipe()
  private let replies = Pipe()

  /// What the script is asked to do.
  package enum Operation: UInt8 {
    /// Bytes to the bytes that Python makes of them.
    case reencode = 0x52
    /// A seed, as decimal text, to the bytes of a random message.
    case random = 0x47
    /// Bytes to JSON.
    case toJSON = 0x4A
    /// JSON to bytes.
    case fromJSON = 0x50
  }

  package init(descriptorSet: [UInt8]) throws {
    let python = ProcessInfo.processInfo.environment["QUIVER_PYTHON"] ?? "python3"
    let script = Protoc.root.appendingPathComponent("Tests/Fixtures/protobuf_peer.py")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python, script.path]
    process.standardInput = requests
    process.standardOutput = replies
    // A peer that has ended is an error, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
    let ready = try exchange([descriptorSet])
    guard ready == Array("ready".utf8) else {
      throw FixtureError("the Python peer did not start: \(String(decoding: ready, as: UTF8.self))")
    }
  }

  deinit {
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What Python makes of a message of a type.
  ///
  /// - Throws: Python's own words when it refuses.
  package func ask(_ operation: Operation, _ type: String, _ payload: [UInt8]) throws -> [UInt8] {
    try exchange([[operation.rawValue] + Array(type.utf8), payload])
  }

  private func exchange(_ parts: [[UInt8]]) throws -> [UInt8] {
    for part in parts {
      let length = withUnsafeBytes(of: UInt32(part.count).bigEndian) { Array($0) }
      try requests.fileHandleForWriting.write(contentsOf: Data(length + part))
    }
    let head = try read(5)
    let count = head[1...].reduce(0) { $0 << 8 | Int($1) }
    let body = try read(count)
    guard head[0] == 1 else { throw FixtureError(String(decoding: body, as: UTF8.self)) }
    return body
  }

  private func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard
        let data = try replies.fileHandleForReading.read(upToCount: count - bytes.count),
        !data.isEmpty
      else {
        throw FixtureError(
          "the Python peer ended; QUIVER_PYTHON, else python3, must be a Python 3 that can "
            + "`import google.protobuf` (pip install protobuf)")
      }
      bytes += data
    }
    return bytes
  }
}
