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
    let error = #expect(throws: EndpointError.self) { try listen() }
    #expect(error?.description.contains("is not a socket") == true)
    let after = try status(path)
    #expect(after.st_ino == before.st_ino && after.st_mode == before.st_mode)
    #expect(after.st_size == before.st_size)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
  }

  @Test("A socket on which nobody listens is replaced, and one with a listener is not")
  func stale() throws {
    let first = try listen()
    let number = try status(path).st_ino
    #expect(throws: EndpointError.self) { try listen() }
    #expect(try status(path).st_ino == number)
    // The file of a process that was killed stays.
    let kept = directory.path + "/kept"
    #expect(link(path, kept) == 0)
    stop(first)
    #expect(rename(kept, path) == 0)
    stop(try listen())
    #expect(access(path, F_OK) != 0)
  }

  @Test("A listener that stops leaves a file that another has put at its path")
  func taken() throws {
    let first = try listen()
    #expect(unlink(path) == 0)
    let second = try listen()
    let number = try status(path).st_ino
    stop(first)
    #expect(try status(path).st_ino == number)
    #expect(unlink(path) == 0)
    try Data("mine".utf8).write(to: URL(filePath: path))
    stop(second)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("The file has the permissions that were asked for", arguments: [0o600, 0o660, 0o666])
  func mode(_ mode: UInt32) throws {
    let listener = try listen(mode: mode)
    #expect(try status(path).st_mode & 0o7777 == mode_t(mode))
    stop(listener)
  }

  @discardableResult
  private func listen(mode: UInt32 = 0o600) throws -> Listener {
    let endpoint = try #require(Endpoint("unix:" + path))
    return try Listener(
      try #require(endpoint.resolve(passive: true).first), endpoint: endpoint, unixMode: mode,
      queue: queue, stateChanged: { _ in }, accepted: { descriptor, _ in close(descriptor) })
  }

  /// Returns when the file was removed or left.
  private func stop(_ listener: Listener) {
    listener.stop()
    queue.sync {}
    queue.sync {}
  }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status
  }
}
