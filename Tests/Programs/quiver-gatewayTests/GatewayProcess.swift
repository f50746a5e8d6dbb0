import ChildProcesses
import Foundation
import Testing

/// A quiver-gateway on a port that the system chooses.
final class GatewayProcess {
  private let process = ChildProcess()
  private let log = Pipe()
  private var unread: [String] = []
  private var rest = Data()
  private var metricsAddress = ""
  private var address = ""

  init(_ flags: String...) throws {
    let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = here.deletingLastPathComponent().appending(path: "quiver-gateway")
    process.arguments = ["--listen", "127.0.0.1:0"] + flags
    process.standardError = log
    try process.run()
    try? log.fileHandleForWriting.close()
    if flags.contains("--metrics") {
      let line = line(of: "metrics-listening")
      metricsAddress = line.split(separator: "address=").last.map(String.init) ?? ""
    }
  }

  deinit { process.terminate() }

  func send(_ signal: Int32) { _ = process.signal(signal) }

  /// The next line of an event; empty where the log ends before one. Lines of others stay: which of
  /// two comes first is not always the same.
  func line(of event: String) -> String {
    while true {
      if let place = unread.firstIndex(where: { $0.contains(" event=\(event)") }) {
        return unread.remove(at: place)
      }
      let data = log.fileHandleForReading.availableData
      guard !data.isEmpty else { return "" }
      rest += data
      while let end = rest.firstIndex(of: 10) {
        unread.append(String(decoding: rest[..<end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
    }
  }

  /// What the listener of metrics answers.
  func get(_ path: String) throws -> String { try curl("http://\(metricsAddress)\(path)") }

  /// The head and the body of the answer to a call with an empty body, without a token.
  func call(_ method: String, _ flags: String...) throws -> String {
    if address.isEmpty {
      address = line(of: "listening").split(separator: "address=").last.map(String.init) ?? ""
    }
    return try curl(
      "http://\(address)/quiver.v1.\(method)", ["--include", "--data-binary", ""] + flags)
  }

  private func curl(_ address: String, _ flags: [String] = []) throws -> String {
    let curl = ChildProcess()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    curl.arguments =
      ["--silent", "--noproxy", "*", "--max-time", "20"] + flags + [address]
    curl.standardOutput = output
    try curl.run()
    try? output.fileHandleForWriting.close()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    curl.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Ends it by SIGTERM; answers the exit code. A gateway that then keeps something of requests
  /// fails the test.
  func end() -> Int32 {
    process.terminate()
    let kept = line(of: "requests-kept")
    if !kept.isEmpty { Issue.record("without connections the gateway keeps: \(kept)") }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
