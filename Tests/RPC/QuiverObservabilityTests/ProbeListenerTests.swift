import Foundation
import Glibc
import QuiverWire
import Synchronization
import Testing

@testable import QuiverObservability

@Suite("Requests for metrics and probes", .timeLimit(.minutes(5)))
struct ProbeRequestTests {
  @Test(
    "A GET is read with its path, whatever headers follow",
    arguments: [
      ("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "/metrics"),
      ("GET /livez?verbose=1 HTTP/1.0\r\n\r\n", "/livez"),
      ("GET / HTTP/1.1\nHost: a\n\n", "/"),
    ])
  func get(text: String, path: String) {
    #expect(ProbeRequest(Array(text.utf8)) == .get(path: path))
    for count in 0..<text.utf8.count {
      #expect(ProbeRequest(Array(text.utf8.prefix(count))) == .incomplete, "\(count) bytes")
    }
  }

  @Test(
    "Anything else is refused with a status",
    arguments: [
      ("POST /metrics HTTP/1.1\r\n\r\n", ProbeStatus.methodNotAllowed),
      ("HEAD / HTTP/1.1\r\n\r\n", .methodNotAllowed),
      ("GET /metrics HTTP/2.0\r\n\r\n", .versionNotSupported),
      ("GET /metrics\r\n\r\n", .badRequest), ("GET  /metrics HTTP/1.1\r\n\r\n", .badRequest),
      ("GET metrics HTTP/1.1\r\n\r\n", .badRequest), ("\r\n\r\n", .badRequest),
      ("GET /\u{1} HTTP/1.1\r\n\r\n", .badRequest), ("GET /é HTTP/1.1\r\n\r\n", .badRequest),
      ("GET /\(String(repeating: "a", count: 2_000)) HTTP/1.1\r\n\r\n", .badRequest),
    ])
  func refused(text: String, status: ProbeStatus) {
    #expect(ProbeRequest(Array(text.utf8)) == .refused(status))
  }

  @Test("A request that does not end within its limit is refused")
  func tooLarge() {
    let endless = Array("GET / HTTP/1.1\r\nX: ".utf8) + [UInt8](repeating: 97, count: 9_000)
    #expect(ProbeRequest(endless) == .refused(.headersTooLarge))
    #expect(ProbeRequest(endless + Array("\r\n\r\n".utf8)) == .refused(.headersTooLarge))
  }

  @Test("Random bytes never end the process", arguments: 0..<50)
  func random(seed: Int) {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("GET /mHTP1.0\r\n \u{0}x".utf8)
    let bytes = (0..<300).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
    // That chance writes a whole request is as good as impossible.
    if case .get(let path) = ProbeRequest(bytes) { Issue.record("\(path)") }
    #expect(ProbeRequest(bytes + Array("\r\n\r\n".utf8)) != .incomplete)
  }
}

@Suite("The listener for metrics and probes", .serialized, .timeLimit(.minutes(5)))
struct ProbeListenerTests {
  private let listener: ProbeListener
  private let port: UInt16

  init() throws {
    listener = try ProbeListener(host: "127.0.0.1", port: 0) { path in
      path == "/large"
        ? ProbeReply(.ok, String(repeating: "x", count: 4 << 20)) : ProbeReply(.ok, path + "\n")
    }
    port = try #require(
      listener.addresses.first?.split(separator: ":").last.flatMap { UInt16($0) })
  }

  /// A connected socket.
  private func connect() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(code == 0)
    return descriptor
  }

  private func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8), to: descriptor)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// All that comes until the peer closes, as text.
  private func read(_ descriptor: Int32) -> String {
    String(decoding: readBytes(descriptor), as: UTF8.self)
  }

  private func readBytes(_ descriptor: Int32) -> [UInt8] {
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  @Test("A request is answered, and the connection closed")
  func answer() throws {
    let socket = try connect()
    write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", to: socket)
    let text = read(socket)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(
      text.contains("\r\nContent-Length: 9\r\n") && text.contains("\r\nConnection: close\r\n"))
    #expect(text.hasSuffix("\r\n\r\n/metrics\n"))
  }

  @Test("A request that comes byte by byte is answered, and so is one with a body behind it")
  func slowly() throws {
    let socket = try connect()
    for byte in "GET /a HTTP/1.1\r\n\r\n" { write(String(byte), to: socket) }
    #expect(read(socket).hasSuffix("/a\n"))
    let other = try connect()
    write("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", to: other)
    #expect(read(other).hasPrefix("HTTP/1.1 405 "))
  }

  @Test(
    "A peer of another protocol is told in its own what is spoken here",
    arguments: [
      (Preface.bytes, Preface.bytes), ([0x16, 3, 1, 0, 200], [0x15, 3, 3, 0, 2, 2, 10]),
      (Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), Array("this port speaks HTTP".utf8)),
      (Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), [0, 0, 0, 4, 0, 0, 0, 0, 0]),
    ])
  func otherProtocols(hello: [UInt8], answer: [UInt8]) throws {
    let whole = try connect()
    write(hello, to: whole)
    #expect(readBytes(whole).starts(with: answer))
    let slow = try connect()
    for byte in hello { write([byte], to: slow) }
    #expect(readBytes(slow).starts(with: answer))
  }

  @Test("A response that its peer reads slowly comes whole")
  func large() throws {
    let socket = try connect()
    write("GET /large HTTP/1.1\r\n\r\n", to: socket)
    #expect(read(socket).utf8.count > 4 << 20)
  }

  @Test("Connections that send nothing make room for later ones")
  func manyConnections() throws {
    let idle = try (0..<100).map { _ in try connect() }
    defer { for descriptor in idle { close(descriptor) } }
    let socket = try connect()
    write("GET /last HTTP/1.1\r\n\r\n", to: socket)
    #expect(read(socket).hasSuffix("/last\n"))
    // The first connections were closed, unanswered.
    var byte: UInt8 = 0
    #expect(recv(idle[0], &byte, 1, 0) <= 0)
  }

  @Test("A connection that does not finish its request is closed in time")
  func unfinished() throws {
    let socket = try connect()
    write("GET /metrics HTT", to: socket)
    #expect(read(socket).isEmpty)
  }

  @Test("After a stop nobody is answered, and the port is free")
  func stop() throws {
    let open = try connect()
    listener.stop()
    #expect(read(open).isEmpty)
    let next = try ProbeListener(host: "127.0.0.1", port: port) { ProbeReply(.ok, $0) }
    next.stop()
  }

  @Test("A port in use and an unknown host are refused with a sentence")
  func refused() {
    let inUse = #expect(throws: ProbeListenerError.self) {
      try ProbeListener(host: "127.0.0.1", port: port) { ProbeReply(.ok, $0) }
    }
    #expect(inUse?.description.contains("cannot listen on 127.0.0.1:\(port)") == true)
  }
}
