import Dispatch
import Foundation
import TestSupport
import Testing

@testable import QuiverDispatch

@Suite("The file of a Unix socket", .timeLimit(.minutes(5)))
struct UnixSocketFileTests {
  private let directory: TemporaryDirectory
  private let queue = DispatchQueue(label: "quiver.test.unix")
  private var path: String { directory.path + "/socket" }

  init() throws { directory = try TemporaryDirectory() }

  enum Other: CaseIterable, Sendable { case regular, link, fifo, directory }

  @Test(
    "Listening at a file that is no socket is refused, and the file stays",
    arguments: Other.allCases)
  func noSocket(_ other: Other) throws {
    let target = directory.path + "/target"
    try Data("mine".utf8).write(to: URL(filePath: target))
    switch other {
    case .regular: try Data("mine".utf8).write(to: URL(filePath: path))
    case .link: #expect(symlink(target, path) == 0)
    case .fifo: #expect(mkfifo(path, 0o600) == 0)
    case .directory: #expect(mkdir(path, 0o700) == 0)
    }
    let before = try status(path)
    let error = #expect(throws: EndpointError.self) { try listen("refused") }
    #expect(error?.description.contains("is not a socket") == true)
    let after = try status(path)
    #expect(after.st_ino == before.st_ino && after.st_mode == before.st_mode)
    #expect(after.st_size == before.st_size)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
  }

  @Test("A socket on which nobody listens is replaced, and one with a listener is not")
  func stale() async throws {
    let first = try listen("first")
    let number = try status(path).st_ino
    #expect(throws: EndpointError.self) { try listen("refused") }
    #expect(try status(path).st_ino == number)
    await stop(first)
    #expect(access(path, F_OK) != 0)
    // The file of a process that was killed stays.
    #expect(rename(first.otherPath, path) == 0)
    let second = try listen("second")
    await stop(second)
    #expect(access(path, F_OK) != 0)
  }

  @Test("A listener that stops leaves a file that another has put at its path")
  func taken() async throws {
    let first = try listen("first")
    #expect(unlink(path) == 0)
    let second = try listen("second")
    let number = try status(path).st_ino
    await stop(first)
    #expect(try status(path).st_ino == number)
    #expect(unlink(path) == 0)
    try Data("mine".utf8).write(to: URL(filePath: path))
    await stop(second)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("The file has the permissions that were asked for", arguments: [0o600, 0o660, 0o666])
  func mode(_ mode: UInt32) async throws {
    let listening = try listen("only", mode: mode)
    #expect(try status(path).st_mode & 0o7777 == mode_t(mode))
    await stop(listening)
  }

  /// A listener, and another name of its socket.
  private struct Listening {
    let listener: Listener
    let otherPath: String
  }

  @discardableResult
  private func listen(_ name: String, mode: UInt32 = 0o600) throws -> Listening {
    let endpoint = try #require(Endpoint("unix:" + path))
    let listener = try Listener(
      try #require(endpoint.resolve(passive: true).first), endpoint: endpoint, unixMode: mode,
      queue: queue, stateChanged: { _ in }, accepted: { descriptor, _ in close(descriptor) })
    let otherPath = directory.path + "/" + name
    try #require(link(path, otherPath) == 0)
    return Listening(listener: listener, otherPath: otherPath)
  }

  /// Returns when the listener has closed its socket, before which it has removed the file or not.
  private func stop(_ listening: Listening) async {
    listening.listener.stop()
    let address = SocketAddress(unixPath: listening.otherPath)
    let isClosed = await eventually {
      let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(probe) }
      return address.withPointer { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
    }
    #expect(isClosed)
  }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status
  }
}
