import Foundation
import QuiverTLS

/// A socket of the scripted server, and the connections of the client: a Unix socket in a directory
/// of its own, or with TLS a port of this machine.
final class Listener {
  let address: String
  /// The folder of the certificates; nil: without TLS.
  let certificates: String?
  /// Makes the server's side of TLS; nil: without TLS.
  private let security: TLSServer?
  private let path: String
  private var descriptor: Int32
  private var port: UInt16 = 0
  private var seed: UInt64

  /// Listens.
  init(_ wire: Wire) throws {
    seed = wire.seed
    certificates = wire.certificates
    if let folder = wire.certificates {
      security = try Self.security(folder)
      path = ""
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      port = try Self.bindAny(descriptor)
      address = "tls://127.0.0.1:\(port)"
    } else {
      security = nil
      path = try Self.makeDirectory()
      address = "unix:\(path)/socket"
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      try Self.bind(descriptor, path)
    }
    try require(listen(descriptor, 64) == 0, "no socket can listen")
  }

  /// Refuses connections from here on.
  func stop() {
    close(descriptor)
    descriptor = -1
    if !path.isEmpty { unlink("\(path)/socket") }
  }

  /// Listens again, at the same address.
  func restart() throws {
    let family = path.isEmpty ? AF_INET : AF_UNIX
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if path.isEmpty {
      try require(Self.bind(descriptor, port: port), "the port of before cannot be bound")
    } else {
      try Self.bind(descriptor, path)
    }
    try require(listen(descriptor, 64) == 0, "no socket can listen")
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    guard !path.isEmpty else { return }
    unlink("\(path)/socket")
    rmdir(path)
  }

  static func security(_ folder: String) throws -> TLSServer {
    try TLSServer(
      .init(
        certificateFile: "\(folder)/server.pem", keyFile: "\(folder)/server.key",
        clientCertificates: .optional(authoritiesFile: "\(folder)/ca.pem")))
  }

  private static func makeDirectory() throws -> String {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/quiver.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no directory can be made in \(parent)") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func bind(_ descriptor: Int32, _ path: String) throws {
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: "\(path)/socket".utf8) }
    let bound = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try require(bound == 0, "no socket can be made in \(path)")
  }

  /// Binds to a port below those that the system gives to connections, and returns it: none of
  /// these can take it between `stop` and `restart`.
  private static func bindAny(_ descriptor: Int32) throws -> UInt16 {
    for _ in 0..<100 {
      let port = UInt16.random(in: 20_000..<32_000)
      if bind(descriptor, port: port) { return port }
    }
    throw Failure("no port can be bound")
  }

  private static func bind(_ descriptor: Int32, port: UInt16) -> Bool {
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var place = sockaddr_in()
    place.sin_port = port.bigEndian
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// The next connection; nil after a timeout.
  func acceptIfAny(within milliseconds: Int32) -> ScriptedConnection? {
    acceptRaw(within: milliseconds).map {
      ScriptedConnection($0, seed: nextSeed(), security?.makeChannel())
    }
  }

  /// The descriptor of the next connection, without TLS; nil after a timeout.
  func acceptRaw(within milliseconds: Int32) -> Int32? {
    guard waits(descriptor, for: Int16(POLLIN), milliseconds) else { return nil }
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return accepted
  }

  private func nextSeed() -> UInt64 {
    if seed != 0 { seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    return seed
  }

  /// The next connection.
  func accept(within milliseconds: Int32 = Driver.patience) throws -> ScriptedConnection {
    guard let connection = acceptIfAny(within: milliseconds) else {
      throw Failure("the client made no connection in \(milliseconds) ms")
    }
    return connection
  }
}
