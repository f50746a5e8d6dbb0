import ChildProcesses
import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

/// Rows 24, 25 and 28 of the fault matrix.
@Suite("quiverd with a wrong clock or without its files", .serialized, .timeLimit(.minutes(5)))
struct ClockMatrixTests {
  @Test(
    "row 24: a server that was off for days starts with a warning and knows its keys",
    arguments: [25, 3 * 24, 21 * 24], [SIGTERM, SIGKILL])
  func daysOff(hours: Int, signal: Int32) async throws {
    let server = try RestartableServer()
    let key = IdempotencyKey.random()
    var options = CallOptions()
    options.idempotencyKey = key
    let first = try await server.client().call(Equipment.risers.create, .hoyt, options: options)
    // The newest key is kept whatever its age.
    options.idempotencyKey = .random()
    _ = try await server.client().call(Equipment.risers.create, .hoyt, options: options)
    options.idempotencyKey = key
    server.process.send(signal)
    _ = server.process.end()

    let shim = try ClockShim(in: server.path)
    let later = try shim.serve(server, hours: hours)
    #expect(later.line(of: "clock-ahead").contains(" ahead-seconds="))
    #expect(later.line(of: "serving").contains(" event=serving "))
    let client = try server.client()
    // A server that is busy expires old rows.
    for _ in 0..<300 { _ = try await client.call(Equipment.risers.create, .hoyt) }
    #expect(try await client.call(Equipment.risers.create, .hoyt, options: options) == first)
    let last = try await client.call(Equipment.risers.create, .hoyt)
    let shown = Double(last.createdAtMilliseconds - first.createdAtMilliseconds) / 3_600_000
    #expect(abs(shown - Double(hours)) < 1)
    #expect(try await client.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    later.send(SIGTERM)
    #expect(later.end().code == 0)

    // The same clock without the shim is behind now.
    let refused = try shim.serve(server, hours: 0).end()
    #expect(refused.code == 73)
    #expect(refused.log.contains("hours behind"), "\(refused.log)")
    #expect(refused.log.contains("--accept-clock"), "\(refused.log)")
    let accepted = try shim.serve(server, hours: 0, "--accept-clock")
    #expect(accepted.line(of: "clock-differs").contains(" ahead-seconds=-"))
    #expect(accepted.line(of: "serving").contains(" event=serving "))
    #expect(
      try await server.client().call(Equipment.risers.create, .hoyt, options: options) == first)
    accepted.send(SIGTERM)
    #expect(accepted.end().code == 0)
  }

  @Test(
    "row 25: a start without the database is refused, and the token file is not changed",
    arguments: [true, false])
  func lostDatabase(isRemoved: Bool) throws {
    let server = try RestartableServer()
    #expect(server.stop().code == 0)
    let token = try String(contentsOfFile: server.data + "/admin.token", encoding: .utf8)
    try FileManager.default.removeItem(atPath: server.database)
    if !isRemoved { try Data().write(to: URL(fileURLWithPath: server.database)) }
    let ending = try ServerProcess("--data", server.data, "--listen", "127.0.0.1:0").end()
    #expect(ending.code == 73)
    #expect(ending.log.contains("quiverd restore"), "\(ending.log)")
    #expect(try String(contentsOfFile: server.data + "/admin.token", encoding: .utf8) == token)
  }

  @Test(
    "row 28: a server with removed or replaced files exits with 74 and acknowledges nothing",
    arguments: ["rm quiver.db", "rm quiver.lock", "cp quiver.db x && mv x quiver.db", "rm -rf ."])
  func removedFiles(fault: String) async throws {
    let server = try RestartableServer()
    let client = try server.client()
    _ = try await client.call(Equipment.risers.create, .hoyt)
    let shell = ChildProcess()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "cd '\(server.data)' && \(fault) 2>/dev/null || rm -rf '\(server.data)'/*",
    ]
    try shell.run()
    shell.waitUntilExit()
    // The files are checked at most once a second.
    try await Task.sleep(for: .milliseconds(1_100))
    let refusal = await #expect(throws: RPCError.self) {
      try await client.call(Equipment.risers.create, .hoyt)
    }
    #expect(refusal?.code == .unavailable, "\(String(describing: refusal))")
    let ending = server.process.end()
    #expect(ending.code == 74)
    #expect(ending.log.contains("while the server was running"), "\(ending.log)")
  }
}

/// A library that moves CLOCK_REALTIME of one process, loaded by `LD_PRELOAD`.
private struct ClockShim {
  private let path: String

  private static let source = """
    #define _GNU_SOURCE
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>

    int clock_gettime(clockid_t clock, struct timespec *time) {
      long result = syscall(SYS_clock_gettime, clock, time);
      const char *offset = getenv("CLOCK_OFFSET_SECONDS");
      if (result == 0 && clock == CLOCK_REALTIME && offset) time->tv_sec += atol(offset);
      return (int)result;
    }
    """

  /// Builds the library with the system's C compiler.
  init(in directory: String) throws {
    path = directory + "/clock_shim.so"
    let file = directory + "/clock_shim.c"
    try Self.source.write(toFile: file, atomically: true, encoding: .utf8)
    let compiler = ChildProcess()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/cc")
    compiler.arguments = ["-shared", "-fPIC", "-o", path, file]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0, "the C compiler could not build the clock shim")
  }

  /// Starts the server with a clock that is this many hours ahead.
  func serve(_ server: RestartableServer, hours: Int, _ flags: String...) throws -> ServerProcess {
    try ServerProcess(
      ["--data", server.data, "--listen", "unix:\(server.path)/socket"] + flags,
      environment: ["LD_PRELOAD": path, "CLOCK_OFFSET_SECONDS": "\(hours * 3_600)"])
  }
}
