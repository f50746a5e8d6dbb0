@preconcurrency import Dispatch
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What a failed call may have done", .timeLimit(.minutes(20)))
struct CallEffectTests {
  private static let hint = "(the call may have been processed)"

  @Test("No hint where nothing was sent, nothing can change, or the command itself failed")
  func impossible() throws {
    let server = try RunningServer()
    let nobody = ["--server", "unix:\(server.directory.path)/nobody"]
    for arguments in [
      ["setup", "add", "X"] + nobody, ["setup", "list"] + nobody, ["token", "rotate"] + nobody,
      ["call", "Diagnostics/Delay", #"{"delayMs":5000}"#, "--timeout", "200ms"],
    ] {
      let run = try server.run(arguments)
      #expect(run.code != 0, "\(arguments)")
      #expect(!run.errors.contains(Self.hint), "\(arguments): \(run.errors)")
    }
  }

  @Test("The hint appears where a mutating call was sent and no answer came")
  func possible() throws {
    let server = try RunningServer()
    // A server that takes everything and answers nothing.
    let path = server.directory.path + "/silent"
    let listener = try SilentSocket(path: path)
    defer { listener.end() }
    let run = try server.run(
      ["setup", "add", "X", "--server", "unix:\(path)", "--timeout", "500ms"])
    #expect(run.code == 68, "\(run.errors)")
    #expect(run.errors.contains(Self.hint), "\(run.errors)")
    let reading = try server.run(
      ["setup", "list", "--server", "unix:\(path)", "--timeout", "500ms"])
    #expect(reading.code == 68 && !reading.errors.contains(Self.hint), "\(reading.errors)")
  }

  @Test("A server of other versions of the protocol is reported with them")
  func otherVersion() throws {
    let server = try RunningServer()
    let path = server.directory.path + "/newer"
    // Its preface, then HELLO with version_min 2 and version_max 3 on stream 0.
    let preface: [UInt8] = [0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 0x02]
    let hello: [UInt8] = [0x08, 0x02, 0x10, 0x03]
    let listener = try SilentSocket(
      path: path, greeting: preface + [0, 0, 4, 0x10, 0, 0, 0, 0] + hello)
    defer { listener.end() }
    let run = try server.run(["setup", "add", "X", "--server", "unix:\(path)"])
    #expect(run.code == 78, "\(run.errors)")
    #expect(
      run.errors.contains(
        "the server speaks versions 2 to 3 of the protocol, and this client version 1"),
      "\(run.errors)")
    #expect(!run.errors.contains(Self.hint), "\(run.errors)")
  }
}

/// A socket that accepts connections, greets, and reads without answering.
private final class SilentSocket: Sendable {
  private let descriptor: Int32
  private let source: any DispatchSourceRead

  init(path: String, greeting: [UInt8] = []) throws {
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      buffer.copyBytes(from: path.utf8.prefix(buffer.count - 1))
    }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listening, 8) == 0)
    descriptor = listening
    source = DispatchSource.makeReadSource(fileDescriptor: listening)
    source.setEventHandler {
      // Left open until the process ends; a test makes a few.
      let connection = accept(listening, nil, nil)
      if !greeting.isEmpty { _ = write(connection, greeting, greeting.count) }
    }
    source.resume()
  }

  func end() {
    source.cancel()
    close(descriptor)
  }
}
