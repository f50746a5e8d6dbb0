import Foundation

/// A socket of the scripted server in a directory of its own, and the connections of the client.
final class Listener {
  let address: String
  private let path: String
  private let descriptor: Int32
  private var seed: UInt64

  /// Listens; with a seed other than 0, the wire of each connection is hostile.
  init(seed: UInt64) throws {
    self.seed = seed
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/quiver.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no directory can be made in \(parent)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    address = "unix:\(path)/socket"
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: "\(path)/socket".utf8) }
    let bound = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try require(bound == 0 && listen(descriptor, 64) == 0, "no socket can be made in \(path)")
  }

  deinit {
    close(descriptor)
    unlink("\(path)/socket")
    rmdir(path)
  }

  /// The next connection; nil after a timeout.
  func acceptIfAny(within milliseconds: Int32) -> ScriptedConnection? {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, milliseconds) > 0 else { return nil }
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    if seed != 0 { seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    return ScriptedConnection(accepted, seed: seed)
  }

  /// The next connection.
  func accept(within milliseconds: Int32 = Driver.patience) throws -> ScriptedConnection {
    guard let connection = acceptIfAny(within: milliseconds) else {
      throw Failure("the client made no connection in \(milliseconds) ms")
    }
    return connection
  }
}
