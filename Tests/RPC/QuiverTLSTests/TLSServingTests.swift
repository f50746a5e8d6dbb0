import Foundation
import Glibc
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import TestCertificates
import TestSupport
import TestTransports
import Testing

@testable import QuiverTLS

@Suite("Serving over TLS", .serialized, .timeLimit(.minutes(5)), .eachReadiness)
struct TLSServingTests {
  let authority: TestAuthority
  let issued: TestAuthority.Issued

  init() throws {
    authority = try TestAuthority()
    issued = try authority.issue("server")
  }

  static func echo(_ client: RPCClient, _ count: Int = 48) async throws {
    let reply = try await client.call(SecureServer.echo, Blob(count: count))
    #expect(reply.data.count == count)
  }

  @Test("Calls of any size succeed", arguments: [0, 48, 20_000, 3_000_000])
  func calls(_ count: Int) async throws {
    let server = try SecureServer(try authority.server(issued))
    let client = try server.client(try authority.security())
    for _ in 0..<3 { try await Self.echo(client, count) }
    #expect(server.failures.isEmpty)
  }

  @Test("Many concurrent calls succeed")
  func manyCalls() async throws {
    let server = try SecureServer(try authority.server(issued))
    let client = try server.client(try authority.security())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { try await Self.echo(client, number * 100) } }
      try await group.waitForAll()
    }
  }

  @Test("The authenticator gets the names of a verified certificate")
  func identity() async throws {
    let server = try SecureServer(
      try authority.server(
        issued, clients: .required(authoritiesFile: authority.authorityFile)))
    let own = try authority.issue("client", "URI:quiver:user/ann")
    try await Self.echo(try server.client(try authority.security(certificate: own)))
    #expect(server.peers.map(\.certificate) == [PeerIdentity(uris: ["quiver:user/ann"])])
    #expect(server.peers.first?.address == "127.0.0.1")
  }

  @Test("A call to a server with a certificate that is not valid fails with the reason")
  func badCertificate() async throws {
    let expired = try authority.issue("expired", until: -60)
    let server = try SecureServer(try authority.server(expired))
    let client = try server.client(try authority.security())
    let error = await #expect(throws: RPCError.self) { try await Self.echo(client) }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("certificate expired") == true)
    #expect(await eventually { server.failures == [.certificateRefused] })
  }

  @Test("A client without a required certificate gets the reason")
  func missingCertificate() async throws {
    let server = try SecureServer(
      try authority.server(
        issued, clients: .required(authoritiesFile: authority.authorityFile)))
    let client = try server.client(try authority.security())
    let error = await #expect(throws: RPCError.self) { try await Self.echo(client) }
    #expect(error?.message.contains("requires a certificate") == true)
    #expect(await eventually { server.failures == [.certificateMissing] })
  }

  /// The error of a call that has far more time than the answer takes.
  private static func failure(_ client: RPCClient, waits: Bool) async -> RPCError? {
    let options = CallOptions(timeout: .seconds(60), waitsForReady: waits)
    return await #expect(throws: RPCError.self) {
      try await client.call(SecureServer.echo, Blob(count: 48), options: options)
    }
  }

  @Test(
    "A client with TLS gets an error at a port without TLS that says so, also where it waits",
    arguments: [false, true])
  func plainPort(_ waits: Bool) async throws {
    let server = try SecureServer(nil)
    let client = try server.client(try authority.security())
    let error = await Self.failure(client, waits: waits)
    #expect(error?.code == .unavailable && error?.isNotProcessed == true)
    #expect(error?.message.contains("the server does not use TLS on this port") == true)
  }

  @Test(
    "A client without TLS is refused at a port with TLS, also where it waits",
    arguments: [false, true])
  func securePort(_ waits: Bool) async throws {
    let server = try SecureServer(try authority.server(issued))
    let client = try server.client(nil, secure: false)
    let error = await Self.failure(client, waits: waits)
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("this port speaks TLS (quiver/1)") == true)
    #expect(await eventually { server.failures == [.plainText] })
  }

  @Test("A client without TLS refuses an address with tls://")
  func noSecurity() throws {
    let server = try SecureServer(try authority.server(issued))
    #expect(throws: RPCError.self) { try server.client(nil) }
  }

  @Test("Replacing a certificate during calls fails none of them")
  func replacement() async throws {
    let security = try authority.server(issued)
    let server = try SecureServer(security)
    let trusting = try authority.security()
    let old = try server.client(trusting)
    try await Self.echo(old)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<50 { try await Self.echo(old) } }
        group.addTask {
          for _ in 0..<10 { try await Self.echo(try server.client(trusting)) }
        }
      }
      for _ in 0..<5 {
        try authority.issue("server")
        try security.reload()
      }
      try await group.waitForAll()
    }
    #expect(server.failures.isEmpty)
  }

  // MARK: Handshakes that are not over

  @Test("The number of half-open handshakes is limited, the oldest is closed first, others succeed")
  func halfOpen() async throws {
    var limits = Limits()
    limits.maxUnfinishedHandshakes = 40
    limits.maxUnfinishedHandshakesPerAddress = 1_000
    let server = try SecureServer(try authority.server(issued), limits: limits)
    let client = try server.client(try authority.security())
    try await Self.echo(client)
    var open: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    // The header of a record that announces a ClientHello.
    let head: [UInt8] = [0x16, 0x03, 0x01, 0x01, 0x00, 0x01]
    for number in 0..<300 {
      open.append(try server.connect())
      if number.isMultiple(of: 2) { _ = send(open[number], head, head.count, Int32(MSG_NOSIGNAL)) }
      if number.isMultiple(of: 50) { try await Self.echo(client) }
    }
    #expect(await eventually { server.server.connectionCount <= 40 + 1 })
    try await Self.echo(client)
    // A new connection is accepted.
    try await Self.echo(try server.client(try authority.security()))
  }

  @Test("10,000 half-open handshakes use memory up to the limit, and open calls succeed")
  func halfOpenStorm() async throws {
    var files = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0)
    let before = files
    files.rlim_cur = files.rlim_max
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0)
    defer {
      var before = before
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    }
    try #require(files.rlim_cur >= 12_000, "the test needs 12,000 descriptors (ulimit -n)")
    var limits = Limits()
    limits.maxUnfinishedHandshakesPerAddress = 100_000
    let server = try SecureServer(try authority.server(issued), limits: limits)
    let client = try server.client(try authority.security())
    try await Self.echo(client)
    var open: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    let head: [UInt8] = [0x16, 0x03, 0x01, 0x01, 0x00, 0x01]
    for number in 0..<10_000 {
      open.append(try server.connect())
      if number.isMultiple(of: 2) { _ = send(open[number], head, head.count, Int32(MSG_NOSIGNAL)) }
      if number.isMultiple(of: 500) {
        try await Self.echo(client)
        #expect(server.server.connectionCount <= limits.maxConnections)
      }
    }
    #expect(
      await eventually {
        server.server.connectionCount <= limits.maxUnfinishedHandshakes + 1
      })
    try await Self.echo(client)
    // A new connection is accepted.
    try await Self.echo(try server.client(try authority.security()))
  }

  @Test("The unfinished handshakes of an address are limited, and refuse no client at that address")
  func perAddress() async throws {
    var limits = Limits()
    limits.maxUnfinishedHandshakesPerAddress = 10
    let server = try SecureServer(try authority.server(issued), limits: limits)
    let client = try server.client(try authority.security())
    try await Self.echo(client)
    var open: [Int32] = []
    for _ in 0..<60 { open.append(try server.connect()) }
    #expect(await eventually { server.server.connectionCount == 11 })
    try await Self.echo(try server.client(try authority.security()))
    try await Self.echo(client)
    for descriptor in open { close(descriptor) }
    #expect(await eventually { server.server.connectionCount <= 2 })
    try await Self.echo(try server.client(try authority.security()))
  }

  @Test("A handshake that exceeds its time limit is ended")
  func timeout() async throws {
    var limits = Limits()
    limits.handshakeTimeoutMilliseconds = 50
    let server = try SecureServer(try authority.server(issued), limits: limits)
    let descriptor = try server.connect()
    defer { close(descriptor) }
    #expect(await eventually { server.failures == [.timeout] })
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("Other bytes get an answer or an alert, and other connections are not affected")
  func garbage() async throws {
    let server = try SecureServer(try authority.server(issued))
    let client = try server.client(try authority.security())
    try await Self.echo(client)
    let other = Array("EHLO archery\r\n".utf8)
    let spoken = [
      Array("GET / HTTP/1.0\r\n\r\n".utf8), Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8),
      Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8), Preface.bytes, Array(Preface.bytes.prefix(1)),
    ]
    for bytes in spoken + [[0x16, 3, 1, 0, 4, 9, 9, 9, 9], other] {
      let descriptor = try server.connect()
      defer { close(descriptor) }
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      var part = [UInt8](repeating: 0, count: 512)
      var answer: [UInt8] = []
      var count = read(descriptor, &part, part.count)
      while count > 0 {
        answer += part[..<count]
        count = read(descriptor, &part, part.count)
      }
      #expect(count == 0)
      switch bytes[0] {
      case 0x16: #expect(answer.first == 0x15)
      case other[0]: #expect(answer == [])
      default:
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.contains("this port speaks TLS (quiver/1)"), "\(text)")
        #expect(bytes[0] != UInt8(ascii: "G") || text.hasPrefix("HTTP/1.1 400"), "\(text)")
      }
    }
    try await Self.echo(client)
    #expect(
      server.failures
        == spoken.map { _ in .plainText } + [.malformed, .plainText])
  }

  @Test("a drain ends TLS connections with a close_notify")
  func drain() async throws {
    let server = try SecureServer(try authority.server(issued))
    let client = try server.client(try authority.security())
    try await Self.echo(client)
    await server.server.drain()
    #expect(server.server.connectionCount == 0 && server.failures.isEmpty)
  }
}
