import CTLS
import Foundation
import QuiverRPC
import QuiverWire
import Synchronization
import TestCertificates
import TestSupport
import TestTransports
import Testing

@testable import QuiverTLS

@Suite("Session tickets and reloading", .timeLimit(.minutes(5)), .eachReadiness)
struct TLSTicketTests {
  let authority: TestAuthority

  init() throws { authority = try TestAuthority() }

  /// A clock that a test sets.
  final class Clock: Sendable {
    let seconds = Mutex(1_000)
    func advance(hours: Int) { seconds.withLock { $0 += hours * 3600 } }
    var keys: TicketKeys { TicketKeys { self.seconds.withLock { $0 } } }
  }

  /// Whether a connection resumes an earlier one.
  func resumes(_ client: TLSClient, _ server: TLSServer) throws -> Bool {
    var pair = try ChannelPair(client, server)
    pair.run()
    try #require(pair.client.state == .open && pair.server.state == .open)
    #expect(pair.client.hasResumedSession == pair.server.hasResumedSession)
    return pair.server.hasResumedSession
  }

  @Test("A returning client resumes a session, and another client does not")
  func resumption() throws {
    let server = try authority.server(try authority.issue("server"))
    let client = try authority.client()
    #expect(try !resumes(client, server))
    #expect(try resumes(client, server))
    #expect(try resumes(client, server))
    #expect(try !resumes(try authority.client(), server))
    #expect(client.handshakeCounts.full == 1 && client.handshakeCounts.resumed == 2)
  }

  @Test("A key makes tickets for 8 hours, and is dropped when the last of them has ended")
  func keyLifetime() throws {
    let clock = Clock()
    let keys = clock.keys
    let server = try authority.server(try authority.issue("server", until: 1_000_000), keys)
    func count(afterSeconds seconds: Int) throws -> Int {
      clock.seconds.withLock { $0 = 1_000 + seconds }
      _ = try resumes(try authority.client(), server)
      return keys.count
    }
    let (change, longest) = (
      TLSLimits.ticketKeySeconds, TLSLimits.ticketKeySeconds + TLSLimits.ticketSeconds
    )
    #expect(try count(afterSeconds: 0) == 1)
    #expect(try count(afterSeconds: change - 1) == 1)
    #expect(try count(afterSeconds: change) == 2)
    #expect(try count(afterSeconds: longest - 1) == 3)
    #expect(try count(afterSeconds: longest) == 2)
  }

