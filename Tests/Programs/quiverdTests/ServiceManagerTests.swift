import ChildProcesses
import Foundation
import Glibc
import QuiverAPI
import QuiverClient
import QuiverCommandLine
import QuiverDaemon
import QuiverRPC
import Synchronization
import TestSupport
import Testing

@testable import quiverd

/// quiverd under a service manager that the test plays.
@Suite("quiverd under a service manager", .serialized, .timeLimit(.minutes(20)))
struct ServiceManagerTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The socket that a service manager listens on for notices.
  private final class NotifySocket {
    let descriptor: Int32

    init(_ path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      try #require(ServiceManagerTests.bind(descriptor, path))
    }

    deinit { close(descriptor) }

    /// Waits for a notice with this line; answers the notice.
    func notice(with line: String) -> String {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { return "" }
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        if text.split(separator: "\n").contains(Substring(line)) { return text }
      }
    }
  }

  private static func bind(_ descriptor: Int32, _ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  @Test("Variables name the passed sockets of this process, and the one named tls is encrypted")
  func passed() throws {
    let environment = ["LISTEN_FDS": "2", "LISTEN_PID": "77", "LISTEN_FDNAMES": "plain:tls"]
    let passed = try PassedSockets(environment, processID: 77)
    #expect(passed.sockets.map(\.descriptor) == [3, 4])
    #expect(passed.sockets.map(\.isSecure) == [false, true])
    #expect(try PassedSockets(environment, processID: 78).sockets.isEmpty)
    #expect(try PassedSockets([:], processID: 77).sockets.isEmpty)
    for text in ["-1", "many", "65"] {
      #expect(throws: UsageError.self) {
        try PassedSockets(["LISTEN_FDS": text, "LISTEN_PID": "77"], processID: 77)
      }
    }
  }

  @Test("The service manager is told READY, signs of life, RELOADING and STOPPING")
  func notices() throws {
    let path = directory.path + "/notify"
    let manager = try NotifySocket(path)
    let server = try ServerProcess(
      ["--data", directory.path + "/data", "--listen", "unix:\(directory.path)/socket"],
      environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "300000"])
    #expect(manager.notice(with: "READY=1").contains("MAINPID=\(server.id)\n"))
    #expect(manager.notice(with: "WATCHDOG=1") == "WATCHDOG=1\n")
    server.send(SIGHUP)
    #expect(manager.notice(with: "RELOADING=1").contains("MONOTONIC_USEC="))
    #expect(manager.notice(with: "READY=1").contains("READY=1"))
    server.send(SIGTERM)
    #expect(manager.notice(with: "STOPPING=1").contains("STOPPING=1"))
    #expect(server.end().code == 0)
  }

  /// Whether the calls of a test are to end.
  private final class LoadRun: Sendable {
    let calls = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
  }

  /// Starts quiverd with a listening socket as descriptor 3, as a service manager does.
  private func start(_ listener: Int32, _ log: FileHandle) throws -> ChildProcess {
    let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = here.deletingLastPathComponent().appending(path: "quiverd").path
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // The listener comes as standard input, since a child keeps no other descriptor.
    process.arguments = [
      "-c", "exec 3<&0 </dev/null; export LISTEN_FDS=1 LISTEN_PID=$$; exec \"$0\" \"$@\"", program,
      "--init", "--data", directory.path + "/data", "--diagnostics",
    ]
    process.standardInput = FileHandle(fileDescriptor: listener, closeOnDealloc: false)
    process.standardError = log
    try process.run()
    return process
  }

  @Test("Restarts under load fail no call of clients that wait, where the listener is passed on")
  func restarts() async throws {
    let path = directory.path + "/socket"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    try #require(Self.bind(listener, path) && listen(listener, 128) == 0)
    let logPath = directory.path + "/log"
    try Data().write(to: URL(fileURLWithPath: logPath))
    let log = try #require(FileHandle(forWritingAtPath: logPath))
    var server = try start(listener, log)
    let tokenPath = directory.path + "/data/admin.token"
    while !FileManager.default.fileExists(atPath: tokenPath) {
      try #require(server.isRunning)
      try await Task.sleep(for: .milliseconds(20))
    }
    var configuration = RPCClient.Configuration(
      server: "unix:" + path,
      token: try String(contentsOfFile: tokenPath, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines))
    configuration.waitsForReady = true
    let client = try RPCClient(configuration)
    let run = LoadRun()
    let load = Task {
      while !run.isOver.load(ordering: .relaxed) {
        _ = try await client.call(Diagnostics.echo, EchoMessage())
        run.calls.add(1, ordering: .relaxed)
      }
    }
    for _ in 0..<3 {
      let before = run.calls.load(ordering: .relaxed)
      while run.calls.load(ordering: .relaxed) == before {
        try #require(server.isRunning)
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(server.signal(SIGTERM))
      server.waitUntilExit()
      #expect(server.terminationReason == .exit && server.terminationStatus == 0)
      #expect(FileManager.default.fileExists(atPath: path), "the socket is the manager's")
      server = try start(listener, log)
    }
    _ = try await client.call(Diagnostics.echo, EchoMessage())
    run.isOver.store(true, ordering: .relaxed)
    try await load.value
    _ = server.signal(SIGTERM)
    server.waitUntilExit()
    let text = try String(contentsOfFile: logPath, encoding: .utf8)
    // One line for each of four starts.
    #expect(text.split(separator: "\n").count { $0.contains("from=service-manager") } == 4)
  }

  @Test("A descriptor that is no listening socket is refused")
  func noListener() throws {
    let logPath = directory.path + "/log"
    try Data().write(to: URL(fileURLWithPath: logPath))
    let log = try #require(FileHandle(forWritingAtPath: logPath))
    let file = open(logPath, O_RDONLY)
    defer { close(file) }
    let server = try start(file, log)
    server.waitUntilExit()
    #expect(server.terminationReason == .exit && server.terminationStatus == 64)
    let text = try String(contentsOfFile: logPath, encoding: .utf8)
    #expect(text.contains("the descriptor 3 is no listening stream socket"))
  }
}
