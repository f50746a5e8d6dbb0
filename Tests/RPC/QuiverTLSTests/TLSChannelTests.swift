import CTLS
import QuiverRPC
import QuiverWire
import TestCertificates
import Testing

@testable import QuiverTLS

@Suite("TLS channels", .timeLimit(.minutes(5)))
struct TLSChannelTests {
  let authority: TestAuthority
  let server: TLSServer
  let client: TLSClient

  init() throws {
    authority = try TestAuthority()
    server = try authority.server(try authority.issue("server"))
    client = try authority.client()
  }

  /// A pair after its handshake.
  func open() throws -> ChannelPair {
    var pair = try ChannelPair(client, server)
    pair.run()
    try #require(pair.client.state == .open && pair.server.state == .open)
    return pair
  }

  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  @Test("a client and a server agree on TLS 1.3 and quiver/1")
  func handshake() throws {
    let pair = try open()
    #expect(pair.clientError == nil && pair.serverError == nil)
    #expect(SSL_version(pair.client.pointer) == TLS1_3_VERSION)
    #expect(TLSCallbacks.selectedProtocol(pair.server.pointer) == "quiver/1")
    #expect(pair.server.peerIdentity == nil)
  }

  @Test(
    "Data of any size arrives unchanged",
    arguments: [1, 48, 16_383, 16_384, 16_385, 100_000])
  func exchange(_ count: Int) throws {
    var pair = try open()
    try pair.send(fromClient: Self.bytes(count))
    try pair.send(fromServer: Self.bytes(count))
    pair.run()
    #expect(pair.atServer == Self.bytes(count) && pair.atClient == Self.bytes(count))
  }

  @Test("Data that is sent at once has the overhead of the fewest records")
  func recordCount() throws {
    let pair = try open()
    let wire = try ChannelPair.encrypt(Self.bytes(40_000), by: pair.server)
    #expect(wire.count == 40_000 + 3 * TLSLimits.recordOverheadBytes)
  }

  @Test("A handshake and messages may arrive one or three bytes at a time")
  func smallChunks() throws {
    for count in [1, 3] {
      var pair = try ChannelPair(client, server)
      pair.run(chunkBytes: count)
      try pair.send(fromClient: Self.bytes(500))
      pair.run(chunkBytes: count)
      #expect(pair.atServer == Self.bytes(500) && pair.serverError == nil)
    }
  }

