import ChildProcesses
import Foundation
import TestCertificates

/// A `quiverd` beside this program that is killed and started again on one directory and address.
final class ServedProcess {
  let directory: String
  /// The certificate of a server with TLS; nil: it listens without.
  private let certificate: TestAuthority.Issued?
  private var process = ChildProcess()
  /// `127.0.0.1:PORT` or `tls://127.0.0.1:PORT`; the kernel chooses the port of the first start.
  private(set) var address: String

  private static let startMilliseconds = 60_000
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "quiverd")

  init(directory: String, certificate: TestAuthority.Issued?) {
    self.directory = directory
    self.certificate = certificate
    address = (certificate == nil ? "" : "tls://") + "127.0.0.1:0"
  }

  var data: String { directory + "/data" }

  /// The administrator's token, which the server writes at its first start.
  func token() throws -> String {
    try String(contentsOfFile: data + "/admin.token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Starts the server and returns when it serves.
  func start() throws {
    let log = directory + "/log"
    guard FileManager.default.createFile(atPath: log, contents: nil),
      let output = FileHandle(forWritingAtPath: log)
    else { throw Complaint("cannot write \(log)") }
    process = ChildProcess()
    process.executableURL = Self.program
    process.arguments = ["--init", "--data", data, "--listen", address]
    if let certificate {
      process.arguments += [
        "--tls-certificate", certificate.certificateFile, "--tls-key", certificate.keyFile,
      ]
    }
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    do {
      try process.run()
    } catch {
      throw Complaint("\(Self.program.path) cannot be started; build quiverd: \(error)")
    }
    try? output.close()
    try waitUntilServing(log)
  }

  /// Kills the server, unless it has ended.
  func kill() {
    _ = process.signal(SIGKILL)
    process.waitUntilExit()
  }

  private func waitUntilServing(_ log: String) throws {
    for _ in 0..<Self.startMilliseconds {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if lines.contains(where: { $0.contains(" event=serving ") }) {
        let listening = lines.first { $0.contains(" event=listening ") }?.split(separator: " ")
        guard let word = listening?.first(where: { $0.hasPrefix("address=") }) else { break }
        address = String(word.dropFirst("address=".count))
        return
      }
      guard process.isRunning else { throw Complaint("quiverd ended at its start: \(text)") }
      usleep(1_000)
    }
    throw Complaint("quiverd does not serve; its log is \(log)")
  }
}
