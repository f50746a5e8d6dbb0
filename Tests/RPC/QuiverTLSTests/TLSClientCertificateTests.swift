import CTLS
import QuiverRPC
import QuiverWire
import TestCertificates
import TestTransports
import Testing

@testable import QuiverTLS

@Suite("Certificates of clients", .timeLimit(.minutes(5)), .eachReadiness)
struct TLSClientCertificateTests {
  let authority: TestAuthority
  let issued: TestAuthority.Issued

  init() throws {
    authority = try TestAuthority()
    issued = try authority.issue("server")
  }

  func server(required: Bool) throws -> TLSServer {
    let file = authority.authorityFile
    return try authority.server(
      issued,
      clients: required ? .required(authoritiesFile: file) : .optional(authoritiesFile: file))
  }

  @Test("the names of a verified certificate are its URIs and DNS names", arguments: [true, false])
  func names(_ required: Bool) throws {
    let own = try authority.issue(
      "client", "URI:quiver:user/ann,DNS:Phone.Example,IP:10.1.2.3,email:ann@example.org,URI:b")
    var pair = try ChannelPair(
      try authority.client(certificate: own), try server(required: required))
    pair.run()
    #expect(
      pair.server.peerIdentity
        == PeerIdentity(uris: ["quiver:user/ann", "b"], dnsNames: ["phone.example"]))
  }

  @Test("Names that are too long or have other characters than visible ASCII are left out")
  func badNames() throws {
    let longest = "u:" + String(repeating: "x", count: TLSLimits.certificateNameBytes - 2)
    let own = try authority.issue("client", "URI:\(longest),URI:\(longest)y,URI:u:a b,URI:u:ok")
    var pair = try ChannelPair(
      try authority.client(certificate: own), try server(required: true))
    pair.run()
    #expect(pair.server.peerIdentity == PeerIdentity(uris: [longest, "u:ok"], dnsNames: []))
  }

  @Test("A client without a certificate is refused if the server requires one")
  func missing() throws {
    var pair = try ChannelPair(try authority.client(), try server(required: true))
    pair.run()
    #expect(pair.serverError?.code == .certificateMissing)
    #expect(pair.clientError?.code == .certificateMissing)
    #expect(pair.clientError?.description.contains("--certificate") == true)
  }

  @Test("A client without a certificate is anonymous if it is optional")
  func optional() throws {
    var pair = try ChannelPair(try authority.client(), try server(required: false))
    pair.run()
    #expect(pair.server.state == .open && pair.server.peerIdentity == nil)
  }

  @Test("A server that requests no certificate ignores one")
  func notAsked() throws {
    let own = try authority.issue("client", "URI:quiver:user/ann")
    var pair = try ChannelPair(
      try authority.client(certificate: own), try authority.server(issued))
    pair.run()
    #expect(pair.server.state == .open && pair.server.peerIdentity == nil)
  }

  @Test(
    "A certificate that is not valid is refused, required or optional", arguments: [true, false])
  func bad(_ required: Bool) throws {
    let server = try server(required: required)
    let other = try TestAuthority()
    let cases: [(TestAuthority.Issued, SecureChannelError.Code)] = [
      (try authority.issue("old", "URI:a", until: -60), .certificateExpired),
      (try authority.issue("new", "URI:a", from: 1800), .certificateNotYetValid),
      (try authority.issue("self", "URI:a", isSelfSigned: true), .unknownIssuer),
      (try other.issue("other", "URI:a"), .unknownIssuer),
      (try authority.issue("use", "URI:a", use: "serverAuth"), .certificateInvalid),
    ]
    for (own, code) in cases {
      var pair = try ChannelPair(try authority.client(certificate: own), server)
      pair.run()
      #expect(pair.serverError?.code == code)
      #expect(pair.serverError?.description.contains("the client's certificate") == true)
      #expect(pair.clientError?.code == .certificateRefused)
      #expect(pair.server.state == .failed && pair.server.peerIdentity == nil)
    }
  }
}
