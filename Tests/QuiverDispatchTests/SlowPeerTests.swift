import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@Suite("Peers that read or write slowly, over sockets", .serialized)
struct SlowPeerTests {
  @Test("row 8: a hundred clients that never read cost what the limits say, and others are served")
  func deaf() async throws {
    var limits = Limits()
    limits.outputBytes = 128 * 1_024
    limits.streamOutputBytes = 32 * 1_024
    let server = try TestServer(limits: limits)
    let credit = withUnsafeBytes(of: UInt64(1 << 40).bigEndian) { Array($0) }
    var calls: [UInt8] = []
    for index in 0..<200 {
      calls += request(UInt32(2 * index + 1), Methods.echo, Blob(count: 4_000))
    }
    let deaf = try (0..<100).map { _ in
      let peer = try RawPeer(port: server.port, receiveBufferBytes: 4_096)
      peer.say(greeting, frame(.credit, credit))
      _ = peer.sayWhatGoes(calls, waitMilliseconds: 0)
      return peer
    }
    let others = try (0..<100).map { _ in try RawPeer(port: server.port) }
    for peer in others { peer.say(greeting) }
    for peer in others { #expect(peer.hears(1) == ["HELLO"]) }
    for round in 0..<10 as Range<UInt32> {
      for peer in others { peer.say(request(2 * round + 1, Methods.echo, Blob(count: 40))) }
      for peer in others { #expect(peer.hears(1) == ["RESPONSE \(2 * round + 1): 42"]) }
    }
    let largest = Mutex(0)
    let seen = Mutex(0)
    server.server.forEachConnection { end in
      let held = end.connection.pointee.core.outputByteCount
      largest.withLock { $0 = max($0, held) }
      seen.withLock { $0 += 1 }
    }
    #expect(await eventually { seen.withLock { $0 } == 200 })
    // A turn may go over the limit by what it brought.
    let most = largest.withLock { $0 }
    #expect(most <= limits.outputBytes + limits.readTurnBytes, "\(most) bytes on one connection")
    #expect(server.server.budget.heldBytes <= 200 * (limits.outputBytes + limits.readTurnBytes))
    for peer in deaf { peer.close() }
    for peer in others { peer.close() }
    #expect(await eventually { server.server.connectionCount == 0 })
    #expect(server.server.budget.heldBytes == 0)
  }

  @Test("row 9: a hundred clients that write a byte at a time are ended, others are served")
  func drip() async throws {
    var limits = Limits()
    limits.handshakeTimeoutMilliseconds = 200
    limits.frameTimeoutMilliseconds = 200
    limits.lingerMilliseconds = 20
    let server = try TestServer(limits: limits)
    let other = try RawPeer(port: server.port)
    other.say(greeting)
    #expect(other.hears(1) == ["HELLO"])
    let strangers = try (0..<50).map { _ in try RawPeer(port: server.port) }
    let callers = try (0..<50).map { _ in try RawPeer(port: server.port) }
    for peer in callers { peer.say(greeting) }
    for peer in callers { #expect(peer.hears(1) == ["HELLO"]) }
    // A greeting and a frame that are never whole.
    let call = header(.request, .end, stream: 1, promising: 10_000)
    var round = 0
    while server.server.connectionCount > 1, round < 2_000 {
      if round < greeting.count - 1 { for peer in strangers { peer.say([greeting[round]]) } }
      for peer in callers { peer.say([round < call.count ? call[round] : 0]) }
      let stream = UInt32(2 * round + 1)
      other.say(request(stream, Methods.echo))
      #expect(other.hears(1) == ["RESPONSE \(stream): 0"])
      round += 1
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(server.server.connectionCount == 1)
    for peer in callers { #expect(peer.hears(1) == ["GOAWAY TIMEOUT"]) }
    #expect(server.server.budget.heldBytes == 0)
  }
}
