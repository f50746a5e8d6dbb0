import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@Suite("Limits of connections on real sockets", .timeLimit(.minutes(5)))
struct FairnessTests {
  /// A PROXY protocol version 2 header with 192.0.2.7, port 50000.
  private static let proxyHeader: [UInt8] =
    ProxyHeaderParser.signature + [0x21, 0x11, 0, 12, 192, 0, 2, 7, 127, 0, 0, 1, 0xC3, 0x50, 0, 1]

  @Test("A connection behind a trusted proxy has the address in the PROXY header")
  func proxied() async throws {
    let server = try TestServer { $0.trustedProxies = TrustedNetworks("127.0.0.0/8") ?? .init() }
    let peer = try RawPeer(port: server.port)
    peer.send(Array(Self.proxyHeader[..<7]))
    peer.send(Array(Self.proxyHeader[7...]) + greeting, request(1, Methods.echo))
    #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
    #expect(await server.server.connections().map(\.address) == ["192.0.2.7"])
    peer.close()
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("A trusted proxy that sends no PROXY header is closed without an answer")
  func noHeader() async throws {
    let server = try TestServer { $0.trustedProxies = TrustedNetworks("127.0.0.1") ?? .init() }
    let peer = try RawPeer(port: server.port)
    peer.send(greeting)
    #expect(peer.readFrame() == nil)
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("A PROXY header from an address that is not trusted closes the connection")
  func untrusted() async throws {
    let server = try TestServer { $0.trustedProxies = TrustedNetworks("10.0.0.0/8") ?? .init() }
    let peer = try RawPeer(port: server.port)
    peer.send(Self.proxyHeader + greeting)
    #expect(peer.readFrame() == nil)
  }

  @Test("The oldest anonymous connection without a call is closed for a new one of its address")
  func makesRoom() async throws {
    var limits = Limits()
    limits.maxAnonymousConnectionsPerAddress = 3
    let events = LimitEvents()
    let server = try TestServer(limits: limits) {
      $0.authenticator = Anonymous()
      $0.onLimit = { events.add($0) }
    }
    var peers: [RawPeer] = []
    for _ in 0..<10 {
      let peer = try RawPeer(port: server.port)
      peer.send(greeting)
      #expect(peer.readFrames(1) == ["HELLO"])
      peers.append(peer)
    }
    for peer in peers.prefix(7) { #expect(peer.readFrames(1) == ["GOAWAY TOO_MANY_CONNECTIONS"]) }
    #expect(await eventually { server.server.connectionCount == 3 })
    #expect(events.all == Array(repeating: .anonymousClosed(address: "127.0.0.1"), count: 7))
    for peer in peers { peer.close() }
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("A half-open connection is closed without an answer for a new one of its address")
  func halfOpen() async throws {
    var limits = Limits()
    limits.maxAnonymousConnectionsPerAddress = 3
    limits.handshakeTimeoutMilliseconds = 60_000
    let events = LimitEvents()
    let server = try TestServer(limits: limits) { $0.onLimit = { events.add($0) } }
    var peers: [RawPeer] = []
    for _ in 0..<10 {
      let peer = try RawPeer(port: server.port)
      peer.send(Array(greeting[..<3]))
      peers.append(peer)
    }
    for peer in peers.prefix(7) { #expect(peer.readFrame() == nil) }
    #expect(await eventually { server.server.connectionCount == 3 })
    #expect(events.all == Array(repeating: .anonymousClosed(address: "127.0.0.1"), count: 7))
    for peer in peers { peer.close() }
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("A client with a token connects while its address is at the anonymous limit")
  func knownCallers() async throws {
    var limits = Limits()
    limits.maxAnonymousConnectionsPerAddress = 2
    let server = try TestServer(limits: limits)
    // One after another: until its greeting is read, each is anonymous.
    var peers: [RawPeer] = []
    for _ in 0..<20 {
      let peer = try RawPeer(port: server.port)
      peer.send(greeting, request(1, Methods.echo))
      #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
      peers.append(peer)
    }
    #expect(server.server.connectionCount == 20)
  }

  @Test("A burst of half-open connections closes the oldest of them and refuses no caller")
  func burst() async throws {
    var limits = Limits()
    limits.maxAnonymousConnectionsPerAddress = 10
    limits.maxRejectedConnections = 5
    limits.lingerMilliseconds = 60_000
    limits.handshakeTimeoutMilliseconds = 60_000
    let server = try TestServer(limits: limits)
    var peers: [RawPeer] = []
    for _ in 0..<10 {
      for _ in 0..<20 { peers.append(try RawPeer(port: server.port)) }
      let caller = try RawPeer(port: server.port)
      caller.send(greeting, request(1, Methods.echo))
      #expect(caller.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
    }
  }

  @Test("Callers with a token are answered while anonymous connections with calls are at a limit")
  func reserve() async throws {
    var limits = Limits()
    limits.maxConnections = 100
    limits.handshakeTimeoutMilliseconds = 60_000
    let events = LimitEvents()
    let server = try TestServer(limits: limits) {
      $0.authenticator = ByToken()
      $0.onLimit = { events.add($0) }
    }
    var peers: [RawPeer] = []
    for _ in 0..<95 {
      let peer = try RawPeer(port: server.port)
      peer.send(anonymousGreeting, request(1, Methods.holdAnonymous))
      #expect(peer.readFrames(1) == ["HELLO"])
      peers.append(peer)
    }
    #expect(await eventually { server.heldCount == 95 })
    // The token arrives late, and others send none.
    let late = try RawPeer(port: server.port)
    let anonymous = try RawPeer(port: server.port)
    anonymous.send(anonymousGreeting)
    #expect(anonymous.readFrames(2) == ["HELLO", "GOAWAY TOO_MANY_CONNECTIONS"])
    late.send(greeting, request(1, Methods.echo))
    #expect(late.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
    // Connections that send nothing do not keep the reserved places.
    for _ in 0..<20 { peers.append(try RawPeer(port: server.port)) }
    let next = try RawPeer(port: server.port)
    next.send(greeting, request(1, Methods.echo))
    #expect(next.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
    #expect(server.heldCount == 95)
    server.answerHeld()
  }

  @Test("A call is answered before the earlier work of its shard is finished")
  func work() async throws {
    let server = try TestServer(shardCount: 1)
    let busy = try RawPeer(port: server.port)
    let regular = try RawPeer(port: server.port)
    let count = 50
    busy.send(greeting + (0..<count).flatMap { request(UInt32(2 * $0 + 1), Methods.busy) })
    regular.send(greeting)
    #expect(busy.readFrames(1) == ["HELLO"] && regular.readFrames(1) == ["HELLO"])
    #expect(await eventually { server.busyCount == count })
    server.resumeBusy()
    regular.send(request(1, Methods.observe))
    server.releaseFirstBusy()
    #expect(regular.readFrames(1) == ["RESPONSE 1: 0"])
    #expect(busy.readFrames(count).count == count)
    let finished = try #require(server.observed.first)
    #expect(finished < count / 2, "\(finished) of \(count) went before")
  }

  @Test("Input of a caller with many connections waits until that of others is processed")
  func callers() async throws {
    let server = try TestServer(shardCount: 1) { $0.authenticator = ByToken() }
    let busy = try (0..<20).map { _ in try RawPeer(port: server.port) }
    let regular = try RawPeer(port: server.port)
    for peer in busy { peer.send(greeting) }
    regular.send(otherGreeting)
    for peer in busy + [regular] { #expect(peer.readFrames(1) == ["HELLO"]) }
    // The shard is blocked until the input of all is there.
    busy[0].send(request(1, Methods.spin, Blob(count: 1)))
    #expect(await eventually { server.isBlocked })
    for peer in busy { peer.send(request(3, Methods.spin) + request(5, Methods.spin)) }
    regular.send(request(1, Methods.observe))
    server.releaseFirstBusy()
    #expect(regular.readFrames(1) == ["RESPONSE 1: 0"])
    #expect(busy[0].readFrames(3).count == 3)
    for peer in busy.dropFirst() { #expect(peer.readFrames(2).count == 2) }
    let finished = try #require(server.observed.first)
    #expect(finished < 20, "\(finished) of 41 went before")
  }

  @Test("A principal at its limit gets the reason, and can connect after one connection closes")
  func perPrincipal() async throws {
    var limits = Limits()
    limits.maxConnectionsPerPrincipal = 2
    let server = try TestServer(limits: limits)
    let peers = try (0..<2).map { _ in try RawPeer(port: server.port) }
    for peer in peers {
      peer.send(greeting)
      #expect(peer.readFrames(1) == ["HELLO"])
    }
    let third = try RawPeer(port: server.port)
    third.send(greeting)
    #expect(third.readFrames(2) == ["HELLO", "GOAWAY TOO_MANY_CONNECTIONS"])
    peers[0].close()
    #expect(await eventually { server.server.connectionCount == 1 })
    let fourth = try RawPeer(port: server.port)
    fourth.send(greeting, request(1, Methods.echo))
    #expect(fourth.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
  }

  @Test("When the process's memory is full, the connection with the most memory is closed")
  func reclaims() async throws {
    var limits = Limits()
    limits.processBytes = 40 << 20
    limits.sharePercent = 100
    limits.initialStreamCredit = 1 << 30
    limits.initialConnectionCredit = 1 << 30
    let events = LimitEvents()
    let server = try TestServer(limits: limits) { $0.onLimit = { events.add($0) } }
    let part = [UInt8](repeating: 7, count: 16_000)
    let peers = try (0..<4).map { _ in try RawPeer(port: server.port) }
    // The calls begin before memory is full: later ones would be refused.
    for peer in peers {
      peer.send(greeting)
      for stream in [1, 3, 5] as [UInt32] { peer.send(messageStart(stream, part)) }
      #expect(peer.readFrames(1) == ["HELLO"])
    }
    for peer in peers {
      for stream in [1, 3, 5] as [UInt32] {
        peer.send((0..<240).flatMap { _ in frame(.data, .more, stream: stream, part) })
      }
    }
    #expect(await eventually { !events.all.isEmpty })
    #expect(await eventually { server.server.budget.heldBytes < 38 << 20 })
    guard case .memoryReclaimed(.principal(1), let byteCount) = events.all.first else {
      Issue.record("the largest connection of the principal is closed")
      return
    }
    #expect(byteCount > 8 << 20)
    for peer in peers { peer.close() }
    #expect(await eventually { server.server.budget.heldBytes == 0 })
  }

  /// A client without a token is anonymous, the length of a token is its principal.
  private struct ByToken: Authenticator {
    func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
      guard !token.isEmpty else { return .anonymous }
      return .caller(
        Caller(
          principalID: Int64(token.count), tokenID: 1, kind: .user, displayName: "C. Clout"))
    }
  }

  /// A REQUEST that begins a message.
  private func messageStart(_ stream: UInt32, _ part: [UInt8]) -> [UInt8] {
    var head = RequestHeadMessage()
    head.methodID = Methods.hold.id
    let bytes = head.serializedBytes()
    return frame(.request, .more, stream: stream, [UInt8(bytes.count)] + bytes + part)
  }
}