  @Test("A client hello that has no end is refused after 64 KiB")
  func endlessHandshake() throws {
    var pair = try ChannelPair(client, server)
    // Records with parts of a client hello of 128,000 bytes, which libssl would wait for.
    let hello = [0x01, 0x01, 0xF4, 0x00] + [UInt8](repeating: 0, count: 128_000)
    var records: [UInt8] = []
    for start in stride(from: 0, to: hello.count, by: 16_384) {
      let part = hello[start..<min(start + 16_384, hello.count)]
      records += [0x16, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 0xFF)] + part
    }
    pair.receive(atServer: Array(records[..<TLSLimits.handshakeBytes]))
    #expect(pair.serverError == nil && pair.server.state == .handshaking)
    pair.receive(atServer: Array(records[TLSLimits.handshakeBytes..<TLSLimits.handshakeBytes + 1]))
    #expect(pair.serverError != nil && pair.server.state == .failed)
  }

  @Test("The name of a server has 1 to 253 bytes")
  func serverNames() throws {
    let longest = String(repeating: "a", count: 63) + "." + String(repeating: "b", count: 63)
    let name = (longest + "." + longest).prefix(253)
    _ = try client.makeChannel(to: String(name))
    for bad in ["", name + "c"] {
      let error = #expect(throws: SecureChannelError.self) { try client.makeChannel(to: bad) }
      #expect(error?.code == .configuration)
    }
  }

  @Test("two records may be cut at every byte")
  func everyCut() throws {
    var pair = try open()
    let message = Self.bytes(48)
    var expected: [UInt8] = []
    for cut in 0..<2 * (48 + TLSLimits.recordOverheadBytes) {
      let records =
        try ChannelPair.encrypt(message, by: pair.client)
        + ChannelPair.encrypt(message, by: pair.client)
      pair.receive(atServer: Array(records[..<cut]))
      pair.receive(atServer: Array(records[cut...]))
      expected += message + message
      try #require(pair.serverError == nil)
    }
    #expect(pair.atServer == expected)
  }

  @Test("a close_notify ends the stream, and an end without one is an error")
  func endings() throws {
    var pair = try open()
    #expect(pair.server.endOfInput()?.code == .truncated)
    try pair.send(fromClient: [1, 2, 3])
    pair.closeClient()
    pair.run()
    #expect(pair.atServer == [1, 2, 3])
    #expect(pair.server.state == .peerClosed && pair.server.endOfInput() == nil)
    // The other direction is still open.
    #expect(pair.serverError == nil)
  }

  @Test("a record that ends too soon is an error at the end of the input")
  func truncatedRecord() throws {
    var pair = try open()
    let record = try ChannelPair.encrypt(Self.bytes(100), by: pair.client)
    pair.receive(atServer: Array(record.dropLast()))
    #expect(pair.atServer.isEmpty && pair.serverError == nil)
    #expect(pair.server.endOfInput()?.code == .truncated)
  }

  @Test("a record with any bit changed is refused")
  func changedRecord() throws {
    for place in stride(from: 0, to: 70, by: 1) {
      var pair = try open()
      var record = try ChannelPair.encrypt(Self.bytes(48), by: pair.client)
      record[place] ^= 0x10
      pair.receive(atServer: record + record)
      #expect(pair.atServer.isEmpty, "byte \(place)")
      // A changed length may only make it wait for further bytes.
      if place > 4 { #expect(pair.serverError?.code == .malformed, "byte \(place)") }
    }
  }

  @Test("A repeated record is refused")
  func replay() throws {
    var pair = try open()
    let record = try ChannelPair.encrypt([7], by: pair.client)
    pair.receive(atServer: record)
    pair.receive(atServer: record)
    #expect(pair.atServer == [7] && pair.serverError?.code == .malformed)
  }

  @Test("Random bytes after the handshake are refused with an alert")
  func garbage() throws {
    var pair = try open()
    pair.receive(atServer: Array(repeating: 0xA5, count: 200))
    #expect(pair.serverError?.code == .malformed && pair.server.state == .failed)
    #expect(pair.fromServer.first == 0x15 || pair.fromServer.first == 0x17)
    // A failed channel neither receives nor sends.
    pair.receive(atServer: try ChannelPair.encrypt([1], by: pair.client))
    #expect(pair.atServer.isEmpty)
  }

  @Test("Random bytes instead of a handshake message never open a channel")
  func hostileHandshake() throws {
    var random = SystemRandomNumberGenerator()
    for round in 0..<300 {
      var pair = try ChannelPair(client, server)
      pair.start()
      var hello = pair.takeFromClient()
      let place = Int.random(in: 0..<hello.count, using: &random)
      let count = Int.random(in: 1...min(40, hello.count - place), using: &random)
      for index in place..<place + count { hello[index] = .random(in: 0...255, using: &random) }
      if round.isMultiple(of: 3) { hello.removeLast(Int.random(in: 1..<20, using: &random)) }
      pair.receive(atServer: hello)
      #expect(pair.server.state != .open && pair.atServer.isEmpty)
    }
  }

  @Test("A peer may change keys a limited number of times")
  func keyUpdates() throws {
    var pair = try open()
    for number in 1...WireState.maxKeyUpdates + 1 {
      SSL_key_update(pair.client.pointer, SSL_KEY_UPDATE_NOT_REQUESTED)
      try pair.send(fromClient: [UInt8(number)])
    }
    pair.run()
    #expect(pair.serverError?.code == .malformed)
    #expect(pair.atServer.count == WireState.maxKeyUpdates)
  }

  @Test("A handshake above the size limit is refused")
  func longHandshake() throws {
    var pair = try ChannelPair(client, server)
    // The header of a ClientHello of 16 MiB, in records of 16 KiB.
    let record = [0x16, 0x03, 0x01, 0x40, 0x00] + [UInt8](repeating: 0, count: 16_384)
    var first = record
    first.replaceSubrange(5..<9, with: [0x01, 0xFF, 0xFF, 0xFF])
    pair.receive(atServer: first)
    for _ in 0..<8 { pair.receive(atServer: record) }
    #expect(pair.serverError?.code == .malformed)
  }
}