  @Test("A client keeps the tickets of at most 64 servers")
  func keptTickets() throws {
    let store = TicketStore()
    for number in 0..<TLSLimits.keptTickets + 2 {
      store.put(try #require(SSL_SESSION_new()), for: "server-\(number)")
      #expect(store.count == min(number + 1, TLSLimits.keptTickets))
    }
    store.put(try #require(SSL_SESSION_new()), for: "server-\(TLSLimits.keptTickets + 1)")
    #expect(store.count == TLSLimits.keptTickets)
  }

  @Test("A certificate file has at most 1 MiB")
  func fileSize() throws {
    let path = try authority.issue("server").certificateFile + ".long"
    for (count, isRead) in [(TLSLimits.fileBytes, true), (TLSLimits.fileBytes + 1, false)] {
      try Data(count: count).write(to: URL(fileURLWithPath: path))
      #expect((FileStamp.contents(path)?.count == count) == isRead)
    }
  }

  @Test("A ticket is valid after a change of keys, at most for a day and one change")
  func rotation() throws {
    let clock = Clock()
    let server = try authority.server(
      try authority.issue("server", until: 1_000_000), clock.keys)
    let client = try authority.client()
    #expect(try !resumes(client, server))
    clock.advance(hours: 9)
    // The ticket has the old key, and its replacement a new key.
    #expect(try resumes(client, server))
    clock.advance(hours: 9)
    #expect(try resumes(client, server))
    clock.advance(hours: 33)
    #expect(try !resumes(client, server))
  }

  @Test("A ticket of another server is refused, and the full handshake succeeds")
  func strangeTicket() throws {
    let issued = try authority.issue("server")
    let client = try authority.client()
    #expect(try !resumes(client, try authority.server(issued)))
    #expect(try !resumes(client, try authority.server(issued)))
  }

  @Test("A ticket preserves the client's identity")
  func identity() throws {
    let server = try authority.server(
      try authority.issue("server"), clients: .required(authoritiesFile: authority.authorityFile))
    let client = try authority.client(certificate: try authority.issue("client", "URI:ann"))
    #expect(try !resumes(client, server))
    var pair = try ChannelPair(client, server)
    pair.run()
    #expect(pair.server.hasResumedSession && pair.server.peerIdentity?.uris == ["ann"])
  }

  @Test("A ticket does not outlive its certificate")
  func expiringIdentity() async throws {
    let server = try authority.server(
      try authority.issue("server"), clients: .required(authoritiesFile: authority.authorityFile))
    let client = try authority.client(
      certificate: try authority.issue("client", "URI:ann", until: 2))
    #expect(try !resumes(client, server))
    // The certificate's time is the wall clock's, which no test can set.
    let isRefused = await eventually {
      guard var pair = try? ChannelPair(client, server) else { return false }
      pair.run()
      return pair.serverError?.code == .certificateExpired
    }
    #expect(isRefused)
  }

  @Test("A ticket is refused under another authority for clients")
  func changedAuthority() throws {
    let other = try TestAuthority()
    let issued = try authority.issue("server")
    let keys = TicketKeys()
    let client = try authority.client(certificate: try authority.issue("client", "URI:ann"))
    let before = try authority.server(
      issued, clients: .required(authoritiesFile: authority.authorityFile), keys)
    #expect(try !resumes(client, before))
    let after = try authority.server(
      issued, clients: .required(authoritiesFile: other.authorityFile), keys)
    var pair = try ChannelPair(client, after)
    pair.run()
    #expect(!pair.server.hasResumedSession && pair.serverError?.code == .unknownIssuer)
  }

  @Test("No early data is accepted")
  func earlyData() throws {
    let server = try authority.server(try authority.issue("server"))
    let client = try authority.client()
    _ = try resumes(client, server)
    let pair = try ChannelPair(client, server)
    let session = try #require(SSL_get_session(pair.client.pointer))
    #expect(SSL_SESSION_get_max_early_data(session) == 0)
  }

  // MARK: Reloading

  @Test("New connections have the new certificate, and open ones continue")
  func reload() throws {
    let server = try authority.server(try authority.issue("server"))
    var open = try ChannelPair(try authority.client(), server)
    open.run()
    let issued = try authority.issue("server")
    #expect(try server.reloadIfChanged())
    #expect(try !server.reloadIfChanged())
    var pair = try ChannelPair(try authority.client(pins: [issued.publicKeyHash]), server)
    pair.run()
    #expect(pair.client.state == .open)
    try open.send(fromClient: [1])
    open.run()
    #expect(open.atServer == [1])
  }

  @Test("Tickets from before a reload are valid after it")
  func reloadKeepsTickets() throws {
    let server = try authority.server(try authority.issue("server"))
    let client = try authority.client()
    _ = try resumes(client, server)
    try authority.issue("server")
    try server.reload()
    #expect(try resumes(client, server))
  }

  @Test("Files that are not valid are named, and the old certificate stays")
  func badReload() throws {
    let issued = try authority.issue("server")
    let server = try authority.server(issued)
    let other = try authority.issue("other")
    let text = try String(contentsOfFile: other.keyFile, encoding: .utf8)
    for (content, words) in [
      (text, "is not that of the certificate"), ("no key", "does not hold a private key"),
    ] {
      try content.write(toFile: issued.keyFile, atomically: true, encoding: .utf8)
      let error = #expect(throws: SecureChannelError.self) { _ = try server.reloadIfChanged() }
      #expect(error?.code == .configuration && error?.description.contains(words) == true)
      #expect(error?.description.contains(issued.keyFile) == true)
      // It is reported once.
      #expect(try !server.reloadIfChanged())
    }
    try FileManager.default.removeItem(atPath: issued.certificateFile)
    let error = #expect(throws: SecureChannelError.self) { try server.reload() }
    #expect(error?.description.contains("No such file") == true)
    var pair = try ChannelPair(
      try authority.client(pins: [issued.publicKeyHash]), server)
    pair.run()
    #expect(pair.client.state == .open)
  }

  @Test("A server knows the expiry of its certificate")
  func expiry() throws {
    let server = try authority.server(try authority.issue("server", until: 86_400))
    #expect((86_000...86_400).contains(server.certificateSecondsLeft))
    #expect(server.certificateExpiry.hasSuffix(" UTC"))
  }
}
