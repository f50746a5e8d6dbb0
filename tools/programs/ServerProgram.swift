import ChildProcesses
import Foundation
import Glibc

/// A `quiverd` or `quiver-gateway` beside this program that is killed and started again on one
/// directory and address.
public final class ServerProgram {
  public let directory: String
  private let name: String
  /// The flags besides that of the address.
  private let flags: [String]
  private var process = ChildProcess()
  /// `127.0.0.1:PORT` or `tls://127.0.0.1:PORT`; the kernel chooses the port of the first start.
  public private(set) var address: String

  private static let startMilliseconds = 60_000
  private static let endMilliseconds = 120_000
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// A server whose files are in `directory`, which exists.
  public init(directory: String, flags: [String] = [], isSecure: Bool = false) {
    self.directory = directory
    name = "quiverd"
    self.flags = ["--init", "--data", directory + "/data"] + flags
    address = (isSecure ? "tls://" : "") + "127.0.0.1:0"
  }

  /// A gateway before a server that has been started, with a log in `directory`.
  public init(gatewayOf server: ServerProgram, in directory: String) {
    self.directory = directory
    name = "quiver-gateway"
    flags = ["--server", server.address, "--token-file", server.data + "/admin.token"]
    address = "127.0.0.1:0"
  }

  public var data: String { directory + "/data" }

  /// The administrator's token, which the server writes at its first start.
  public func token() throws -> String {
    try String(contentsOfFile: data + "/admin.token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Starts the server and returns when it serves.
  public func start() throws {
    let log = directory + "/log"
    guard FileManager.default.createFile(atPath: log, contents: nil),
      let output = FileHandle(forWritingAtPath: log)
    else { throw Complaint("cannot write \(log)") }
    process = ChildProcess()
    process.executableURL = Self.folder.appending(path: name)
    process.arguments = flags + ["--listen", address]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    do {
      try process.run()
    } catch {
      throw Complaint("\(name) cannot be started; build it: \(error)")
    }
    try? output.close()
    try waitUntilServing(log)
  }

  /// Kills the server, unless it has ended.
  public func kill() {
    _ = process.signal(SIGKILL)
    process.waitUntilExit()
  }

  /// Ends the program by SIGTERM, and checks what it says of its end: its exit code is 0, and a
  /// gateway, whose callers have closed their connections, keeps nothing of their requests.
  public func end() throws {
    process.terminate()
    for _ in 0..<Self.endMilliseconds where process.isRunning { usleep(1_000) }
    guard !process.isRunning else {
      kill()
      throw Complaint("\(name) does not end; its log is \(directory)/log")
    }
    let text = (try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? ""
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Complaint("\(name) ended with \(process.terminationStatus): \(text)")
    }
    try Self.checkKept(text)
  }

  /// Throws where the log of a gateway that has ended says that requests keep something.
  public static func checkKept(_ log: String) throws {
    let kept = log.split(separator: "\n").filter { $0.contains(" event=requests-kept") }
    guard kept.isEmpty else {
      throw Complaint(
        "without connections the gateway keeps: \(kept.joined(separator: ", "))")
    }
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
      guard process.isRunning else { throw Complaint("\(name) ended at its start: \(text)") }
      usleep(1_000)
    }
    throw Complaint("\(name) does not serve; its log is \(log)")
  }
}

/// Why a program cannot continue, as a sentence.
public struct Complaint: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
