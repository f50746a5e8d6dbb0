import Foundation
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import TestSupport
import TestTransports
import Testing

@Suite(
  "Peers that read or write slowly, over sockets", .serialized, .timeLimit(.minutes(5)),
  .eachReadiness)
struct SlowPeerTests {
  @Test("row 8: a hundred clients that never read use memory up to their limits, and others work")
  func silent() async throws {
    var limits = Limits()
    limits.outputBytes = 128 * 1_024
    limits.streamOutputBytes = 32 * 1_024
    limits.outputStallMilliseconds = 600_000
    // A Unix socket's buffer is small and bounded.
    let name = "quiver-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
    let path = FileManager.default.temporaryDirectory.appending(path: name).path
    let server = try TestServer(limits: limits, unixPath: path)
    let credit = withUnsafeBytes(of: UInt64(1 << 40).bigEndian) { Array($0) }
    var calls: [UInt8] = []
    for index in 0..<200 {
      calls += request(UInt32(2 * index + 1), Methods.echo, Blob(count: 4_000))
    }
    let silent = try (0..<100).map { _ in
      let peer = try RawPeer(unixPath: path)
      peer.send(greeting, frame(.credit, credit))
      #expect(peer.sendWithoutBlocking(calls, waitMilliseconds: 20_000) == calls.count)
      return peer
    }
    let others = try (0..<100).map { _ in try RawPeer(unixPath: path) }
    for peer in others { peer.send(greeting) }
    for peer in others { #expect(peer.readFrames(1) == ["HELLO"]) }
    for round in 0..<10 as Range<UInt32> {
      for peer in others { peer.send(request(2 * round + 1, Methods.echo, Blob(count: 40))) }
      for peer in others { #expect(peer.readFrames(1) == ["RESPONSE \(2 * round + 1): 42"]) }
    }
    var held: [Int] = []
    // All of them reach the limit.
    #expect(
      await eventually {
        held = await Self.heldBytes(server, connections: 200)
        return held.count { $0 >= limits.outputBytes / 2 } == 100
      })
    // One read may exceed the limit by its size.
    let most = limits.outputBytes + limits.readTurnBytes
    #expect(held.allSatisfy { $0 <= most }, "\(held.max() ?? 0) bytes on one connection")
    #expect(server.server.budget.heldBytes <= 200 * most)
    for peer in silent { peer.close() }
    for peer in others { peer.close() }
    #expect(await eventually { server.server.connectionCount == 0 })
    #expect(server.server.budget.heldBytes == 0)
  }

  /// The queued output of each connection.
  private static func heldBytes(_ server: TestServer, connections: Int) async -> [Int] {
    let held = Mutex<[Int]>([])
    server.server.forEachConnection { end in
      let byteCount = end.connection.pointee.core.outputByteCount
      held.withLock { $0.append(byteCount) }
    }
    #expect(await eventually { held.withLock { $0.count } == connections })
    return held.withLock { $0 }
  }

  @Test("row 9: a hundred clients that send a byte at a time are closed, and others work")
  func drip() async throws {
    var limits = Limits()
    limits.handshakeTimeoutMilliseconds = 2_000
    limits.frameTimeoutMilliseconds = 200
    limits.lingerMilliseconds = 20
    let server = try TestServer(limits: limits)
    let other = try RawPeer(port: server.port)
    other.send(greeting)
    #expect(other.readFrames(1) == ["HELLO"])
    let silentPeers = try (0..<50).map { _ in try RawPeer(port: server.port) }
    let callers = try (0..<50).map { _ in
      let peer = try RawPeer(port: server.port)
      peer.send(greeting)
      return peer
    }
    for peer in callers { #expect(peer.readFrames(1) == ["HELLO"]) }
    // A greeting and a frame that are never complete.
    let call = header(.request, .end, stream: 1, promising: 10_000)
    var round = 0
    while server.server.connectionCount > 1, round < 2_000 {
      if round < greeting.count - 1 { for peer in silentPeers { peer.send([greeting[round]]) } }
      for peer in callers { peer.send([round < call.count ? call[round] : 0]) }
      let stream = UInt32(2 * round + 1)
      other.send(request(stream, Methods.echo))
      #expect(other.readFrames(1) == ["RESPONSE \(stream): 0"])
      round += 1
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(server.server.connectionCount == 1)
    for peer in callers { #expect(peer.readFrames(1) == ["GOAWAY TIMEOUT"]) }
    #expect(server.server.budget.heldBytes == 0)
  }
}
