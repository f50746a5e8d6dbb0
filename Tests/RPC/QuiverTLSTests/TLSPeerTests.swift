import CTLS
import QuiverRPC
import QuiverWire
import TestCertificates
import Testing

@testable import QuiverTLS

@Suite("Peers that a TLS channel refuses", .timeLimit(.minutes(5)))
struct TLSPeerTests {
  let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  struct BadServer: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var names = "DNS:localhost"
    var from = -3600
    var until = 3600
    var isSelfSigned = false
    var use = "serverAuth"
    var code: SecureChannelError.Code
    var words: String
    /// The error at the server, from the client's alert.
    var atServer: SecureChannelError.Code = .certificateRefused
  }

  static let badServers = [
    BadServer(
      testDescription: "expired", until: -60, code: .certificateExpired, words: "renew it"),
    BadServer(
      testDescription: "not valid yet", from: 1800, code: .certificateNotYetValid,
      words: "check the clocks"),
    BadServer(
      testDescription: "another name", names: "DNS:archery.example", code: .wrongName,
      words: "not for localhost"),
    BadServer(testDescription: "no name", names: "", code: .wrongName, words: "not for localhost"),
    BadServer(
      testDescription: "self-signed", isSelfSigned: true, code: .unknownIssuer,
      words: "signed by itself"),
    BadServer(
      testDescription: "a client's", use: "clientAuth", code: .certificateInvalid,
      words: "purpose"),
  ]

  @Test(
    "A server's certificate that is not valid ends the handshake with its fault",
    arguments: badServers)
  func badServer(_ bad: BadServer) throws {
    let issued = try authority.issue(
      "server", bad.names, from: bad.from, until: bad.until, isSelfSigned: bad.isSelfSigned,
      use: bad.use)
    var pair = try ChannelPair(try authority.client(), try authority.server(issued))
    pair.run()
    #expect(pair.clientError?.code == bad.code)
    #expect(pair.clientError?.description.contains(bad.words) == true)
    #expect(pair.client.state == .failed && pair.server.state != .open)
    #expect(pair.serverError?.code == bad.atServer)
  }

  @Test("a certificate of an authority that is not trusted is refused")
  func unknownIssuer() throws {
    let other = try TestAuthority()
    let issued = try other.issue("server")
    var pair = try ChannelPair(try authority.client(), try authority.server(issued))
    pair.run()
    #expect(pair.clientError?.code == .unknownIssuer)
    #expect(pair.clientError?.description.contains("--ca FILE") == true)
  }

  @Test("The system's roots do not trust the test authority")
  func systemRoots() throws {
    let server = try authority.server(try authority.issue("server"))
    var pair = try ChannelPair(try TLSClient(TLSConfiguration()), server)
    pair.run()
    #expect(pair.clientError?.code == .unknownIssuer)
  }

  @Test("A certificate for an IP address must have it as an IP address")
  func addresses() throws {
    let server = try authority.server(
      try authority.issue("server", "IP:127.0.0.1,IP:::1,DNS:localhost"))
    for host in ["127.0.0.1", "::1", "localhost"] {
      var pair = try ChannelPair(try authority.client(), server, host: host)
      pair.run()
      #expect(pair.client.state == .open)
    }
    var pair = try ChannelPair(try authority.client(), server, host: "127.0.0.2")
    pair.run()
    #expect(pair.clientError?.code == .wrongName)
  }

  @Test("A configured server name replaces the host")
  func serverName() throws {
    let server = try authority.server(try authority.issue("server", "DNS:archery.example"))
    var pair = try ChannelPair(
      try authority.client(name: "archery.example"), server, host: "10.0.0.1")
    pair.run()
    #expect(pair.client.state == .open)
  }

  @Test("A client without a server name cannot be created")
  func noName() throws {
    let client = try authority.client()
    #expect(throws: SecureChannelError.self) { try client.makeChannel(to: "") }
    #expect(throws: SecureChannelError.self) { try client.makeChannel(to: "a\0b") }
  }

  @Test("A pinned public key must match in addition to the other checks")
  func pins() throws {
    let issued = try authority.issue("server")
    let server = try authority.server(issued)
    let wrong = [UInt8](repeating: 1, count: 32)
    var pair = try ChannelPair(
      try authority.client(pins: [wrong, issued.publicKeyHash]), server)
    pair.run()
    #expect(pair.client.state == .open)
    pair = try ChannelPair(try authority.client(pins: [wrong]), server)
    pair.run()
    #expect(pair.clientError?.code == .wrongPublicKey)
    // A pin does not replace an authority.
    let other = try TestAuthority()
    let foreign = try other.issue("server")
    pair = try ChannelPair(
      try authority.client(pins: [foreign.publicKeyHash]), try authority.server(foreign))
    pair.run()
    #expect(pair.clientError != nil && pair.client.state == .failed)
    #expect(throws: SecureChannelError.self) { try authority.client(pins: [[1, 2, 3]]) }
  }

  // MARK: Protocols

  @Test("A client without ALPN, or with another protocol, is refused with the reason")
  func clientProtocols() throws {
    let server = try authority.server(try authority.issue("server"))
    for offered in [[], [2, 0x68, 0x32], [8] + Array("quiver/2".utf8)] as [[UInt8]] {
      let client = try authority.client()
      SSL_CTX_set_alpn_protos(client.context.pointer, offered, UInt32(offered.count))
      var pair = try ChannelPair(client, server)
      pair.run()
      #expect(pair.serverError?.code == .noApplicationProtocol)
      #expect(pair.clientError?.code == .noApplicationProtocol)
    }
  }

  @Test("quiver/1 is chosen among several protocols")
  func severalProtocols() throws {
    let server = try authority.server(try authority.issue("server"))
    let client = try authority.client()
    let offered = [2, 0x68, 0x32] + TLSCallbacks.protocolList
    SSL_CTX_set_alpn_protos(client.context.pointer, offered, UInt32(offered.count))
    var pair = try ChannelPair(client, server)
    pair.run()
    #expect(pair.server.state == .open && pair.client.state == .open)
  }

  @Test("a server that chooses no protocol is refused by the client")
  func serverProtocols() throws {
    let server = try authority.server(try authority.issue("server"))
    SSL_CTX_set_alpn_select_cb(
      server.context.pointer, { _, _, _, _, _, _ in SSL_TLSEXT_ERR_NOACK }, nil)
    var pair = try ChannelPair(try authority.client(), server)
    pair.run()
    #expect(pair.clientError?.code == .noApplicationProtocol)
  }

  @Test("A TLS 1.2 client is refused with the reason")
  func oldClient() throws {
    let server = try authority.server(try authority.issue("server"))
    let client = try authority.client()
    SSL_CTX_ctrl(client.context.pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    SSL_CTX_ctrl(client.context.pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    var pair = try ChannelPair(client, server)
    pair.run()
    #expect(pair.serverError?.code == .oldVersion && pair.clientError?.code == .oldVersion)
  }

  @Test("A TLS 1.2 server is refused with the reason")
  func oldServer() throws {
    let server = try authority.server(try authority.issue("server"))
    let context = server.context.pointer
    SSL_CTX_set_client_hello_cb(context, nil, nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    var pair = try ChannelPair(try authority.client(), server)
    pair.run()
    #expect(pair.clientError?.code == .oldVersion)
  }

  @Test(
    "Plain text is recognized by its first byte",
    arguments: [
      [0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 0x01], Array("GET / HTTP/1.1\r\n".utf8),
    ])
  func plainText(_ bytes: [UInt8]) throws {
    let server = try authority.server(try authority.issue("server"))
    var pair = try ChannelPair(try authority.client(), server)
    pair.receive(atServer: [bytes[0]])
    #expect(pair.serverError?.code == .plainText)
    pair.start()
    pair.receive(atClient: bytes)
    #expect(pair.clientError?.code == .plainText)
  }

  @Test(
    "A client is told which protocol the answer is of",
    arguments: [
      (Array("HTTP/1.1 400 Bad Request\r\n".utf8), ": it speaks HTTP"),
      (Array("<!DOCTYPE html>".utf8), ": it speaks HTTP"),
      ([0, 0, 0, 4, 0, 0, 0, 0, 0], ": it speaks HTTP"),
      (Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), ": it speaks SSH"),
      ([0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 0x01], ": it speaks Quiver"),
      (Array("220 mail.example ESMTP\r\n".utf8), ""),
    ])
  func otherProtocols(_ bytes: [UInt8], _ words: String) throws {
    let server = try authority.server(try authority.issue("server"))
    var pair = try ChannelPair(try authority.client(), server)
    pair.start()
    pair.receive(atClient: bytes)
    #expect(pair.clientError?.code == .plainText)
    #expect(pair.clientError?.description == "what answers does not speak TLS" + words)
  }

  @Test("A port without TLS that says so by an alert is told from other protocols")
  func plainAlert() throws {
    let server = try authority.server(try authority.issue("server"))
    var pair = try ChannelPair(try authority.client(), server)
    pair.start()
    pair.receive(atClient: OtherProtocol.tls.answer(""))
    #expect(pair.clientError?.code == .plainText)
    #expect(pair.clientError?.description.contains("does not use TLS on this port") == true)
  }

  @Test("An end during the handshake states which side ended, and that the port may not use TLS")
  func endsInHandshake() throws {
    let server = try authority.server(try authority.issue("server"))
    var pair = try ChannelPair(try authority.client(), server)
    pair.start()
    #expect(pair.client.endOfInput()?.code == .plainText)
    #expect(pair.server.endOfInput()?.code == .truncated)
  }
}
