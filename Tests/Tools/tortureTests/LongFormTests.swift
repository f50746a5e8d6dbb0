import ChildProcesses
import Foundation
import TestSupport
import Testing

/// Runs the scripts of the long forms with replaced programs.
@Suite("The tools of the long forms", .serialized, .timeLimit(.minutes(20)))
final class LongFormTests {
  private static let tools = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "tools")

  private let directory: TemporaryDirectory
  private var root: URL { directory.url }

  init() throws {
    directory = try TemporaryDirectory()
    try write(
      "tools/install",
      "say() { printf '%s\\n' \"$*\" >&2; }\n"
        + "fail() { say \"$*\"; exit 1; }\ninstall_for_test() { :; }\ninstall_for_run() { :; }\n")
    for name in ["soak", "fuzz"] {
      try FileManager.default.copyItem(
        at: Self.tools.appending(path: name), to: root.appending(path: "tools/\(name)"))
    }
  }

  private func write(_ path: String, _ text: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
  }

  /// Runs a program with the programs in `bin` first in its path; returns its exit code and output.
  private func run(_ program: URL, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let child = ChildProcess()
    child.executableURL = program
    child.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = root.path + "/bin:" + (environment["PATH"] ?? "/usr/bin:/bin")
    child.environment = environment
    let output = Pipe()
    child.standardOutput = output
    child.standardError = output
    try child.run()
    try output.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    child.waitUntilExit()
    return (child.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  private func soak(_ part: String) throws -> (status: Int32, text: String) {
    try run(root.appending(path: "tools/soak"), ["--only", part])
  }

  @Test("A failed build fails its part, and the old binary is not run")
  func failingBuild() throws {
    try write("bin/swift", "#!/bin/sh\nexit 1\n")
    try write(".build/release/torture", "#!/bin/sh\necho an old program\n")
    let (status, text) = try soak("store")
    #expect(status == 1 && !text.contains("an old program"), "\(text)")
    try write("bin/swift", "#!/bin/sh\n")
    let built = try soak("store")
    #expect(built.status == 0 && built.text.contains("nothing found"), "\(built.text)")
  }

  @Test("A part without tests fails", arguments: ["tournament", "sanitizers"])
  func noTests(part: String) throws {
    try write("tools/thread-reports", "#!/bin/sh\n")
    try write("bin/swift", "#!/bin/sh\necho Test run with 0 tests in 0 suites passed\n")
    try FileManager.default.createDirectory(
      at: root.appending(path: ".build"), withIntermediateDirectories: true)
    let (status, text) = try soak(part)
    #expect(status == 1 && text.contains("no tests were run"), "\(text)")
    try write("bin/swift", "#!/bin/sh\necho Test run with 12 tests in 3 suites passed\n")
    let tested = try soak(part)
    #expect(tested.status == 0 && tested.text.contains("nothing found"), "\(tested.text)")
  }

  @Test("Fuzzing for less than a second per target is refused")
  func shortFuzzing() throws {
    try write("bin/swift", "#!/bin/sh\n")
    try write("tools/fuzzing/manifest.swift", "")
    try write(
      ".build/fuzz/package/.build/debug/Fuzzing", "#!/bin/sh\necho \"Test unit: $*\"\n")
    let (status, text) = try run(root.appending(path: "tools/fuzz"), ["--seconds", "3"])
    #expect(status == 0 && text.contains("-max_total_time=1 "), "\(text)")
    #expect(!text.contains("-max_total_time=0"))
  }

  // MARK: Reports of the Thread Sanitizer

  private static let send =
    "$s12QuiverClient7ChannelC6change33_0E629131EB5BE4C5EFE0BC2B9AE2D7CFLLyyyAA0C5StateVzXEF"
    + "SayAG4TodoOGAGzYuYTXEfU_"
  private static let encode =
    "$s12QuiverClientAAC6encodeySays5UInt8VGx0A8Protobuf7MessageRzlFAfG0F5CoderCzYuYTXEfU_"
  /// A closure under a lock that throws errors of one type, and one of the same lock that does not.
  private static let throwing =
    "$s9QuiverRPC12ClientStreamC5queue33_8DAB7C939538124727FBA15D3DDE880CLLySb9mustCarry_Sb6isFull"
    + "tSays5UInt8VGAA8RPCErrorVYKFSbAF_SbAGtAC5StateAELLVzYuALYKYTXEfU_"
  private static let carry =
    "$s9QuiverRPC12ClientStreamC5carry33_8DAB7C939538124727FBA15D3DDE880CLLyyFyAA0C10ConnectionV"
    + "zYbcfU0_AA0D7AttemptCSg_SaySays5UInt8VGGSbtAC5StateAELLVzYuYTXEfU_"
  private static let plain = "$s12QuiverClient12ChannelStateV7provideyyF"

  private func checked(_ one: String, _ other: String) throws -> (status: Int32, text: String) {
    try write(
      "thread.log",
      """
      ==================
      WARNING: ThreadSanitizer: Swift access race (pid=1)
        Modifying access of Swift variable at 0x1 by thread T8:
          #0 \(Self.plain) Sources/RPC/QuiverClient/ChannelState.swift:180:29 (tests+0x1)
          #1 \(one) Sources/RPC/QuiverClient/Channel.swift:85:12 (tests+0x2)

        Previous read of size 8 at 0x1 by thread T4:
          #0 \(Self.plain) Sources/RPC/QuiverClient/ChannelState.swift:181:29 (tests+0x3)
          #1 \(other) Sources/RPC/QuiverClient/Channel.swift:85:7 (tests+0x4)

      SUMMARY: ThreadSanitizer: Swift access race
      ==================

      """)
    return try run(
      Self.tools.appending(path: "thread-reports"), [root.appending(path: "thread.log").path])
  }

  @Test("A race is attributed to Mutex only if both sides hold a lock of the same type")
  func races() throws {
    let same = try checked(Self.send, Self.send)
    #expect(same.status == 0 && same.text.contains("1 with both sides"), "\(same.text)")
    let throwing = try checked(Self.throwing, Self.carry)
    #expect(throwing.status == 0, "\(throwing.text)")
    #expect(throwing.text.contains("1 with both sides"))
    for (one, other) in [
      (Self.throwing, Self.send), (Self.send, Self.encode), (Self.send, Self.plain),
      (Self.plain, Self.plain),
    ] {
      let race = try checked(one, other)
      #expect(race.status == 1 && race.text.contains("1 to be looked at"), "\(race.text)")
    }
  }
}
