import Foundation

/// A server to measure: how to start it and how to call it.
struct Subject {
  var name: String
  /// The command that serves a port, with its data in a folder.
  var serve: (_ port: Int, _ folder: URL) -> [String]
  /// The load client with the arguments for this subject.
  var load: (_ folder: URL) -> [String]

  /// The name of the server; subjects with the same server share a process.
  var server: String

  /// The limits of one principal, who alone makes all calls of a measure.
  static let noQuotas = [
    "--stored-bytes-per-principal", "--stored-rows-per-principal", "--stored-bytes-per-minute",
    "--idempotency-keys-per-principal", "--key-bytes-per-principal", "--idempotency-keys",
    "--key-bytes",
  ].flatMap { [$0, "0"] }

  static func all(_ peers: Peers) -> [Subject] {
    let data = { (folder: URL) in folder.appendingPathComponent("data") }
    let token = { (folder: URL) in data(folder).appendingPathComponent("admin.token").path }
    let quiver = { (port: Int, folder: URL) in
      [
        peers.quiverd, "--init", "--listen", "127.0.0.1:\(port)", "--data", data(folder).path,
        "--diagnostics",
      ] + noQuotas
    }
    return [
      Subject(
        name: "raw epoll echo in C", serve: { port, _ in [peers.path("raw_echo"), "\(port)"] },
        load: { _ in [peers.path("load"), "--raw"] }, server: "raw"),
      Subject(
        name: "Quiver, synchronous handler", serve: quiver,
        load: { [peers.path("load"), "--method", "769", "--token-file", token($0)] },
        server: "quiverd"),
      Subject(
        name: "Quiver, async handler", serve: quiver,
        load: { [peers.path("load"), "--method", "770", "--token-file", token($0)] },
        server: "quiverd"),
      Subject(
        name: "gRPC C++", serve: { port, _ in [peers.path("grpc_echo"), "serve", "\(port)"] },
        load: { _ in [peers.path("grpc_echo"), "load"] }, server: "grpc"),
      Subject(
        name: "ttrpc in Go", serve: { port, _ in [peers.path("ttrpc_echo"), "serve", "\(port)"] },
        load: { _ in [peers.path("ttrpc_echo"), "load"] }, server: "ttrpc"),
    ]
  }
}

/// A running server, until `stop`.
final class Server {
  let port: Int
  let folder: URL
  /// Milliseconds from the start of the process until it accepted a connection.
  let startMilliseconds: Double
  private let process: Process
  /// Whether `stop` removes the folder.
  private let ownsFolder: Bool

  var pid: Int32 { process.processIdentifier }

  /// Starts the server on a free port and waits until it accepts connections; `prepare` fills its
  /// folder first, which `stop` removes.
  ///
  /// Throws `Unmeasured` with the end of its log if it exits or does not accept within 20 s.
  convenience init(_ subject: Subject, prepare: (URL) throws -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try prepare(folder)
    try self.init(subject, in: folder, ownsFolder: true)
  }

  /// Starts the server in a folder that stays after `stop`.
  convenience init(_ subject: Subject, in folder: URL) throws {
    try self.init(subject, in: folder, ownsFolder: false)
  }

  private init(_ subject: Subject, in folder: URL, ownsFolder: Bool) throws {
    port = try Self.freePort()
    self.folder = folder
    self.ownsFolder = ownsFolder
    let log = folder.appendingPathComponent("log")
    let clock = ContinuousClock()
    let start = clock.now
    process = try Programs.start(subject.serve(port, folder), log: log)
    var isAccepting = false
    while !isAccepting, process.isRunning, clock.now - start < .seconds(20) {
      usleep(1_000)
      isAccepting = Self.accepts(port)
    }
    startMilliseconds = (clock.now - start) / .milliseconds(1)
    if isAccepting { return }
    let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    let state = process.isRunning ? "does not accept" : "ended"
    stop()
    throw Unmeasured("\(subject.server) \(state): \(said.suffix(400))")
  }

  func stop() {
    if process.isRunning { process.terminate() }
    for _ in 0..<50 where process.isRunning { usleep(100_000) }
    if process.isRunning { kill(pid, SIGKILL) }
    process.waitUntilExit()
    if ownsFolder { try? FileManager.default.removeItem(at: folder) }
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard bound else { throw Unmeasured("no free port on 127.0.0.1") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func accepts(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(UInt16(truncatingIfNeeded: port))
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return address
  }
}
