import Foundation
import Glibc
import QuiverDispatch
import QuiverRPC
import QuiverWire
import TestSupport
import TestTransports
import Testing

@Suite("The server over sockets", .serialized, .timeLimit(.minutes(5)), .eachReadiness)
struct SocketTests {
  static let foreignMagic: [[UInt8]] = [
    Array("EHLO archery\r\n".utf8), [UInt8](repeating: 0, count: 64),
  ]

  @Test("H01: a connection with other magic is closed without a reply", arguments: foreignMagic)
  func wrongPreface(_ bytes: [UInt8]) throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(bytes)
    #expect(peer.receiveAll() == ["end"])
  }

  @Test("C08: a length above the limit is refused and closed, from the header alone")
  func oversize() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting, header(.request, .end, stream: 1, promising: 0xFF_FFFF))
    #expect(peer.receiveAll() == ["HELLO", "GOAWAY FRAME_SIZE_ERROR", "end"])
  }

  @Test("The client receives the GOAWAY even if it continues to send")
  func goAwaySurvives() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting, header(.request, .end, stream: 1, promising: 0xFF_FFFF))
    peer.send([UInt8](repeating: 1, count: 300_000))
    #expect(peer.receiveAll().prefix(2) == ["HELLO", "GOAWAY FRAME_SIZE_ERROR"])
  }

  @Test("H02: a late HELLO closes the connection without a reply", arguments: [0, 5, 12])
  func lateHello(_ byteCount: Int) throws {
    var limits = Limits()
    limits.handshakeTimeoutMilliseconds = 50
    let server = try TestServer(limits: limits)
    let peer = try RawPeer(port: server.port)
    peer.send(Array(greeting.prefix(byteCount)))
    #expect(peer.receiveAll() == ["end"])
  }

  @Test("The server accepts a client that sends a byte at a time")
  func byteAtATime() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    for byte in greeting + request(1, Methods.echo, Blob(count: 30)) { peer.send([byte]) }
    #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 1: 32"])
  }

  @Test("C04: a thousand calls in one write are answered in order")
  func manyCallsInOneWrite() throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    let calls = (0..<1_000).flatMap { request(UInt32(2 * $0 + 1), Methods.echo) }
    peer.send(greeting, calls)
    let words = peer.readFrames(1_001)
    let replies = (0..<1_000).map { "RESPONSE \(2 * $0 + 1): 0" }
    #expect(words == ["HELLO"] + replies)
  }

  @Test("Three hundred concurrent connections have separate calls")
  func manyConnections() async throws {
    let server = try TestServer()
    let peers = try (0..<300).map { _ in try RawPeer(port: server.port) }
    for peer in peers { peer.send(greeting, request(1, Methods.echo, Blob(count: 5))) }
    for peer in peers { #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 1: 7"]) }
    #expect(server.server.connectionCount == 300)
    for peer in peers { peer.close() }
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("L06: a half-closed connection gets finished replies, and its open calls are cancelled")
  func halfClose() async throws {
    let server = try TestServer()
    let peer = try RawPeer(port: server.port)
    peer.send(greeting, request(1, Methods.hold), request(3, Methods.echo))
    #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 3: 0"])
    peer.halfClose()
    #expect(peer.receiveAll() == ["end"])
    #expect(await eventually { server.cancelledCount == 1 })
    server.answerHeld()
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  @Test("L06: a reset within a frame cancels the connection's calls and no others")
  func resetInFrame() async throws {
    let server = try TestServer(shardCount: 1)
    let bystander = try RawPeer(port: server.port)
    bystander.send(greeting)
    #expect(bystander.readFrames(1) == ["HELLO"])
    for _ in 0..<20 {
      let peer = try RawPeer(port: server.port)
      peer.send(greeting, request(1, Methods.hold), Array(request(3, Methods.echo).dropLast(2)))
      #expect(peer.readFrames(1) == ["HELLO"])
      peer.reset()
    }
    #expect(await eventually { server.server.connectionCount == 1 })
    #expect(await eventually { server.cancelledCount == 20 || server.heldCount < 20 })
    server.answerHeld()
    bystander.send(request(1, Methods.echo))
    #expect(bystander.readFrames(1) == ["RESPONSE 1: 0"])
  }

  @Test(
    "A connection above the limit gets the reason, and a freed place can be used again")
  func tooManyConnections() async throws {
    var limits = Limits()
    limits.maxConnections = 2
    let server = try TestServer(limits: limits)
    let peers = try (0..<2).map { _ in try RawPeer(port: server.port) }
    // An anonymous connection without a call would be closed for the next one.
    for (index, peer) in peers.enumerated() {
      peer.send(greeting, request(1, Methods.hold))
      #expect(peer.readFrames(1) == ["HELLO"])
      #expect(await eventually { server.heldCount == index + 1 })
    }
    for _ in 0..<20 {
      let refused = try RawPeer(port: server.port)
      refused.send(greeting, request(1, Methods.echo))
      // Its call may be answered before the others are known to be busy.
      #expect(refused.receiveAll().suffix(2) == ["GOAWAY TOO_MANY_CONNECTIONS", "end"])
    }
    peers[0].close()
    #expect(await eventually { server.server.connectionCount == 1 })
    let next = try RawPeer(port: server.port)
    next.send(greeting, request(1, Methods.echo))
    #expect(next.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
    server.answerHeld()
  }

  @Test("A Unix socket accepts calls, and its file is removed with the listener")
  func unixSocket() async throws {
    let name = "quiver-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
    let path = FileManager.default.temporaryDirectory.appending(path: name).path
    let server = try TestServer(unixPath: path)
    let peer = try RawPeer(unixPath: path)
    peer.send(greeting, request(1, Methods.echo, Blob(count: 9)))
    #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 1: 11"])
    server.server.stop()
    #expect(peer.receiveAll() == ["end"])
    #expect(await eventually { access(path, F_OK) != 0 })
  }

  @Test("L10: servers can stop while connections are accepted")
  func stopWhileAccepting() async throws {
    for _ in 0..<20 {
      let server = try TestServer()
      let port = server.port
      let peers = (0..<10).compactMap { _ in try? RawPeer(port: port) }
      for peer in peers { peer.send(greeting) }
      server.server.stop()
      for peer in peers { #expect(peer.receiveAll().last == "end") }
      #expect(await eventually { server.server.connectionCount == 0 })
    }
  }

  @Test("L09: descriptors are back at the baseline after 1,000 connections")
  func descriptors() async throws {
    let server = try TestServer()
    let warm = try RawPeer(port: server.port)
    warm.send(greeting)
    #expect(warm.readFrames(1) == ["HELLO"])
    warm.close()
    #expect(await eventually { server.server.connectionCount == 0 })
    let before = openDescriptorCount()
    for number in 0..<1_000 {
      let peer = try RawPeer(port: server.port)
      peer.send(greeting, request(1, Methods.echo))
      #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
      if number % 3 == 0 { peer.reset() } else { peer.close() }
    }
    #expect(await eventually { server.server.connectionCount == 0 })
    #expect(await eventually { openDescriptorCount() <= before })
  }

  @Test("Every connection ends that is reset while its replies wait to be written")
  func resetWhileRepliesWait() async throws {
    let server = try TestServer()
    let before = openDescriptorCount()
    for _ in 0..<20 {
      let peers = try (0..<32).map { _ in try RawPeer(port: server.port) }
      for peer in peers {
        peer.send(greeting, request(1, Methods.echo, Blob(count: 60_000)))
        // Longer than what the sockets of both sides hold, if the server reads no further.
        _ = peer.sendWithoutBlocking(
          request(3, Methods.hold) + request(5, Methods.echo, Blob(count: 4_000_000)),
          waitMilliseconds: 0)
      }
      for (number, peer) in peers.enumerated() {
        if number % 2 == 0 { peer.reset() } else { peer.close() }
      }
    }
    #expect(await eventually { server.server.connectionCount == 0 })
    #expect(await eventually { openDescriptorCount() <= before })
  }
}
