import QuiverTLS
import QuiverWire
import TestCertificates
import Testing

@testable import QuiverRPC

@Suite("The conversations of the specification over TLS", .timeLimit(.minutes(5)))
struct SecureVectorTests {
  let client: TLSClient
  let server: TLSServer

  init() throws {
    let authority = try TestAuthority()
    let issued = try authority.issue("server")
    server = try TLSServer(
      .init(certificateFile: issued.certificateFile, keyFile: issued.keyFile))
    client = try TLSClient(TLSConfiguration(trustedRoots: .file(authority.authorityFile)))
  }

  /// One side's channel, with the bytes that it decrypted and encrypted.
  final class Side {
    private let channel: any SecureChannel
    private var plain = ByteQueue()
    private var wire = ByteQueue()

    init(_ channel: any SecureChannel) { self.channel = channel }

    var isOpen: Bool { channel.state == .open }

    func start() -> [UInt8] { produce { try channel.start(wire: &wire) } }

    func encrypt(_ bytes: [UInt8]) -> [UInt8] {
      produce { try bytes.withUnsafeBytes { try channel.send($0, wire: &wire) } }
    }

    /// Returns the bytes to send.
    @discardableResult
    func receive(_ bytes: [UInt8], chunkBytes: Int = .max) -> [UInt8] {
      var rest = bytes[...]
      return produce {
        while !rest.isEmpty {
          try Array(rest.prefix(chunkBytes)).withUnsafeBytes {
            try channel.receive($0, plain: &plain, wire: &wire)
          }
          rest = rest.dropFirst(chunkBytes)
        }
      }
    }

    func takePlain() -> [UInt8] {
      defer { plain.removeAll() }
      return Array(plain.bytes)
    }

    private func produce(_ body: () throws -> Void) -> [UInt8] {
      do { try body() } catch { Issue.record("\(error)") }
      defer { wire.removeAll() }
      return Array(wire.bytes)
    }
  }

  @Test(
    "C01: over TLS the server sends the specified bytes",
    arguments: VectorConversationTests.forServers)
  func server(_ talk: Vectors.Conversation) throws { try playServer(talk) }

  @Test(
    "C03: over TLS the server sends the same after records that arrive a byte at a time",
    arguments: VectorConversationTests.forServers)
  func serverByteByByte(_ talk: Vectors.Conversation) throws { try playServer(talk, chunkBytes: 1) }

  private func playServer(_ talk: Vectors.Conversation, chunkBytes: Int = .max) throws {
    let near = Side(try client.makeChannel(to: "localhost"))
    let far = Side(try #require(server.makeChannel()))
    // The last of them are the session ticket.
    near.receive(far.receive(near.receive(far.receive(near.start()))))
    try #require(near.isOpen && far.isOpen)
    VectorConversationTests.play(
      talk, in: VectorHost(),
      arriving: { bytes in
        near.receive(far.encrypt(bytes), chunkBytes: chunkBytes)
        return near.takePlain()
      },
      receive: { host, bytes in
        far.receive(near.encrypt(bytes), chunkBytes: chunkBytes)
        host.receive(far.takePlain())
      })
  }

  @Test(
    "C01: over TLS the client sends the specified bytes, and its calls end as specified",
    arguments: VectorConversationTests.forClients)
  func client(_ talk: Vectors.Conversation) throws {
    let reactor = ManualReactor()
    let end = VectorConversationTests.clientEnd(reactor)
    let secure = SecureEnd(
      end, try client.makeChannel(to: "localhost"),
      shared: SecureReactor(reactor, limits: Limits()), startsHandshake: true)
    let far = Side(try #require(server.makeChannel()))
    let hello = VectorConversationTests.said(by: secure, reactor)
    far.receive(hello).withUnsafeBytes { secure.receive($0, now: reactor.nowNanoseconds) }
    try VectorConversationTests.play(
      talk, by: end, carried: secure, reactor,
      sent: { bytes in
        // The first ones end the handshake; the tickets arrive with the following bytes.
        let answer = far.receive(bytes)
        answer.withUnsafeBytes { secure.receive($0, now: reactor.nowNanoseconds) }
        return far.takePlain()
      },
      arriving: { far.encrypt($0) })
    #expect(secure.hasOpened && secure.failure == nil)
  }
}
