import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import TestSupport
import TestTransports
import Testing

@Suite("Handlers and load over sockets", .serialized, .timeLimit(.minutes(5)), .eachReadiness)
struct HandlerTests {
  @Test("A responder answers from another thread, in any order")
  func elsewhere() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting)
    #expect(peer.readFrames(1) == ["HELLO"])
    for round in 0..<20 {
      let streams = (0..<50).map { UInt32(2 * (round * 50 + $0) + 1) }
      peer.send(streams.flatMap { request($0, Methods.elsewhere, Blob(count: 3)) })
      #expect(Set(peer.readFrames(50)) == Set(streams.map { "RESPONSE \($0): 5" }))
    }
  }

  @Test("A synchronous handler that has no reply yet leaves the call to its responder")
  func either() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting)
    #expect(peer.readFrames(1) == ["HELLO"])
    for (index, count) in [0, 3, 0, 3].enumerated() {
      let stream = UInt32(2 * index + 1)
      peer.send(request(stream, Methods.either, Blob(count: count)))
      #expect(peer.readFrames(1) == ["RESPONSE \(stream): \(count == 0 ? 0 : 5)"])
    }
    peer.send(request(9, Methods.either, Blob(count: 1)))
    #expect(peer.readFrames(1).first?.hasPrefix("RESPONSE") == false)
  }

  @Test("An async handler that suspended elsewhere resumes on its shard")
  func suspending() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting)
    #expect(peer.readFrames(1) == ["HELLO"])
    for round in 0..<20 {
      let streams = (0..<50).map { UInt32(2 * (round * 50 + $0) + 1) }
      peer.send(streams.flatMap { request($0, Methods.suspending, Blob(count: 3)) })
      #expect(Set(peer.readFrames(50)) == Set(streams.map { "RESPONSE \($0): 5" }))
    }
    #expect(server.resumed.onShard == 1_000)
    #expect(server.resumed.offShard == 0)
  }

  @Test("Connections own no output memory after replies that came between turns of input")
  func outputMemory() async throws {
    let server = try TestServer(shardCount: 1)
    let peers = try (0..<20).map { _ in try RawPeer(port: server.port) }
    for peer in peers { peer.send(greeting, request(1, Methods.hold)) }
    for peer in peers { #expect(peer.readFrames(1) == ["HELLO"]) }
    #expect(await eventually { server.heldCount == 20 })
    server.answerHeld()
    for peer in peers { #expect(peer.readFrames(1) == ["RESPONSE 1: 0"]) }
    let held = Mutex<[Int]>([])
    server.server.forEachConnection { end in
      held.withLock { $0.append(end.connection.pointee.core.output.allocatedByteCount) }
    }
    #expect(await eventually { held.withLock { $0.count } == 20 })
    #expect(held.withLock { $0 } == Array(repeating: 0, count: 20))
  }

  @Test("D01: a deadline cancels a handler by the shard's clock")
  func deadline() async throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting, request(1, Methods.hold, timeoutMilliseconds: 20))
    #expect(peer.readFrames(1) == ["HELLO"])
    #expect(await eventually { server.cancelledCount == 1 })
    server.answerHeld()
    #expect(peer.readFrames(1) == ["STATUS 1 DEADLINE_EXCEEDED"])
  }

  @Test("A drain waits for open calls, and then every connection ends")
  func drain() async throws {
    let server = try TestServer()
    let busy = try RawPeer(port: server.port)
    let idle = try RawPeer(port: server.port)
    busy.send(greeting, request(1, Methods.hold))
    idle.send(greeting)
    #expect(busy.readFrames(1) == ["HELLO"] && idle.readFrames(1) == ["HELLO"])
    #expect(await eventually { server.heldCount == 1 })
    let isDrained = Mutex(false)
    let draining = Task {
      await server.server.drain()
      isDrained.withLock { $0 = true }
    }
    for peer in [busy, idle] {
      #expect(peer.readFrames(2) == ["GOAWAY NO_ERROR", "PING"])
      peer.send(frame(.ping, .end, [0, 0, 0, 0, 0, 0, 0, 1]))
    }
    #expect(idle.receiveAll() == ["GOAWAY NO_ERROR", "end"])
    #expect(busy.readFrames(1) == ["GOAWAY NO_ERROR"])
    #expect(!isDrained.withLock { $0 })
    server.answerHeld()
    #expect(busy.receiveAll() == ["RESPONSE 1: 0", "end"])
    busy.close()
    idle.close()
    await draining.value
    #expect(server.server.connectionCount == 0)
    #expect(throws: RawPeer.Failure.self) { _ = try RawPeer(port: server.port) }
  }

  @Test("A drain waits for the only connection too")
  func drainOfOne() async throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting, request(1, Methods.hold))
    #expect(peer.readFrames(1) == ["HELLO"])
    #expect(await eventually { server.heldCount == 1 })
    let isDrained = Mutex(false)
    let draining = Task {
      await server.server.drain()
      isDrained.withLock { $0 = true }
    }
    #expect(peer.readFrames(2) == ["GOAWAY NO_ERROR", "PING"])
    peer.send(frame(.ping, .end, [0, 0, 0, 0, 0, 0, 0, 1]))
    #expect(peer.readFrames(1) == ["GOAWAY NO_ERROR"])
    #expect(!isDrained.withLock { $0 })
    server.answerHeld()
    #expect(peer.receiveAll() == ["RESPONSE 1: 0", "end"])
    peer.close()
    await draining.value
    #expect(server.server.connectionCount == 0)
  }

  @Test("The path of a Unix socket has 1 to 107 bytes")
  func pathLength() {
    let longest = "unix:" + String(repeating: "p", count: Endpoint.maxPathBytes)
    #expect(Endpoint(longest)?.kind == .unix(path: String(longest.dropFirst(5))))
    #expect(Endpoint(longest + "p") == nil && Endpoint("unix:") == nil)
  }

  @Test("A08: a client that never reads uses memory up to its limits, and does not affect others")
  func slowReader() async throws {
    var limits = Limits()
    limits.outputBytes = 256 * 1_024
    limits.maxQueuedAnswers = 32
    let server = try TestServer(limits: limits, shardCount: 1)
    let other = try RawPeer(port: server.port)
    other.send(greeting)
    #expect(other.readFrames(1) == ["HELLO"])
    let slow = try RawPeer(port: server.port, receiveBufferBytes: 4_096)
    // Unlimited credit, so that only the socket limits the replies.
    let credit = withUnsafeBytes(of: UInt64(1 << 40).bigEndian) { Array($0) }
    slow.send(greeting, frame(.credit, credit))
    var calls: [UInt8] = []
    for index in 0..<8_000 {
      calls += request(UInt32(2 * index + 1), Methods.echo, Blob(count: 4_000))
    }
    let sent = slow.sendWithoutBlocking(calls, waitMilliseconds: 500)
    #expect(sent < calls.count, "the reader stopped")
    let largest = Mutex(0)
    let seen = Mutex(0)
    server.server.forEachConnection { end in
      let bytes = end.output.count
      largest.withLock { $0 = max($0, bytes) }
      seen.withLock { $0 += 1 }
    }
    #expect(await eventually { seen.withLock { $0 } == 2 })
    let most = largest.withLock { $0 }
    let limit = 256 * 1_024 + 32 * 200 + 5_000
    #expect(most < limit)
    for index in 0..<100 {
      other.send(request(UInt32(2 * index + 1), Methods.echo))
      #expect(other.readFrames(1) == ["RESPONSE \(2 * index + 1): 0"])
    }
  }

  @Test("Output that nobody reads for its time limit ends the connection")
  func stuckOutput() async throws {
    var limits = Limits()
    limits.outputStallMilliseconds = 100
    let server = try TestServer(limits: limits)
    let slow = try RawPeer(port: server.port, receiveBufferBytes: 4_096)
    let credit = withUnsafeBytes(of: UInt64(1 << 40).bigEndian) { Array($0) }
    slow.send(greeting, frame(.credit, credit))
    let calls = (0..<8_000).flatMap {
      request(UInt32(2 * $0 + 1), Methods.echo, Blob(count: 4_000))
    }
    _ = slow.sendWithoutBlocking(calls, waitMilliseconds: 500)
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("Large requests and replies pass completely through a socket in both directions")
  func large() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    var credit = frame(.credit, withUnsafeBytes(of: UInt64(1 << 40).bigEndian) { Array($0) })
    peer.send(greeting, credit)
    #expect(peer.readFrames(1) == ["HELLO"])
    for round in 0..<20 as Range<UInt32> {
      let stream = 2 * round + 1
      credit = frame(
        .credit, stream: stream, withUnsafeBytes(of: UInt64(1 << 40).bigEndian) { Array($0) })
      peer.send(request(stream, Methods.elsewhere, Blob(count: 16_000)))
      var received = 0
      while received < 16_003, let frame = peer.readFrame() {
        if frame.header.stream == stream { received += frame.payload.count }
      }
      #expect(received == 16_003)
      peer.send(credit)
    }
  }

  @Test("A client without a server fails its calls as not processed")
  func nobodyThere() async throws {
    let transport = try DispatchTransport()
    let server = try TestServer()
    let port = server.port
    server.server.stop()
    let endpoint = try #require(Endpoint("127.0.0.1:\(port)"))
    #expect(await eventually { (try? RawPeer(port: port)) == nil })
    let end = transport.connect(to: endpoint, ConnectOptions(software: "test"))
    let watch = Watch()
    end.observe(by: watch)
    #expect(await eventually { watch.ending.withLock { $0 } != nil })
    let ending = try #require(watch.ending.withLock { $0 })
    #expect(!ending.hasOpened && ending.reason.code == .unavailable)
    #expect(ending.reason.message.contains("127.0.0.1:\(port)"))
  }
}

/// Waits for the end of a connection.
private final class Watch: ClientEndObserver {
  let ending = Mutex<ClientEnding?>(nil)

  func opened(_ end: ClientEnd) {}
  func hasRoom(_ end: ClientEnd) {}
  func unusable(_ end: ClientEnd, _ ending: ClientEnding) {
    self.ending.withLock { $0 = ending }
  }
}
